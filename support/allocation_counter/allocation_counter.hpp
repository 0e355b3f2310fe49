#pragma once

#include <cstdint>

namespace aplomb {

/// Heap allocations of this thread since it started; always 0 where counts_allocations() is false.
std::int64_t num_allocations();

/// False in a sanitizer build, where the sanitizer owns malloc.
bool counts_allocations();

}  // namespace aplomb

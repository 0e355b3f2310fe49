#pragma once

#include <cstdint>

namespace aplomb {

/// Heap allocations of this thread since it started; always 0 in a sanitizer build, where the sanitizer owns malloc.
std::int64_t num_allocations();

}  // namespace aplomb

#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "allocation_counter.hpp"  // link aplomb_allocation_counter

namespace aplomb::test {

/// Counts this thread's heap allocations from its construction on. First in a test: SKIP_UNLESS_COUNTED().
class AllocationCount {
 public:
  std::int64_t since_start() const { return num_allocations() - start_; }

 private:
  std::int64_t start_ = num_allocations();
};

}  // namespace aplomb::test

/// In a sanitizer build, where nothing is counted, the test is skipped instead of passing for nothing.
#define SKIP_UNLESS_COUNTED() \
  if (!aplomb::counts_allocations()) GTEST_SKIP() << "the sanitizer owns malloc"

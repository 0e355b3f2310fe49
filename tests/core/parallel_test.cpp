#include "aplomb/core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace aplomb {
namespace {

TEST(ForEachParallel, CallsEveryNumberOnceWhateverTheJobs) {
  for (const std::size_t jobs : {0u, 1u, 2u, 7u, 300u}) {
    std::vector<std::atomic<int>> calls(200);
    for_each_parallel(calls.size(), jobs, [&](std::size_t i) { ++calls[i]; });
    for (const auto& count : calls) EXPECT_EQ(count, 1);
  }
  for_each_parallel(0, 4, [](std::size_t) { FAIL(); });
}

TEST(ForEachParallel, UsesAsManyThreadsAsItMay) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::atomic<int> waiting{0};
  // Each call waits for the others: this ends only when three threads are at work.
  for_each_parallel(3, 3, [&](std::size_t) {
    ++waiting;
    while (waiting < 3) std::this_thread::yield();
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(threads.size(), 3u);
}

TEST(ForEachParallel, AnExceptionStopsTheRestAndIsThrownOnce) {
  for (const std::size_t jobs : {1u, 3u}) {
    std::atomic<int> calls{0};
    const auto work = [&](std::size_t i) {
      ++calls;
      if (i == 5) throw std::runtime_error("five");
    };
    EXPECT_THROW(for_each_parallel(100'000, jobs, work), std::runtime_error);
    EXPECT_LT(calls, 100'000);
  }
}

TEST(NumCores, IsAtLeastOne) { EXPECT_GE(num_cores(), 1u); }

}  // namespace
}  // namespace aplomb

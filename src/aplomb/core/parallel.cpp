#include "aplomb/core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "aplomb/core/interrupt.hpp"

namespace aplomb {

void for_each_parallel(std::size_t count, std::size_t jobs, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto take_turns = [&] {
    try {
      for (std::size_t item = next++; item < count; item = next++) {
        check_interrupt();
        work(item);
      }
    } catch (...) {
      next = count;
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;  // joined at the end of this block
    const std::size_t num_threads = std::min(std::max<std::size_t>(jobs, 1), count);
    for (std::size_t i = 1; i < num_threads; ++i) threads.emplace_back(take_turns);
    take_turns();
  }
  if (failure) std::rethrow_exception(failure);
}

std::size_t num_cores() { return std::max(1U, std::thread::hardware_concurrency()); }

}  // namespace aplomb

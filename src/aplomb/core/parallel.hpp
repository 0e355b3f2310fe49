#pragma once

#include <cstddef>
#include <functional>

namespace aplomb {

/// Calls `work(0)`, ..., `work(count - 1)`, each once, on up to `jobs` threads; lower numbers are begun first. After
/// the first exception no further call is begun; it is rethrown when all threads have ended. Throws Interrupted when
/// the program is asked to stop.
void for_each_parallel(std::size_t count, std::size_t jobs, const std::function<void(std::size_t)>& work);

std::size_t num_cores();  ///< cores that this process may use; at least 1

}  // namespace aplomb

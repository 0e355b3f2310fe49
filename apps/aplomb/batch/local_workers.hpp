#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "aplomb/batch/batch_folder.hpp"

namespace aplomb {

/// Counts of jobs that are through, for progress.
struct BatchProgress {
  std::size_t through = 0;  ///< done, found done, or given up
  std::size_t done = 0;     ///< done here and now
  std::size_t failed = 0;   ///< done here, with an error or a failed check
};

/// Does jobs in `num_workers` processes of this machine, each this program again (batch/worker.hpp). A process that
/// dies costs its job in flight, which is given to another; after kMostAttempts deaths the job has an error. `next`
/// gives the jobs that are not finished, one after the other, and nothing at the end. Throws Interrupted, and Error
/// when the result folder cannot be written any more; what is finished stays.
void do_locally(const BatchFolder& folder, std::size_t num_workers,
                const std::function<std::optional<BatchJob>()>& next,
                const std::function<void(const BatchProgress&)>& on_progress);

inline constexpr int kMostAttempts = 5;

}  // namespace aplomb

#pragma once

#include <cstddef>
#include <string>

#include "aplomb/batch/batch_folder.hpp"

namespace aplomb {

/// Writes DIR/slurm.sh, an array of tasks that each do their share of the index, and says how to submit it. Throws
/// FileError.
std::string write_slurm_script(const BatchFolder& folder, const std::string& manifest, std::size_t num_jobs,
                               std::size_t num_tasks);

}  // namespace aplomb

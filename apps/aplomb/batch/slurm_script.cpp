#include "batch/slurm_script.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/text_file.hpp"

namespace aplomb {

std::string write_slurm_script(const BatchFolder& folder, const std::string& manifest, std::size_t num_jobs,
                               std::size_t num_tasks) {
  const std::filesystem::path file = folder.path() / "slurm.sh";
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = fmt::format("{} batch {} --out {}", shell_word(program), shell_word(manifest),
                                          shell_word(folder.path().string()));
  write_file(file,
             fmt::format("#!/bin/bash\n"
                         "#SBATCH --job-name=aplomb\n"
                         "#SBATCH --array=1-{0}\n"
                         "#SBATCH --cpus-per-task=1\n"
                         "#SBATCH --output={1}/slurm-%a.txt\n"
                         "# {2} jobs; task K does every {0}th job from the Kth. Submit it again after a failure: what\n"
                         "# is finished is not done again. Program and folder are seen by every node.\n"
                         "cd {3}\n"
                         "exec {4} --task \"$SLURM_ARRAY_TASK_ID/{0}\" --jobs \"${{SLURM_CPUS_PER_TASK:-1}}\"\n",
                         num_tasks, folder.path().string(), num_jobs,
                         shell_word(std::filesystem::current_path().string()), command));
  return fmt::format("sbatch --wait {} && {} --only collect\n", shell_word(file.string()), command);
}

}  // namespace aplomb

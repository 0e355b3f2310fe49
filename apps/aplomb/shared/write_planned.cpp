#include "shared/write_planned.hpp"

#include "aplomb/motion/files/trajectory_file.hpp"
#include "aplomb/report/result_files.hpp"

namespace aplomb {

void write_planned(const RetargetOutput& output, const Retargeted& planned, const std::filesystem::path& folder) {
  write_result_files(output.result, output.log, output.page, {LogFormat::csv, LogFormat::npz}, folder);
  write_plan({planned.trajectory, planned.contacts}, folder);
  write_mot(folder / "trajectory.mot", angles_of(planned.trajectory));
}

}  // namespace aplomb

#pragma once

#include <functional>
#include <string>
#include <vector>

namespace aplomb {

struct BenchCase {
  std::string name;
  std::function<void()> call;  ///< the work to be timed, once
};

/// All that `aplomb bench` times. Each case owns what it needs.
std::vector<BenchCase> bench_cases();

/// Adds those of the solvers: nnls_6x32_cold, nnls_6x32_warm, bvls_6x12_warm, hierarchy_4_levels.
void add_solvers(std::vector<BenchCase>& cases);

/// Adds those of the human: human_fit_frame, human_fit_frame_155.
void add_human_fits(std::vector<BenchCase>& cases);

/// Adds those of retargeting: retarget_frame, retarget_clip_frame.
void add_retargeting(std::vector<BenchCase>& cases);

/// Adds cycle_task_priority.
void add_task_priority(std::vector<BenchCase>& cases);

}  // namespace aplomb

#pragma once

#include <functional>
#include <string>
#include <vector>

namespace aplomb {

struct BenchCase {
  std::string name;
  std::function<void()> call;  ///< one call of the work to be timed
  int frames = 1;              ///< frames that one call solves together; figures are per frame
};

/// All cases of `aplomb bench`. Each case owns its data.
std::vector<BenchCase> bench_cases();

/// Adds the cases of the solvers: nnls_6x32_cold, nnls_6x32_warm, bvls_6x12_warm, hierarchy_4_levels.
void add_solvers(std::vector<BenchCase>& cases);

/// Adds the cases of human motion: human_fit_frame, human_fit_frame_155.
void add_human_fits(std::vector<BenchCase>& cases);

/// Adds the cases of retargeting: retarget_frame, retarget_clip_frame.
void add_retargeting(std::vector<BenchCase>& cases);

/// Adds the cases of the base estimate: estimate_talos, contact_filter_5.
void add_estimates(std::vector<BenchCase>& cases);

/// Adds cycle_rise, cycle_rise_talos.
void add_rises(std::vector<BenchCase>& cases);

/// Adds cycle_task_priority.
void add_task_priority(std::vector<BenchCase>& cases);

}  // namespace aplomb

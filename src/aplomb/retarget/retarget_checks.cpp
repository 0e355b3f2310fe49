#include "aplomb/retarget/retarget_checks.hpp"

#include <numbers>

namespace aplomb {
namespace {

constexpr double kResidual = 1e-6;     // [m]
constexpr double kShiftPerLeg = 0.05;  // of the leg length

}  // namespace

std::vector<Check> retarget_checks(const Retargeted& retargeted, bool keeps_zmp) {
  using Rule = Check::Rule;
  std::vector<Check> checks = {
      {"infeasible_frames", Rule::equals, std::int64_t{0}, "no frame violates a constraint"},
      {"com_residual_max_m", Rule::below, kResidual, "the CoM is an equality constraint"},
      {"com_target_shift_max_m", Rule::below, kShiftPerLeg * retargeted.leg_length,
       "5 % of the leg length, as far as a person's own rises are apart"},
      {"slowdown", Rule::below, std::numbers::sqrt2, "above, less than half of the inertial forces remain"},
      {"joint_speed_ratio_max", Rule::below, 1.0, "the joints' speed limits in the URDF"},
      {"plan_torque_ratio_max", Rule::below, 1.0, "the joints' torque limits in the URDF"}};
  if (!keeps_zmp) return checks;
  checks.push_back({"zmp_kept", Rule::equals, true, "inside its margin, and not behind the hips on the seat"});
  checks.push_back({"zmp_margin_planned_min_m", Rule::above, retargeted.zmp_margin_needed,
                    "a tenth of the sole's length, at most a third of its width, less 2 mm"});
  return checks;
}

}  // namespace aplomb

#include "aplomb/retarget/retarget_checks.hpp"

namespace aplomb {
namespace {

constexpr double kResidual = 1e-6;         // [m]
constexpr double kDeviationPerLeg = 0.04;  // of the leg length
constexpr double kFlight = 0.1;            // [s] shorter ones may be errors of the contacts that were found

}  // namespace

std::vector<Check> retarget_checks(const Retargeted& retargeted) {
  using Rule = Check::Rule;
  std::vector<Check> checks = {
      {"infeasible_frames", Rule::equals, std::int64_t{0}, "no frame violates an equation or a limit"},
      {"joint_speed_ratio_max", Rule::below, 1.0, "the joints' speed limits in the URDF"},
      {"plan_torque_ratio_max", Rule::below, 1.0, "the joints' torque limits in the URDF"}};
  if (retargeted.mode != RetargetMode::priced)
    checks.push_back({"com_residual_max_m", Rule::below, kResidual, "the CoM is an equality constraint"});
  checks.push_back({"com_target_shift_max_m", Rule::below, kDeviationPerLeg * retargeted.leg_length,
                    "4 % of the leg length, as far as a person's own rises are apart"});
  if (retargeted.mode == RetargetMode::frames) return checks;
  checks.push_back({"person_flight_s", Rule::below, kFlight,
                    "a person without a foot on the floor jumps; the plan keeps one there"});
  checks.push_back({"plan_settled", Rule::equals, true, "the solver of the whole motion converged"});
  checks.push_back({"plan_cop_margin_length_min_m", Rule::above, retargeted.cop_margin_needed.x(),
                    "three quarters of the margin that is planned at the knots"});
  checks.push_back({"plan_cop_margin_width_min_m", Rule::above, retargeted.cop_margin_needed.y(),
                    "three quarters of the margin that is planned at the knots"});
  return checks;
}

}  // namespace aplomb

#include "aplomb/run/metrics/rise_checks.hpp"

#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/sim/simulation.hpp"

namespace aplomb {
namespace {

constexpr double kMaxSpeedRatio = 1.0;
constexpr double kMaxSaturatedTime = 0.02;      // [s]
constexpr double kMaxForcePerWeight = 1.5;      // of both feet together
constexpr double kFullScaleTime = 0.01;         // [s] in which a drive goes from zero to its full torque
constexpr double kStandingFootPerWeight = 0.5;  // load of one foot of two
constexpr double kScalePerTick = Simulation::kControlPeriod / kFullScaleTime;

constexpr double kMaxTouchVelocity = 0.1;  // [m/s]
constexpr double kMaxSeatForce = 1.3;      // over the seat force at the end

Check below(const char* metric, double bound, const char* reason) {
  return {.metric = metric, .rule = Check::Rule::below, .bound = bound, .reason = reason};
}

}  // namespace

std::vector<Check> rise_checks(const RobotModel& robot) {
  const double weight = robot.mass() * kGravity;
  return {below("joint_speed_ratio_max", kMaxSpeedRatio, "the joints' speed limits in the URDF"),
          below("torque_saturated_s", kMaxSaturatedTime, "a body that no torque holds falls by 2 mm in 20 ms"),
          below("foot_force_peak_per_weight", kMaxForcePerWeight,
                "half of an acceleration of g, with which the robot would jump"),
          below("foot_force_jump_max_n", kScalePerTick * kStandingFootPerWeight * weight,
                "the load of a standing foot within 10 ms; faster is an impact"),
          below("torque_jump_ratio_max", kScalePerTick, "a drive of 35 Hz needs 10 ms from zero to its full torque")};
}

std::vector<Check> sit_down_checks() {
  return {below("touch_velocity_m_per_s", kMaxTouchVelocity, "a fall from a height of 0.5 mm"),
          below("seat_force_peak_ratio", kMaxSeatForce, "a load that is put down at once on a spring reaches 2")};
}

}  // namespace aplomb

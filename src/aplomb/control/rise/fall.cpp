#include "aplomb/control/rise/fall.hpp"

#include <algorithm>

namespace aplomb {
namespace {

constexpr const char* kPosture = "fall_posture";
constexpr double kOutside = 0.2;  // of the CoM's height, as in the failsafe's FallWatch: a step of that length
constexpr double kLean = 0.8;     // [rad]; a planned lean is within 0.1 rad of the real one
constexpr int kOutsideTicks = 50, kLeaningTicks = 20, kLostTicks = 100;  // [ms] without a break
constexpr int kFadeTicks = 50;     // [ms] in which the torques before the fall fade; tuned
constexpr double kSoftness = 0.1;  // stiffness over the drives' own: the posture is reached within the fall; tuned

}  // namespace

Fall::Fall(const RobotModel& model, const DriveGains& drives, double height)
    : most_outside_(kOutside * height),
      last_torque_(Eigen::VectorXd::Zero(model.num_joints())),
      command_(model.num_joints()) {
  command_.damping = drives.damping;
  const auto& postures = model.description().postures;
  const auto posture = postures.find(kPosture);
  if (posture == postures.end()) return;
  for (const auto& [name, angle] : posture->second) {
    const int joint = model.joint(name);
    command_.position[joint] = angle;
    command_.stiffness[joint] = kSoftness * drives.stiffness[joint];
  }
}

void Fall::update(const Tick& tick) {
  if (!is_falling_) {
    outside_ticks_ = tick.capture_margin < -most_outside_ && !tick.is_seat_below ? outside_ticks_ + 1 : 0;
    leaning_ticks_ = tick.lean > kLean ? leaning_ticks_ + 1 : 0;
    lost_ticks_ = tick.is_state_lost && !tick.is_seat_below ? lost_ticks_ + 1 : 0;
    is_falling_ = outside_ticks_ >= kOutsideTicks || leaning_ticks_ >= kLeaningTicks || lost_ticks_ >= kLostTicks;
    if (!is_falling_) return;
    if (tick.before != nullptr) last_torque_ = tick.before->torque;
  }
  const double left = 1.0 - static_cast<double>(std::min(++falling_ticks_, kFadeTicks)) / kFadeTicks;
  command_.torque = left * last_torque_;
}

}  // namespace aplomb

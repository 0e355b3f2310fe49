#pragma once

#include <Eigen/Core>
#include <array>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// How far a robot can step, from its own kinematics: lengths of its legs and places of its hips and ankles. Angles of
/// the trunk are those of the start. Lengths are in metres.
class StepReach {
 public:
  /// `start`: the posture from which it steps, soles on the ground. Throws InvalidValue on a robot without two legs.
  StepReach(const RobotModel& model, const RobotState& start);

  /// Largest horizontal distance between a hip and its ankle with the CoM at this height above the ground.
  double radius(double com_height) const;
  /// Largest height of the CoM above the ground with this horizontal distance between a hip and its ankle.
  double com_height(double radius) const;

  /// Where the sole centre is while the leg hangs vertically, from the CoM and seen from above.
  const Eigen::Vector2d& neutral(Side side) const { return neutral_[static_cast<std::size_t>(side)]; }
  /// Least distance of the sole centres, sideways: soles side by side with a gap.
  double least_width() const { return least_width_; }
  /// Distance of the sole centres at the start, sideways.
  double start_width() const { return start_width_; }
  /// J / (m h): shift of the capture point for each radian by which trunk and arms rotate about x and y [m/rad].
  const Eigen::Vector2d& lunge() const { return lunge_; }

 private:
  double leg_length_ = 0.0;
  double hip_above_com_ = 0.0, ankle_height_ = 0.0;
  std::array<Eigen::Vector2d, 2> neutral_;
  double least_width_ = 0.0, start_width_ = 0.0;
  Eigen::Vector2d lunge_ = Eigen::Vector2d::Zero();
};

}  // namespace aplomb

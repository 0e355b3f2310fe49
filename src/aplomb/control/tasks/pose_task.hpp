#pragma once

#include <optional>

#include "aplomb/control/tasks/task.hpp"
#include "aplomb/control/tasks/task_spec.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Moves a frame along a reference: its position, its orientation or both; in the plan's frame, or in that of another
/// frame of the robot, whose motion then counts too:
///   A = J − (J of the other frame, carried to this one),   b = v* + k (p* − p ; log(R* Rᵀ))
/// The reference begins where the frame is at the start.
class PoseTask final : public Task {
 public:
  enum class Part { pose, position, orientation };
  /// `start`: the configuration to begin with. Rows of the position are divided by `length` [m], so that metres and
  /// radians weigh alike on a robot of that size.
  PoseTask(Part part, FrameId frame, std::optional<FrameId> other, const PoseReference& reference,
           const StandingKinematics& start, const TaskGains& position, const TaskGains& orientation,
           double length = 1.0);

  /// A pose and velocity to follow instead of the reference, in the plan's frame or the other's.
  void track(const Eigen::Isometry3d& pose, const Eigen::Vector3d& velocity);

  int num_rows() const override { return part_ == Part::pose ? 6 : 3; }
  void write(const StandingKinematics& kinematics, double time_s, TaskRows rows) const override;
  FrameId frame() const { return frame_; }

 private:
  struct Target {
    Eigen::Isometry3d pose;
    Eigen::Vector3d velocity;
    Eigen::Vector3d angular_velocity;
  };
  Target target_at(double time_s) const;

  Part part_;
  FrameId frame_;
  std::optional<FrameId> other_;
  PoseReference reference_;
  Eigen::Isometry3d start_;  ///< in the plan's frame or the other's
  std::optional<Target> tracked_;
  TaskGains position_, orientation_;
  double length_;
  mutable Eigen::MatrixXd J_, J_other_;  ///< scratch, 6 rows each
};

}  // namespace aplomb

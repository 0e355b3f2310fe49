#pragma once

#include <optional>

#include "aplomb/control/tasks/task.hpp"
#include "aplomb/control/tasks/task_spec.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Moves a frame along a reference: its position, its orientation or both; relative to the plan frame, or to another
/// frame of the robot, which moves too:
///   A = J − (J of the other frame, at this frame's origin),   b = v* + k (p* − p ; log(R* Rᵀ))
/// The reference begins at the frame's pose at the start.
class PoseTask final : public Task {
 public:
  enum class Part { pose, position, orientation };

  /// `start`: the configuration at the start. Position rows are divided by `length` [m], so that metres and radians
  /// have the same weight on a robot of that size.
  PoseTask(Part part, FrameId frame, std::optional<FrameId> other, const PoseReference& reference,
           const StandingKinematics& start, const TaskGains& position, const TaskGains& orientation,
           double length = 1.0);

  /// Follows this pose and velocity instead of the reference, in the plan frame or the other frame.
  void track(const Eigen::Isometry3d& pose, const Eigen::Vector3d& velocity);

  int num_rows() const override { return part_ == Part::pose ? 6 : 3; }
  void write(const StandingKinematics& kinematics, double time_s, TaskRows rows) const override;

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
  Eigen::Isometry3d start_;  ///< in the plan frame or the other frame
  std::optional<Target> tracked_;
  TaskGains position_, orientation_;
  double length_;
  mutable Eigen::MatrixXd J_, J_other_;  ///< working memory, 6 rows each
};

}  // namespace aplomb

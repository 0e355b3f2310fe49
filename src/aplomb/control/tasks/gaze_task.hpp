#pragma once

#include <Eigen/Geometry>

#include "aplomb/control/tasks/task.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Turns a frame so that one of its axes points at a point of the plan frame. With u the direction to the point in
/// the frame's axes, ρ its distance, a the axis and B = (b1 b2) two unit vectors across it:
///   y = Bᵀ u,   A = Bᵀ ([u]× Rᵀ J_ω − Rᵀ (I − û ûᵀ) J_v / ρ),   b = −k (θ / sin θ) y,   θ the angle between u and a
class GazeTask final : public Task {
 public:
  /// The axis is the one that is parallel to the plan frame's x axis in the configuration `start`.
  GazeTask(FrameId frame, const Eigen::Vector3d& point, const StandingKinematics& start, const TaskGains& gains);

  int num_rows() const override { return 2; }
  void write(const StandingKinematics& kinematics, double time_s, TaskRows rows) const override;
  /// Error y for a pose of the frame.
  Eigen::Vector2d across(const Eigen::Isometry3d& pose) const;
  /// Angle θ for a pose of the frame [rad].
  double angle(const Eigen::Isometry3d& pose) const;

 private:
  FrameId frame_;
  Eigen::Vector3d point_;
  Eigen::Vector3d axis_;                  ///< a, in the frame
  Eigen::Matrix<double, 3, 2> sideways_;  ///< B, in the frame
  TaskGains gains_;
  mutable Eigen::MatrixXd J_;
};

}  // namespace aplomb

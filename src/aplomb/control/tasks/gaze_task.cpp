#include "aplomb/control/tasks/gaze_task.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/control/task_priority/standing_kinematics.hpp"

namespace aplomb {
namespace {

constexpr double kNearest = 1e-3;  // [m] distance below which the direction to the point is undefined

}  // namespace

GazeTask::GazeTask(FrameId frame, const Eigen::Vector3d& point, const StandingKinematics& start, const TaskGains& gains)
    : frame_(frame), point_(point), gains_(gains), J_(Eigen::MatrixXd::Zero(6, start.num_joints())) {
  const Eigen::Matrix3d R_frame_plan = start.pose(frame).linear().transpose();
  axis_ = R_frame_plan.col(0);
  sideways_ << R_frame_plan.col(1), R_frame_plan.col(2);
}

Eigen::Vector2d GazeTask::across(const Eigen::Isometry3d& pose) const {
  const Eigen::Vector3d way = point_ - pose.translation();
  return sideways_.transpose() * (pose.linear().transpose() * way) / std::max(way.norm(), kNearest);
}

double GazeTask::angle(const Eigen::Isometry3d& pose) const {
  const Eigen::Vector3d way = pose.linear().transpose() * (point_ - pose.translation());
  return std::atan2((sideways_.transpose() * way).norm(), axis_.dot(way));
}

void GazeTask::write(const StandingKinematics& kinematics, double time_s, TaskRows rows) const {
  const Eigen::Isometry3d pose = kinematics.pose(frame_);
  kinematics.write_frame_jacobian(frame_, J_);
  const Eigen::Vector3d way = point_ - pose.translation();
  const double distance = std::max(way.norm(), kNearest);
  const Eigen::Vector3d u = way / distance;
  const Eigen::Matrix3d Rt = pose.linear().transpose();
  const Eigen::Vector3d u_frame = Rt * u;
  for (Eigen::Index i = 0; i < J_.cols(); ++i) {
    const Eigen::Vector3d linear = J_.col(i).head<3>(), angular = Rt * J_.col(i).tail<3>();
    const Eigen::Vector3d shifted = Rt * (linear - u.dot(linear) * u) / distance;
    rows.A.col(i).noalias() = sideways_.transpose() * (u_frame.cross(angular) - shifted);
  }
  Eigen::Vector2d error = sideways_.transpose() * u_frame;
  const double sine = error.norm(), theta = std::atan2(sine, axis_.dot(u_frame));
  // For a point straight behind, all directions of rotation are equal: take the first.
  if (sine > 1e-9)
    error *= theta / sine;
  else if (theta > 1.0)
    error = Eigen::Vector2d(theta, 0.0);
  rows.b = -task_onset(time_s) * closing_velocity(gains_, error);
}

}  // namespace aplomb

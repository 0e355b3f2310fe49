#include "aplomb/control/tasks/pose_task.hpp"

#include "aplomb/control/task_priority/standing_kinematics.hpp"
#include "aplomb/core/math/rotation.hpp"
#include "aplomb/motion/profile/axis_motion.hpp"

namespace aplomb {
namespace {

Eigen::Isometry3d pose_in(const StandingKinematics& kinematics, FrameId frame, const std::optional<FrameId>& other) {
  const Eigen::Isometry3d pose = kinematics.pose(frame);
  return other ? kinematics.pose(*other).inverse() * pose : pose;
}

}  // namespace

PoseTask::PoseTask(Part part, FrameId frame, std::optional<FrameId> other, const PoseReference& reference,
                   const StandingKinematics& start, const TaskGains& position, const TaskGains& orientation,
                   double length)
    : part_(part),
      frame_(frame),
      other_(other),
      reference_(reference),
      start_(pose_in(start, frame, other)),
      position_(position),
      orientation_(orientation),
      length_(length),
      J_(Eigen::MatrixXd::Zero(6, start.num_joints())),
      J_other_(Eigen::MatrixXd::Zero(6, start.num_joints())) {}

void PoseTask::track(const Eigen::Isometry3d& pose, const Eigen::Vector3d& velocity) {
  tracked_ = Target{.pose = pose, .velocity = velocity, .angular_velocity = Eigen::Vector3d::Zero()};
}

PoseTask::Target PoseTask::target_at(double time_s) const {
  if (tracked_) return *tracked_;
  const PointMotion::Offset offset = reference_.motion.at(time_s);
  const AxisMotion turned = minimum_jerk(time_s, reference_.turn_s);
  Target target{.pose = start_, .velocity = offset.velocity, .angular_velocity = turned.velocity * reference_.turn};
  target.pose.translation() += offset.position;
  target.pose.linear() = rotation_by(turned.position * reference_.turn) * start_.linear();
  return target;
}

void PoseTask::write(const StandingKinematics& kinematics, double time_s, TaskRows rows) const {
  const Eigen::Isometry3d pose = kinematics.pose(frame_);
  kinematics.write_frame_jacobian(frame_, J_);
  Target target = target_at(time_s);
  if (other_) {
    const Eigen::Isometry3d T_plan_other = kinematics.pose(*other_);
    const Eigen::Vector3d arm = pose.translation() - T_plan_other.translation();
    kinematics.write_frame_jacobian(*other_, J_other_);
    for (Eigen::Index i = 0; i < J_.cols(); ++i) {
      const Eigen::Vector3d angular = J_other_.col(i).tail<3>();
      J_.col(i).head<3>() -= J_other_.col(i).head<3>() + angular.cross(arm);
      J_.col(i).tail<3>() -= angular;
    }
    target.pose = T_plan_other * target.pose;
    target.velocity = T_plan_other.linear() * target.velocity;
    target.angular_velocity = T_plan_other.linear() * target.angular_velocity;
  }
  const Eigen::Vector3d away = target.pose.translation() - pose.translation();
  const Eigen::Vector3d turned = rotation_vector(target.pose.linear() * pose.linear().transpose());
  Eigen::Index row = 0;
  if (part_ != Part::orientation) {
    rows.A.topRows<3>() = J_.topRows<3>() / length_;
    rows.b.head<3>() = (target.velocity + closing_velocity(position_, away)) / length_;
    row = 3;
  }
  if (part_ != Part::position) {
    rows.A.middleRows<3>(row) = J_.bottomRows<3>();
    rows.b.segment<3>(row) = target.angular_velocity + closing_velocity(orientation_, turned);
  }
}

}  // namespace aplomb

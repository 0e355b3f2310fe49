#include "aplomb/control/contact/limb_motion.hpp"

namespace aplomb {

void PointRows::write(const FrameTerms& frame, const Eigen::Vector3d& point, const Eigen::Matrix3d& R_world_axes) {
  const Eigen::Vector3d arm = point - frame.T_world_frame.translation();
  const Eigen::Matrix3d R = R_world_axes.transpose();
  for (Eigen::Index i = 0; i < jacobian.cols(); ++i) {
    const Eigen::Vector3d angular = frame.jacobian.col(i).tail<3>();
    const Eigen::Vector3d linear = frame.jacobian.col(i).head<3>() + angular.cross(arm);
    jacobian.col(i).head<3>() = R * linear;
    jacobian.col(i).tail<3>() = R * angular;
  }
  const Eigen::Vector3d turn = frame.velocity.tail<3>();
  velocity.head<3>() = R * (frame.velocity.head<3>() + turn.cross(arm));
  velocity.tail<3>() = R * turn;
  bias.head<3>() = R * (frame.bias.head<3>() + frame.bias.tail<3>().cross(arm) + turn.cross(turn.cross(arm)));
  bias.tail<3>() = R * frame.bias.tail<3>();
}

Eigen::Vector3d rotation_between(const Eigen::Matrix3d& from, const Eigen::Matrix3d& to) {
  const Eigen::AngleAxisd turn(Eigen::Matrix3d(to * from.transpose()));
  return turn.angle() * turn.axis();
}

}  // namespace aplomb

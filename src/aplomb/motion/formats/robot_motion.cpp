#include "aplomb/motion/formats/robot_motion.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"

namespace aplomb {
namespace {

Eigen::Quaterniond quaternion_at(const Eigen::MatrixXd& q, Eigen::Index frame) {
  return Eigen::Quaterniond(Eigen::Vector4d(q.col(frame).segment<4>(3)));
}

/// Rotation vector from one orientation to another, in the axes of the first.
Eigen::Vector3d difference(const Eigen::Quaterniond& from, const Eigen::Quaterniond& to) {
  const Eigen::AngleAxisd turn(from.conjugate() * to);
  const double angle = turn.angle() > M_PI ? turn.angle() - 2.0 * M_PI : turn.angle();
  return angle * turn.axis();
}

}  // namespace

Eigen::MatrixXd unit_quaternions(const Eigen::MatrixXd& q) {
  Eigen::MatrixXd unit = q;
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    unit.col(i).segment<4>(3).normalize();
    const bool is_flipped = i > 0 && unit.col(i).segment<4>(3).dot(unit.col(i - 1).segment<4>(3)) < 0.0;
    if (is_flipped) unit.col(i).segment<4>(3) *= -1.0;
  }
  return unit;
}

RobotMotion resampled(const RobotMotion& motion, double rate_hz) {
  constexpr double kOnGrid = 1e-6;  // of a frame: times in files are rounded
  if (rate_hz == motion.rate_hz) return motion;
  const Eigen::MatrixXd q = unit_quaternions(motion.q);
  const double ratio = motion.rate_hz / rate_hz;
  const auto count =
      static_cast<Eigen::Index>(std::floor(static_cast<double>(motion.num_frames() - 1) / ratio + kOnGrid)) + 1;
  RobotMotion made{.rate_hz = rate_hz, .q = Eigen::MatrixXd(q.rows(), count)};
  for (Eigen::Index i = 0; i < count; ++i) {
    const double at = static_cast<double>(i) * ratio;
    const auto before = std::min(static_cast<Eigen::Index>(at + kOnGrid), q.cols() - 1);
    const Eigen::Index after = std::min(before + 1, q.cols() - 1);
    const double part = std::clamp(at - static_cast<double>(before), 0.0, 1.0);
    made.q.col(i) = (1.0 - part) * q.col(before) + part * q.col(after);
    made.q.col(i).segment<4>(3) = quaternion_at(q, before).slerp(part, quaternion_at(q, after)).coeffs();
  }
  return made;
}

Eigen::MatrixXd velocities(const RobotMotion& motion) {
  const Eigen::MatrixXd q = unit_quaternions(motion.q);
  const Eigen::Index last = q.cols() - 1;
  Eigen::MatrixXd v = Eigen::MatrixXd::Zero(q.rows() - 1, q.cols());
  for (Eigen::Index i = 0; i <= last && last > 0; ++i) {
    const Eigen::Index before = std::max<Eigen::Index>(i - 1, 0), after = std::min(i + 1, last);
    const double rate = motion.rate_hz / static_cast<double>(after - before);
    const Eigen::Quaterniond here = quaternion_at(q, i);
    v.col(i).head<3>() = rate * (here.conjugate() * Eigen::Vector3d(q.col(after).head<3>() - q.col(before).head<3>()));
    v.col(i).segment<3>(3) = rate * difference(quaternion_at(q, before), quaternion_at(q, after));
    v.col(i).tail(q.rows() - 7) = rate * (q.col(after).tail(q.rows() - 7) - q.col(before).tail(q.rows() - 7));
  }
  return v;
}

BodyTracks body_tracks(const RobotModel& robot, const RobotMotion& motion) {
  TreeKinematics kinematics(robot);
  const Eigen::MatrixXd q = unit_quaternions(motion.q), v = velocities(motion);
  const Eigen::Index bodies = kinematics.num_bodies(), frames = q.cols();
  BodyTracks made{.position = Eigen::MatrixXd(3 * bodies, frames),
                  .quaternion = Eigen::MatrixXd(4 * bodies, frames),
                  .linear_velocity = Eigen::MatrixXd(3 * bodies, frames),
                  .angular_velocity = Eigen::MatrixXd(3 * bodies, frames)};
  for (Eigen::Index i = 0; i < frames; ++i) {
    kinematics.update(q.col(i));
    for (int body = 0; body < kinematics.num_bodies(); ++body) {
      const Eigen::Matrix3d& R = kinematics.rotation(body);
      const Eigen::Vector3d& origin = kinematics.origin(body);
      Eigen::Vector3d linear = R * v.col(i).head<3>(), angular = R * v.col(i).segment<3>(3);
      if (body > 0) {
        const int parent = kinematics.parent(body), joint = body - 1;
        const Eigen::Vector3d above = made.angular_velocity.col(i).segment<3>(3 * parent);
        linear = made.linear_velocity.col(i).segment<3>(3 * parent) + above.cross(origin - kinematics.origin(parent));
        angular = above;
        const Eigen::Vector3d rate = v(6 + joint, i) * kinematics.axis(joint);
        (kinematics.is_prismatic(joint) ? linear : angular) += rate;
      }
      made.position.col(i).segment<3>(3 * body) = origin;
      made.linear_velocity.col(i).segment<3>(3 * body) = linear;
      made.angular_velocity.col(i).segment<3>(3 * body) = angular;
      const Eigen::Quaterniond turn(R);
      Eigen::Vector4d wxyz(turn.w(), turn.x(), turn.y(), turn.z());
      const bool is_flipped = i > 0 && wxyz.dot(made.quaternion.col(i - 1).segment<4>(4 * body)) < 0.0;
      made.quaternion.col(i).segment<4>(4 * body) = is_flipped ? Eigen::Vector4d(-wxyz) : wxyz;
    }
  }
  return made;
}

}  // namespace aplomb

#include "aplomb/motion/formats/evidence.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "aplomb/robot/kinematics/tree_kinematics.hpp"

namespace aplomb {
namespace {

constexpr Eigen::Index kFrames = 200;  // evenly spread: a reading that is wrong is wrong in all of them

std::vector<Eigen::Index> some_frames(Eigen::Index count, Eigen::Index most) {
  std::vector<Eigen::Index> frames;
  const Eigen::Index num = std::min(count, most);
  for (Eigen::Index i = 0; i < num; ++i) frames.push_back(num == 1 ? 0 : i * (count - 1) / (num - 1));
  return frames;
}

Eigen::Vector4d xyzw(const Eigen::Vector4d& written, QuaternionOrder order) {
  if (order == QuaternionOrder::xyzw) return written;
  return {written[1], written[2], written[3], written[0]};
}

Eigen::VectorXd configuration(const RawMotion& raw, const RobotModel& robot, const Reading& reading,
                              Eigen::Index frame) {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(robot.nq());
  q.head<3>() = reading.length_unit == 1.0 ? Eigen::Vector3d(raw.position.col(frame))
                                           : Eigen::Vector3d(reading.length_unit * raw.position.col(frame));
  q.segment<4>(3) = xyzw(raw.quaternion.col(frame), reading.quaternion);
  for (std::size_t row = 0; row < reading.joints.size(); ++row) {
    if (reading.joints[row] < 0) continue;
    const double written = raw.joints(static_cast<Eigen::Index>(row), frame);
    q[7 + reading.joints[row]] = reading.joint_unit == 1.0 ? written : reading.joint_unit * written;
  }
  return q;
}

double quantile(std::vector<double> values, double part) {
  if (values.empty()) return 0.0;
  const auto at = static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

}  // namespace

Eigen::MatrixXd configurations(const RawMotion& raw, const RobotModel& robot, const Reading& reading) {
  Eigen::MatrixXd q(robot.nq(), raw.position.cols());
  for (Eigen::Index frame = 0; frame < q.cols(); ++frame) q.col(frame) = configuration(raw, robot, reading, frame);
  return q;
}

BodyMismatch body_mismatch(const RawMotion& raw, const RobotModel& robot, const Reading& reading) {
  TreeKinematics kinematics(robot);
  BodyMismatch worst;
  for (const Eigen::Index frame : some_frames(raw.position.cols(), 20)) {
    Eigen::VectorXd q = configuration(raw, robot, reading, frame);
    q.segment<4>(3).normalize();
    kinematics.update(q);
    for (std::size_t i = 0; i < reading.bodies.size(); ++i) {
      const int body = reading.bodies[i];
      if (body < 0) continue;
      const auto at = static_cast<Eigen::Index>(i);
      const Eigen::Vector3d position = reading.length_unit * raw.body_position.col(frame).segment<3>(3 * at);
      const double distance = (position - kinematics.origin(body)).norm();
      const Eigen::Quaterniond turn(xyzw(raw.body_quaternion.col(frame).segment<4>(4 * at), reading.quaternion));
      const double angle = Eigen::Quaterniond(kinematics.rotation(body)).angularDistance(turn.normalized());
      worst.angle = std::max(worst.angle, angle);
      if (distance <= worst.position) continue;
      worst.position = distance;
      worst.body = body;
      worst.frame = frame;
    }
  }
  return worst;
}

SoleEvidence sole_evidence(const Eigen::MatrixXd& q, const RobotModel& robot) {
  const RobotDescription& description = robot.description();
  SoleEvidence evidence;
  TreeKinematics kinematics(robot);
  std::vector<double> tilts, heights, bases;
  for (const Eigen::Index frame : some_frames(q.cols(), kFrames)) {
    Eigen::VectorXd unit = q.col(frame);
    unit.segment<4>(3).normalize();
    kinematics.update(unit);
    double tilt = std::numeric_limits<double>::infinity(), lowest = tilt;
    for (const int side : {kLeft, kRight}) {
      if (!description.soles[side]) continue;
      evidence.is_known = true;
      const LinkPlacement& foot =
          robot.tree().links[static_cast<std::size_t>(robot.frame(description.roles.foot[side]))];
      const Eigen::Matrix3d R = kinematics.rotation(foot.body) * foot.T_body_link.linear();
      tilt = std::min(tilt, std::acos(std::clamp(R(2, 2), -1.0, 1.0)));
      for (const Eigen::Vector3d& corner : description.soles[side]->corners()) {
        lowest = std::min(lowest, kinematics.point(foot.body, foot.T_body_link * corner).z());
      }
    }
    tilts.push_back(tilt);
    heights.push_back(lowest);
    bases.push_back(unit[2] - lowest);
  }
  if (!evidence.is_known) return evidence;
  evidence.median_tilt = quantile(tilts, 0.5);
  evidence.median_height = quantile(heights, 0.5);
  evidence.low_height = quantile(heights, 0.1);
  evidence.base_above_sole = quantile(bases, 0.5);
  return evidence;
}

}  // namespace aplomb

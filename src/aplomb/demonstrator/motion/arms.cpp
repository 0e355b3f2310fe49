#include "aplomb/demonstrator/motion/arms.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace aplomb {
namespace {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kLift = 0.2;                       // raise of a wrist on its way, as a fraction of the arm's length
constexpr double kPronated = 0.6, kExtended = 0.6;  // [rad] pronation and extension of a hand resting on its palm
constexpr double kTurnedOut = 0.4;  // [rad] outward rotation of the upper arm, which keeps the elbow of a bent arm low

Matrix3d about(double angle, const Vector3d& axis) { return AngleAxisd(angle, axis).toRotationMatrix(); }

double within_pi(double angle) { return std::remainder(angle, 2.0 * std::numbers::pi); }

}  // namespace

ReachingArms::ReachingArms(const Skeleton& skeleton, const RobotModel& robot) : body_(robot) {
  const auto length = [&](const std::string& segment) {
    return skeleton.segments[static_cast<std::size_t>(skeleton.segment(segment))].joint.norm();
  };
  for (std::size_t side = 0; side < 2; ++side) {
    const std::string prefix = side == 0 ? "left_" : "right_";
    arms_[side] = {.clavicle = robot.joint(prefix + "clavicle_protraction"),
                   .flexion = robot.joint(prefix + "shoulder_flexion"),
                   .abduction = robot.joint(prefix + "shoulder_abduction"),
                   .rotation = robot.joint(prefix + "shoulder_rotation"),
                   .elbow = robot.joint(prefix + "elbow_flexion"),
                   .pronation = robot.joint(prefix + "pronation"),
                   .wrist_flexion = robot.joint(prefix + "wrist_flexion"),
                   .upper_length = length(prefix + "forearm"),
                   .fore_length = length(prefix + "hand")};
  }
}

void ReachingArms::reach(Eigen::VectorXd& q, const std::array<Vector3d, 2>& wrists, double held) const {
  if (held <= 0.0) return;
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) reach_with(q, side, wrists[side], held);
}

void ReachingArms::reach_with(Eigen::VectorXd& q, std::size_t side, const Vector3d& wrist, double held) const {
  const Arm& arm = arms_[side];
  const double sign = side == 0 ? 1.0 : -1.0;
  TreeKinematics body = body_;
  body.update(q);
  const Matrix3d& R_world_girdle = body.rotation(arm.clavicle + 1);
  const Vector3d shoulder = body.origin(arm.flexion + 1);
  const Vector3d hanging = body.origin(arm.wrist_flexion + 1);
  Vector3d target = hanging + held * (wrist - hanging);
  target.z() += 4.0 * held * (1.0 - held) * kLift * (arm.upper_length + arm.fore_length);  // raised on the way
  const Vector3d v = R_world_girdle.transpose() * (target - shoulder);

  const double upper = arm.upper_length, fore = arm.fore_length;
  const double cosine = (v.squaredNorm() - upper * upper - fore * fore) / (2.0 * upper * fore);
  const double elbow = std::acos(std::clamp(cosine, -1.0, 1.0));
  // With flexion and abduction at zero the wrist is at w; then v = R_y(−flexion) R_x(± abduction) w.
  const double rotation = q[7 + arm.rotation] - kTurnedOut * held;
  const Matrix3d R_turn = about(-sign * rotation, Vector3d::UnitZ());
  const Vector3d w = R_turn * Vector3d(fore * std::sin(elbow), 0.0, -upper - fore * std::cos(elbow));
  const double about_x = within_pi(std::atan2(w.y(), w.z()) - std::numbers::pi +
                                   std::asin(std::clamp(v.y() / std::hypot(w.y(), w.z()), -1.0, 1.0)));
  const double up = std::sin(about_x) * w.y() + std::cos(about_x) * w.z();
  const double flexion = within_pi(std::atan2(w.x(), up) - std::atan2(v.x(), v.z()));

  q[7 + arm.flexion] = flexion;
  q[7 + arm.abduction] = sign * about_x;
  q[7 + arm.rotation] = rotation;
  q[7 + arm.elbow] = elbow;
  q[7 + arm.pronation] += kPronated * held;
  q[7 + arm.wrist_flexion] -= kExtended * held;
}

}  // namespace aplomb

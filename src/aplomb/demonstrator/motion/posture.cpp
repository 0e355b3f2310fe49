#include "aplomb/demonstrator/motion/posture.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <string>

#include "aplomb/demonstrator/person.hpp"

namespace aplomb {
namespace {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kPelvisShare = 0.6, kLumbarShare = 0.2, kThoraxShare = 0.2;  // fractions of the trunk's pitch
constexpr double kHeadShare = -0.5;                                           // the head keeps looking ahead
constexpr double kStretch = 0.6;  // [1/rad] fraction of the elbow's flexion that reaching takes away
constexpr double kShoulderShare = 0.3, kElbowShare = 0.2, kClavicleShare = 0.05;

const std::array<std::string, 2> kPrefix{"left_", "right_"};

const std::initializer_list<const char*> kSpineAngles{"lumbar_flexion",  "thorax_flexion",  "head_flexion",
                                                      "lumbar_bending",  "thorax_bending",  "head_bending",
                                                      "lumbar_rotation", "thorax_rotation", "head_rotation"};
const std::initializer_list<const char*> kArmAngles{"clavicle_elevation", "clavicle_protraction", "shoulder_flexion",
                                                    "shoulder_abduction", "shoulder_rotation",    "elbow_flexion",
                                                    "pronation",          "wrist_flexion",        "wrist_deviation"};
const std::initializer_list<const char*> kLegAngles{"hip_flexion",        "hip_abduction",   "knee_flexion",
                                                    "ankle_dorsiflexion", "ankle_inversion", "ankle_rotation"};

/// Indices into q of the angles with these names.
std::vector<Eigen::Index> find_all(const RobotModel& robot, const std::string& prefix,
                                   std::initializer_list<const char*> names) {
  std::vector<Eigen::Index> found;
  for (const char* name : names) found.push_back(7 + robot.joint(prefix + name));
  return found;
}

void assign(Eigen::VectorXd& q, const std::vector<Eigen::Index>& indices, std::initializer_list<double> angles) {
  auto index = indices.begin();
  for (const double angle : angles) q[*index++] = angle;
}

double side_of(std::size_t side) { return side == 0 ? 1.0 : -1.0; }

/// Intrinsic Euler angles about y, x and z.
Vector3d euler_yxz(const Matrix3d& R) {
  return {std::atan2(R(0, 2), R(2, 2)), std::asin(std::clamp(-R(1, 2), -1.0, 1.0)), std::atan2(R(1, 0), R(1, 1))};
}

}  // namespace

Habits draw_habits(std::uint64_t seed) {
  std::mt19937_64 random = random_stream(seed, Draw::habits);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Habits habits;
  habits.stance += 0.15 * uniform(random);
  habits.toe_out += 0.06 * uniform(random);
  habits.bending = 0.04 * uniform(random);
  habits.twist = 0.05 * uniform(random);
  habits.sway = 0.03 * uniform(random);
  for (std::size_t side = 0; side < 2; ++side) {
    habits.abduction[side] += 0.04 * uniform(random);
    habits.elbow[side] += 0.15 * uniform(random);
    habits.pronation[side] += 0.3 * uniform(random);
  }
  return habits;
}

PostureMaker::PostureMaker(const Skeleton& skeleton, const RobotModel& robot, const Habits& habits)
    : num_q_(robot.nq()), habits_(habits), reaching_(skeleton, robot), spine_(find_all(robot, "", kSpineAngles)) {
  const auto segment = [&](const std::string& name) -> const Segment& {
    return skeleton.segments[static_cast<std::size_t>(skeleton.segment(name))];
  };
  half_hips_ = segment("left_thigh").joint.y();
  half_stance_ = habits.stance * half_hips_;
  thigh_length_ = segment("left_shank").joint.norm();
  shank_length_ = segment("left_foot").joint.norm();
  ankle_height_ = kGenericAnkleHeight * segment("left_foot").scale.z();
  for (std::size_t side = 0; side < 2; ++side) {
    arms_[side] = find_all(robot, kPrefix[side], kArmAngles);
    legs_[side] = find_all(robot, kPrefix[side], kLegAngles);
    T_world_foot_[side] = Eigen::Translation3d(0.0, side_of(side) * half_stance_, ankle_height_) *
                          AngleAxisd(side_of(side) * habits.toe_out, Vector3d::UnitZ());
    for (const Vector3d& corner : robot.description().soles[side]->corners()) {
      sole_corners_.push_back((T_world_foot_[side] * corner).head<2>());
    }
  }
}

double PostureMaker::hip_height(double knee, double forward, double sideways) const {
  const double square = thigh_length_ * thigh_length_ + shank_length_ * shank_length_ +
                        2.0 * thigh_length_ * shank_length_ * std::cos(knee);
  const double widest = std::abs(sideways) + std::abs(half_stance_ - half_hips_);
  return std::sqrt(std::max(0.0, square - forward * forward - widest * widest));
}

void PostureMaker::set_arms(Eigen::VectorXd& q, double trunk, double reach) const {
  for (std::size_t side = 0; side < 2; ++side) {
    assign(
        q, arms_[side],
        {0.5 * kClavicleShare * trunk, kClavicleShare * trunk, kShoulderShare * trunk + reach, habits_.abduction[side],
         0.1, (habits_.elbow[side] + kElbowShare * trunk) * std::max(0.0, 1.0 - kStretch * reach),
         habits_.pronation[side], 0.1, 0.05});
  }
}

void PostureMaker::set_leg(Eigen::VectorXd& q, std::size_t side, const Eigen::Isometry3d& T_world_pelvis,
                           const Vector3d& displacement) const {
  const double sign = side_of(side);
  const Vector3d ankle = T_world_pelvis.inverse() * (T_world_foot_[side].translation() + displacement);
  const Vector3d leg = ankle - Vector3d(0.0, sign * half_hips_, 0.0);  // hip to ankle in the pelvis frame
  const double cosine = (leg.squaredNorm() - thigh_length_ * thigh_length_ - shank_length_ * shank_length_) /
                        (2.0 * thigh_length_ * shank_length_);
  const double knee = std::acos(std::clamp(cosine, -1.0, 1.0));
  // With the hip at zero the ankle is at u, in the thigh's own plane; then leg = R_y(-flexion) R_x(abduction) u.
  const double u_x = -shank_length_ * std::sin(knee), u_z = -thigh_length_ - shank_length_ * std::cos(knee);
  const double about_x = std::asin(std::clamp(-leg.y() / u_z, -1.0, 1.0));
  const double about_y = std::atan2(leg.x(), leg.z()) - std::atan2(u_x, std::cos(about_x) * u_z);
  const Matrix3d R_pelvis_shank = (AngleAxisd(about_y, Vector3d::UnitY()) * AngleAxisd(about_x, Vector3d::UnitX()) *
                                   AngleAxisd(knee, Vector3d::UnitY()))
                                      .toRotationMatrix();
  const Vector3d foot =
      euler_yxz((T_world_pelvis.linear() * R_pelvis_shank).transpose() * T_world_foot_[side].linear());
  assign(q, legs_[side],
         {std::remainder(-about_y, 2.0 * std::numbers::pi), sign * about_x, knee, -foot.x(), -sign * foot.y(),
          -sign * foot.z()});
}

Eigen::VectorXd PostureMaker::posture(const Pose& pose) const {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(num_q_);
  const double bending = habits_.bending * pose.trunk, twist = habits_.twist * pose.trunk;
  const Eigen::Isometry3d T_world_pelvis =
      Eigen::Translation3d(pose.hip) * AngleAxisd(kPelvisShare * pose.trunk, Vector3d::UnitY()) *
      AngleAxisd(0.3 * bending, Vector3d::UnitX()) * AngleAxisd(0.3 * twist, Vector3d::UnitZ());
  q.head<3>() = pose.hip;
  q.segment<4>(3) = Eigen::Quaterniond(T_world_pelvis.linear()).coeffs();
  assign(q, spine_,
         {kLumbarShare * pose.trunk, kThoraxShare * pose.trunk, kHeadShare * pose.trunk, 0.4 * bending, 0.3 * bending,
          -0.5 * bending, 0.3 * twist, 0.4 * twist, -0.5 * twist});
  set_arms(q, pose.trunk, pose.reach);
  reaching_.reach(q, pose.wrists, pose.held);
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) set_leg(q, side, T_world_pelvis, pose.feet[side]);
  return q;
}

Eigen::VectorXd PostureMaker::neutral() const {
  const double forward = 0.0;
  Eigen::VectorXd q = posture({.hip = {forward, 0.0, ankle_height_ + hip_height(0.02, forward, 0.0)}, .trunk = 0.0});
  // Arms straight and away from the body, so that every marker is seen.
  for (const Indices& arm : arms_) assign(q, arm, {0.0, 0.0, 0.0, 0.35, 0.0, 0.0, 0.0, 0.0, 0.0});
  return q;
}

}  // namespace aplomb

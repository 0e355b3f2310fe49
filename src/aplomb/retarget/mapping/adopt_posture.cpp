#include "aplomb/retarget/mapping/adopt_posture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "aplomb/core/math/rotation.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

// Prices of one metre or radian: feet and hips are held, the person's angles are followed, the rest stays near.
constexpr double kHeld = 1e3, kFollowed = 3.0, kNear = 0.1;
constexpr int kMostSteps = 60;
constexpr double kLargestStep = 0.2;  // [rad, m]
constexpr double kEnough = 1e-9;      // largest component of a step at which the search ends
constexpr double kDifference = 1e-6;  // [rad, m] step of the numerical derivatives
constexpr double kFromLimit = 0.02;   // [rad] distance that is kept from a joint's limit

class PostureFit {
 public:
  /// `com`: of a robot that stands; one without it sits.
  PostureFit(const RobotModel& robot, const Limbs& limbs, const RobotState& state, const LimbAngles& person,
             std::optional<Eigen::Vector2d> com)
      : robot_(robot),
        limbs_(limbs),
        person_(person),
        com_(com),
        tree_(robot),
        reader_(robot),
        start_(state.q),
        q_(state.q) {
    tree_.update(start_);
    for (std::size_t side = 0; side < 2; ++side) {
      const int foot = limbs.legs[side].foot;
      foot_rotation_[side] = tree_.rotation(foot);
      foot_place_[side] = tree_.origin(foot);
      hip_place_[side] = tree_.origin(limbs.legs[side].hip + 1);
    }
  }

  Eigen::VectorXd solve() {
    const Eigen::Index count = robot_.nv();
    for (int step = 0; step < kMostSteps; ++step) {
      const Eigen::VectorXd r = residual(q_);
      Eigen::MatrixXd J(r.size(), count);
      for (Eigen::Index i = 0; i < count; ++i) {
        J.col(i) = (residual(moved(q_, kDifference * Eigen::VectorXd::Unit(count, i))) - r) / kDifference;
      }
      hold_at_limits(r, J);
      const Eigen::MatrixXd normal = J.transpose() * J + 1e-9 * Eigen::MatrixXd::Identity(count, count);
      Eigen::VectorXd d = -normal.ldlt().solve(J.transpose() * r);
      const double largest = d.cwiseAbs().maxCoeff();
      if (!(largest > kEnough)) break;
      d *= std::min(1.0, kLargestStep / largest);
      q_ = clamped(moved(q_, d));
    }
    return q_;
  }

 private:
  static Eigen::VectorXd moved(const Eigen::VectorXd& q, const Eigen::VectorXd& step) {
    Eigen::VectorXd result = q;
    integrate_in_world(step, result);
    return result;
  }

  double lower(Eigen::Index joint) const {
    const Joint& limits = robot_.joints()[static_cast<std::size_t>(joint)];
    return std::min(limits.lower + kFromLimit, start_[7 + joint]);
  }
  double upper(Eigen::Index joint) const {
    const Joint& limits = robot_.joints()[static_cast<std::size_t>(joint)];
    return std::max(limits.upper - kFromLimit, start_[7 + joint]);
  }

  Eigen::VectorXd clamped(Eigen::VectorXd q) const {
    for (Eigen::Index i = 0; i < robot_.num_joints(); ++i) q[7 + i] = std::clamp(q[7 + i], lower(i), upper(i));
    return q;
  }

  /// Joints at a limit do not move beyond it.
  void hold_at_limits(const Eigen::VectorXd& r, Eigen::MatrixXd& J) const {
    const Eigen::VectorXd descent = -J.transpose() * r;
    for (Eigen::Index i = 0; i < robot_.num_joints(); ++i) {
      const bool is_low = q_[7 + i] <= lower(i) && descent[6 + i] < 0.0;
      const bool is_high = q_[7 + i] >= upper(i) && descent[6 + i] > 0.0;
      if (is_low || is_high) J.col(6 + i).setZero();
    }
  }

  Eigen::VectorXd residual(const Eigen::VectorXd& q) {
    const Eigen::Index joints = robot_.num_joints();
    Eigen::VectorXd r = Eigen::VectorXd::Zero(12 + 6 + 7 + joints);
    tree_.update(q);
    for (std::size_t side = 0; side < 2; ++side) {
      const int foot = limbs_.legs[side].foot;
      const auto at = static_cast<Eigen::Index>(6 * side);
      r.segment<3>(at) = kHeld * (tree_.origin(foot) - foot_place_[side]);
      r.segment<3>(at + 3) =
          kHeld * rotation_vector(Eigen::Matrix3d(tree_.rotation(foot) * foot_rotation_[side].transpose()));
      // Both hips rest on the seat: the pelvis may only pitch.
      if (!com_) {
        r.segment<3>(12 + 3 * static_cast<Eigen::Index>(side)) =
            kHeld * (tree_.origin(limbs_.legs[side].hip + 1) - hip_place_[side]);
      }
    }
    if (com_) r.segment<2>(12) = kHeld * (tree_.com().head<2>() - *com_);
    const LimbAngles angles = reader_.at(q);
    const auto follow = [&](Eigen::Index row, double of_robot, double of_person) {
      if (std::isfinite(of_robot) && std::isfinite(of_person)) {
        r[row] = kFollowed * std::remainder(of_robot - of_person, 2.0 * std::numbers::pi);
      }
    };
    follow(18, angles.trunk, person_.trunk);
    for (std::size_t side = 0; side < 2; ++side) {
      const auto at = static_cast<Eigen::Index>(19 + 2 * side);
      follow(at, angles.shoulder[side], person_.shoulder[side]);
      follow(at + 1, angles.elbow[side], person_.elbow[side]);
      if (com_) follow(23 + static_cast<Eigen::Index>(side), angles.knee[side], person_.knee[side]);
    }
    r.tail(joints) = kNear * (q - start_).tail(joints);
    return r;
  }

  const RobotModel& robot_;
  const Limbs& limbs_;
  const LimbAngles& person_;
  std::optional<Eigen::Vector2d> com_;
  TreeKinematics tree_;
  LimbAngleReader reader_;
  Eigen::VectorXd start_, q_;
  std::array<Eigen::Matrix3d, 2> foot_rotation_;
  std::array<Eigen::Vector3d, 2> foot_place_, hip_place_;
};

}  // namespace

RobotState adopt_posture(const RobotModel& robot, const Limbs& limbs, const RobotState& state,
                         const LimbAngles& person) {
  return {PostureFit(robot, limbs, state, person, {}).solve(), state.v};
}

RobotState adopt_standing_posture(const RobotModel& robot, const Limbs& limbs, const RobotState& state,
                                  const LimbAngles& person, const Eigen::Vector2d& com) {
  return {PostureFit(robot, limbs, state, person, com).solve(), state.v};
}

}  // namespace aplomb

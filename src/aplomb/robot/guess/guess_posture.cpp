#include "aplomb/robot/guess/guess_posture.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/dynamics/statics.hpp"

namespace aplomb {
namespace {

constexpr double kStraightAxis = 0.8;  // least cosine of the angle between the knee axis and the lateral axis

Eigen::Vector3d rotation_vector(const Eigen::Matrix3d& R) {
  const Eigen::AngleAxisd turn(R);
  return turn.angle() * turn.axis();
}

Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& r) {
  Eigen::Matrix3d matrix;
  matrix << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  return matrix;
}

/// A joint's range, reduced by a margin to its limits; zero remains inside.
struct Range {
  double lower, upper;
};

Range inner_range(const Joint& joint) {
  constexpr double kMargin = 0.05;  // [rad], or this fraction of a short range
  const double margin = std::min(kMargin, 0.05 * (joint.upper - joint.lower));
  if (!std::isfinite(margin)) return {joint.lower, joint.upper};
  Range range{joint.lower + margin, joint.upper - margin};
  if (joint.lower <= 0.0 && joint.upper >= 0.0) range = {std::min(range.lower, 0.0), std::max(range.upper, 0.0)};
  return range;
}

class PostureSolver {
 public:
  PostureSolver(const RobotModel& model, const PostureRequest& request)
      : model_(model),
        request_(request),
        feet_{model.frame(model.description().roles.foot[0]), model.frame(model.description().roles.foot[1])},
        pelvis_(model.frame(model.description().roles.pelvis)),
        trunk_(model.frame(model.description().roles.trunk)),
        terms_(model, std::vector<FrameId>{feet_[0], feet_[1], pelvis_, trunk_}),
        state_(model.neutral_state()) {
    for (int i = 0; i < model.num_joints(); ++i) {
      ranges_.push_back(inner_range(model.joints()[static_cast<std::size_t>(i)]));
      state_.q[7 + i] = std::clamp(0.0, range(i).lower, range(i).upper);
    }
    is_moving_.assign(ranges_.size(), false);
    for (const Leg& leg : request.legs) {
      for (const int joint : leg.joints) is_moving_[static_cast<std::size_t>(joint)] = true;
    }
    for (const int joint : request.waist) is_moving_[static_cast<std::size_t>(joint)] = true;
    for (std::size_t side = 0; side < 2; ++side) {
      const int knee = request.legs[side].knee;
      if (knee >= 0) state_.q[7 + knee] = std::clamp(request.knee[side], range(knee).lower, range(knee).upper);
    }
    start_ = state_.q;
    model.stand_on_soles(state_);
  }

  FoundPosture solve() {
    for (int iteration = 0; iteration < 40; ++iteration) {
      linearise();
      const Eigen::VectorXd step = limited_step();
      move(step);
      if (step.norm() < 1e-10) break;
    }
    return judge();
  }

 private:
  const Range& range(int joint) const { return ranges_[static_cast<std::size_t>(joint)]; }
  const Sole& sole(std::size_t side) const { return *model_.description().soles[side]; }

  /// Rows of the two levels, A x = a and B x = b, for a small motion x of the base and all joints.
  void linearise() {
    terms_.update(state_);
    const int nv = model_.nv();
    A_.setZero(14, nv);
    a_.setZero(14);
    for (std::size_t side = 0; side < 2; ++side) {
      const FrameTerms& foot = terms_.frame(feet_[side]);
      const Eigen::Vector3d arm = foot.T_world_frame.linear() * sole(side).centre();
      const Eigen::Vector3d wanted(0.0, (side == kLeft ? 0.5 : -0.5) * request_.stance_width, 0.0);
      const auto row = static_cast<Eigen::Index>(6 * side);
      A_.middleRows<3>(row) = foot.jacobian.topRows<3>() - cross_matrix(arm) * foot.jacobian.bottomRows<3>();
      A_.middleRows<3>(row + 3) = foot.jacobian.bottomRows<3>();
      a_.segment<3>(row) = wanted - foot.T_world_frame.translation() - arm;
      a_.segment<3>(row + 3) = -rotation_vector(foot.T_world_frame.linear());
    }
    A_.bottomRows<2>() = terms_.com_jacobian().topRows<2>();
    a_.tail<2>() = -terms_.com().head<2>();

    const int num_joints = model_.num_joints();
    B_.setZero(6 + num_joints, nv);
    b_.setZero(6 + num_joints);
    const FrameTerms& trunk = terms_.frame(trunk_);
    const FrameTerms& pelvis = terms_.frame(pelvis_);
    B_.topRows<3>() = trunk.jacobian.bottomRows<3>();
    const Eigen::AngleAxisd lean(request_.trunk_lean, Eigen::Vector3d::UnitY());
    b_.head<3>() = rotation_vector(lean * request_.R_world_trunk * trunk.T_world_frame.linear().transpose());
    constexpr double kPelvisWeight = 0.3;  // relative to the trunk, which is heavier
    B_.middleRows<3>(3) = kPelvisWeight * pelvis.jacobian.bottomRows<3>();
    b_.segment<3>(3) =
        kPelvisWeight * rotation_vector(request_.R_world_pelvis * pelvis.T_world_frame.linear().transpose());
    for (int i = 0; i < num_joints; ++i) {
      const bool is_knee = i == request_.legs[0].knee || i == request_.legs[1].knee;
      const double weight = is_knee ? 1.0 : 0.03;  // knee angles are tasks; the other joints are only regularised
      B_(6 + i, 6 + i) = weight;
      b_[6 + i] = weight * (start_[7 + i] - state_.q[7 + i]);
    }
  }

  /// Two-level step within the joint ranges: a joint that would leave its range is fixed, and the step is solved again
  /// for the others.
  Eigen::VectorXd limited_step() const {
    std::vector<bool> is_held(is_moving_.size());
    for (std::size_t i = 0; i < is_moving_.size(); ++i) is_held[i] = !is_moving_[i];
    Eigen::VectorXd step;
    for (bool is_new = true; is_new;) {
      step = step_without(is_held);
      is_new = false;
      for (int i = 0; i < model_.num_joints(); ++i) {
        const double angle = state_.q[7 + i];
        const bool leaves =
            (angle >= range(i).upper && step[6 + i] > 0.0) || (angle <= range(i).lower && step[6 + i] < 0.0);
        if (!leaves || is_held[static_cast<std::size_t>(i)]) continue;
        is_held[static_cast<std::size_t>(i)] = true;
        is_new = true;
      }
    }
    constexpr double kLongest = 0.3;  // [rad], [m] longest step for which the linearisation holds
    return step * std::min(1.0, kLongest / std::max(step.cwiseAbs().maxCoeff(), 1e-12));
  }

  Eigen::VectorXd step_without(const std::vector<bool>& is_held) const {
    Eigen::MatrixXd A = A_, B = B_;
    for (std::size_t i = 0; i < is_held.size(); ++i) {
      if (!is_held[i]) continue;
      A.col(static_cast<Eigen::Index>(6 + i)).setZero();
      B.col(static_cast<Eigen::Index>(6 + i)).setZero();
    }
    constexpr double kRankTolerance = 1e-5;  // relative; a straight leg is singular
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> first, second;
    first.setThreshold(kRankTolerance);
    second.setThreshold(kRankTolerance);
    first.compute(A);
    const Eigen::VectorXd x = first.solve(a_);
    const Eigen::MatrixXd rest = Eigen::MatrixXd::Identity(A.cols(), A.cols()) - first.pseudoInverse() * A;
    second.compute(B * rest);
    return x + rest * second.solve(b_ - B * x);
  }

  void move(const Eigen::VectorXd& step) {
    integrate(step, state_.q);
    for (int i = 0; i < model_.num_joints(); ++i) {
      state_.q[7 + i] = std::clamp(state_.q[7 + i], range(i).lower, range(i).upper);
    }
  }

  FoundPosture judge() {
    // Round as in the YAML and place on the soles, as it will be when read back.
    for (int i = 0; i < model_.num_joints(); ++i) state_.q[7 + i] = std::round(1e6 * state_.q[7 + i]) * 1e-6;
    model_.stand_on_soles(state_);
    linearise();
    FoundPosture found{.state = state_};
    found.feet_error = a_.head<12>().cwiseAbs().maxCoeff();
    found.com_error = a_.tail<2>().norm();
    const Eigen::Matrix3d R_world_trunk = terms_.frame(trunk_).T_world_frame.linear();
    found.trunk_error = rotation_vector(request_.R_world_trunk * R_world_trunk.transpose()).norm();
    StaticTorque statics(model_);
    const Eigen::VectorXd torque = statics.compute(terms_, {0.5, 0.5});
    for (int i = 0; i < model_.num_joints(); ++i) {
      const Joint& joint = model_.joints()[static_cast<std::size_t>(i)];
      const double ratio = std::abs(torque[i]) / joint.effort;
      if (!(ratio > found.torque_ratio)) continue;
      found.torque_ratio = ratio;
      found.torque_joint = joint.name;
    }
    return found;
  }

  const RobotModel& model_;
  const PostureRequest& request_;
  std::array<FrameId, 2> feet_;
  FrameId pelvis_, trunk_;
  RobotTerms terms_;
  RobotState state_;
  Eigen::VectorXd start_;
  std::vector<Range> ranges_;
  std::vector<bool> is_moving_;
  Eigen::MatrixXd A_, B_;
  Eigen::VectorXd a_, b_;
};

}  // namespace

Leg find_leg(const NeutralTree& tree, const GuessedLimbs& limbs, int foot) {
  Leg leg;
  std::vector<int> pitch;  // joints about the lateral axis
  for (const int body : tree.chain(limbs.pelvis, foot)) {
    const int joint = body - 1;
    leg.joints.push_back(joint);
    const bool is_revolute = !tree.model().joints()[static_cast<std::size_t>(joint)].is_prismatic;
    if (is_revolute && std::abs(tree.axis(joint).dot(limbs.sideways)) > kStraightAxis) pitch.push_back(joint);
  }
  if (pitch.size() < 2) return leg;
  // The knee is between hip and ankle; without an ankle pitch joint it is the lower of the two.
  leg.knee = pitch.size() == 2 ? pitch.back() : pitch[1];
  const Eigen::Vector3d middle = 0.5 * (tree.position(pitch.front() + 1) + tree.position(pitch.back() + 1));
  for (std::size_t i = 1; i + 1 < pitch.size(); ++i) {
    const auto distance = [&](int joint) { return (tree.position(joint + 1) - middle).norm(); };
    if (distance(pitch[i]) < distance(leg.knee)) leg.knee = pitch[i];
  }
  const Joint& knee = tree.model().joints()[static_cast<std::size_t>(leg.knee)];
  constexpr double kOneSided =
      0.5;  // ratio of the ranges on both sides of zero, below which the knee bends one way only
  if (knee.upper > 0.0 && -knee.lower < kOneSided * knee.upper) leg.flexion = 1.0;
  if (knee.lower < 0.0 && knee.upper < -kOneSided * knee.lower) leg.flexion = -1.0;
  return leg;
}

FoundPosture solve_posture(const RobotModel& model, const PostureRequest& request) {
  return PostureSolver(model, request).solve();
}

}  // namespace aplomb

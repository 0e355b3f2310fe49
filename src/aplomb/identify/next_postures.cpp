#include "aplomb/identify/next_postures.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <random>

#include "aplomb/core/error.hpp"
#include "aplomb/identify/design/self_collision.hpp"
#include "aplomb/identify/model/sagittal_model.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/support_region.hpp"

namespace aplomb {
namespace {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  double within(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1.0p-53;
  }
  std::size_t below(std::size_t count) { return engine_() % count; }

 private:
  std::mt19937_64 engine_;
};

/// Weak prior information, 1e-6 of one posture's, so that the first postures of a choice can be compared.
Eigen::MatrixXd weak_information(const StaticProblem& problem) {
  Eigen::VectorXd diagonal = Eigen::VectorXd::Zero(problem.num_parameters());
  for (const PostureRows& rows : problem.rows) diagonal += rows.W.colwise().squaredNorm().transpose();
  diagonal = diagonal / static_cast<double>(problem.rows.size()) + Eigen::VectorXd::Constant(diagonal.size(), 1e-12);
  return (1e-6 * diagonal).asDiagonal();
}

/// Gradient of the forward CoM with respect to φ, one column per posture.
Eigen::MatrixXd com_slopes(const StaticProblem& problem, const Eigen::VectorXd& phi) {
  const double mass = problem.mass.dot(phi);
  Eigen::MatrixXd slopes(problem.num_parameters(), static_cast<Eigen::Index>(problem.cops.size()));
  for (std::size_t k = 0; k < problem.cops.size(); ++k) {
    const Eigen::RowVectorXd moment = problem.cops[k].moments.row(0);
    slopes.col(static_cast<Eigen::Index>(k)) = (moment - moment.dot(phi) / mass * problem.mass).transpose() / mass;
  }
  return slopes;
}

struct Ranges {
  Eigen::VectorXd low, high;
};

Ranges ranges_of(const PostureSet& set) {
  const Eigen::Index n = set.postures.front().state.q.size() - 7;
  Ranges ranges{Eigen::VectorXd::Constant(n, 1e9), Eigen::VectorXd::Constant(n, -1e9)};
  for (const Posture& posture : set.postures) {
    ranges.low = ranges.low.cwiseMin(joint_positions(posture.state.q));
    ranges.high = ranges.high.cwiseMax(joint_positions(posture.state.q));
  }
  return ranges;
}

/// For each joint: whether it is between the base and a foot.
std::vector<bool> leg_joints(const RobotModel& robot) {
  std::vector<bool> is_leg(static_cast<std::size_t>(robot.num_joints()), false);
  for (const std::string& foot : robot.description().roles.foot) {
    if (foot.empty()) continue;
    for (int joint : robot.joint_chain(robot.frame(foot))) is_leg[static_cast<std::size_t>(joint)] = true;
  }
  return is_leg;
}

constexpr double kLevel = 0.03;  // [m]: corners of level soles differ less in height, with encoder errors

/// Distance of the CoM's ground projection to the edge of the support region; negative when the soles are not level.
/// [m]
double support_margin(const RobotModel& robot, const RobotState& state, const Eigen::Vector3d& com,
                      BodyMotions& motions) {
  motions.place(state.q);
  std::vector<Eigen::Vector2d> corners;
  Eigen::AlignedBox<double, 1> heights;
  for (std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    const auto& sole = robot.description().soles[side];
    if (!sole) continue;
    const Eigen::Isometry3d T_world_foot = motions.link_pose(robot.frame(robot.description().roles.foot[side]));
    for (const Eigen::Vector2d& corner : ground_corners(*sole, T_world_foot)) corners.push_back(corner);
    for (const Eigen::Vector3d& corner : sole->corners()) heights.extend((T_world_foot * corner).tail<1>());
  }
  if (corners.empty() || heights.sizes()[0] > kLevel) return -1.0;
  return SupportRegion(corners).signed_distance(com.head<2>());
}

}  // namespace

std::vector<RobotState> candidate_postures(const RobotModel& estimated, const PostureSet& set,
                                           const Identification& found, int count, double margin, std::uint64_t seed) {
  Draw draw(seed);
  const Ranges ranges = ranges_of(set);
  const std::vector<bool> is_leg = leg_joints(estimated);
  SelfCollision collision(estimated, set.postures.front().state);
  RobotTerms terms(estimated, {});
  BodyMotions motions(estimated);
  std::vector<RobotState> candidates;
  for (int tries = 0; static_cast<int>(candidates.size()) < count && tries < 200 * count; ++tries) {
    RobotState state = set.postures[draw.below(set.postures.size())].state;
    for (int joint = 0; joint < estimated.num_joints(); ++joint) {
      const bool is_free = !found.sagittal && !is_leg[static_cast<std::size_t>(joint)];
      if (is_free) state.q[7 + joint] = draw.within(ranges.low[joint], ranges.high[joint]);
    }
    if (found.sagittal) {
      for (const SagittalModel::Link& link : found.sagittal->links()) {
        if (link.frame_bodies.front() == 0) continue;
        const int joint = link.frame_bodies.front() - 1;
        const double angle = draw.within(ranges.low[joint], ranges.high[joint]);
        for (int body : link.frame_bodies) state.q[6 + body] = angle;
      }
    }
    place_base(estimated, false, state);
    terms.update(state);
    if (!(support_margin(estimated, state, terms.com(), motions) > margin) || collision.collides(state)) continue;
    candidates.push_back(state);
  }
  if (static_cast<int>(candidates.size()) < count) {
    throw InvalidValue(
        fmt::format("only {} postures were found, within the joint ranges of the file, in which {} would stand by "
                    "itself (CoM {:.0f} mm inside its soles, no self-collision); {} are needed to choose from",
                    candidates.size(), estimated.name(), 1e3 * margin, count));
  }
  return candidates;
}

PostureSet hypothetical_measurements(const std::vector<RobotState>& states, const RobotModel& estimated,
                                     const Sensors& sensors) {
  PostureSet set{.sensors = sensors};
  set.sensors.has_orientation = false;
  const double share = estimated.mass() * kGravity / static_cast<double>(sensors.contacts.size());
  for (const RobotState& state : states) {
    Posture posture{.id = static_cast<std::int64_t>(set.postures.size()), .state = state};
    Vector6d reading = Vector6d::Zero();
    reading[2] = share;
    posture.contacts.assign(sensors.contacts.size(), reading);
    posture.torque = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(sensors.torque_joints.size()));
    set.postures.push_back(posture);
  }
  return set;
}

std::vector<std::size_t> choose_postures(const StaticProblem& candidates, int count, Optimality optimality,
                                         const Eigen::VectorXd& phi, const Eigen::MatrixXd& information) {
  Eigen::MatrixXd M = weak_information(candidates) + information;
  const Eigen::MatrixXd slopes = com_slopes(candidates, phi);
  std::vector<std::size_t> chosen;
  while (static_cast<int>(chosen.size()) < std::min(count, static_cast<int>(candidates.rows.size()))) {
    const Eigen::MatrixXd C = M.llt().solve(Eigen::MatrixXd::Identity(M.rows(), M.cols()));
    const Eigen::MatrixXd spread = C * slopes;
    double best = -1.0;
    std::size_t best_posture = 0;
    for (std::size_t k = 0; k < candidates.rows.size(); ++k) {
      if (std::ranges::find(chosen, k) != chosen.end()) continue;
      const Eigen::MatrixXd& W = candidates.rows[k].W;
      const Eigen::MatrixXd S = Eigen::MatrixXd::Identity(W.rows(), W.rows()) + W * C * W.transpose();
      // D: log det(1 + W C Wᵀ). I: the reduction of the CoM variances, summed.
      const Eigen::LLT<Eigen::MatrixXd> factor(S);
      const double gain = optimality == Optimality::d
                              ? 2.0 * Eigen::MatrixXd(factor.matrixL()).diagonal().array().log().sum()
                              : factor.matrixL().solve(W * spread).squaredNorm();
      if (gain > best) {
        best = gain;
        best_posture = k;
      }
    }
    chosen.push_back(best_posture);
    M += candidates.rows[best_posture].W.transpose() * candidates.rows[best_posture].W;
  }
  return chosen;
}

double mean_com_deviation(const StaticProblem& problem, const Eigen::VectorXd& phi,
                          std::span<const std::size_t> measured, std::span<const std::size_t> predicted,
                          const Eigen::MatrixXd& information) {
  Eigen::MatrixXd M = 1e-6 * weak_information(problem) + information;
  for (const std::size_t k : measured) M += problem.rows[k].W.transpose() * problem.rows[k].W;
  const Eigen::LLT<Eigen::MatrixXd> factor(M);
  const Eigen::MatrixXd slopes = com_slopes(problem, phi);
  double sum = 0.0;
  for (const std::size_t k : predicted) {
    sum +=
        factor.matrixL().solve(slopes.col(static_cast<Eigen::Index>(k))).norm() / static_cast<double>(predicted.size());
  }
  return sum;
}

}  // namespace aplomb

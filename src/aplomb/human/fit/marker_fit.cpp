#include "aplomb/human/fit/marker_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "aplomb/human/human_robot.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

constexpr double kPlain = 1e6;  // an outlier scale [m] that no residual reaches

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

/// Angles that stay small in human motion and are hardly observed by markers.
bool is_minor(const std::string& name) {
  for (const char* part :
       {"knee_abduction", "knee_rotation", "midfoot", "clavicle_roll", "scapula", "ankle_rotation"}) {
    if (contains(name, part)) return true;
  }
  return false;
}

}  // namespace

MarkerFit::MarkerFit(const SubjectModel& subject, const RobotModel& robot, const Settings& settings)
    : robot_(&robot),
      settings_(settings),
      tree_(robot),
      equations_(tree_, skeleton_couplings(subject.skeleton, robot)) {
  const std::vector<int> bodies = segment_bodies(subject.skeleton, robot);
  for (const Segment& segment : subject.skeleton.segments) {
    first_joints_.push_back(segment.coordinates.empty() ? -1 : robot.joint(segment.coordinates.front().name));
  }
  for (const BodyMarker& marker : subject.markers) {
    bodies_.push_back(bodies[static_cast<std::size_t>(marker.segment)]);
    offsets_.push_back(marker.offset);
    weights_.push_back(marker.weight);
  }
  frame_weights_ = weights_;
  positions_.assign(bodies_.size(), Eigen::Vector3d::Zero());
  residuals_.assign(bodies_.size(), 0.0);
  const int free = equations_.couplings().num_free;
  joint_of_column_.assign(static_cast<std::size_t>(free - 6), 0);
  const double infinite = std::numeric_limits<double>::infinity();
  lower_ = Eigen::VectorXd::Constant(free, -infinite);
  upper_ = Eigen::VectorXd::Constant(free, infinite);
  for (int i = robot.num_joints() - 1; i >= 0; --i) {  // backwards: the driver, first in its chain, is set last
    const int column = equations_.couplings().column[static_cast<std::size_t>(i)];
    joint_of_column_[static_cast<std::size_t>(column - 6)] = i;
    lower_[column] = robot.joints()[static_cast<std::size_t>(i)].lower;
    upper_[column] = robot.joints()[static_cast<std::size_t>(i)].upper;
  }
  set_pulls(subject.skeleton, robot);
  hessian_.resize(free, free);
  damped_.resize(free, free);
  gradient_.resize(free);
  free_step_.resize(free);
  step_.resize(tree_.nv());
  start_.resize(robot.nq());
  trial_.resize(robot.nq());
  is_held_.assign(static_cast<std::size_t>(free), 0);
  factor_.compute(Eigen::MatrixXd::Identity(free, free));  // allocates its memory now
}

void MarkerFit::resize(const SubjectModel& subject) {
  for (std::size_t i = 0; i < first_joints_.size(); ++i) {
    if (first_joints_[i] >= 0) tree_.set_joint_origin(first_joints_[i], subject.skeleton.segments[i].joint);
  }
  for (std::size_t i = 0; i < offsets_.size(); ++i) offsets_[i] = subject.markers[i].offset;
}

const Eigen::MatrixXd& MarkerFit::curvature(std::span<const Eigen::Vector3d> seen, const Eigen::VectorXd& q) {
  start_ = q;
  frame_weights_ = weights_;
  measure(seen, q, settings_.outlier_m);
  write_equations(seen, q, settings_.outlier_m);
  return hessian_;
}

int MarkerFit::joint(const std::string& name) const { return robot_->joint(name); }

double MarkerFit::outlier_weight(double residual) const {
  const double ratio = residual / settings_.outlier_m;
  return 1.0 / (1.0 + ratio * ratio);
}

void MarkerFit::set_pulls(const Skeleton& skeleton, const RobotModel& robot) {
  const JointCouplings& couplings = equations_.couplings();
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(couplings.num_free);  // total angle per unit of a free column
  for (std::size_t i = 0; i < couplings.column.size(); ++i) sum[couplings.column[i]] += couplings.ratio[i];
  previous_pull_ = Eigen::VectorXd::Zero(couplings.num_free);
  for (std::size_t k = 0; k < joint_of_column_.size(); ++k) {
    const int joint = joint_of_column_[k];
    const std::string& name = robot.joints()[static_cast<std::size_t>(joint)].name;
    const int column = static_cast<int>(k) + 6;
    const bool is_seen = std::ranges::any_of(bodies_, [&](int body) { return tree_.carries(joint + 1, body); });
    const bool is_spine =
        name.starts_with("lumbar") || name.starts_with("thorax") || name.starts_with("L5") || name.starts_with("T12");
    const double weight = !is_seen         ? settings_.unobserved_pull
                          : is_spine       ? settings_.spine_pull
                          : is_minor(name) ? settings_.minor_pull
                                           : settings_.neutral_pull;
    pulls_.push_back({.first = column, .first_factor = sum[column], .weight = weight});
    if (is_seen) previous_pull_[column] = settings_.observed_pull * sum[column] * sum[column];
    if (name.starts_with("head") || name.starts_with("C7")) sees_head_ = sees_head_ || is_seen;
  }
  const bool is_light = skeleton.size == SkeletonSize::light;
  for (const char* kind : {"_flexion", "_bending", "_rotation"}) {
    const int low =
        couplings.column[static_cast<std::size_t>(robot.joint(std::string(is_light ? "lumbar" : "L5") + kind))];
    const int high =
        couplings.column[static_cast<std::size_t>(robot.joint(std::string(is_light ? "thorax" : "T12") + kind))];
    pulls_.push_back({low, high, sum[low], -sum[high], settings_.spine_difference});
  }
}

double MarkerFit::pull_cost(const Eigen::VectorXd& q) const {
  double cost = 0.0;
  for (const Pull& pull : pulls_) {
    double value = pull.first_factor * angle(q, pull.first);
    if (pull.second >= 0) value += pull.second_factor * angle(q, pull.second);
    cost += pull.weight * value * value;
  }
  for (Eigen::Index column = 6; column < previous_pull_.size(); ++column) {
    const double away = angle(q, static_cast<int>(column)) - angle(start_, static_cast<int>(column));
    cost += previous_pull_[column] * away * away;
  }
  return cost;
}

double MarkerFit::measure(std::span<const Eigen::Vector3d> seen, const Eigen::VectorXd& q, double outlier_m) {
  tree_.update(q);
  const double scale = outlier_m * outlier_m;
  double cost = pull_cost(q);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    positions_[i] = tree_.point(bodies_[i], offsets_[i]);
    residuals_[i] = (positions_[i] - seen[i]).norm();
    const double square = residuals_[i] * residuals_[i];
    if (std::isfinite(square)) cost += frame_weights_[i] * scale * std::log1p(square / scale);  // Cauchy's loss
  }
  return cost;
}

void MarkerFit::write_equations(std::span<const Eigen::Vector3d> seen, const Eigen::VectorXd& q, double outlier_m) {
  equations_.clear();
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (!std::isfinite(residuals_[i])) continue;
    const double ratio = residuals_[i] / outlier_m;
    equations_.add(bodies_[i], positions_[i], positions_[i] - seen[i], frame_weights_[i] / (1.0 + ratio * ratio));
  }
  equations_.sum_up(hessian_, gradient_);
  for (const Pull& pull : pulls_) {
    double value = pull.first_factor * angle(q, pull.first);
    if (pull.second >= 0) value += pull.second_factor * angle(q, pull.second);
    hessian_(pull.first, pull.first) += pull.weight * pull.first_factor * pull.first_factor;
    gradient_[pull.first] += pull.weight * pull.first_factor * value;
    if (pull.second < 0) continue;
    hessian_(pull.second, pull.second) += pull.weight * pull.second_factor * pull.second_factor;
    hessian_(std::max(pull.first, pull.second), std::min(pull.first, pull.second)) +=
        pull.weight * pull.first_factor * pull.second_factor;
    gradient_[pull.second] += pull.weight * pull.second_factor * value;
  }
  for (Eigen::Index column = 6; column < previous_pull_.size(); ++column) {
    const int k = static_cast<int>(column);
    hessian_(column, column) += previous_pull_[column];
    gradient_[column] += previous_pull_[column] * (angle(q, k) - angle(start_, k));
  }
}

/// Computes one step into `trial_`; false when the equations cannot be solved. Angles at a limit that the gradient
/// pushes outwards are held (projected Newton, Bertsekas 1982).
bool MarkerFit::step_from(const Eigen::VectorXd& q, double damping) {
  damped_ = hessian_;
  damped_.diagonal().array() += damping;
  for (Eigen::Index column = 6; column < gradient_.size(); ++column) {
    const double value = angle(q, static_cast<int>(column));
    const bool is_held =
        (value <= lower_[column] && gradient_[column] > 0.0) || (value >= upper_[column] && gradient_[column] < 0.0);
    is_held_[static_cast<std::size_t>(column)] = is_held ? 1 : 0;
    if (!is_held) continue;
    damped_.row(column).head(column).setZero();
    damped_.col(column).tail(gradient_.size() - column).setZero();
    damped_(column, column) = 1.0;
  }
  factor_.compute(damped_);
  if (factor_.info() != Eigen::Success) return false;
  free_step_ = -gradient_;
  for (Eigen::Index column = 6; column < gradient_.size(); ++column) {
    if (is_held_[static_cast<std::size_t>(column)] != 0) free_step_[column] = 0.0;
  }
  factor_.solveInPlace(free_step_);
  // Far from the solution a full step could fold a limb over: limit it to half a radian.
  constexpr double kLongest = 0.5;
  const double longest = free_step_.tail(free_step_.size() - 3).cwiseAbs().maxCoeff();
  if (longest > kLongest) free_step_ *= kLongest / longest;
  for (Eigen::Index column = 6; column < gradient_.size(); ++column) {
    const double value = angle(q, static_cast<int>(column));
    free_step_[column] = std::clamp(free_step_[column], lower_[column] - value, upper_[column] - value);
  }
  equations_.couplings().expand(free_step_, step_);
  trial_ = q;
  integrate_in_world(step_, trial_);
  return true;
}

MarkerFit::Outcome MarkerFit::solve(std::span<const Eigen::Vector3d> seen, Eigen::VectorXd& q, double outlier_m) {
  start_ = q;
  Outcome outcome{.cost = measure(seen, q, outlier_m)};
  double damping = 1e-9;
  while (outcome.iterations < settings_.most_iterations) {
    ++outcome.iterations;
    write_equations(seen, q, outlier_m);
    bool is_better = false;
    for (int attempt = 0; attempt < 12 && !is_better; ++attempt) {
      if (step_from(q, damping)) {
        const double cost = measure(seen, trial_, outlier_m);
        is_better = cost <= outcome.cost * (1.0 + 1e-12) + 1e-18;
        if (is_better) outcome.cost = cost;
      }
      damping = is_better ? std::max(1e-9, 0.1 * damping) : 10.0 * std::max(damping, 1e-7);
    }
    if (!is_better) {
      measure(seen, q, outlier_m);
      break;
    }
    q = trial_;
    outcome.converged = free_step_.cwiseAbs().maxCoeff() < settings_.tolerance;
    if (outcome.converged) break;
  }
  return outcome;
}

MarkerFit::Outcome MarkerFit::fit(std::span<const Eigen::Vector3d> seen, Eigen::VectorXd& q,
                                  std::span<const float> trust) {
  for (std::size_t i = 0; i < weights_.size(); ++i) frame_weights_[i] = weights_[i] * (trust.empty() ? 1.0 : trust[i]);
  return solve(seen, q, settings_.outlier_m);
}

MarkerFit::Outcome MarkerFit::fit_plain(std::span<const Eigen::Vector3d> seen, Eigen::VectorXd& q) {
  frame_weights_ = weights_;
  return solve(seen, q, kPlain);
}

}  // namespace aplomb

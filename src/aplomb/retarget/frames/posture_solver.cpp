#include "aplomb/retarget/frames/posture_solver.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

using Curvature = PointEquations::Curvature;

constexpr double kSoft = 5e-10;   // rows of at least this softness may become springs
constexpr double kSpring = 1e-5;  // softness of such a spring: 1e5 times as stiff as a marker
constexpr double kPairSoftness = 1e-10;

}  // namespace

PostureSolver::PostureSolver(const RobotModel& robot, std::vector<RobotMarker> markers, std::vector<PointRow> all_rows,
                             std::vector<CapsulePair> pairs, const Settings& settings)
    : targets(markers.size(), Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN())),
      rows(std::move(all_rows)),
      pull(Eigen::VectorXd::Zero(robot.num_joints())),
      pull_weight(Eigen::VectorXd::Constant(robot.num_joints(), 1e-3)),
      lower(robot.num_joints()),
      upper(robot.num_joints()),
      settings_(settings),
      tree_(robot),
      columns_(tree_),
      markers_(std::move(markers)),
      pairs_(std::move(pairs)),
      equations_(tree_, JointCouplings::none(robot.num_joints())),
      problem_(columns_, static_cast<int>(rows.size() + pairs_.size())),
      hessian_(tree_.nv(), tree_.nv()),
      gradient_(tree_.nv()),
      step_(tree_.nv()),
      multipliers_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(rows.size() + pairs_.size()))),
      mass_below_(static_cast<std::size_t>(tree_.num_bodies())),
      moment_below_(static_cast<std::size_t>(tree_.num_bodies())) {
  for (int i = 0; i < robot.num_joints(); ++i) {
    lower[i] = robot.joints()[static_cast<std::size_t>(i)].lower;
    upper[i] = robot.joints()[static_cast<std::size_t>(i)].upper;
  }
  start_.setZero(robot.nq());
  for (int body = 0; body < tree_.num_bodies(); ++body) mass_ += tree_.mass(body);
}

PostureSolver::Outcome PostureSolver::solve(Eigen::VectorXd& q) {
  Outcome outcome;
  start_ = q;
  tree_.update(q);
  follow_newton(q, outcome);
  if (outcome.converged) return outcome;
  q = start_;
  relax(q, outcome);
  start_ = q;
  follow_newton(q, outcome);
  if (outcome.converged) return outcome;
  q = start_;
  tree_.update(q);
  multipliers_.setZero();
  return outcome;
}

void PostureSolver::follow_newton(Eigen::VectorXd& q, Outcome& outcome) {
  // A multiplier this large belongs to a row that cannot be met; its curvature would dominate that of the markers.
  constexpr double kLargeForce = 1e2, kShorter = 0.7;
  constexpr int kFreeSteps = 12;  // a solution that has not converged by then alternates between limits: shorten steps
  reach_ = settings_.longest_step;
  for (int i = 0; i < settings_.newton_steps && !outcome.converged; ++i) {
    ++outcome.iterations;
    const bool is_calm = multipliers_.cwiseAbs().maxCoeff() < kLargeForce;
    if (!is_calm || !take_step(q, Curvature::exact, outcome)) {
      if (!take_step(q, Curvature::gauss_newton, outcome)) break;
    }
    const bool is_still = move(q) < settings_.tolerance;
    // A step may be small only because of its limit.
    outcome.converged = is_still && (i <= kFreeSteps || are_hard_rows_met());
    if (i >= kFreeSteps) reach_ *= kShorter;
  }
}

/// For rows that contradict each other or the limits: soft rows become springs, with a damping as large as their
/// curvature, so that the posture settles without a jump; the last steps then meet the hard rows alone.
void PostureSolver::relax(Eigen::VectorXd& q, Outcome& outcome) {
  constexpr double kLever = 0.5, kSettled = 1e-6;  // [m]: second derivative of a coordinate by an angle; [m, rad]
  constexpr int kLastSteps = 4;
  reach_ = HUGE_VAL;
  tree_.update(q);
  multipliers_.setZero();
  for (int i = 0; i < settings_.near_steps + kLastSteps; ++i) {
    ++outcome.iterations;
    soft_rows_ = i < settings_.near_steps ? SoftRows::springs : SoftRows::off;
    damping_ = kLever * largest_spring();
    if (!take_step(q, Curvature::gauss_newton, outcome)) break;
    if (move(q) < kSettled) i = std::max(i, settings_.near_steps - 1);
  }
  soft_rows_ = SoftRows::constraints;
  damping_ = 0.0;
  multipliers_.setZero();
}

bool PostureSolver::are_hard_rows_met() const {
  constexpr double kMet = 1e-7;  // [m]
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool is_hard = rows[i].kind == RowKind::equal && rows[i].softness < kSoft;
    if (is_hard && std::abs(row_error(i)) > kMet) return false;
  }
  return true;
}

/// Largest spring force of a soft row.
double PostureSolver::largest_spring() const {
  double largest = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].kind != RowKind::equal || rows[i].softness < kSoft) continue;
    largest = std::max(largest, std::abs(row_error(i)) / std::max(rows[i].softness, kSpring));
  }
  return largest;
}

/// Takes the step, shortened when it is too long; returns its full length.
double PostureSolver::move(Eigen::VectorXd& q) {
  const double longest = step_.cwiseAbs().maxCoeff();
  if (longest > settings_.longest_step) step_ *= settings_.longest_step / longest;
  integrate_in_world(step_, q);
  tree_.update(q);
  return longest;
}

/// Computes `step_` from q and its multipliers; false when the Hessian is not positive definite.
bool PostureSolver::take_step(Eigen::VectorXd& q, Curvature curvature, Outcome& outcome) {
  write_rows();
  write_equations(q, curvature);
  for (Eigen::Index i = 0; i < pull.size(); ++i) {
    // A bound that is already violated (by the speed limit from another frame) may be reached in one step.
    problem_.lower[6 + i] = std::max(lower[i] - q[7 + i], std::min(-reach_, upper[i] - q[7 + i]));
    problem_.upper[6 + i] = std::min(upper[i] - q[7 + i], std::max(reach_, lower[i] - q[7 + i]));
  }
  const bool is_solved = problem_.solve();
  outcome.linear_systems += problem_.working_sets();
  if (!is_solved) return false;
  step_ = problem_.step();
  multipliers_ = problem_.multipliers();
  return true;
}

void PostureSolver::write_equations(const Eigen::VectorXd& q, Curvature curvature) {
  equations_.clear();
  for (std::size_t i = 0; i < markers_.size(); ++i) {
    if (!targets[i].allFinite()) continue;
    const Eigen::Vector3d x = tree_.point(markers_[i].body, markers_[i].offset);
    equations_.add(markers_[i].body, x, x - targets[i], markers_[i].weight);
  }
  const bool is_exact = curvature == Curvature::exact;
  if (is_exact) add_row_forces();
  equations_.sum_up(hessian_, gradient_, curvature);
  // The row forces were added for their curvature only: the quadratic problem has its own multipliers.
  if (is_exact) gradient_.noalias() -= problem_.rows.transpose() * multipliers_;
  for (Eigen::Index i = 0; i < pull.size(); ++i) {
    hessian_(6 + i, 6 + i) += pull_weight[i] + damping_;
    gradient_[6 + i] += pull_weight[i] * (q[7 + i] - pull[i]);
  }
  problem_.hessian.assign(hessian_);
  problem_.gradient = gradient_;
}

void PostureSolver::add_row_forces() {
  Eigen::Vector3d on_com = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const PointRow& row = rows[i];
    double& multiplier = multipliers_[static_cast<Eigen::Index>(i)];
    if (row.kind == RowKind::off) multiplier = 0.0;
    if (multiplier == 0.0) continue;
    if (row.body == PointRow::kCentreOfMass) {
      on_com += multiplier / mass_ * row.direction;
    } else {
      equations_.add_force(row.body, tree_.point(row.body, row.offset), multiplier * row.direction);
    }
  }
  if (!on_com.isZero(0.0)) {
    for (int body = 0; body < tree_.num_bodies(); ++body) {
      if (tree_.mass(body) > 0.0) {
        equations_.add_force(body, tree_.point(body, tree_.body_com(body)), tree_.mass(body) * on_com);
      }
    }
  }
  // The normal of a pair turns with its bodies, which is not modelled: no curvature is better than a wrong one.
  multipliers_.tail(static_cast<Eigen::Index>(pairs_.size())).setZero();
}

void PostureSolver::write_rows() {
  problem_.rows.setZero();
  bool has_com = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool is_soft = soft_rows_ != SoftRows::constraints && rows[i].softness >= kSoft;
    problem_.row_kind[i] = is_soft && soft_rows_ == SoftRows::off ? RowKind::off : rows[i].kind;
    problem_.row_softness[static_cast<Eigen::Index>(i)] =
        is_soft ? std::max(rows[i].softness, kSpring) : rows[i].softness;
    if (problem_.row_kind[i] == RowKind::off) continue;
    if (rows[i].body == PointRow::kCentreOfMass) {
      has_com = true;
    } else {
      write_point_row(rows[i], static_cast<Eigen::Index>(i));
    }
  }
  if (has_com) write_com_rows();
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const std::size_t index = rows.size() + i;
    problem_.row_kind[index] = keeps_apart ? RowKind::at_least : RowKind::off;
    if (keeps_apart) write_pair(pairs_[i], static_cast<Eigen::Index>(index));
  }
}

/// Adds the derivative of direction · x to a row:  a · ((x − p) × direction) for every revolute joint above.
void PostureSolver::add_along(int body, const Eigen::Vector3d& x, const Eigen::Vector3d& direction,
                              Eigen::Index index) {
  double* row = problem_.rows.row(index).data();
  const Eigen::Vector3d turn = (x - tree_.origin(0)).cross(direction);
  for (int axis = 0; axis < 3; ++axis) {
    row[axis] += direction[axis];
    row[3 + axis] += turn[axis];
  }
  for (int i = body; i > 0; i = tree_.parent(i)) {
    const Eigen::Vector3d& a = tree_.axis(i - 1);
    row[5 + i] += tree_.is_prismatic(i - 1) ? a.dot(direction) : a.dot((x - tree_.origin(i)).cross(direction));
  }
}

void PostureSolver::write_point_row(const PointRow& row, Eigen::Index index) {
  const Eigen::Vector3d x = tree_.point(row.body, row.offset);
  add_along(row.body, x, row.direction, index);
  problem_.row_value[index] = row.direction.dot(x) - row.value;
}

void PostureSolver::write_com_rows() {
  for (int body = 0; body < tree_.num_bodies(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    mass_below_[i] = tree_.mass(body);
    moment_below_[i] = tree_.mass(body) * tree_.point(body, tree_.body_com(body));
  }
  for (int body = tree_.num_bodies() - 1; body > 0; --body) {
    const auto above = static_cast<std::size_t>(tree_.parent(body));
    mass_below_[above] += mass_below_[static_cast<std::size_t>(body)];
    moment_below_[above] += moment_below_[static_cast<std::size_t>(body)];
  }
  const Eigen::Vector3d com = moment_below_[0] / mass_;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (problem_.row_kind[k] == RowKind::off || rows[k].body != PointRow::kCentreOfMass) continue;
    const Eigen::Vector3d direction = rows[k].direction;
    const auto index = static_cast<Eigen::Index>(k);
    add_along(0, com, direction, index);
    for (int body = 1; body < tree_.num_bodies(); ++body) {
      const auto i = static_cast<std::size_t>(body);
      const Eigen::Vector3d& a = tree_.axis(body - 1);
      const Eigen::Vector3d arm = moment_below_[i] - mass_below_[i] * tree_.origin(body);
      problem_.rows(index, 5 + body) =
          (tree_.is_prismatic(body - 1) ? mass_below_[i] * a.dot(direction) : a.dot(arm.cross(direction))) / mass_;
    }
    problem_.row_value[index] = direction.dot(com) - rows[k].value;
  }
}

void PostureSolver::write_pair(const CapsulePair& pair, Eigen::Index index) {
  const auto at = [this](const Capsule& capsule, const Eigen::Vector3d& end) { return tree_.point(capsule.body, end); };
  const ClosestPoints closest = closest_points(at(pair.first, pair.first.begin), at(pair.first, pair.first.end),
                                               at(pair.second, pair.second.begin), at(pair.second, pair.second.end));
  const Eigen::Vector3d apart = closest.first - closest.second;
  const double distance = apart.norm();
  // Intersecting axes define no direction; any will do.
  const Eigen::Vector3d direction = distance > 1e-9 ? Eigen::Vector3d(apart / distance) : Eigen::Vector3d::UnitZ();
  add_along(pair.first.body, closest.first, direction, index);
  add_along(pair.second.body, closest.second, -direction, index);
  problem_.row_value[index] = distance - pair.first.radius - pair.second.radius - pair.gap;
  problem_.row_softness[index] = kPairSoftness;
}

double PostureSolver::marker_square_sum() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < markers_.size(); ++i) {
    if (targets[i].allFinite()) sum += (tree_.point(markers_[i].body, markers_[i].offset) - targets[i]).squaredNorm();
  }
  return sum;
}

int PostureSolver::num_seen() const {
  int count = 0;
  for (const Eigen::Vector3d& target : targets) count += target.allFinite() ? 1 : 0;
  return count;
}

double PostureSolver::row_error(std::size_t row) const {
  const PointRow& asked = rows[row];
  const Eigen::Vector3d x = asked.body == PointRow::kCentreOfMass ? tree_.com() : tree_.point(asked.body, asked.offset);
  return asked.direction.dot(x) - asked.value;
}

double PostureSolver::stationarity(const Eigen::VectorXd& q) {
  tree_.update(q);
  write_rows();
  write_equations(q, Curvature::gauss_newton);
  Eigen::VectorXd rest = problem_.gradient;
  rest.noalias() += problem_.rows.transpose() * multipliers_;
  double largest = 0.0;
  for (Eigen::Index k = 0; k < rest.size(); ++k) {
    if (problem_.held()[static_cast<std::size_t>(k)] == 0) largest = std::max(largest, std::abs(rest[k]));
  }
  return largest;
}

}  // namespace aplomb

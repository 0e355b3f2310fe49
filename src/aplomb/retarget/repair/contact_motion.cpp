#include "aplomb/retarget/repair/contact_motion.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>

#include "aplomb/core/interrupt.hpp"
#include "aplomb/core/math/polygon.hpp"
#include "aplomb/core/math/rotation.hpp"
#include "aplomb/robot/dynamics/base_wrench.hpp"
#include "aplomb/robot/dynamics/motion_derivatives.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/solvers/banded_qp.hpp"

namespace aplomb {
namespace {

// Lengths that are worth the same: bodies 3 cm off, joints 0.3 rad off. A change that oscillates at 2 Hz costs twice as
// much as a constant one.
constexpr double kBodyLength = 0.03, kAngle = 0.3, kChangeHz = 2.0;
constexpr double kPrice = 30.0;  // of a violation of one unit over one second
constexpr double kZmpUnit = 0.02, kHeightUnit = 0.01, kRangeUnit = 0.05, kSlideUnit = 0.1;  // [m], [m], [rad], [m/s]
constexpr double kSpeedUnit = 0.1;                                                          // of a joint's speed limit
constexpr double kZmpSpeed = 1.0;        // [m/s] a load that shifts so fast costs as much as bodies 3 cm off
constexpr double kLoadArm = 0.1;         // [m] by which vertical forces are compared with moments
constexpr double kLeastForce = 0.1;      // of the weight, while a foot is on the floor
constexpr double kNearZmp = 0.06;        // [m] of an edge: the limit is a row
constexpr double kNearRange = 0.3;       // [rad]
constexpr double kNearHeight = 0.08;     // [m]
constexpr double kNearSpeed = 0.5;       // of a limit
constexpr double kEquationPrice = 100;   // of a sole off its place, over one second [1/m, 1/rad]
constexpr double kRankTolerance = 0.02;  // of the largest pivot: a leg that is nearly straight can hardly be longer
constexpr double kLongestStep = 0.4;     // [m, rad]
constexpr double kSettled = 2e-3;        // relative decrease of the merit

using Vector6d = Eigen::Matrix<double, 6, 1>;

std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }

bool is_flat(const KnotContact& contact) { return contact.is_on && contact.point.isZero(); }

/// a · x ≤ b for the wrench or for a sole's velocity, in units of the limit.
template <int N>
struct Limit {
  Eigen::Matrix<double, N, 1> row;
  double bound = 0.0;
};

struct Knot {
  Eigen::VectorXd equations, particular;
  Eigen::MatrixXd equation_rows, null_space, least_step;
  std::vector<Eigen::Index> loose;  ///< equations that the legs can hardly change: rows instead
  Eigen::MatrixXd hessian;
  Eigen::VectorXd gradient;
  Vector6d wrench = Vector6d::Zero();
  std::array<Eigen::MatrixXd, 3> wrench_by;  ///< by the knot before, this one and the one after
  std::vector<Limit<6>> force_limits;        ///< by the contacts, which do not change
  std::array<Eigen::Vector3d, 2> centre;     ///< of the soles
  std::array<Eigen::MatrixXd, 2> centre_rows;
  std::array<std::vector<Limit<3>>, 2> velocity_limits;  ///< of the soles' centres
  std::array<std::array<double, 4>, 2> corner_height{};
  std::array<std::array<Eigen::RowVectorXd, 4>, 2> corner_rows;
  Eigen::Index begin = 0;  ///< first variable
  Eigen::Index size() const { return null_space.cols(); }
};

class Solver {
 public:
  Solver(const RobotModel& robot, const ContactMotionTask& task)
      : robot_(robot),
        task_(task),
        derivatives_(robot),
        n_(derivatives_.size()),
        count_(task.reference.cols()),
        active_(static_cast<Eigen::Index>(task.active.size())),
        weight_(robot.mass() * kGravity),
        knots_(at(count_)) {
    group_bodies();
    find_references();
    for (Eigen::Index j = 1; j + 1 < count_; ++j) limit_forces(j);
    const double h = task_.step_s;
    stay_.setZero(active_);
    change_.setZero(active_);
    const double slow = std::pow(2.0 * M_PI * kChangeHz, -4);
    for (Eigen::Index k = 0; k < active_; ++k) {
      const int i = task_.active[at(k)];
      const bool is_length = i < 3 || (i >= 6 && robot_.joints()[at(i - 6)].is_prismatic);
      stay_[k] = i < 3 ? 0.0 : h / (is_length ? kBodyLength * kBodyLength : kAngle * kAngle);
      change_[k] = h * slow / (is_length ? kBodyLength * kBodyLength : kAngle * kAngle) / std::pow(h, 4);
    }
  }

  ContactMotion solve(int max_iterations) {
    at_ = task_.reference;
    ContactMotion result;
    double damping = 1e-3;
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
      check_interrupt();
      limit_velocities();
      for (Eigen::Index j = 0; j < count_; ++j) linearise(j);
      double before = evaluate(at_).total();
      assemble(damping);
      const double gap = 1e-4 * (1.0 + duration());
      if (qp_.solve({.tolerance = 1e-5, .gap = gap, .max_iterations = 40}) == SolveStatus::numerical_trouble) {
        damping *= 100.0;
        if (damping > 1e3) break;
        continue;
      }
      result.iterations = iteration + 1;
      bool is_accepted = false;
      double longest = 0.0;
      for (const Knot& knot : knots_) longest = std::max(longest, step_of(knot).cwiseAbs().maxCoeff());
      const double first = std::min(1.0, kLongestStep / longest);
      for (double length = first; length > 0.2 * first && !is_accepted; length *= 0.5) {
        Eigen::MatrixXd next = at_;
        for (Eigen::Index j = 0; j < count_; ++j) {
          add_active(length * step_of(knots_[at(j)]), j, next);
        }
        if (length == 1.0) correct_equations(next);
        const double after = evaluate(next).total();
        is_accepted = after < before;
        if (!is_accepted) continue;
        at_ = next;
        if (before - after < kSettled * after) max_iterations = std::min(max_iterations, iteration + 2);
      }
      if (is_accepted) damping = std::max(1e-3, 0.2 * damping);
      if (!is_accepted) damping *= 30.0;
      if (damping > 1e4) break;
    }
    const Merit merit = evaluate(at_);
    result.knots = at_;
    result.merit = merit.total();
    result.cost = merit.cost;
    result.violation = merit.violation;
    result.sole_error_m = merit.largest_equation;
    return result;
  }

 private:
  struct Merit {
    double cost = 0.0, violation = 0.0, equations = 0.0, largest_equation = 0.0;
    double total() const { return cost + violation + equations; }
  };

  double duration() const { return task_.step_s * static_cast<double>(count_); }
  double price() const { return kPrice * task_.step_s; }

  /// Step of a knot's active coordinates, of the last program.
  Eigen::VectorXd step_of(const Knot& knot) const {
    return knot.particular + knot.null_space * qp_.solution().segment(knot.begin, knot.size());
  }

  void add_active(const Eigen::VectorXd& step, Eigen::Index j, Eigen::MatrixXd& to) const {
    for (Eigen::Index k = 0; k < active_; ++k) to(task_.active[at(k)], j) += step[k];
  }

  /// Bodies that are moved by the same active coordinates count as one rigid body.
  void group_bodies() {
    const int bodies = n_ - 5;
    group_.assign(at(bodies), 0);
    const auto& tree = robot_.tree().bodies;
    for (int body = 1; body < bodies; ++body) {
      const bool is_active = std::ranges::find(task_.active, body + 5) != task_.active.end();
      group_[at(body)] = is_active ? body : group_[at(tree[at(body)].parent)];
    }
    moved_by_.resize(at(bodies));
    for (int body = 0; body < bodies; ++body) {
      for (Eigen::Index k = 0; k < active_; ++k) {
        if (derivatives_.moves(task_.active[at(k)], body)) moved_by_[at(body)].push_back(k);
      }
    }
  }

  void find_references() {
    body_reference_.resize(3 * (n_ - 5), count_);
    const Eigen::VectorXd still = Eigen::VectorXd::Zero(n_);
    for (Eigen::Index j = 0; j < count_; ++j) {
      derivatives_.update_values(task_.reference.col(j), still, still);
      for (int body = 0; body < n_ - 5; ++body) {
        body_reference_.block<3, 1>(3 * body, j) = derivatives_.pose(body).translation();
      }
    }
  }

  /// ZMP within the soles on the floor, friction, and a least force:
  ///   n · zmp ≥ d  ⇔  n_y m_x − n_x m_y − d f_z ≥ 0  for each edge of their hull with inward normal n.
  void limit_forces(Eigen::Index j) {
    std::vector<Eigen::Vector2d> corners;
    for (const ContactMotionTask::Foot& foot : task_.feet) {
      const KnotContact& contact = foot.at[at(j)];
      if (!contact.is_on) continue;
      for (const double x : {-1.0, 1.0}) {
        for (const double y : {-1.0, 1.0}) {
          const Eigen::Vector3d corner(x * foot.half_size.x(), y * foot.half_size.y(), 0.0);
          // Of a sole on one of its edges only that edge.
          if (contact.point.dot(corner) < 0.0) continue;
          corners.push_back((contact.T_world_sole * corner).head<2>());
        }
      }
    }
    if (corners.empty()) return;
    std::vector<Limit<6>>& limits = knots_[at(j)].force_limits;
    const std::vector<Eigen::Vector2d> hull = convex_hull(corners);
    for (std::size_t i = 0; i < hull.size(); ++i) {
      const Eigen::Vector2d edge = (hull[(i + 1) % hull.size()] - hull[i]).normalized();
      const Eigen::Vector2d inward(-edge.y(), edge.x());
      Limit<6> limit;
      limit.row << 0.0, 0.0, inward.dot(hull[i]) + task_.inset_m, -inward.y(), inward.x(), 0.0;
      limit.row /= weight_ * kZmpUnit;
      limits.push_back(limit);
    }
    for (int axis = 0; axis < 2; ++axis) {
      for (const double sign : {1.0, -1.0}) {
        Limit<6> limit{.row = Vector6d::Zero()};
        limit.row[axis] = sign / (0.1 * weight_);
        limit.row[2] = -task_.friction / (0.1 * weight_);
        limits.push_back(limit);
      }
    }
    Limit<6> least{.row = Vector6d::Zero(), .bound = -kLeastForce / 0.1};
    least.row[2] = -1.0 / (0.1 * weight_);
    limits.push_back(least);
  }

  /// A sole that the rule takes for standing, but that is about to leave the floor or has just met it, keeps still or
  /// moves fast enough not to stand, whatever is nearer.
  void limit_velocities() {
    Eigen::MatrixXd q(n_ + 1, count_);
    for (Eigen::Index j = 0; j < count_; ++j) q.col(j) = configuration_of(at_.col(j));
    const std::array<FootTrack, 2> tracks = track_feet(robot_, q, 1.0 / task_.step_s, task_.rule);
    for (Eigen::Index j = 1; j + 1 < count_; ++j) {
      for (std::size_t side = 0; side < 2; ++side) {
        std::vector<Limit<3>>& limits = knots_[at(j)].velocity_limits[side];
        limits.clear();
        const ContactMotionTask::Foot& foot = task_.feet[side];
        const bool is_held = foot.at[at(j - 1)].is_on && foot.at[at(j + 1)].is_on;
        if (is_held || tracks[side].lowest[at(j)] > task_.rule.height_m) continue;
        const Eigen::Vector3d velocity =
            (tracks[side].centre.col(j + 1) - tracks[side].centre.col(j - 1)) / (2.0 * task_.step_s);
        const double speed = velocity.norm();
        if (speed > 1.5 * task_.rule.speed_m_per_s) continue;
        if (speed > 0.5 * task_.rule.speed_m_per_s && !foot.at[at(j)].is_on) {
          limits.push_back({-velocity / (speed * kSlideUnit), -1.1 * task_.rule.speed_m_per_s / kSlideUnit});
          continue;
        }
        for (int axis = 0; axis < 2; ++axis) {
          for (const double sign : {1.0, -1.0}) {
            limits.push_back({sign / kSlideUnit * Eigen::Vector3d::Unit(axis), task_.slide_m_per_s / kSlideUnit});
          }
        }
      }
    }
  }

  void differences(const Eigen::MatrixXd& of, Eigen::Index j) {
    const double h = task_.step_s;
    x_ = of.col(j);
    if (j == 0 || j + 1 == count_) {
      rate_.setZero(n_);
      acceleration_.setZero(n_);
      return;
    }
    rate_ = (of.col(j + 1) - of.col(j - 1)) / (2.0 * h);
    acceleration_ = (of.col(j + 1) - 2.0 * of.col(j) + of.col(j - 1)) / (h * h);
  }

  Eigen::MatrixXd active_columns(const BaseWrench::Rows& all) const {
    Eigen::MatrixXd some(6, active_);
    for (Eigen::Index k = 0; k < active_; ++k) some.col(k) = all.col(task_.active[at(k)]);
    return some;
  }

  /// Gradient of the position of a point of a body.
  Eigen::MatrixXd point_rows(int body, const Eigen::Vector3d& p) const {
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(3, active_);
    for (const Eigen::Index k : moved_by_[at(body)]) {
      const auto twist = derivatives_.columns().col(task_.active[at(k)]);
      rows.col(k) = twist.head<3>() + twist.tail<3>().cross(p);
    }
    return rows;
  }

  void write_equations(Eigen::Index j, Knot& to, bool with_rows) const {
    Eigen::Index rows = 0;
    for (const ContactMotionTask::Foot& foot : task_.feet) {
      if (foot.at[at(j)].is_on) rows += foot.at[at(j)].free_axis ? 5 : 6;
    }
    to.equations.resize(rows);
    if (with_rows) to.equation_rows.setZero(rows, active_);
    Eigen::Index row = 0;
    for (const ContactMotionTask::Foot& foot : task_.feet) {
      const KnotContact& contact = foot.at[at(j)];
      if (!contact.is_on) continue;
      const Eigen::Isometry3d pose = derivatives_.pose(foot.body) * foot.T_body_sole;
      // In the axes of the place. A free axis is only aligned with that of the place.
      const Eigen::Matrix3d to_sole = contact.T_world_sole.linear().transpose();
      const Eigen::Vector3d point = pose * contact.point;
      std::vector<int> axes = {0, 1, 2};
      Eigen::Vector3d turn = rotation_vector(pose.linear() * to_sole);
      if (contact.free_axis) {
        const int axis = *contact.free_axis;
        axes.erase(axes.begin() + axis);
        const Eigen::Vector3d now = pose.linear().col(axis), wanted = contact.T_world_sole.linear().col(axis);
        turn = -rotation_vector(turn_between(now, wanted).toRotationMatrix());
      }
      turn = to_sole * turn;
      const auto turns = static_cast<Eigen::Index>(axes.size());
      to.equations.segment<3>(row) = to_sole * (point - contact.T_world_sole * contact.point);
      to.equations.segment(row + 3, turns) = turn(axes);
      if (with_rows) {
        to.equation_rows.middleRows(row, 3) = to_sole * point_rows(foot.body, point);
        for (const Eigen::Index k : moved_by_[at(foot.body)]) {
          const Eigen::Vector3d by = to_sole * derivatives_.columns().col(task_.active[at(k)]).tail<3>();
          to.equation_rows.col(k).segment(row + 3, turns) = by(axes);
        }
      }
      row += 3 + turns;
    }
  }

  void write_soles(Knot& to, bool with_rows) const {
    for (std::size_t side = 0; side < 2; ++side) {
      const ContactMotionTask::Foot& foot = task_.feet[side];
      const Eigen::Isometry3d pose = derivatives_.pose(foot.body) * foot.T_body_sole;
      to.centre[side] = pose.translation();
      if (with_rows) to.centre_rows[side] = point_rows(foot.body, pose.translation());
      for (std::size_t k = 0; k < 4; ++k) {
        const Eigen::Vector3d corner(k < 2 ? foot.half_size.x() : -foot.half_size.x(),
                                     k % 2 == 0 ? foot.half_size.y() : -foot.half_size.y(), 0.0);
        const Eigen::Vector3d p = pose * corner;
        to.corner_height[side][k] = p.z();
        if (with_rows && p.z() < kNearHeight) to.corner_rows[side][k] = point_rows(foot.body, p).row(2);
      }
    }
  }

  /// Mean squared change of the bodies' positions. Its Gauss-Newton Hessian is that of point masses at their origins.
  double write_cost(Eigen::Index j, Knot* to) const {
    const int bodies = n_ - 5;
    const double weight = task_.step_s / (kBodyLength * kBodyLength * static_cast<double>(bodies));
    std::vector<Eigen::Matrix<double, 6, 6>> inertia;
    std::vector<Vector6d> pull;
    if (to != nullptr) {
      inertia.assign(at(bodies), Eigen::Matrix<double, 6, 6>::Zero());
      pull.assign(at(bodies), Vector6d::Zero());
      to->hessian.setZero(active_, active_);
      to->gradient.setZero(active_);
    }
    double cost = 0.0;
    for (int body = 0; body < bodies; ++body) {
      const Eigen::Vector3d p = derivatives_.pose(body).translation();
      const Eigen::Vector3d off = p - body_reference_.block<3, 1>(3 * body, j);
      cost += 0.5 * weight * off.squaredNorm();
      if (to == nullptr) continue;
      Eigen::Matrix<double, 3, 6> by_twist;
      by_twist << Eigen::Matrix3d::Identity(), Eigen::Matrix3d::Zero();
      by_twist.rightCols<3>() << 0.0, p.z(), -p.y(), -p.z(), 0.0, p.x(), p.y(), -p.x(), 0.0;  // −[p]×
      const auto group = at(group_[at(body)]);
      inertia[group].noalias() += weight * by_twist.transpose() * by_twist;
      pull[group].noalias() += weight * by_twist.transpose() * off;
    }
    if (to == nullptr) return cost;
    for (int body = 0; body < bodies; ++body) {
      if (group_[at(body)] != body) continue;
      const std::vector<Eigen::Index>& moved = moved_by_[at(body)];
      Eigen::Matrix<double, 6, Eigen::Dynamic> twists(6, static_cast<Eigen::Index>(moved.size()));
      for (std::size_t k = 0; k < moved.size(); ++k) {
        twists.col(static_cast<Eigen::Index>(k)) = derivatives_.columns().col(task_.active[at(moved[k])]);
      }
      const Eigen::MatrixXd square = twists.transpose() * (inertia[at(body)] * twists);
      const Eigen::VectorXd slope = twists.transpose() * pull[at(body)];
      for (std::size_t a = 0; a < moved.size(); ++a) {
        to->gradient[moved[a]] += slope[static_cast<Eigen::Index>(a)];
        for (std::size_t b = 0; b < moved.size(); ++b) {
          to->hessian(moved[a], moved[b]) += square(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b));
        }
      }
    }
    return cost;
  }

  void linearise(Eigen::Index j) {
    Knot& to = knots_[at(j)];
    differences(at_, j);
    if (to.force_limits.empty()) {
      derivatives_.update_values(x_, rate_, acceleration_);
    } else {
      const double h = task_.step_s;
      derivatives_.update(x_, rate_, acceleration_);
      wrench_.linearise(derivatives_);
      to.wrench = wrench_.value();
      const Eigen::MatrixXd rate = active_columns(wrench_.by_rate()) / (2.0 * h);
      const Eigen::MatrixXd acceleration = active_columns(wrench_.by_acceleration()) / (h * h);
      to.wrench_by[0] = acceleration - rate;
      to.wrench_by[1] = active_columns(wrench_.by_position()) - 2.0 * acceleration;
      to.wrench_by[2] = acceleration + rate;
    }
    write_equations(j, to, true);
    write_soles(to, true);
    write_cost(j, &to);
    to.least_step.setZero(active_, to.equations.size());
    to.loose.clear();
    if (to.equations.size() == 0) {
      to.null_space.setIdentity(active_, active_);
      to.particular.setZero(active_);
      return;
    }
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(to.equation_rows.transpose());
    qr.setThreshold(kRankTolerance);
    const Eigen::Index rank = qr.rank();
    const Eigen::MatrixXd Q = qr.householderQ();
    const Eigen::MatrixXd permuted = Eigen::MatrixXd(qr.colsPermutation().transpose()).topRows(rank);
    to.least_step = Q.leftCols(rank) *
                    qr.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().transpose().solve(permuted);
    to.particular = -to.least_step * to.equations;
    for (Eigen::Index i = rank; i < to.equations.size(); ++i) to.loose.push_back(qr.colsPermutation().indices()[i]);
    to.null_space = Q.rightCols(active_ - rank);
  }

  /// The equations are curved: two Newton steps back onto them.
  void correct_equations(Eigen::MatrixXd& next) {
    Knot on;
    const Eigen::VectorXd still = Eigen::VectorXd::Zero(n_);
    for (Eigen::Index j = 0; j < count_; ++j) {
      if (knots_[at(j)].equations.size() == 0) continue;
      for (int round = 0; round < 2; ++round) {
        derivatives_.update_values(next.col(j), still, still);
        write_equations(j, on, false);
        add_active(-knots_[at(j)].least_step * on.equations, j, next);
      }
    }
  }

  double range_violation(int joint, double angle) const {
    const Joint& of = robot_.joints()[at(joint)];
    return std::max({0.0, angle - of.upper, of.lower - angle}) / kRangeUnit;
  }

  /// Moments about the middle of the soles on the floor, and the vertical force times an arm, over the weight [m]: the
  /// first two change as the ZMP does. Their rate is priced, so that the load is shifted from foot to foot in time.
  Eigen::Matrix<double, 3, 6> load_rows(Eigen::Index j) const {
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    double num = 0.0;
    for (const ContactMotionTask::Foot& foot : task_.feet) {
      if (!foot.at[at(j)].is_on) continue;
      middle += foot.at[at(j)].T_world_sole.translation();
      num += 1.0;
    }
    middle /= std::max(1.0, num);
    Eigen::Matrix<double, 3, 6> rows;                     // m − p × f
    rows << 0.0, middle.z(), -middle.y(), 1.0, 0.0, 0.0,  //
        -middle.z(), 0.0, middle.x(), 0.0, 1.0, 0.0,      //
        0.0, 0.0, kLoadArm, 0.0, 0.0, 0.0;
    return rows / weight_;
  }
  bool has_load_rate(Eigen::Index j) const {
    return j > 0 && j + 2 < count_ && !knots_[at(j)].force_limits.empty() && !knots_[at(j + 1)].force_limits.empty();
  }
  double load_price() const { return 1.0 / (task_.step_s * kZmpSpeed * kZmpSpeed); }  // h (Δ / (h v))²

  void add_load_rates() {
    for (Eigen::Index j = 1; j + 2 < count_; ++j) {
      if (!has_load_rate(j)) continue;
      const Eigen::Matrix<double, 3, 6> rows = load_rows(j);
      const Knot &first = knots_[at(j - 1)], &last = knots_[at(j + 2)];
      Eigen::MatrixXd by = Eigen::MatrixXd::Zero(3, last.begin + last.size() - first.begin);
      Eigen::Vector3d value = rows * (knots_[at(j + 1)].wrench - knots_[at(j)].wrench);
      for (Eigen::Index end = 0; end < 2; ++end) {
        const double sign = end == 0 ? -1.0 : 1.0;
        const Knot& of = knots_[at(j + end)];
        for (Eigen::Index s = 0; s < 3; ++s) {
          const Knot& knot = knots_[at(j + end + s - 1)];
          const Eigen::MatrixXd slope = sign * rows * of.wrench_by[at(s)];
          by.middleCols(knot.begin - first.begin, knot.size()) += slope * knot.null_space;
          value += slope * knot.particular;
        }
      }
      qp_.hessian.block(first.begin, first.begin, by.cols(), by.cols())
          .selfadjointView<Eigen::Lower>()
          .rankUpdate(by.transpose(), load_price());
      qp_.gradient.segment(first.begin, by.cols()) += load_price() * by.transpose() * value;
    }
  }

  Merit evaluate(const Eigen::MatrixXd& of) {
    Merit merit;
    Vector6d wrench_before = Vector6d::Zero();
    Knot on;
    std::vector<std::array<Eigen::Vector3d, 2>> centres(at(count_));
    for (Eigen::Index j = 0; j < count_; ++j) {
      const Knot& knot = knots_[at(j)];
      differences(of, j);
      derivatives_.update_values(x_, rate_, acceleration_);
      merit.cost += write_cost(j, nullptr);
      if (!knot.force_limits.empty()) {
        wrench_.evaluate(derivatives_);
        if (j > 0 && has_load_rate(j - 1)) {
          const Eigen::Vector3d jump = load_rows(j - 1) * (wrench_.value() - wrench_before);
          merit.cost += 0.5 * load_price() * jump.squaredNorm();
        }
        wrench_before = wrench_.value();
        for (const Limit<6>& limit : knot.force_limits) {
          merit.violation += price() * std::max(0.0, limit.row.dot(wrench_.value()) - limit.bound);
        }
      }
      write_equations(j, on, false);
      merit.equations += kEquationPrice * task_.step_s * on.equations.lpNorm<1>();
      if (on.equations.size() > 0)
        merit.largest_equation = std::max(merit.largest_equation, on.equations.lpNorm<Eigen::Infinity>());
      write_soles(on, false);
      centres[at(j)] = on.centre;
      for (std::size_t side = 0; side < 2; ++side) {
        if (is_flat(task_.feet[side].at[at(j)])) continue;
        for (const double height : on.corner_height[side])
          merit.violation += price() * std::max(0.0, -height) / kHeightUnit;
      }
      for (Eigen::Index k = 6; k < active_; ++k) {
        const int i = task_.active[at(k)];
        merit.violation += price() * range_violation(i - 6, x_[i]);
        const double speed = robot_.joints()[at(i - 6)].velocity;
        if (j + 1 == count_ || !(speed > 0.0) || !std::isfinite(speed)) continue;
        const double ratio = std::abs(of(i, j + 1) - of(i, j)) / (task_.step_s * speed);
        merit.violation += price() * std::max(0.0, ratio - 1.0) / kSpeedUnit;
      }
      for (Eigen::Index k = 0; k < active_; ++k) {
        const int i = task_.active[at(k)];
        const auto off = [&](Eigen::Index l) { return of(i, l) - task_.reference(i, l); };
        merit.cost += 0.5 * stay_[k] * off(j) * off(j);
        if (j == 0 || j + 1 == count_) continue;
        const double bend = off(j + 1) - 2.0 * off(j) + off(j - 1);
        merit.cost += 0.5 * change_[k] * bend * bend;
      }
    }
    for (Eigen::Index j = 1; j + 1 < count_; ++j) {
      for (std::size_t side = 0; side < 2; ++side) {
        const Eigen::Vector3d velocity = (centres[at(j + 1)][side] - centres[at(j - 1)][side]) / (2.0 * task_.step_s);
        for (const Limit<3>& limit : knots_[at(j)].velocity_limits[side]) {
          merit.violation += price() * std::max(0.0, limit.row.dot(velocity) - limit.bound);
        }
      }
    }
    return merit;
  }

  void assemble(double damping) {
    Eigen::Index total = 0;
    for (Knot& knot : knots_) {
      knot.begin = total;
      total += knot.size();
    }
    Eigen::Index band = 0;
    for (Eigen::Index j = 0; j < count_; ++j) {
      const Knot& last = knots_[at(std::min(count_ - 1, j + 3))];
      band = std::max(band, last.begin + last.size() - knots_[at(j)].begin - 1);
    }
    qp_.hessian = BandedMatrix(total, band);
    qp_.gradient.setZero(total);
    qp_.rows.clear();
    add_costs(damping);
    add_load_rates();
    for (Eigen::Index j = 0; j < count_; ++j) {
      add_knot_rows(j);
      if (j + 1 < count_) add_speed_rows(j);
      if (j == 0 || j + 1 == count_) continue;
      add_force_rows(j);
      add_velocity_rows(j);
    }
  }

  void add_costs(double damping) {
    // Σ (second difference)² as a banded matrix of numbers, by knot and distance.
    std::vector<std::array<double, 3>> bend(at(count_), {0.0, 0.0, 0.0});
    constexpr std::array<double, 3> kSecond = {1.0, -2.0, 1.0};
    for (Eigen::Index j = 1; j + 1 < count_; ++j) {
      for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t b = a; b < 3; ++b) bend[at(j - 1) + a][b - a] += kSecond[a] * kSecond[b];
      }
    }
    std::vector<Eigen::VectorXd> slope(at(count_));
    Eigen::MatrixXd off(active_, count_);  // after the particular steps
    for (Eigen::Index j = 0; j < count_; ++j) {
      for (Eigen::Index k = 0; k < active_; ++k) {
        const int i = task_.active[at(k)];
        off(k, j) = at_(i, j) - task_.reference(i, j) + knots_[at(j)].particular[k];
      }
    }
    for (Eigen::Index j = 0; j < count_; ++j) {
      Knot& knot = knots_[at(j)];
      slope[at(j)] = knot.gradient + knot.hessian * knot.particular + stay_.cwiseProduct(off.col(j));
      for (Eigen::Index d = 0; d < 3; ++d) {
        if (j + d < count_) slope[at(j)] += bend[at(j)][at(d)] * change_.cwiseProduct(off.col(j + d));
        if (d > 0 && j - d >= 0) slope[at(j)] += bend[at(j - d)][at(d)] * change_.cwiseProduct(off.col(j - d));
      }
    }
    for (Eigen::Index j = 0; j < count_; ++j) {
      Knot& knot = knots_[at(j)];
      qp_.gradient.segment(knot.begin, knot.size()) = knot.null_space.transpose() * slope[at(j)];
      knot.hessian.diagonal() += stay_ + bend[at(j)][0] * change_;
      knot.hessian.diagonal().array() += task_.step_s * damping;
      const Eigen::MatrixXd own = knot.null_space.transpose() * (knot.hessian * knot.null_space);
      qp_.hessian.block(knot.begin, knot.begin, knot.size(), knot.size()).triangularView<Eigen::Lower>() += own;
      for (Eigen::Index d = 1; d < 3 && j + d < count_; ++d) {
        const Knot& next = knots_[at(j + d)];
        const Eigen::MatrixXd scaled = (bend[at(j)][at(d)] * change_).asDiagonal() * knot.null_space;
        qp_.hessian.block(next.begin, knot.begin, next.size(), knot.size()) += next.null_space.transpose() * scaled;
      }
    }
  }

  void add_rows(BandedQp::Rows rows) {
    rows.price = Eigen::VectorXd::Constant(rows.h.size(), price());
    qp_.rows.push_back(std::move(rows));
  }

  void add_force_rows(Eigen::Index j) {
    const Knot& knot = knots_[at(j)];
    std::vector<const Limit<6>*> near;
    for (const Limit<6>& limit : knot.force_limits) {
      if (limit.row.dot(knot.wrench) - limit.bound > -kNearZmp / kZmpUnit) near.push_back(&limit);
    }
    if (near.empty()) return;
    const Knot &before = knots_[at(j - 1)], &after = knots_[at(j + 1)];
    BandedQp::Rows rows;
    rows.begin = before.begin;
    Eigen::MatrixXd limits(static_cast<Eigen::Index>(near.size()), 6);
    rows.h.resize(limits.rows());
    for (Eigen::Index r = 0; r < limits.rows(); ++r) {
      limits.row(r) = near[at(r)]->row;
      rows.h[r] = near[at(r)]->bound;
    }
    rows.G.resize(limits.rows(), after.begin + after.size() - before.begin);
    Vector6d constant = knot.wrench;
    const std::array<const Knot*, 3> three = {&before, &knot, &after};
    for (std::size_t s = 0; s < 3; ++s) {
      constant += knot.wrench_by[s] * three[s]->particular;
      rows.G.middleCols(three[s]->begin - before.begin, three[s]->size()) =
          limits * (knot.wrench_by[s] * three[s]->null_space);
    }
    rows.h -= limits * constant;
    add_rows(std::move(rows));
  }

  void add_velocity_rows(Eigen::Index j) {
    const Knot &knot = knots_[at(j)], &before = knots_[at(j - 1)], &after = knots_[at(j + 1)];
    for (std::size_t side = 0; side < 2; ++side) {
      const std::vector<Limit<3>>& limits = knot.velocity_limits[side];
      if (limits.empty()) continue;
      BandedQp::Rows rows;
      rows.begin = before.begin;
      rows.G.setZero(static_cast<Eigen::Index>(limits.size()), after.begin + after.size() - before.begin);
      rows.h.resize(rows.G.rows());
      const double per_step = 1.0 / (2.0 * task_.step_s);
      const Eigen::Vector3d velocity = per_step * (after.centre[side] + after.centre_rows[side] * after.particular -
                                                   before.centre[side] - before.centre_rows[side] * before.particular);
      const Eigen::MatrixXd from = per_step * before.centre_rows[side] * before.null_space;
      const Eigen::MatrixXd to = per_step * after.centre_rows[side] * after.null_space;
      for (Eigen::Index r = 0; r < rows.G.rows(); ++r) {
        const Limit<3>& limit = limits[at(r)];
        rows.G.row(r).head(before.size()) = -limit.row.transpose() * from;
        rows.G.row(r).tail(after.size()) = limit.row.transpose() * to;
        rows.h[r] = limit.bound - limit.row.dot(velocity);
      }
      add_rows(std::move(rows));
    }
  }

  /// Ranges of the joints, and the floor.
  void add_knot_rows(Eigen::Index j) {
    const Knot& knot = knots_[at(j)];
    std::vector<Eigen::RowVectorXd> G;
    std::vector<double> h;
    const auto add = [&](const Eigen::RowVectorXd& row, double excess) {
      G.push_back(row * knot.null_space);
      h.push_back(-excess - row.dot(knot.particular));
    };
    for (Eigen::Index k = 6; k < active_; ++k) {
      const int i = task_.active[at(k)];
      const Joint& joint = robot_.joints()[at(i - 6)];
      const Eigen::RowVectorXd unit = Eigen::RowVectorXd::Unit(active_, k) / kRangeUnit;
      if (joint.upper - at_(i, j) < kNearRange) add(unit, (at_(i, j) - joint.upper) / kRangeUnit);
      if (at_(i, j) - joint.lower < kNearRange) add(-unit, (joint.lower - at_(i, j)) / kRangeUnit);
    }
    for (std::size_t side = 0; side < 2; ++side) {
      if (is_flat(task_.feet[side].at[at(j)])) continue;
      for (std::size_t c = 0; c < 4; ++c) {
        const double height = knot.corner_height[side][c];
        if (height < kNearHeight) add(-knot.corner_rows[side][c] / kHeightUnit, -height / kHeightUnit);
      }
    }
    std::vector<double> prices(G.size(), price());
    for (const Eigen::Index i : knot.loose) {
      for (const double sign : {1.0, -1.0}) {
        add(sign * knot.equation_rows.row(i), sign * knot.equations[i]);
        prices.push_back(kEquationPrice * task_.step_s);
      }
    }
    if (G.empty()) return;
    BandedQp::Rows rows;
    rows.begin = knot.begin;
    rows.G.resize(static_cast<Eigen::Index>(G.size()), knot.size());
    rows.h.resize(rows.G.rows());
    for (Eigen::Index r = 0; r < rows.G.rows(); ++r) {
      rows.G.row(r) = G[at(r)];
      rows.h[r] = h[at(r)];
    }
    rows.price = Eigen::Map<const Eigen::VectorXd>(prices.data(), rows.h.size());
    qp_.rows.push_back(std::move(rows));
  }

  void add_speed_rows(Eigen::Index j) {
    const Knot &knot = knots_[at(j)], &next = knots_[at(j + 1)];
    std::vector<std::pair<Eigen::Index, double>> fast;  // active coordinate, rate over its limit
    for (Eigen::Index k = 6; k < active_; ++k) {
      const int i = task_.active[at(k)];
      const double limit = robot_.joints()[at(i - 6)].velocity;
      if (!(limit > 0.0) || !std::isfinite(limit)) continue;
      const double ratio = (at_(i, j + 1) - at_(i, j)) / (task_.step_s * limit);
      if (std::abs(ratio) > kNearSpeed) fast.emplace_back(k, ratio);
    }
    if (fast.empty()) return;
    BandedQp::Rows rows;
    rows.begin = knot.begin;
    rows.G.setZero(static_cast<Eigen::Index>(fast.size()), next.begin + next.size() - knot.begin);
    rows.h.resize(rows.G.rows());
    for (Eigen::Index r = 0; r < rows.G.rows(); ++r) {
      const auto& [k, ratio] = fast[at(r)];
      const double limit = robot_.joints()[at(task_.active[at(k)] - 6)].velocity;
      const double scale = (ratio > 0.0 ? 1.0 : -1.0) / (task_.step_s * limit * kSpeedUnit);
      rows.G.row(r).head(knot.size()) = -scale * knot.null_space.row(k);
      rows.G.row(r).tail(next.size()) = scale * next.null_space.row(k);
      rows.h[r] = (1.0 - std::abs(ratio)) / kSpeedUnit - scale * (next.particular[k] - knot.particular[k]);
    }
    add_rows(std::move(rows));
  }

  const RobotModel& robot_;
  const ContactMotionTask& task_;
  MotionDerivatives derivatives_;
  BaseWrench wrench_;
  int n_;
  Eigen::Index count_, active_;
  double weight_;
  std::vector<int> group_;                           ///< by body
  std::vector<std::vector<Eigen::Index>> moved_by_;  ///< by body: active coordinates
  Eigen::MatrixXd body_reference_;
  Eigen::VectorXd stay_, change_;
  std::vector<Knot> knots_;
  Eigen::MatrixXd at_;
  Eigen::VectorXd x_, rate_, acceleration_;
  BandedQp qp_;
};

}  // namespace

ContactMotion solve_contact_motion(const RobotModel& robot, const ContactMotionTask& task, int max_iterations) {
  return Solver(robot, task).solve(max_iterations);
}

}  // namespace aplomb

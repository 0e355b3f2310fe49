#include "aplomb/retarget/whole_motion/motion_solver.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "aplomb/core/interrupt.hpp"
#include "aplomb/retarget/whole_motion/motion_forces.hpp"
#include "aplomb/retarget/whole_motion/motion_frame.hpp"
#include "aplomb/solvers/banded_qp.hpp"

namespace aplomb {
namespace {

constexpr double kPrice = 1.0;              // of a violated limit, per scaled unit
constexpr double kEquationPrice = 30.0;     // of the residual of an equation [1/m, 1/rad]
constexpr double kRangeUnit = 0.1;          // [rad], [m]: scale of ranges
constexpr double kLengthUnit = 0.01;        // [m]: scale of distances
constexpr double kNearRange = 0.15;         // [rad] distance to an end of a range from which on it is a row
constexpr double kNearSpeed = 0.5;          // fraction of a speed limit from which on it is a row
constexpr double kNearTorque = 0.6;         // fraction of a torque limit from which on it is a row
constexpr double kSettledViolation = 1e-2;  // sum of scaled violations at which a motion may count as settled
constexpr double kSettledEquation = 1e-5;   // [m, rad] the same for the residual of an equation
constexpr double kReached = 1e-3;           // scaled distance at which a limit counts as reached
constexpr int kSmallSteps = 3;              // whole steps of small decrease in a row after which it ends
constexpr double kFinestGap = 1e-6;         // duality gap of the most accurate quadratic programs
constexpr double kRankTolerance = 1e-6;
constexpr double kFirstDamping = 0.1, kLeastDamping = 1e-4, kMostDamping = 1e3;

/// A frame of the quadratic program.
struct Stage {
  KnotStencil stencil;
  Vector6d wrench = Vector6d::Zero();
  std::array<Eigen::MatrixXd, 3> wrench_by, torque_by;  ///< by knot of the stencil
  Eigen::MatrixXd torque_by_force, hessian, equation_rows, bound_rows;
  Eigen::VectorXd gradient, equations, bounds, torque;
  std::vector<int> torque_joints;
  std::vector<char> was_near;  ///< joints whose torque has been near its limit

  Eigen::MatrixXd null_space;                ///< steps of the knot that keep the equations
  Eigen::MatrixXd least_step;                ///< smallest step that changes the equations by given amounts
  Eigen::VectorXd particular;                ///< a step that satisfies them
  Eigen::Index begin = 0, size = 0;          ///< its variables: null-space coordinates, then free forces
  Eigen::Index first_column = 0, width = 0;  ///< variables that its forces depend on
  Eigen::MatrixXd force_map;                 ///< forces = force_map · variables + force_offset
  Eigen::VectorXd force_offset;
};

}  // namespace

struct MotionSolver::Impl {
  Impl(const RobotModel& given_robot, const MotionTask& given)
      : robot(given_robot),
        task(given),
        derivatives(robot),
        contacts(task, robot.mass() * kGravity),
        frame(task, contacts, derivatives),
        n(derivatives.size()),
        count(task.num_frames()),
        stages(static_cast<std::size_t>(count)) {
    for (Eigen::Index j = 0; j < count; ++j) {
      stage(j).stencil = knot_stencil(j, count, task.step_s);
      stage(j).was_near.assign(static_cast<std::size_t>(n - 6), 0);
    }
  }

  Stage& stage(Eigen::Index j) { return stages[static_cast<std::size_t>(j)]; }
  const Stage& stage(Eigen::Index j) const { return stages[static_cast<std::size_t>(j)]; }
  bool is_free(Eigen::Index j) const { return j > 0 && j + 1 < count; }  ///< has a knot of its own

  void configuration(const Eigen::MatrixXd& at, const KnotStencil& stencil) {
    x.setZero(n);
    rate = acceleration = x;
    for (std::size_t s = 0; s < static_cast<std::size_t>(stencil.count); ++s) {
      const auto control = at.col(stencil.knot[s]);
      x += stencil.position[s] * control;
      rate += stencil.rate[s] * control;
      acceleration += stencil.acceleration[s] * control;
    }
  }

  Eigen::VectorXd forces_of(Eigen::Index j, const Vector6d& wrench, const Eigen::VectorXd& variables) const {
    const MotionForces::Frame& on = contacts.frame(j);
    return on.spread * wrench + on.exchange * variables.head(on.exchange.cols()) +
           on.points * variables.tail(on.points.cols());
  }

  /// Exact penalty function.
  struct Merit {
    double cost = 0.0, violation = 0.0, equations = 0.0, largest_equation = 0.0;
    double total(double price) const { return cost + price * violation + kEquationPrice * equations; }
  };
  Merit evaluate(const Eigen::MatrixXd& at, const std::vector<Eigen::VectorXd>& variables) {
    Merit merit;
    const auto excess = [](double value) { return std::max(0.0, value); };
    Eigen::VectorXd before;
    for (Eigen::Index j = 0; j < count; ++j) {
      configuration(at, stage(j).stencil);
      frame.evaluate(j, x, rate, acceleration);
      const MotionFrame::Values& values = frame.values();
      const Eigen::VectorXd f = forces_of(j, values.wrench, variables[static_cast<std::size_t>(j)]);
      merit.cost += values.cost + force_cost(f, before);
      merit.equations += values.equations.lpNorm<1>();
      merit.largest_equation = std::max(merit.largest_equation, values.equations.lpNorm<Eigen::Infinity>());
      const MotionForces::Frame& on = contacts.frame(j);
      merit.violation += (on.limit_rows * f - on.limits).cwiseMax(0.0).sum();
      merit.violation += (frame.torques(f).cwiseAbs().cwiseQuotient(task.torque).array() - 1.0).cwiseMax(0.0).sum();
      merit.violation += values.bounds.cwiseMax(0.0).sum() / kLengthUnit;
      before = f;
    }
    for (Eigen::Index j = 1; j + 1 < count; ++j) {
      for (Eigen::Index i = 0; i < n - 6; ++i) {
        merit.violation +=
            excess(at(6 + i, j) - task.upper[i]) / kRangeUnit + excess(task.lower[i] - at(6 + i, j)) / kRangeUnit;
        if (j + 2 < count && task.speed[i] > 0.0) {
          merit.violation += excess(std::abs(at(6 + i, j + 1) - at(6 + i, j)) / (task.step_s * task.speed[i]) - 1.0);
        }
      }
    }
    merit.cost += jerk_cost(at);
    return merit;
  }

  double force_cost(const Eigen::VectorXd& f, const Eigen::VectorXd& before) const {
    double cost = task.step_s * contacts.effort().cwiseProduct(f).squaredNorm();
    if (before.size() > 0) {
      cost += task.force_rate_weight * contacts.per_weight().cwiseProduct(f - before).squaredNorm() / task.step_s;
    }
    return 0.5 * cost;
  }

  static constexpr std::array<double, 4> kThirdDifference = {-1.0, 3.0, -3.0, 1.0};
  std::array<Eigen::Index, 4> jerk_knots(Eigen::Index first) const {
    std::array<Eigen::Index, 4> index{};
    for (std::size_t a = 0; a < 4; ++a) {
      index[a] = std::clamp<Eigen::Index>(first + static_cast<Eigen::Index>(a), 1, count - 2);
    }
    return index;
  }
  Eigen::VectorXd third_difference(const Eigen::MatrixXd& at, const std::array<Eigen::Index, 4>& index) const {
    return at.col(index[3]) - at.col(index[0]) + 3.0 * (at.col(index[1]) - at.col(index[2]));
  }
  double jerk_scale() const { return std::pow(task.step_s, -5); }  // h · (1/h³)²
  double jerk_cost(const Eigen::MatrixXd& at) const {
    double cost = 0.0;
    for (Eigen::Index first = -2; first + 1 < count; ++first) {
      const Eigen::VectorXd jerk = third_difference(at, jerk_knots(first));
      cost += 0.5 * jerk_scale() * jerk.dot(task.jerk_weight.cwiseProduct(jerk));
    }
    return cost;
  }

  void linearise(Eigen::Index j) {
    Stage& to = stage(j);
    configuration(knots, to.stencil);
    frame.linearise(j, x, rate, acceleration);
    const MotionFrame::Values& values = frame.values();
    to.wrench = values.wrench;
    to.equations = values.equations;
    to.bounds = values.bounds;
    const Eigen::VectorXd f = forces_of(j, values.wrench, free[static_cast<std::size_t>(j)]);
    const Eigen::VectorXd torque = frame.torques(f);
    to.torque_joints.clear();
    for (int i = 0; i < n - 6; ++i) {
      char& near = to.was_near[static_cast<std::size_t>(i)];
      if (std::abs(torque[i]) > kNearTorque * task.torque[i]) near = 1;
      if (near != 0) to.torque_joints.push_back(i);
    }
    frame.linearise_torques(to.torque_joints, f);
    const MotionFrame::Gradients& gradients = frame.gradients();
    to.hessian = gradients.hessian;
    to.gradient = gradients.gradient;
    to.equation_rows = gradients.equation_rows;
    to.bound_rows = gradients.bound_rows;
    to.torque_by_force = gradients.torque_by_force;
    to.torque = torque(to.torque_joints) - to.torque_by_force * f;  // without the forces' part
    for (std::size_t s = 0; s < static_cast<std::size_t>(to.stencil.count); ++s) {
      const double p = to.stencil.position[s], r = to.stencil.rate[s], a = to.stencil.acceleration[s];
      to.wrench_by[s] =
          p * gradients.wrench_by_position + r * gradients.wrench_by_rate + a * gradients.wrench_by_acceleration;
      to.torque_by[s] =
          p * gradients.torque_by_position + r * gradients.torque_by_rate + a * gradients.torque_by_acceleration;
    }
  }

  /// Steps of each knot that keep the equations of its frame.
  void reduce() {
    total = 0;
    for (Eigen::Index j = 0; j < count; ++j) {
      Stage& at = stage(j);
      at.null_space.resize(n, 0);
      if (is_free(j)) {
        Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(at.equation_rows.transpose());
        qr.setThreshold(kRankTolerance);
        const Eigen::Index rank = qr.rank();
        const Eigen::MatrixXd Q = qr.householderQ();
        // rows Π = (Q R)ᵀ: the smallest step with rows · step = r is Q₁ R₁₁⁻ᵀ (Πᵀ r).
        const Eigen::MatrixXd permuted = Eigen::MatrixXd(qr.colsPermutation().transpose()).topRows(rank);
        at.least_step.noalias() =
            Q.leftCols(rank) *
            qr.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().transpose().solve(permuted);
        at.particular = -at.least_step * at.equations;
        at.null_space = Q.rightCols(n - rank);
      }
      at.begin = total;
      at.size = at.null_space.cols() + contacts.frame(j).num_free();
      total += at.size;
    }
    for (Eigen::Index j = 0; j < count; ++j) map_forces(j);
  }

  /// Moves the knots back onto the equations, which are curved: a second-order correction of a step.
  void correct_equations(Eigen::MatrixXd& at) {
    for (Eigen::Index j = 1; j + 1 < count; ++j) {
      for (int round = 0; round < 2; ++round) {
        x = at.col(j);
        at.col(j) -= stage(j).least_step * frame.equations(j, x);
      }
    }
    at.col(0) = at.col(1);
    at.col(count - 1) = at.col(count - 2);
  }

  /// Forces of a frame as a function of the variables.
  void map_forces(Eigen::Index j) {
    Stage& at = stage(j);
    const MotionForces::Frame& on = contacts.frame(j);
    const Stage& first = stage(std::min(j, at.stencil.knot[0]));
    const Stage& last = stage(std::max(j, at.stencil.knot[static_cast<std::size_t>(at.stencil.count - 1)]));
    at.first_column = first.begin;
    at.width = last.begin + last.size - first.begin;
    at.force_map.setZero(contacts.size(), at.width);
    Vector6d wrench = at.wrench;
    for (std::size_t s = 0; s < static_cast<std::size_t>(at.stencil.count); ++s) {
      const Stage& control = stage(at.stencil.knot[s]);
      wrench += at.wrench_by[s] * control.particular;
      at.force_map.middleCols(control.begin - at.first_column, control.null_space.cols()).noalias() +=
          on.spread * (at.wrench_by[s] * control.null_space);
    }
    const Eigen::Index own = at.begin - at.first_column + at.null_space.cols();
    at.force_map.middleCols(own, on.exchange.cols()) = on.exchange;
    at.force_map.middleCols(own + on.exchange.cols(), on.points.cols()) = on.points;
    at.force_offset = on.spread * wrench;
  }

  void add_motion_costs(double damping) {
    // In the knots: blocks of n × n, up to three apart.
    std::vector<std::array<Eigen::MatrixXd, 4>> blocks(static_cast<std::size_t>(count));
    std::vector<Eigen::VectorXd> gradients(static_cast<std::size_t>(count), Eigen::VectorXd::Zero(n));
    for (auto& row : blocks) row.fill(Eigen::MatrixXd::Zero(n, n));
    const auto block = [&](Eigen::Index row, Eigen::Index column) -> Eigen::MatrixXd& {
      return blocks[static_cast<std::size_t>(row)][static_cast<std::size_t>(column - row)];
    };
    const auto gradient = [&](Eigen::Index j) -> Eigen::VectorXd& { return gradients[static_cast<std::size_t>(j)]; };
    for (Eigen::Index j = 0; j < count; ++j) {
      const Stage& at = stage(j);
      const KnotStencil& s = at.stencil;
      for (std::size_t a = 0; a < static_cast<std::size_t>(s.count); ++a) {
        gradient(s.knot[a]) += s.position[a] * at.gradient;
        for (std::size_t b = a; b < static_cast<std::size_t>(s.count); ++b) {
          block(s.knot[a], s.knot[b]) += s.position[a] * s.position[b] * at.hessian;
        }
      }
    }
    for (Eigen::Index first = -2; first + 1 < count; ++first) {
      const std::array<Eigen::Index, 4> index = jerk_knots(first);
      const Eigen::VectorXd pull = jerk_scale() * task.jerk_weight.cwiseProduct(third_difference(knots, index));
      for (std::size_t a = 0; a < 4; ++a) {
        gradient(index[a]) += kThirdDifference[a] * pull;
        for (std::size_t b = 0; b < 4; ++b) {
          if (index[b] < index[a]) continue;
          block(index[a], index[b]).diagonal() +=
              jerk_scale() * kThirdDifference[a] * kThirdDifference[b] * task.jerk_weight;
        }
      }
    }
    for (Eigen::Index i = 1; i + 1 < count; ++i) block(i, i).diagonal().array() += task.step_s * damping;
    for (Eigen::Index i = 1; i + 1 < count; ++i) {
      const Stage& column = stage(i);
      for (Eigen::Index d = 0; d < 4 && is_free(i + d); ++d) {
        const Stage& row = stage(i + d);
        const Eigen::MatrixXd reduced = row.null_space.transpose() * (block(i, i + d).transpose() * column.null_space);
        BandedMatrix::Block to = qp.hessian.block(row.begin, column.begin, reduced.rows(), reduced.cols());
        if (d == 0) {
          to.triangularView<Eigen::Lower>() += reduced;
        } else {
          to += reduced;
          gradient(i + d) += block(i, i + d).transpose() * column.particular;
        }
        gradient(i) += block(i, i + d) * row.particular;
      }
    }
    for (Eigen::Index i = 1; i + 1 < count; ++i) {
      const Stage& at = stage(i);
      qp.gradient.segment(at.begin, at.null_space.cols()) += at.null_space.transpose() * gradient(i);
    }
  }

  void add_force_costs() {
    for (Eigen::Index j = 0; j < count; ++j) {
      const Stage& at = stage(j);
      const Eigen::MatrixXd map = contacts.per_weight().asDiagonal() * at.force_map;
      const Eigen::VectorXd offset = contacts.per_weight().cwiseProduct(at.force_offset);
      add_square(contacts.effort().asDiagonal() * at.force_map, contacts.effort().cwiseProduct(at.force_offset),
                 at.first_column, task.step_s);
      if (j + 1 == count) break;
      const Stage& next = stage(j + 1);
      const Eigen::Index first = std::min(at.first_column, next.first_column);
      const Eigen::Index end = std::max(at.first_column + at.width, next.first_column + next.width);
      Eigen::MatrixXd difference = Eigen::MatrixXd::Zero(contacts.size(), end - first);
      difference.middleCols(next.first_column - first, next.width) =
          contacts.per_weight().asDiagonal() * next.force_map;
      difference.middleCols(at.first_column - first, at.width) -= map;
      add_square(difference, contacts.per_weight().cwiseProduct(next.force_offset) - offset, first,
                 task.force_rate_weight / task.step_s);
    }
  }

  /// Adds ½ w |A x + b|².
  void add_square(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, Eigen::Index first, double w) {
    qp.hessian.block(first, first, A.cols(), A.cols()).selfadjointView<Eigen::Lower>().rankUpdate(A.transpose(), w);
    qp.gradient.segment(first, A.cols()).noalias() += w * A.transpose() * b;
  }

  void add_rows(BandedQp::Rows rows) {
    rows.price = Eigen::VectorXd::Constant(rows.h.size(), kPrice);
    qp.rows.push_back(std::move(rows));
  }

  /// Limits of forces, torques and distances in one frame.
  void add_frame_rows(Eigen::Index j) {
    const Stage& at = stage(j);
    const MotionForces::Frame& on = contacts.frame(j);
    const Eigen::Index cones = on.limits.size(), torques = at.torque.size(), bounds = at.bounds.size();
    BandedQp::Rows rows;
    rows.begin = at.first_column;
    rows.G.setZero(cones + 2 * torques + bounds, at.width);
    rows.h.resize(rows.G.rows());
    rows.G.topRows(cones).noalias() = on.limit_rows * at.force_map;
    rows.h.head(cones) = on.limits - on.limit_rows * at.force_offset;
    Eigen::MatrixXd torque_rows = at.torque_by_force * at.force_map;
    Eigen::VectorXd torque = at.torque + at.torque_by_force * at.force_offset;
    auto bound_rows = rows.G.bottomRows(bounds);
    Eigen::VectorXd bound = at.bounds;
    for (std::size_t s = 0; s < static_cast<std::size_t>(at.stencil.count); ++s) {
      const Stage& control = stage(at.stencil.knot[s]);
      const Eigen::Index column = control.begin - at.first_column, width = control.null_space.cols();
      torque_rows.middleCols(column, width) += at.torque_by[s] * control.null_space;
      torque += at.torque_by[s] * control.particular;
      bound_rows.middleCols(column, width) += at.stencil.position[s] / kLengthUnit * at.bound_rows * control.null_space;
      bound += at.stencil.position[s] * at.bound_rows * control.particular;
    }
    rows.h.tail(bounds) = -bound / kLengthUnit;
    for (Eigen::Index r = 0; r < torques; ++r) {
      const double limit = task.torque[at.torque_joints[static_cast<std::size_t>(r)]];
      for (int k = 0; k < 2; ++k) {
        const double sign = k == 0 ? 1.0 : -1.0;
        rows.G.row(cones + 2 * r + k) = sign / limit * torque_rows.row(r);
        rows.h[cones + 2 * r + k] = 1.0 - sign * torque[r] / limit;
      }
    }
    add_rows(std::move(rows));
  }

  /// Ranges of the joints: a spline stays within the hull of its knots.
  void add_range_rows(Eigen::Index j) {
    const Stage& at = stage(j);
    std::vector<std::pair<Eigen::Index, double>> near;  // joint and sign
    for (Eigen::Index i = 0; i < n - 6; ++i) {
      if (task.upper[i] - knots(6 + i, j) < kNearRange) near.emplace_back(i, 1.0);
      if (knots(6 + i, j) - task.lower[i] < kNearRange) near.emplace_back(i, -1.0);
    }
    if (near.empty()) return;
    BandedQp::Rows rows;
    rows.begin = at.begin;
    rows.G.resize(static_cast<Eigen::Index>(near.size()), at.null_space.cols());
    rows.h.resize(rows.G.rows());
    for (Eigen::Index r = 0; r < rows.G.rows(); ++r) {
      const auto& [i, sign] = near[static_cast<std::size_t>(r)];
      rows.G.row(r) = sign / kRangeUnit * at.null_space.row(6 + i);
      const double angle = knots(6 + i, j) + at.particular[6 + i];
      rows.h[r] = (sign > 0.0 ? task.upper[i] - angle : angle - task.lower[i]) / kRangeUnit;
    }
    add_rows(std::move(rows));
  }

  /// Speeds: the knots of the rate are the differences of those of the position.
  void add_speed_rows(Eigen::Index j) {
    const Stage &at = stage(j), &next = stage(j + 1);
    std::vector<std::pair<Eigen::Index, double>> fast;  // joint and sign
    for (Eigen::Index i = 0; i < n - 6; ++i) {
      const double speed = (knots(6 + i, j + 1) - knots(6 + i, j)) / task.step_s;
      if (task.speed[i] > 0.0 && std::abs(speed) > kNearSpeed * task.speed[i])
        fast.emplace_back(i, speed > 0.0 ? 1.0 : -1.0);
    }
    if (fast.empty()) return;
    BandedQp::Rows rows;
    rows.begin = at.begin;
    rows.G.setZero(static_cast<Eigen::Index>(fast.size()), next.begin + next.null_space.cols() - at.begin);
    rows.h.resize(rows.G.rows());
    for (Eigen::Index r = 0; r < rows.G.rows(); ++r) {
      const auto& [i, sign] = fast[static_cast<std::size_t>(r)];
      const double scale = sign / (task.step_s * task.speed[i]);
      rows.G.row(r).head(at.null_space.cols()) = -scale * at.null_space.row(6 + i);
      rows.G.row(r).tail(next.null_space.cols()) = scale * next.null_space.row(6 + i);
      rows.h[r] = 1.0 - scale * (knots(6 + i, j + 1) + next.particular[6 + i] - knots(6 + i, j) - at.particular[6 + i]);
    }
    add_rows(std::move(rows));
  }

  void assemble(double damping) {
    Eigen::Index band = 0;
    for (Eigen::Index j = 0; j < count; ++j) {
      const Stage &first = stage(std::max<Eigen::Index>(0, j - 1)), &last = stage(std::min(count - 1, j + 2));
      band = std::max(band, last.begin + last.size - first.begin - 1);
    }
    qp.hessian = BandedMatrix(total, band);
    qp.gradient.setZero(total);
    qp.rows.clear();
    add_motion_costs(damping);
    add_force_costs();
    for (Eigen::Index j = 0; j < count; ++j) {
      add_frame_rows(j);
      if (is_free(j)) add_range_rows(j);
      if (is_free(j) && is_free(j + 1)) add_speed_rows(j);
    }
  }

  /// A fraction of the step of the last quadratic program.
  void take(double length, Eigen::MatrixXd& to, std::vector<Eigen::VectorXd>& to_free) const {
    const Eigen::VectorXd& u = qp.solution();
    to = knots + length * change;
    to.col(0) = to.col(1);
    to.col(count - 1) = to.col(count - 2);
    to_free = free;
    for (Eigen::Index j = 0; j < count; ++j) {
      const Stage& at = stage(j);
      Eigen::VectorXd& f = to_free[static_cast<std::size_t>(j)];
      f += length * (u.segment(at.begin + at.null_space.cols(), f.size()) - f);
    }
  }

  /// Decrease of the merit that the last quadratic program predicts for its full step.
  double predicted_decrease(const Merit& merit, double price, double damping) {
    const Eigen::VectorXd& u = qp.solution();
    Eigen::VectorXd stay = Eigen::VectorXd::Zero(total);
    for (Eigen::Index j = 0; j < count; ++j) {
      const Stage& at = stage(j);
      const Eigen::VectorXd& f = free[static_cast<std::size_t>(j)];
      stay.segment(at.begin + at.null_space.cols(), f.size()) = f;
    }
    Eigen::VectorXd product;
    const auto value = [&](const Eigen::VectorXd& at) {
      qp.hessian.multiply(at, product);
      return at.dot(0.5 * product + qp.gradient);
    };
    double violation = 0.0;
    for (const Eigen::VectorXd& t : qp.violations()) violation += t.sum();
    return value(stay) - value(u) + 0.5 * task.step_s * damping * change.squaredNorm() +
           price * (merit.violation - violation) + kEquationPrice * merit.equations;
  }

  /// Solves the quadratic program at the knots; sets `change`, and `price` to the least one at which no violation pays:
  /// above all multipliers.
  SolveStatus solve_program(double damping, double gap, double& price, WholeMotion::Iteration& report) {
    assemble(damping);
    const SolveStatus status = qp.solve({.tolerance = 1e-7, .gap = gap});
    report.qp_iterations += qp.iterations();
    price = 0.0;
    for (const Eigen::VectorXd& z : qp.multipliers()) price = std::max(price, 1.5 * z.maxCoeff());
    change.setZero(n, count);
    for (Eigen::Index j = 1; j + 1 < count; ++j)
      change.col(j) =
          stage(j).particular + stage(j).null_space * qp.solution().segment(stage(j).begin, stage(j).null_space.cols());
    report.step = change.cwiseAbs().maxCoeff();
    report.damping = damping;
    return status;
  }

  WholeMotion solve(const Settings& settings) {
    knots = task.first_guess;
    knots.col(0) = knots.col(1);
    knots.col(count - 1) = knots.col(count - 2);
    free.clear();
    for (Eigen::Index j = 0; j < count; ++j) free.push_back(Eigen::VectorXd::Zero(contacts.frame(j).num_free()));
    WholeMotion result;
    Merit merit = evaluate(knots, free);
    double damping = kFirstDamping, gap = 1e-3, price = kPrice;
    int programs = 0, small_steps = 0;
    for (int iteration = 0; iteration < settings.max_iterations && programs < settings.max_programs; ++iteration) {
      check_interrupt();
      WholeMotion::Iteration report{
          .merit = merit.total(price), .cost = merit.cost, .violation = merit.violation, .equations = merit.equations};
      for (Eigen::Index j = 0; j < count; ++j) linearise(j);
      reduce();
      bool is_accepted = false;
      double decrease = 0.0, promised = 0.0;
      while (!is_accepted && damping <= kMostDamping && programs < settings.max_programs) {
        const SolveStatus status = solve_program(damping, gap, price, report);
        ++programs;
        promised = predicted_decrease(merit, price, damping);
        double length = std::min(1.0, settings.longest_step / std::max(report.step, 1e-12));
        for (int halving = 0; halving < 4 && status != SolveStatus::numerical_trouble; ++halving, length *= 0.5) {
          take(length, next_knots, next_free);
          correct_equations(next_knots);
          const Merit next = evaluate(next_knots, next_free);
          if (next.total(price) >= merit.total(price)) continue;
          decrease = merit.total(price) - next.total(price);
          merit = next;
          knots = next_knots;
          free = next_free;
          is_accepted = true;
          report.length = length;
          break;
        }
        report.ratio = is_accepted ? decrease / std::max(promised, 1e-300) : 0.0;
        // Damping as in a trust region: by how well the quadratic model predicted the decrease.
        if (is_accepted && report.ratio > 0.75) damping = std::max(kLeastDamping, damping / 5.0);
        if (is_accepted && report.ratio < 0.25) damping *= 4.0;
        if (!is_accepted) damping *= 8.0;
        if (!is_accepted && gap > kFinestGap) gap = std::max(kFinestGap, 0.1 * gap);
        if (!is_accepted && report.step < 1e-6) break;
      }
      gap = std::clamp(1e-2 * decrease, kFinestGap, 1e-3);
      result.iterations.push_back(report);
      const bool keeps_equations = merit.largest_equation < kSettledEquation;
      const double small = settings.tolerance * merit.total(price);
      if (!is_accepted) {
        // No step was found: at a minimum, where none is promised, or because the model of the motion failed there.
        WholeMotion::Iteration last;
        const bool is_solved = solve_program(kFirstDamping, kFinestGap, price, last) != SolveStatus::numerical_trouble;
        promised = predicted_decrease(merit, price, kFirstDamping);
        result.converged = keeps_equations && is_solved && promised < std::max(small, 2.0 * kFinestGap);
        break;
      }
      // Whole steps that bring little: violations that are left then are there to stay, or the model promises too much.
      small_steps = decrease < small && report.length == 1.0 ? small_steps + 1 : 0;
      const bool is_feasible = merit.violation < kSettledViolation;
      const bool is_minimum = is_feasible && std::max(decrease, promised) < small;
      result.converged = keeps_equations && (is_minimum || small_steps >= kSmallSteps);
      if (result.converged) break;
    }
    result.knots = knots;
    result.forces.resize(contacts.size(), count);
    result.limits.resize(static_cast<std::size_t>(count));
    for (Eigen::Index j = 0; j < count; ++j) {
      configuration(knots, stage(j).stencil);
      frame.evaluate(j, x, rate, acceleration);
      const Eigen::VectorXd f = forces_of(j, frame.values().wrench, free[static_cast<std::size_t>(j)]);
      result.forces.col(j) = f;
      list_limits(j, f, result.limits[static_cast<std::size_t>(j)]);
    }
    result.violation = merit.violation;
    return result;
  }

  /// Limits that frame j reaches or violates; after frame.evaluate().
  void list_limits(Eigen::Index j, const Eigen::VectorXd& f, std::vector<ReachedLimit>& to) const {
    const auto add = [&](double excess, std::string name, ReachedLimit::Kind kind) {
      if (excess > -kReached) to.push_back({kind, std::move(name), excess});
    };
    const Eigen::VectorXd unmet = frame.values().equations.cwiseAbs() / kLengthUnit;
    Eigen::Index row = 0;
    const auto add_equations = [&](const std::string& name, Eigen::Index rows) {
      const double excess = unmet.segment(row, rows).maxCoeff();
      if (excess > kReached) add(excess, name, ReachedLimit::Kind::equation);
      row += rows;
    };
    const auto at = static_cast<std::size_t>(j);
    for (const SoleContact& sole : task.soles) {
      if (sole.is_placed[at] != 0) add_equations(sole.name + " where it stands", 6);
    }
    for (const PointCondition& equation : task.equations) {
      if (equation.is_active[at] != 0) add_equations(equation.name, 1);
    }
    while (row < unmet.size()) add_equations("centre of mass", 1);
    const MotionForces::Frame& on = contacts.frame(j);
    const Eigen::VectorXd cones = on.limit_rows * f - on.limits;
    for (Eigen::Index r = 0; r < cones.size(); ++r) {
      const int contact = on.limit_contact[static_cast<std::size_t>(r)];
      const std::string name =
          contact < 0 ? "all contacts" : contacts.name_of_contact(static_cast<std::size_t>(contact));
      add(cones[r], name + ", " + on.limit_name[static_cast<std::size_t>(r)], ReachedLimit::Kind::contact);
    }
    const Eigen::VectorXd torque = frame.torques(f).cwiseAbs().cwiseQuotient(task.torque);
    for (Eigen::Index i = 0; i < n - 6; ++i) {
      const std::string& joint = robot.joints()[static_cast<std::size_t>(i)].name;
      add(torque[i] - 1.0, joint, ReachedLimit::Kind::torque);
      add(std::max(x[6 + i] - task.upper[i], task.lower[i] - x[6 + i]) / kRangeUnit, joint, ReachedLimit::Kind::range);
      if (task.speed[i] > 0.0) add(std::abs(rate[6 + i]) / task.speed[i] - 1.0, joint, ReachedLimit::Kind::speed);
    }
    const MotionFrame::Values& values = frame.values();
    for (std::size_t k = 0; k < values.bound_source.size(); ++k) {
      const auto source = static_cast<std::size_t>(values.bound_source[k]);
      const bool is_pair = source >= task.bounds.size();
      add(values.bounds[static_cast<Eigen::Index>(k)] / kLengthUnit,
          is_pair ? task.pairs[source - task.bounds.size()].name : task.bounds[source].name,
          ReachedLimit::Kind::distance);
    }
  }

  const RobotModel& robot;
  const MotionTask& task;
  MotionDerivatives derivatives;
  MotionForces contacts;
  MotionFrame frame;
  int n;
  Eigen::Index count, total = 0;
  std::vector<Stage> stages;
  Eigen::MatrixXd knots, next_knots, change;
  std::vector<Eigen::VectorXd> free, next_free;
  Eigen::VectorXd x, rate, acceleration;
  BandedQp qp;
};

MotionSolver::MotionSolver(const RobotModel& robot, const MotionTask& task)
    : impl_(std::make_unique<Impl>(robot, task)) {}
MotionSolver::~MotionSolver() = default;

WholeMotion MotionSolver::solve(const Settings& settings) { return impl_->solve(settings); }

}  // namespace aplomb

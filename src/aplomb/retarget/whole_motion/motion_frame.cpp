#include "aplomb/retarget/whole_motion/motion_frame.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

#include "aplomb/core/math/rotation.hpp"

namespace aplomb {
namespace {

constexpr double kNearGap = 0.10;  // [m] distance of two capsules below which it is a row

Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& a) {
  Eigen::Matrix3d m;
  m << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return m;
}

/// (v₁, ω₁) × (v₂, ω₂): change of twist 2 when its joint moves along twist 1.
Vector6d cross(const Vector6d& first, const Vector6d& second) {
  Vector6d result;
  result.head<3>() = first.tail<3>().cross(second.head<3>()) + first.head<3>().cross(second.tail<3>());
  result.tail<3>() = first.tail<3>().cross(second.tail<3>());
  return result;
}

}  // namespace

void MotionFrame::evaluate(Eigen::Index frame, const Eigen::VectorXd& x, const Eigen::VectorXd& rate,
                           const Eigen::VectorXd& acceleration) {
  frame_ = frame;
  derivatives_.update_values(x, rate, acceleration);
  write_values(frame, x, false);
}

void MotionFrame::linearise(Eigen::Index frame, const Eigen::VectorXd& x, const Eigen::VectorXd& rate,
                            const Eigen::VectorXd& acceleration) {
  frame_ = frame;
  derivatives_.update(x, rate, acceleration);
  write_values(frame, x, true);
}

const Eigen::VectorXd& MotionFrame::equations(Eigen::Index frame, const Eigen::VectorXd& x) {
  derivatives_.update_values(x, Eigen::VectorXd::Zero(x.size()), Eigen::VectorXd::Zero(x.size()));
  write_equations(frame, false);
  return values_.equations;
}

void MotionFrame::write_values(Eigen::Index frame, const Eigen::VectorXd& x, bool with_gradients) {
  values_.free_torque = derivatives_.torque();
  write_wrench(with_gradients);
  write_equations(frame, with_gradients);
  write_costs(frame, x, with_gradients);
  write_bounds(frame, with_gradients);
}

/// The base rows of the equation of motion, J_bᵀ w = τ_b, solved for the wrench; and with d(J_bᵀ) w,
///   dw = J_b⁻ᵀ (dτ_b − d(J_bᵀ) w).
void MotionFrame::write_wrench(bool with_gradients) {
  const Matrix6Xd& columns = derivatives_.columns();
  const Eigen::Matrix<double, 6, 6> base = columns.leftCols<6>().transpose();
  const Eigen::PartialPivLU<Eigen::Matrix<double, 6, 6>> solver(base);
  values_.wrench = solver.solve(derivatives_.torque().head<6>());
  if (!with_gradients) return;
  Eigen::MatrixXd by_position = derivatives_.by_position().topRows(6);
  for (int k = 0; k < 6; ++k) {
    for (int i = k + 1; i < 6; ++i) by_position(i, k) -= cross(columns.col(k), columns.col(i)).dot(values_.wrench);
  }
  gradients_.wrench_by_position = solver.solve(by_position);
  gradients_.wrench_by_rate = solver.solve(derivatives_.by_rate().topRows(6));
  gradients_.wrench_by_acceleration = solver.solve(derivatives_.mass_matrix().topRows(6));
}

Eigen::VectorXd MotionFrame::torques(const Eigen::VectorXd& f) const {
  const int joints = derivatives_.size() - 6;
  Eigen::VectorXd torque = values_.free_torque.tail(joints);
  for (std::size_t contact = 0; contact < forces_.num_contacts(); ++contact) {
    const Eigen::Index first = forces_.first_of_contact(contact);
    const int size = forces_.size_of_contact(contact), body = forces_.body_of_contact(contact);
    const Vector6d wrench = forces_.frame(frame_).map.middleCols(first, size) * f.segment(first, size);
    for (int i = 0; i < joints; ++i) {
      if (derivatives_.moves(6 + i, body)) torque[i] -= derivatives_.columns().col(6 + i).dot(wrench);
    }
  }
  return torque;
}

void MotionFrame::linearise_torques(const std::vector<int>& joints, const Eigen::VectorXd& f) {
  const auto count = static_cast<Eigen::Index>(joints.size());
  const int n = derivatives_.size();
  const Matrix6Xd& columns = derivatives_.columns();
  gradients_.torque_by_position.resize(count, n);
  gradients_.torque_by_rate.resize(count, n);
  gradients_.torque_by_acceleration.resize(count, n);
  gradients_.torque_by_force.setZero(count, forces_.size());
  for (Eigen::Index r = 0; r < count; ++r) {
    const int i = 6 + joints[static_cast<std::size_t>(r)];
    gradients_.torque_by_position.row(r) = derivatives_.by_position().row(i);
    gradients_.torque_by_rate.row(r) = derivatives_.by_rate().row(i);
    gradients_.torque_by_acceleration.row(r) = derivatives_.mass_matrix().row(i);
    for (std::size_t contact = 0; contact < forces_.num_contacts(); ++contact) {
      const int body = forces_.body_of_contact(contact);
      if (!derivatives_.moves(i, body)) continue;
      const Eigen::Index first = forces_.first_of_contact(contact);
      const int size = forces_.size_of_contact(contact);
      const auto map = forces_.frame(frame_).map.middleCols(first, size);
      const Vector6d wrench = map * f.segment(first, size);
      for (int k = 0; k < i; ++k) {
        if (derivatives_.moves(k, body)) {
          gradients_.torque_by_position(r, k) -= cross(columns.col(k), columns.col(i)).dot(wrench);
        }
      }
      gradients_.torque_by_force.row(r).segment(first, size) -= columns.col(i).transpose() * map;
    }
  }
}

/// Gradient of direction · p for a point p of a body.
Eigen::RowVectorXd MotionFrame::point_row(int body, const Eigen::Vector3d& p, const Eigen::Vector3d& direction) const {
  Vector6d twist_row;
  twist_row << direction, p.cross(direction);  // d · (v + ω × p) = d · v + (p × d) · ω
  Eigen::RowVectorXd row = twist_row.transpose() * derivatives_.columns();
  for (int column = 0; column < derivatives_.size(); ++column) {
    if (!derivatives_.moves(column, body)) row[column] = 0.0;
  }
  return row;
}

void MotionFrame::write_equations(Eigen::Index frame, bool with_gradients) {
  const auto at = static_cast<std::size_t>(frame);
  const int n = derivatives_.size();
  Eigen::Index rows = 0;
  for (const SoleContact& sole : task_.soles) rows += sole.is_placed[at] != 0 ? 6 : 0;
  for (const PointCondition& equation : task_.equations) rows += equation.is_active[at] != 0 ? 1 : 0;
  if (task_.com_is_equation.cols() > 0) rows += (task_.com_is_equation.col(frame).array() != 0).count();
  values_.equations.resize(rows);
  if (with_gradients) gradients_.equation_rows.setZero(rows, n);
  Eigen::Index row = 0;
  for (const SoleContact& sole : task_.soles) {
    if (sole.is_placed[at] == 0) continue;
    const Eigen::Isometry3d& place = sole.T_world_sole(frame);
    const Eigen::Isometry3d pose = derivatives_.pose(sole.body) * sole.T_body_sole;
    values_.equations.segment<3>(row) = pose.translation() - place.translation();
    values_.equations.segment<3>(row + 3) = rotation_vector(pose.linear() * place.linear().transpose());
    if (with_gradients) {
      for (int axis = 0; axis < 3; ++axis) {
        gradients_.equation_rows.row(row + axis) =
            point_row(sole.body, pose.translation(), Eigen::Vector3d::Unit(axis));
      }
      for (int column = 0; column < n; ++column) {
        if (!derivatives_.moves(column, sole.body)) continue;
        gradients_.equation_rows.block<3, 1>(row + 3, column) = derivatives_.columns().col(column).tail<3>();
      }
    }
    row += 6;
  }
  for (const PointCondition& equation : task_.equations) {
    if (equation.is_active[at] == 0) continue;
    const Eigen::Vector3d p = derivatives_.pose(equation.body) * equation.offset;
    values_.equations[row] = equation.direction.dot(p) - equation.value[frame];
    if (with_gradients) gradients_.equation_rows.row(row) = point_row(equation.body, p, equation.direction);
    ++row;
  }
  for (int axis = 0; axis < 3 && task_.com_is_equation.cols() > 0; ++axis) {
    if (task_.com_is_equation(axis, frame) == 0) continue;
    values_.equations[row] = derivatives_.com()[axis] - task_.com(axis, frame);
    if (with_gradients) gradients_.equation_rows.row(row) = derivatives_.com_jacobian().row(axis);
    ++row;
  }
}

void MotionFrame::write_costs(Eigen::Index frame, const Eigen::VectorXd& x, bool with_gradients) {
  const double h = task_.step_s;
  const int n = derivatives_.size();
  double cost = 0.0;
  // Markers, gathered by body: their weights act on its twist as point masses do.
  if (with_gradients) {
    marker_inertia_.assign(static_cast<std::size_t>(n - 5), Eigen::Matrix<double, 6, 6>::Zero());
    marker_pull_.assign(static_cast<std::size_t>(n - 5), Vector6d::Zero());
    marker_moment_.assign(static_cast<std::size_t>(n - 5), Eigen::Matrix3d::Zero());
  }
  for (std::size_t i = 0; i < task_.markers.size(); ++i) {
    const RobotMarker& marker = task_.markers[i];
    const Eigen::Vector3d p = derivatives_.pose(marker.body) * marker.offset;
    const Eigen::Vector3d error = p - task_.marker_targets.block<3, 1>(static_cast<Eigen::Index>(3 * i), frame);
    if (!error.allFinite()) continue;
    const double weight = h * marker.weight;
    cost += 0.5 * weight * error.squaredNorm();
    if (!with_gradients) continue;
    Eigen::Matrix<double, 3, 6> by_twist;
    by_twist << Eigen::Matrix3d::Identity(), -cross_matrix(p);
    marker_inertia_[static_cast<std::size_t>(marker.body)].noalias() += weight * by_twist.transpose() * by_twist;
    marker_pull_[static_cast<std::size_t>(marker.body)].noalias() += weight * by_twist.transpose() * error;
    marker_moment_[static_cast<std::size_t>(marker.body)].noalias() += weight * error * p.transpose();
  }
  const Eigen::Vector3d off = derivatives_.com() - task_.com.col(frame);
  const Eigen::Vector3d price = h * task_.com_weight.col(frame);
  cost += 0.5 * off.dot(price.cwiseProduct(off));
  const Eigen::VectorXd away = x.tail(n - 6) - task_.posture;
  const Eigen::VectorXd pull = h * task_.posture_weight;
  cost += 0.5 * away.dot(pull.cwiseProduct(away));
  values_.cost = cost;
  if (!with_gradients) return;
  gradients_.hessian.setZero(n, n);
  gradients_.gradient.setZero(n);
  Matrix6Xd moved(6, n), weighted(6, n);
  for (std::size_t body = 0; body < marker_inertia_.size(); ++body) {
    if (marker_inertia_[body](0, 0) == 0.0) continue;
    moved = derivatives_.columns();
    for (int column = 0; column < n; ++column) {
      if (!derivatives_.moves(column, static_cast<int>(body))) moved.col(column).setZero();
    }
    weighted.noalias() = marker_inertia_[body] * moved;
    gradients_.hessian.noalias() += moved.transpose() * weighted;
    gradients_.gradient.noalias() += moved.transpose() * marker_pull_[body];
  }
  add_marker_curvature();
  const Matrix3Xd priced = price.asDiagonal() * derivatives_.com_jacobian();
  gradients_.hessian.noalias() += derivatives_.com_jacobian().transpose() * priced;
  gradients_.gradient.noalias() += priced.transpose() * off;
  gradients_.hessian.diagonal().tail(n - 6) += pull;
  gradients_.gradient.tail(n - 6) += pull.cwiseProduct(away);
}

/// Second derivatives of the markers: a robot of other proportions than the person's misses its markers by far, and
/// without them the steps would converge slowly. With ∂²p/∂x_i∂x_j = ω_j × (v_i + ω_i × p), j above i or i itself, and
/// e the error,  Σ w e · ∂²p = (Σ w e) · (ω_j × v_i) + ω_iᵀ M ω_j − tr(M) ω_i · ω_j,   M = Σ w e pᵀ.
/// Left out in frames in which the Hessian would not be positive definite.
void MotionFrame::add_marker_curvature() {
  const int n = derivatives_.size();
  const Matrix6Xd& columns = derivatives_.columns();
  Eigen::MatrixXd hessian = gradients_.hessian;
  for (std::size_t body = 0; body < marker_inertia_.size(); ++body) {
    if (marker_inertia_[body](0, 0) == 0.0) continue;
    const Eigen::Vector3d pull = marker_pull_[body].head<3>();
    const Eigen::Matrix3d& moment = marker_moment_[body];
    const double trace = moment.trace();
    for (int i = 0; i < n; ++i) {
      if (!derivatives_.moves(i, static_cast<int>(body))) continue;
      const Eigen::Vector3d v_i = columns.col(i).head<3>(), w_i = columns.col(i).tail<3>();
      for (int j = 0; j <= i; ++j) {
        if (!derivatives_.moves(j, static_cast<int>(body))) continue;
        const Eigen::Vector3d w_j = columns.col(j).tail<3>();
        const double value = pull.dot(w_j.cross(v_i)) + w_i.dot(moment * w_j) - trace * w_i.dot(w_j);
        hessian(i, j) += value;
        if (i != j) hessian(j, i) += value;
      }
    }
  }
  Eigen::MatrixXd damped = hessian;
  damped.diagonal().tail(n - 6) += task_.step_s * task_.posture_weight;
  damped.diagonal().array() += 1e-3 * task_.step_s;
  if (damped.llt().info() == Eigen::Success) {
    gradients_.hessian = hessian;
    return;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(hessian);
  gradients_.hessian =
      eigen.eigenvectors() * eigen.eigenvalues().cwiseAbs().asDiagonal() * eigen.eigenvectors().transpose();
}

void MotionFrame::write_bounds(Eigen::Index frame, bool with_gradients) {
  const auto at = static_cast<std::size_t>(frame);
  std::vector<double> shortfalls;
  std::vector<Eigen::RowVectorXd> rows;
  values_.bound_source.clear();
  for (std::size_t i = 0; i < task_.bounds.size(); ++i) {
    const PointCondition& bound = task_.bounds[i];
    if (bound.is_active[at] == 0) continue;
    const Eigen::Vector3d p = derivatives_.pose(bound.body) * bound.offset;
    shortfalls.push_back(bound.value[frame] - bound.direction.dot(p));
    values_.bound_source.push_back(static_cast<int>(i));
    if (with_gradients) rows.push_back(-point_row(bound.body, p, bound.direction));
  }
  for (std::size_t i = 0; i < task_.pairs.size(); ++i) {
    const MotionTask::Pair& pair = task_.pairs[i];
    const Eigen::Isometry3d &first = derivatives_.pose(pair.first.body), &second = derivatives_.pose(pair.second.body);
    const ClosestPoints closest = closest_points(first * pair.first.begin, first * pair.first.end,
                                                 second * pair.second.begin, second * pair.second.end);
    const Eigen::Vector3d apart = closest.first - closest.second;
    const double distance = apart.norm(), gap = distance - pair.first.radius - pair.second.radius;
    if (gap > kNearGap || distance < 1e-9) continue;
    shortfalls.push_back(pair.gap - gap);
    values_.bound_source.push_back(static_cast<int>(task_.bounds.size() + i));
    if (with_gradients) {
      rows.push_back(point_row(pair.second.body, closest.second, apart / distance) -
                     point_row(pair.first.body, closest.first, apart / distance));
    }
  }
  values_.bounds = Eigen::Map<const Eigen::VectorXd>(shortfalls.data(), static_cast<Eigen::Index>(shortfalls.size()));
  if (!with_gradients) return;
  gradients_.bound_rows.resize(static_cast<Eigen::Index>(rows.size()), derivatives_.size());
  for (std::size_t i = 0; i < rows.size(); ++i) gradients_.bound_rows.row(static_cast<Eigen::Index>(i)) = rows[i];
}

}  // namespace aplomb

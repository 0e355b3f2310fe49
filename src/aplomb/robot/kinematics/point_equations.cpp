#include "aplomb/robot/kinematics/point_equations.hpp"

#include <utility>

namespace aplomb {

JointCouplings JointCouplings::none(int num_joints) {
  JointCouplings couplings{.num_free = num_joints + 6};
  for (int i = 0; i < num_joints; ++i) couplings.column.push_back(i + 6);
  couplings.ratio.assign(static_cast<std::size_t>(num_joints), 1.0);
  return couplings;
}

void JointCouplings::expand(const Eigen::VectorXd& free_step, Eigen::VectorXd& step) const {
  step.head<6>() = free_step.head<6>();
  for (std::size_t i = 0; i < column.size(); ++i) {
    step[static_cast<Eigen::Index>(i) + 6] = ratio[i] * free_step[column[i]];
  }
}

PointEquations::PointEquations(const TreeKinematics& tree, JointCouplings couplings)
    : tree_(tree), couplings_(std::move(couplings)), sums_(static_cast<std::size_t>(tree.num_bodies())) {}

void PointEquations::clear() {
  for (Sums& sums : sums_) sums = {};
}

void PointEquations::add(int body, const Eigen::Vector3d& x, const Eigen::Vector3d& error, double weight) {
  Sums& sums = sums_[static_cast<std::size_t>(body)];
  const Eigen::Vector3d r = x - tree_.origin(0);
  sums.weight += weight;
  sums.first += weight * r;
  sums.second.noalias() += (weight * r) * r.transpose();
  sums.force += weight * error;
  sums.twist.noalias() += r * (weight * error).transpose();
}

void PointEquations::add_force(int body, const Eigen::Vector3d& x, const Eigen::Vector3d& force) {
  Sums& sums = sums_[static_cast<std::size_t>(body)];
  sums.force += force;
  sums.twist.noalias() += (x - tree_.origin(0)) * force.transpose();
}

void PointEquations::sum_up(Eigen::MatrixXd& hessian, Eigen::VectorXd& gradient, Curvature curvature) {
  hessian.setZero();
  gradient.setZero();
  for (int body = tree_.num_bodies() - 1; body > 0; --body) {
    add_joint(body, curvature, hessian, gradient);
    const Sums& below = sums_[static_cast<std::size_t>(body)];
    Sums& above = sums_[static_cast<std::size_t>(tree_.parent(body))];
    above.weight += below.weight;
    above.first += below.first;
    above.second += below.second;
    above.force += below.force;
    above.twist += below.twist;
  }
  const Sums& all = sums_[0];
  hessian.block<3, 3>(0, 0).diagonal().setConstant(all.weight);
  const Eigen::Vector3d& s = all.first;
  hessian.block<3, 3>(3, 0) << 0.0, -s.z(), s.y(), s.z(), 0.0, -s.x(), -s.y(), s.x(), 0.0;  // Σ w [x]×
  hessian.block<3, 3>(3, 3) = all.second.trace() * Eigen::Matrix3d::Identity() - all.second;
  if (curvature == Curvature::exact) {
    hessian.block<3, 3>(3, 3) += 0.5 * (all.twist + all.twist.transpose());
    hessian.block<3, 3>(3, 3).diagonal().array() -= all.twist.trace();
  }
  gradient.head<3>() = all.force;
  gradient.segment<3>(3) = all.moment();
}

/// The vector b with  Σ w e·∂²x/∂q_i∂q_j = a_i · b  for this body's joint j and every revolute joint i at or above it.
/// With u = ∂x/∂q_j,  ∂²x = a_i × u,  so  b = Σ w u × e.  A revolute joint j has u = a_j × r, r from its axis, and
/// (a × r) × e = r (a·e) − a (r·e);  a prismatic one has u = a_j.
Eigen::Vector3d PointEquations::bend(int body) const {
  const Sums& sums = sums_[static_cast<std::size_t>(body)];
  const Eigen::Vector3d& a = tree_.axis(body - 1);
  if (tree_.is_prismatic(body - 1)) return a.cross(sums.force);
  const Eigen::Vector3d p = tree_.origin(body) - tree_.origin(0);
  return sums.twist * a - p * sums.force.dot(a) - (sums.twist.trace() - p.dot(sums.force)) * a;
}

void PointEquations::add_joint(int body, Curvature curvature, Eigen::MatrixXd& hessian,
                               Eigen::VectorXd& gradient) const {
  const Sums& sums = sums_[static_cast<std::size_t>(body)];
  const bool is_exact = curvature == Curvature::exact;
  if (sums.weight == 0.0 && !is_exact && sums.force.isZero(0.0) && sums.twist.isZero(0.0)) return;
  const Eigen::Vector3d bend_of_body = is_exact ? bend(body) : Eigen::Vector3d::Zero();
  const Eigen::Vector3d base = tree_.origin(0);
  const Eigen::Vector3d& a = tree_.axis(body - 1);
  // Momentum of the points below under unit speed of this joint: linear, and about the base's origin.
  Eigen::Vector3d linear, angular;
  if (tree_.is_prismatic(body - 1)) {
    linear = sums.weight * a;
    angular = sums.first.cross(a);
  } else {
    const Eigen::Vector3d p = tree_.origin(body) - base;
    linear = a.cross(sums.first - sums.weight * p);
    angular = sums.second.trace() * a - sums.second * a - sums.first.cross(a.cross(p));
  }
  const int column = couplings_.column[static_cast<std::size_t>(body - 1)];
  const double ratio = couplings_.ratio[static_cast<std::size_t>(body - 1)];
  for (int j = body; j > 0; j = tree_.parent(j)) {
    const Eigen::Vector3d& b = tree_.axis(j - 1);
    const double moved = tree_.is_prismatic(j - 1)
                             ? b.dot(linear)
                             : b.dot(angular + bend_of_body - (tree_.origin(j) - base).cross(linear));
    const int other = couplings_.column[static_cast<std::size_t>(j - 1)];
    const double product = ratio * couplings_.ratio[static_cast<std::size_t>(j - 1)] * moved;
    // Two joints on the same column contribute (j, body) and (body, j) to one diagonal entry.
    const double sides = other == column && j != body ? 2.0 : 1.0;
    hessian(std::max(column, other), std::min(column, other)) += sides * product;
    if (j == body) {
      const Eigen::Vector3d p = tree_.origin(j) - base;
      gradient[column] +=
          ratio * (tree_.is_prismatic(j - 1) ? a.dot(sums.force) : a.dot(sums.moment() - p.cross(sums.force)));
    }
  }
  hessian.block<1, 3>(column, 0) += ratio * linear.transpose();
  hessian.block<1, 3>(column, 3) += ratio * (angular + bend_of_body).transpose();
}

}  // namespace aplomb

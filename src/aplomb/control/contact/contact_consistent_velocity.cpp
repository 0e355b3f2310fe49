#include "aplomb/control/contact/contact_consistent_velocity.hpp"

#include "aplomb/control/controller.hpp"

namespace aplomb {
namespace {

constexpr double kSlow = 0.05;      // [s] time constant of each low-pass: 20 rad/s, between tasks (5 rad/s) and ground
                                    // springs (60 rad/s and more)
constexpr double kRounding = 1e-9;  // regularisation over the largest mobility, for dependent rows

/// Weight of a contact: 1 for a rigid one, 0 for a free one.
double share_of(const ForceContact& contact) {
  if (contact.role == ContactRole::free) return 0.0;
  return contact.share.value_or(1.0);
}

}  // namespace

ContactConsistentVelocity::ContactConsistentVelocity(const ForceProblem& shape, int nv)
    : measured_(Eigen::VectorXd::Zero(shape.num_force_rows())),
      quick_(measured_),
      slow_(measured_),
      slower_(measured_),
      rows_(Eigen::MatrixXd::Zero(nv, shape.num_force_rows())),
      mass_(nv),
      mobility_(Eigen::MatrixXd::Zero(shape.num_force_rows(), shape.num_force_rows())),
      factor_(shape.num_force_rows()),
      velocity_(Eigen::VectorXd::Zero(nv)) {}

void ContactConsistentVelocity::follow(const ForceProblem& problem, const Eigen::VectorXd& v) {
  constexpr double kStep = kControlPeriod / kSlow;
  int row = 0;
  for (const ForceContact& contact : problem.contacts) {
    const int count = contact.num_rows();
    auto measured = measured_.segment(row, count);
    measured.noalias() = contact.jacobian * v;
    auto slow = slow_.segment(row, count);
    auto slower = slower_.segment(row, count);
    if (!has_begun_ || contact.role == ContactRole::free) {
      slow = measured;
      slower = measured;
    }
    slow += kStep * (measured - slow);
    slower += kStep * (slow - slower);
    quick_.segment(row, count) = share_of(contact) * (measured - slower);
    row += count;
  }
  has_begun_ = true;
}

const Eigen::VectorXd& ContactConsistentVelocity::update(const RobotTerms& terms, const Eigen::VectorXd& v,
                                                         const ForceProblem& problem) {
  follow(problem, v);
  int row = 0;
  for (const ForceContact& contact : problem.contacts) {
    rows_.middleCols(row, contact.num_rows()) = contact.jacobian.transpose();
    if (contact.role == ContactRole::free) rows_.middleCols(row, contact.num_rows()).setZero();
    row += contact.num_rows();
  }
  mass_.compute(terms.mass_matrix());
  mass_.matrixL().solveInPlace(rows_);
  mobility_.setZero();
  mobility_.selfadjointView<Eigen::Lower>().rankUpdate(rows_.transpose());
  const double rounding = kRounding * mobility_.diagonal().maxCoeff();
  for (Eigen::Index i = 0; i < mobility_.rows(); ++i) mobility_(i, i) += mobility_(i, i) > 0.0 ? rounding : 1.0;
  factor_.compute(mobility_);
  factor_.solveInPlace(quick_);
  velocity_.noalias() = rows_ * quick_;
  mass_.matrixU().solveInPlace(velocity_);
  velocity_ = v - velocity_;
  return velocity_;
}

}  // namespace aplomb

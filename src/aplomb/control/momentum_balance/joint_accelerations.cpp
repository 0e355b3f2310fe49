#include "aplomb/control/momentum_balance/joint_accelerations.hpp"

#include <algorithm>
#include <cmath>

namespace aplomb {
namespace {

constexpr double kMomentumWeight = 1000.0;  // W, for joint weights of up to one: the momentum has priority; tuned
// w of eq. 14, which the paper does not state: momentum [N, N m] and posture [rad/s²] count alike.
constexpr double kPrintedWeight = 0.5;
constexpr double kUprightWeight = 30.0;  // of the base's orientation: after the momentum, before the posture; tuned
constexpr double kRigid = 1e-9;          // compliance of active rows, for joints of order one: keeps K regular
constexpr double kFree = 1e6;            // compliance of inactive rows
constexpr double kRounding = 1e-9;       // relative difference to a bound that counts as none
constexpr int kMostPasses = 3;           // solves with violated bounds made active; joints still beyond are clamped

double compliance_of(double availability) {
  return kRigid + (1.0 - availability) * kFree / (1.0 + kFree * availability);
}

Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& v) {
  Eigen::Matrix3d matrix;
  matrix << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return matrix;
}

int rows_of(const BalanceContacts::Site& site) { return site.is_point ? 3 : 6; }

}  // namespace

JointAccelerations::JointAccelerations(const RobotModel& model, const std::vector<BalanceContacts::Site>& sites,
                                       double height, const Eigen::VectorXd& weight, bool as_printed, bool has_upright)
    : sites_(sites),
      has_two_feet_(sites.size() >= 2 && !sites[1].is_point),
      has_upright_(has_upright),
      height_(height),
      linear_scale_(as_printed ? 1.0 : 1.0 / (model.mass() * height)),
      angular_scale_(as_printed ? 1.0 : linear_scale_ / height),
      momentum_compliance_(as_printed ? (1.0 - kPrintedWeight) / kPrintedWeight : 1.0 / kMomentumWeight),
      joint_compliance_(weight.cwiseInverse()),
      active_compliance_(joint_compliance_),
      active_target_(Eigen::VectorXd::Zero(model.num_joints())),
      joints_(active_target_) {
  int num_rows = 6 + 1 + (has_upright ? 3 : 0);
  for (const BalanceContacts::Site& site : sites) num_rows += rows_of(site);
  rows_ = Eigen::MatrixXd::Zero(num_rows, model.nv());
  scaled_rows_ = Eigen::MatrixXd::Zero(num_rows, model.num_joints());
  sensitivity_ = Eigen::MatrixXd::Zero(model.num_joints(), 6);
  desired_.setZero(num_rows);
  multipliers_.setZero(num_rows);
  compliance_.setConstant(num_rows, kFree);
  sides_.setZero(num_rows, 7);
}

void JointAccelerations::write_rows(const RobotTerms& terms, const MomentumRate& momentum,
                                    std::span<const Contact> contacts, std::span<const Prescribed> prescribed) {
  rows_.topRows<3>() = linear_scale_ * terms.momentum_matrix().topRows<3>();
  rows_.middleRows<3>(3) = angular_scale_ * terms.momentum_matrix().bottomRows<3>();
  desired_.head<3>() = linear_scale_ * (momentum.linear - terms.momentum_bias().head<3>());
  desired_.segment<3>(3) = angular_scale_ * (momentum.angular - terms.momentum_bias().tail<3>());
  compliance_.head<6>().setConstant(momentum_compliance_);
  Eigen::Index row = 6;
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    const FrameTerms& frame = terms.frame(sites_[i].frame);
    rows_.middleRows<3>(row) = frame.jacobian.topRows<3>() / height_;
    desired_.segment<3>(row) = -frame.bias.head<3>() / height_;  // J v̇ = −J̇ v, a_d = 0
    if (sites_[i].is_point) {
      // At the contact point, at r from the frame's origin: ẍ + ω̇ × r + ω × (ω × r) = 0.
      const Eigen::Vector3d arm = contacts[i].point - frame.T_world_frame.translation();
      const Eigen::Vector3d omega = frame.velocity.tail<3>();
      rows_.middleRows<3>(row).noalias() -= cross_matrix(arm) / height_ * frame.jacobian.bottomRows<3>();
      const Eigen::Vector3d turning = frame.bias.tail<3>().cross(arm) + omega.cross(omega.cross(arm));
      desired_.segment<3>(row) -= turning / height_;
    } else {
      rows_.middleRows<3>(row + 3) = frame.jacobian.bottomRows<3>();
      desired_.segment<3>(row + 3) = -frame.bias.tail<3>();
    }
    double compliance = compliance_of(contacts[i].availability) + contacts[i].compliance;
    if (i < prescribed.size() && prescribed[i].is_fixed) {  // J v̇ + J̇ v = a_d   (eq. 14, 15)
      desired_.segment<3>(row) += prescribed[i].acceleration.head<3>() / height_;
      desired_.segment<3>(row + 3) += prescribed[i].acceleration.tail<3>();
      compliance = kRigid;
    }
    compliance_.segment(row, rows_of(sites_[i])).setConstant(compliance);
    row += rows_of(sites_[i]);
  }
  if (has_upright_) write_upright(row);
}

void JointAccelerations::write_upright(Eigen::Index row) {
  rows_.block<3, 3>(row, 3).setIdentity();  // the base's angular velocity is in v, in its own axes
  desired_.segment<3>(row) = upright_ ? upright_->acceleration : Eigen::Vector3d::Zero();
  compliance_.segment<3>(row).setConstant(upright_ ? 1.0 / kUprightWeight : kFree);
  if (upright_ && upright_->frees_angular_momentum) {
    compliance_.segment<3>(3).setConstant(kFree);
    compliance_.segment<3>(row).setConstant(1.0 / kMomentumWeight);
  }
}

void JointAccelerations::write_apart(const RobotTerms& terms, const Apart& apart) {
  if (!has_two_feet_) return;
  const FrameTerms& left = terms.frame(sites_[0].frame);
  const FrameTerms& right = terms.frame(sites_[1].frame);
  const Eigen::Index row = rows_.rows() - 1;
  const Eigen::RowVector3d direction = apart.direction.transpose() / height_;
  rows_.row(row).noalias() = direction * left.jacobian.topRows<3>();
  rows_.row(row).noalias() -= direction * right.jacobian.topRows<3>();
  desired_[row] = apart.lowest / height_ - direction * (left.bias.head<3>() - right.bias.head<3>());
  compliance_[row] = kFree;
}

bool JointAccelerations::solve_rows() {
  const auto base = rows_.leftCols<6>();
  const auto joints = rows_.rightCols(joints_.size());
  sides_.leftCols<6>() = base;
  sides_.col(6) = desired_;
  sides_.col(6).noalias() -= joints * active_target_;
  scaled_rows_.noalias() = joints * active_compliance_.asDiagonal();
  Square stiff(rows_.rows(), rows_.rows());
  stiff.noalias() = scaled_rows_ * joints.transpose();
  stiff.diagonal() += compliance_;
  // An inactive row must have no effect, not even through its right-hand side.
  if (compliance_[rows_.rows() - 1] == kFree) sides_(rows_.rows() - 1, 6) = 0.0;
  factor_.compute(stiff);
  if (factor_.info() != Eigen::Success) return false;
  factor_.solveInPlace(sides_);
  base_matrix_.noalias() = base.transpose() * sides_.leftCols<6>();
  const Vector6d base_side = base.transpose() * sides_.col(6);
  base_ = base_matrix_.ldlt().solve(base_side);
  multipliers_ = sides_.col(6);
  multipliers_.noalias() -= sides_.leftCols<6>() * base_;
  joints_ = active_target_;
  joints_.noalias() += scaled_rows_.transpose() * multipliers_;
  return joints_.allFinite();
}

bool JointAccelerations::hold_violated(const Posture& posture) {
  bool is_any = false;
  for (Eigen::Index i = 0; i < joints_.size(); ++i) {
    if (active_compliance_[i] == 0.0 || (joints_[i] >= posture.lowest[i] && joints_[i] <= posture.highest[i])) continue;
    active_target_[i] = joints_[i] < posture.lowest[i] ? posture.lowest[i] : posture.highest[i];
    active_compliance_[i] = 0.0;
    is_any = true;
  }
  const Eigen::Index last = rows_.rows() - 1;
  if (has_two_feet_ && compliance_[last] == kFree) {
    const double apart = rows_.row(last).head<6>().dot(base_) + rows_.row(last).tail(joints_.size()).dot(joints_);
    if (apart < desired_[last]) {
      compliance_[last] = kRigid;
      is_any = true;
    }
  }
  return is_any;
}

bool JointAccelerations::solve(const RobotTerms& terms, const MomentumRate& momentum, std::span<const Contact> contacts,
                               const Apart& apart, const Posture& posture,
                               std::span<const Prescribed> prescribed) noexcept {
  write_rows(terms, momentum, contacts, prescribed);
  write_apart(terms, apart);
  active_compliance_ = joint_compliance_;
  active_target_ = posture.desired.cwiseMax(posture.lowest).cwiseMin(posture.highest);
  for (int pass = 0; pass < kMostPasses; ++pass) {
    if (!solve_rows()) return false;
    if (!hold_violated(posture)) break;
  }
  is_clipped_ = false;
  for (Eigen::Index i = 0; i < joints_.size(); ++i) {
    const double within = std::min(std::max(joints_[i], posture.lowest[i]), posture.highest[i]);
    is_clipped_ = is_clipped_ || std::abs(joints_[i] - within) > kRounding * std::max(std::abs(within), 1.0);
    joints_[i] = within;
  }
  return true;
}

const Eigen::MatrixXd& JointAccelerations::sensitivity() noexcept {
  // The same equations with a unit of each momentum rate on the right-hand side.
  Eigen::Matrix<double, Eigen::Dynamic, 6, 0, kMostRows, 6> unit(rows_.rows(), 6);
  unit.setZero();
  unit.topLeftCorner<3, 3>().diagonal().setConstant(linear_scale_);
  unit.block<3, 3>(3, 3).diagonal().setConstant(angular_scale_);
  factor_.solveInPlace(unit);
  const Eigen::Matrix<double, 6, 6> base_sides = rows_.leftCols<6>().transpose() * unit;
  const Eigen::Matrix<double, 6, 6> base = base_matrix_.ldlt().solve(base_sides);
  unit.noalias() -= sides_.leftCols<6>() * base;
  sensitivity_.noalias() = scaled_rows_.transpose() * unit;
  return sensitivity_;
}

}  // namespace aplomb

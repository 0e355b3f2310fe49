#include "aplomb/control/momentum_balance/torque_limits.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "aplomb/control/momentum_balance/contact_forces.hpp"

namespace aplomb {
namespace {

constexpr int kCorners = 4;
constexpr double kForceCost = 1e-3;    // cost of forces over that of linear rate: decides only among equal rates
constexpr double kAngularShare = 0.1;  // weight of angular [N m] over linear rate [N], which has priority; tuned
constexpr double kTolerance = 1e-9;    // relative tolerance of a limit, for rounding

int corners_of(const BalanceContacts::Site& site) { return site.is_point ? 1 : kCorners; }

Eigen::Vector3d corner(const Contact& contact, int index) { return patch_corner(contact, contact.centre, index); }

int num_columns(const std::vector<BalanceContacts::Site>& sites) {
  int columns = 0;
  for (const BalanceContacts::Site& site : sites) columns += kPyramidEdges * corners_of(site);
  return columns;
}

Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& v) {
  Eigen::Matrix3d matrix;
  matrix << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return matrix;
}

}  // namespace

TorqueLimits::TorqueLimits(const RobotModel& model, const std::vector<BalanceContacts::Site>& sites)
    : model_(&model),
      sites_(sites),
      limit_(model.num_joints()),
      is_carrying_(static_cast<std::size_t>(model.num_joints()), false),
      problem_(6, num_columns(sites), kMostJoints),
      solver_(6, num_columns(sites), kMostJoints),
      base_response_(6, 6),
      acceleration_(model.num_joints(), 6) {
  Eigen::Index column = 0;
  for (const BalanceContacts::Site& site : sites) {
    first_column_.push_back(column);
    column += kPyramidEdges * corners_of(site);
    if (site.is_point) continue;
    for (int joint : model.joint_chain(site.frame)) is_carrying_[static_cast<std::size_t>(joint)] = true;
  }
  for (int i = 0; i < model.num_joints(); ++i) limit_[i] = model.joints()[static_cast<std::size_t>(i)].effort;
  joints_.reserve(static_cast<std::size_t>(model.num_joints()));
  problem_.lower.setZero();
  problem_.D.setConstant(kForceCost);
}

bool TorqueLimits::is_exceeded(const Eigen::VectorXd& torque, bool of_carrying) const {
  for (int i = 0; i < torque.size(); ++i) {
    const bool is_one = is_carrying_[static_cast<std::size_t>(i)] == of_carrying;
    if (is_one && std::abs(torque[i]) > (1.0 + kTolerance) * limit_[i]) return true;
  }
  return false;
}

void TorqueLimits::slow_down(const RobotTerms& terms, const Eigen::VectorXd& torque, const Eigen::VectorXd& joints,
                             JointAccelerations::Posture& posture) const {
  for (int i = 0; i < torque.size(); ++i) {
    if (is_carrying_[static_cast<std::size_t>(i)] || std::abs(torque[i]) <= limit_[i]) continue;
    const double too_much = torque[i] - std::copysign(limit_[i], torque[i]);
    const double within = joints[i] - too_much / terms.mass_matrix()(6 + i, 6 + i);
    posture.lowest[i] = posture.highest[i] = within;
  }
}

void TorqueLimits::pick_worst(const Eigen::VectorXd& torque) {
  joints_.clear();
  for (int i = 0; i < torque.size(); ++i) {
    const bool is_one = is_carrying_[static_cast<std::size_t>(i)];
    if (is_one && std::abs(torque[i]) > (1.0 + kTolerance) * limit_[i]) joints_.push_back(i);
  }
  const auto excess = [&](int i) { return std::abs(torque[i]) / limit_[i]; };
  std::ranges::sort(joints_, [&](int a, int b) { return excess(a) > excess(b); });
  if (joints_.size() > kMostJoints) joints_.resize(kMostJoints);
}

void TorqueLimits::write_contact(std::size_t index, const RobotTerms& terms, const Contact& contact,
                                 const Eigen::MatrixXd& sensitivity, const ContactLoad& load) {
  const FrameTerms& frame = terms.frame(sites_[index].frame);
  const Eigen::Vector3d origin = frame.T_world_frame.translation();
  // A wrench at the frame's origin changes the momentum rate, and through it the joint accelerations; both change the
  // base's acceleration, and all three change the torques.
  Eigen::Matrix<double, 6, 6> momentum = Eigen::Matrix<double, 6, 6>::Identity();
  momentum.bottomLeftCorner<3, 3>() = cross_matrix(origin - terms.com());
  acceleration_.noalias() = sensitivity * momentum;
  const int num_joints = model_->num_joints();
  const auto& M = terms.mass_matrix();
  base_response_ = frame.jacobian.leftCols<6>().transpose();
  base_response_.noalias() -= M.topRightCorner(6, num_joints) * acceleration_;
  const Eigen::Matrix<double, 6, 6> base_inertia = M.topLeftCorner<6, 6>();
  const Eigen::Matrix<double, 6, 6> base = base_inertia.ldlt().solve(base_response_);

  Vector6d present;
  present << load.force, load.moment + (contact.point - origin).cross(load.force);
  for (std::size_t row = 0; row < joints_.size(); ++row) {
    const Eigen::Index joint = 6 + joints_[row];
    Eigen::Matrix<double, 1, 6> response = -frame.jacobian.col(joint).transpose();
    response.noalias() += M.row(joint).head<6>() * base;
    response.noalias() += M.row(joint).tail(num_joints) * acceleration_;
    problem_.d[static_cast<Eigen::Index>(row)] += response * present;
    for (int i = 0; i < corners_of(sites_[index]); ++i) {
      for (int edge = 0; edge < kPyramidEdges; ++edge) {
        Vector6d wrench;
        wrench.head<3>() = pyramid_edge(contact, edge);
        wrench.tail<3>() = (corner(contact, i) - origin).cross(wrench.head<3>());
        problem_.C(static_cast<Eigen::Index>(row), first_column_[index] + kPyramidEdges * i + edge) = response * wrench;
      }
    }
  }
}

bool TorqueLimits::clamp(Eigen::VectorXd& torque) const {
  const bool is_beyond = is_swinging_exceeded(torque) || is_carrying_exceeded(torque);
  torque = torque.cwiseMax(-limit_).cwiseMin(limit_);
  return is_beyond;
}

TorqueLimits::Outcome TorqueLimits::solve(const RobotTerms& terms, std::span<const Contact> contacts,
                                          const Eigen::MatrixXd& sensitivity, const MomentumRate& desired,
                                          const Eigen::VectorXd& torque, std::span<ContactLoad> loads) noexcept {
  pick_worst(torque);
  problem_.C.setZero();
  problem_.d.setZero();
  for (std::size_t row = 0; row < joints_.size(); ++row) {
    const int joint = joints_[row];
    problem_.d[static_cast<Eigen::Index>(row)] = std::copysign(limit_[joint], torque[joint]) - torque[joint];
  }
  const double weight = terms.mass() * kGravity;
  problem_.b << desired.linear + Eigen::Vector3d(0.0, 0.0, weight), kAngularShare * desired.angular;
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    write_contact(i, terms, contacts[i], sensitivity, loads[i]);
    for (int k = 0; k < corners_of(sites_[i]); ++k) {
      for (int edge = 0; edge < kPyramidEdges; ++edge) {
        const Eigen::Index column = first_column_[i] + kPyramidEdges * k + edge;
        const Eigen::Vector3d force = pyramid_edge(contacts[i], edge);
        problem_.A.col(column) << force, kAngularShare * (corner(contacts[i], k) - terms.com()).cross(force);
        problem_.upper[column] = edge_force_limit(contacts[i], weight);
      }
    }
  }
  if (solver_.solve(problem_) != SolveStatus::solved) return Outcome::failed;
  Vector6d rate;
  rate.noalias() = problem_.A * solver_.solution().x;
  rate.z() -= weight;
  if (rate.head<3>().norm() > std::max(desired.linear.norm(), weight)) return Outcome::too_violent;
  read_loads(contacts, loads);
  return Outcome::replaced;
}

void TorqueLimits::read_loads(std::span<const Contact> contacts, std::span<ContactLoad> loads) const {
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    ContactLoad load;
    Eigen::Vector3d weighted = Eigen::Vector3d::Zero();
    double normal_force = 0.0;
    for (int k = 0; k < corners_of(sites_[i]); ++k) {
      const Eigen::Vector3d at = corner(contacts[i], k);
      for (int edge = 0; edge < kPyramidEdges; ++edge) {
        const double amount = solver_.solution().x[first_column_[i] + kPyramidEdges * k + edge];
        const Eigen::Vector3d force = amount * pyramid_edge(contacts[i], edge);
        load.force += force;
        load.moment += (at - contacts[i].point).cross(force);
        weighted += amount * (at - contacts[i].centre);
        normal_force += amount;
      }
    }
    if (normal_force > 0.0) {
      load.cop = (contacts[i].R_world_contact.transpose() * weighted / normal_force).head<2>();
    }
    loads[i] = load;
  }
}

}  // namespace aplomb

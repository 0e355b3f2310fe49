#include "aplomb/control/momentum_balance/contact_cops.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/control/momentum_balance/contact_forces.hpp"

namespace aplomb {
namespace {

constexpr int kRefinements = 3;       // each divides the residual by about 200 (see the header)
constexpr double kLeastForce = 1e-9;  // [N]; below, a contact has no CoP
// Row weight of η in single support as printed: so small that it decides only where the CoP's bounds leave a choice.
constexpr double kTieWeight = 1e-4;

}  // namespace

ContactCops::ContactCops(Mode mode, double regularisation, int num_contacts)
    : mode_(mode), regularisation_(regularisation), problem_(3, 3 * num_contacts), solver_(3, 3 * num_contacts) {
  problem_.D.setConstant(std::sqrt(regularisation));
}

void ContactCops::write_contact(const Contact& contact, const ContactLoad& load, Eigen::Index first) {
  Eigen::MatrixXd& rows = problem_.A;
  const Eigen::Vector3d normal = contact.R_world_contact.col(2);
  const double normal_force = normal.dot(load.force);
  if (!(normal_force > kLeastForce)) {
    rows.middleCols<3>(first).setZero();
    problem_.x0.segment<3>(first).setZero();
    problem_.lower.segment<3>(first).setZero();
    problem_.upper.segment<3>(first).setZero();
    return;
  }
  // The moment that moving the CoP along x adds is d_x e_x × f = (f_n d_x) (e_x × f) / f_n.
  rows.col(first) = contact.R_world_contact.col(0).cross(load.force) / normal_force;
  rows.col(first + 1) = contact.R_world_contact.col(1).cross(load.force) / normal_force;
  rows.col(first + 2) = normal;
  const Eigen::Vector3d most =
      normal_force * Eigen::Vector3d(contact.half_length, contact.half_width, contact.friction * contact.twist_radius);
  problem_.upper.segment<3>(first) = most;
  problem_.lower.segment<3>(first) = -most;
  // η*: from the point along the force down to the ground.
  const Eigen::Vector3d to_point = contact.R_world_contact.transpose() * (contact.point - contact.centre);
  const Eigen::Vector3d force = contact.R_world_contact.transpose() * load.force;
  const Eigen::Vector2d wanted = to_point.head<2>() * normal_force - to_point.z() * force.head<2>();
  problem_.x0.segment<3>(first) << wanted, 0.0;
  problem_.x0.segment<3>(first) = problem_.x0.segment<3>(first).cwiseMin(most).cwiseMax(-most);
}

/// As printed the rows of η have the weight ε, with the CoPs in metres; the unknowns here are f_n times these.
void ContactCops::write_weights(std::span<const Contact> contacts, std::span<const ContactLoad> loads) {
  const bool is_single = num_available(contacts) < 2;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const double normal_force = contacts[i].R_world_contact.col(2).dot(loads[i].force);
    const double in_metres = regularisation_ / std::max(normal_force, 1.0);
    auto weights = problem_.D.segment<3>(3 * static_cast<Eigen::Index>(i));
    if (is_single)
      weights.setConstant(kTieWeight);
    else
      weights << in_metres, in_metres, regularisation_;
  }
}

SolveStatus ContactCops::solve(std::span<const Contact> contacts, const Eigen::Vector3d& com,
                               const Eigen::Vector3d& angular, std::span<ContactLoad> loads) noexcept {
  Eigen::Vector3d wanted = angular;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    write_contact(contacts[i], loads[i], 3 * static_cast<Eigen::Index>(i));
    wanted -= (contacts[i].centre - com).cross(loads[i].force);
  }
  problem_.b = wanted;
  if (mode_ == Mode::weighted) write_weights(contacts, loads);
  SolveStatus status = solver_.solve(problem_);
  for (int i = 0; i < kRefinements && mode_ == Mode::lexicographic && status == SolveStatus::solved; ++i) {
    problem_.x0 = solver_.solution().x;
    status = solver_.solve(problem_);
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& contact = contacts[i];
    const Eigen::Vector3d eta = solver_.solution().x.segment<3>(3 * static_cast<Eigen::Index>(i));
    const double normal_force = contact.R_world_contact.col(2).dot(loads[i].force);
    loads[i].cop = normal_force > kLeastForce ? Eigen::Vector2d(eta.head<2>() / normal_force) : Eigen::Vector2d::Zero();
    const Eigen::Vector3d cop = contact.centre + contact.R_world_contact.leftCols<2>() * loads[i].cop;  // in the world
    loads[i].moment = (cop - contact.point).cross(loads[i].force) + eta.z() * contact.R_world_contact.col(2);
  }
  return status;
}

}  // namespace aplomb

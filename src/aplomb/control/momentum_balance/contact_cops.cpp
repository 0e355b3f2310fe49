#include "aplomb/control/momentum_balance/contact_cops.hpp"

#include <algorithm>
#include <cmath>

namespace aplomb {
namespace {

constexpr int kRefinements = 3;       // each divides the residual by about 200 (see the header)
constexpr double kLeastForce = 1e-9;  // [N]; below, a contact has no CoP

}  // namespace

ContactCops::ContactCops(Mode mode, double regularisation, int num_contacts)
    : mode_(mode), problem_(3, 3 * num_contacts), solver_(3, 3 * num_contacts) {
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

SolveStatus ContactCops::solve(std::span<const Contact> contacts, const Eigen::Vector3d& com,
                               const Eigen::Vector3d& angular, std::span<ContactLoad> loads) noexcept {
  Eigen::Vector3d wanted = angular;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    write_contact(contacts[i], loads[i], 3 * static_cast<Eigen::Index>(i));
    wanted -= (contacts[i].centre - com).cross(loads[i].force);
  }
  problem_.b = wanted;
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

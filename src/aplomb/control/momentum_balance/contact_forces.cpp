#include "aplomb/control/momentum_balance/contact_forces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aplomb {
namespace {

// Cost of a newton of force, over that of a newton metre of angular rate (`lexicographic`): so small that it decides
// only among forces with the same angular rate, such as internal forces between the feet.
constexpr double kForceCost = 1e-3;

// Row weight of the edges' forces in `weighted`: so small that it decides only among edges with the same force.
constexpr double kTieWeight = 1e-6;

// Bound of an edge's force over the robot's weight and the contact's availability, while it is added or removed; tuned.
constexpr double kMostWeights = 3.0;

}  // namespace

double edge_force_limit(const Contact& contact, double weight_n) {
  const double most = contact.availability < 1.0 ? kMostWeights * weight_n * contact.availability
                                                 : std::numeric_limits<double>::infinity();
  return std::min(most, 2.0 / kPyramidEdges * contact.largest_force);
}

int num_available(std::span<const Contact> contacts) {
  return static_cast<int>(std::ranges::count_if(contacts, [](const Contact& it) { return it.availability > 0.0; }));
}

ContactForces::ContactForces(Mode mode, const Weights& weights, int num_contacts)
    : mode_(mode),
      weights_(weights),
      problem_(mode == Mode::weighted ? 6 + 3 * num_contacts : 3, kPyramidEdges * num_contacts,
               mode == Mode::weighted ? 0 : 3),
      solver_(static_cast<int>(problem_.A.rows()), static_cast<int>(problem_.A.cols()),
              static_cast<int>(problem_.C.rows())) {
  problem_.D.setConstant(mode == Mode::weighted ? kTieWeight : kForceCost);
  problem_.lower.setZero();
}

void ContactForces::write_weighted(std::span<const Contact> contacts, const Eigen::Vector3d& com,
                                   const MomentumRate& desired) {
  const bool is_single = num_available(contacts) < 2;
  const double angular = is_single ? 0.0 : weights_.angular, size = is_single ? 0.0 : weights_.force;
  problem_.A.setZero();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    for (int edge = 0; edge < kPyramidEdges; ++edge) {
      const Eigen::Index column = static_cast<Eigen::Index>(i) * kPyramidEdges + edge;
      const Eigen::Vector3d force = pyramid_edge(contacts[i], edge);
      problem_.A.col(column).head<3>() = force;
      problem_.A.col(column).segment<3>(3) = angular * (contacts[i].point - com).cross(force);
      problem_.A.col(column).segment<3>(6 + 3 * static_cast<Eigen::Index>(i)) = size * force;
    }
  }
  problem_.b.segment<3>(3) = angular * desired.angular;
}

SolveStatus ContactForces::solve(std::span<const Contact> contacts, const Eigen::Vector3d& com, double weight,
                                 const MomentumRate& desired, std::span<ContactLoad> loads) noexcept {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& contact = contacts[i];
    const double most = edge_force_limit(contact, weight);
    for (int edge = 0; edge < kPyramidEdges; ++edge) {
      const Eigen::Index column = static_cast<Eigen::Index>(i) * kPyramidEdges + edge;
      problem_.upper[column] = most;
      if (mode_ == Mode::weighted) continue;
      const Eigen::Vector3d force = pyramid_edge(contact, edge);
      problem_.C.col(column) = force;
      problem_.A.col(column) = (contact.point - com).cross(force);
    }
  }
  const Eigen::Vector3d desired_force =
      desired.linear + Eigen::Vector3d(0.0, 0.0, weight);  // l̇ = m g + Σ f   (eq. 1, 5)
  if (mode_ == Mode::weighted) {
    write_weighted(contacts, com, desired);
    problem_.b.head<3>() = desired_force;
  } else {
    problem_.d = desired_force;
    problem_.b = desired.angular;
  }
  const SolveStatus status = solver_.solve(problem_);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    loads[i].force.setZero();
    for (int edge = 0; edge < kPyramidEdges; ++edge) {
      const double rho = solver_.solution().x[static_cast<Eigen::Index>(i) * kPyramidEdges + edge];
      loads[i].force += rho * pyramid_edge(contacts[i], edge);
    }
  }
  return status;
}

}  // namespace aplomb

#pragma once

#include <span>
#include <vector>

#include "aplomb/control/momentum_balance/balance_contacts.hpp"
#include "aplomb/solvers/bounded_least_squares.hpp"

namespace aplomb {

/// Loads of all contacts for a desired rate of momentum, as near to the planned loads as that allows:
///   min |W (rate of momentum − desired)|² + |E (loads − planned)|²
/// with every load inside its friction pyramid, its CoP inside its patch, and no more than its availability. Loads are
/// sums of forces along the pyramid's edges at the corners of each patch (a point has one). W is so much larger than E
/// that the loads' distance from the plan decides only among loads with the same rate: a seat, feet and hands that
/// could share a load in many ways share it as planned, and what the balance adds is spread over all of them. The
/// optimum depends continuously on every input, so that nothing jumps when a contact comes or goes.
class ContactLoads {
 public:
  /// `height`: of the CoM when standing [m]; it scales moments. Allocates.
  ContactLoads(const std::vector<BalanceContacts::Site>& sites, double height);

  /// `desired`: rate of momentum due to contact forces and gravity together; `weight_n`: m g. Writes force, moment and
  /// CoP of every load. Never allocates.
  SolveStatus solve(std::span<const Contact> contacts, std::span<const ContactLoad> planned, const Eigen::Vector3d& com,
                    double weight_n, const MomentumRate& desired, std::span<ContactLoad> loads) noexcept;

  const BoundedLeastSquaresProblem& problem() const { return problem_; }
  const BoundedLeastSquaresSolution& solution() const { return solver_.solution(); }

 private:
  void write_contact(std::size_t index, const Contact& contact, const ContactLoad& planned, const Eigen::Vector3d& com,
                     double weight_n);
  void read_load(std::size_t index, const Contact& contact, ContactLoad& load) const;

  std::vector<BalanceContacts::Site> sites_;
  std::vector<Eigen::Index> first_row_, first_column_;
  double lever_;  ///< arm that makes a moment comparable to a force [m]
  BoundedLeastSquaresProblem problem_;
  BoundedLeastSquares solver_;
};

}  // namespace aplomb

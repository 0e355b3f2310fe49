#pragma once

#include <span>
#include <vector>

#include "aplomb/control/contact/contact_limits.hpp"
#include "aplomb/control/momentum_balance.hpp"
#include "aplomb/solvers/bounded_least_squares.hpp"

namespace aplomb {

/// Force of each contact for a desired rate of momentum: f_i = β_i ρ_i, with β_i the four edges of the
/// friction pyramid on the contact's own ground (inside Coulomb's cone) and ρ_i ≥ 0   (Lee & Goswami 2010, eq. 9-11).
///
/// `lexicographic`: the linear rate first, then the angular rate, then the smallest forces.
/// `weighted`, as printed: the least-squares problem of (11) with the rows that its footnote stacks,
/// (l̇ − l̇*, w (k̇ − k̇*), ε f_i): it trades some of l̇ for k̇ and for small forces, also when no limit is active, by w²
/// and ε². With one available contact the linear rate alone determines its force   (section III-B.1).
class ContactForces {
 public:
  using Mode = MomentumBalance::Mode;
  struct Weights {
    double angular = 0.1;  ///< w of the rows of `weighted`
    double force = 0.01;   ///< ε of the rows of `weighted`
  };

  ContactForces(Mode mode, const Weights& weights, int num_contacts);  ///< allocates

  /// Writes the force of every load. `desired`: rate of momentum due to contact forces and gravity together; `weight`:
  /// m g [N]. Never allocates.
  SolveStatus solve(std::span<const Contact> contacts, const Eigen::Vector3d& com, double weight,
                    const MomentumRate& desired, std::span<ContactLoad> loads) noexcept;

  const BoundedLeastSquaresProblem& problem() const { return problem_; }
  const BoundedLeastSquaresSolution& solution() const { return solver_.solution(); }

 private:
  void write_weighted(std::span<const Contact> contacts, const Eigen::Vector3d& com, const MomentumRate& desired);

  Mode mode_;
  Weights weights_;
  BoundedLeastSquaresProblem problem_;
  BoundedLeastSquares solver_;
};

/// Number of contacts that may carry load.
int num_available(std::span<const Contact> contacts);

/// Upper bound of the force along an edge of the friction pyramid [N]: infinite for an available contact, zero for an
/// unavailable one, finite while a contact is added or removed. A bounded normal force leaves each edge half of it.
double edge_force_limit(const Contact& contact, double weight_n);

}  // namespace aplomb

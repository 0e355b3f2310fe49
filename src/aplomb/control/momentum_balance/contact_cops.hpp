#pragma once

#include <span>

#include "aplomb/control/contact/contact.hpp"
#include "aplomb/control/momentum_balance.hpp"
#include "aplomb/solvers/bounded_least_squares.hpp"

namespace aplomb {

/// Computes the CoP of each contact and its moment about the normal, for given forces: the closest to the desired rate
/// of angular momentum with every CoP inside its patch   (Lee & Goswami 2010, eq. 12-13). Unknowns for contact i are
/// the moments η_i = (f_n d_x, f_n d_y, τ_n), all in N m, so that no weights between units are needed, and the bounds
/// of an unloaded contact are zero.
///
///   min |Ψ η − (k̇* − k̇_f)|² + ε |η − η*|²,  η* the CoP where the line of the force through Contact::point meets the
///   ground
/// `weighted` solves this once, as printed: η = (d_x, d_y, τ_n) in metres and N m, the rows of η weighted by ε. With
/// one available contact, Ψ alone determines the CoP, moved to the edge where it is outside   (section III-B.1).
/// `lexicographic` repeats it with the previous solution as η*: each pass divides the residual of the admissible
/// angular rate by 1 + |Ψ|²/ε, about 200. A strict order (angular rate, then nearest η) would be wrong: with a CoP at
/// its edge, it accepts large internal moments between the feet for a negligible gain in angular rate, and these
/// moments flip from tick to tick. The paper iterates (Levenberg-Marquardt); this is exact, with a bounded number of
/// steps.
class ContactCops {
 public:
  using Mode = MomentumBalance::Mode;

  ContactCops(Mode mode, double regularisation, int num_contacts);  ///< `regularisation`: ε; allocates

  /// Reads the forces of the loads, writes their moments and CoPs. `angular` is k̇*. Never allocates.
  SolveStatus solve(std::span<const Contact> contacts, const Eigen::Vector3d& com, const Eigen::Vector3d& angular,
                    std::span<ContactLoad> loads) noexcept;

  const BoundedLeastSquaresProblem& problem() const { return problem_; }
  const BoundedLeastSquaresSolution& solution() const { return solver_.solution(); }

 private:
  void write_contact(const Contact& contact, const ContactLoad& load, Eigen::Index first);
  void write_weights(std::span<const Contact> contacts, std::span<const ContactLoad> loads);

  Mode mode_;
  double regularisation_;
  BoundedLeastSquaresProblem problem_;
  BoundedLeastSquares solver_;
};

}  // namespace aplomb

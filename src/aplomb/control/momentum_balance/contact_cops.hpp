#pragma once

#include <span>

#include "aplomb/control/contact/contact.hpp"
#include "aplomb/control/momentum_balance.hpp"
#include "aplomb/solvers/bounded_least_squares.hpp"

namespace aplomb {

/// Where each contact's centre of pressure shall be, and its moment about the normal, the forces being fixed: what they
/// can add to the angular rate within the patch's edges   (Lee & Goswami 2010, eq. 12-13). Unknowns for contact i are
/// the moments η_i = (f_n d_x, f_n d_y, τ_n), all in N m, so that none needs a weight for its unit, and an unloaded
/// contact has bounds of zero.
///
///   min |Ψ η − (k̇* − k̇_f)|² + ε |η − η*|²,  η* the CoP where the line of the force through Contact::point meets the
///   ground
/// `weighted` is that, as printed but for the units.
/// `lexicographic` repeats it with η* the answer before, which leaves nothing of the angular rate that can be had. Each
/// pass divides what is left by 1 + |Ψ|²/ε, about 200. To ask for the angular rate strictly first, and then for the
/// nearest η, would be wrong: when a CoP is at its edge, a rate too small to measure would be bought with moments of
/// the two feet against each other, and these flip from tick to tick.
/// The paper iterates (Levenberg-Marquardt); this is exact, and ends after a bounded number of steps.
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

  Mode mode_;
  BoundedLeastSquaresProblem problem_;
  BoundedLeastSquares solver_;
};

}  // namespace aplomb

#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/control/contact/contact.hpp"

namespace aplomb {

enum class ContactRole {
  free,        ///< neither a force nor a constraint
  supporting,  ///< a rigid contact, whose force f_s follows from the motion
  controlled,  ///< a constraint whose force f_f is prescribed
};

/// One contact in one tick, in its own axes: x, y along the ground, z along its normal, towards the robot. It has 6
/// rows for a flat patch (force at its point, moment about it), 5 for an edge along y (no moment about y), 3 for a
/// point, 1 for the normal force at a point.
struct ForceContact : ContactPatch {
  ForceContact(std::string name, int num_rows, int nv);

  int num_rows() const { return static_cast<int>(jacobian.rows()); }
  int normal() const { return num_rows() == 1 ? 0 : 2; }  ///< the row of the normal force
  bool is_flat() const { return num_rows() == 6; }

  std::string name;  ///< "left_foot"
  ContactRole role = ContactRole::free;
  Eigen::MatrixXd jacobian;      ///< J
  Eigen::VectorXd acceleration;  ///< reference of J v̇: −J̇ v, plus damping of a foot that lands
  Eigen::VectorXd force;         ///< f*, of a controlled contact [N], [N m]
  /// For a controlled contact that is being loaded or unloaded: f* is this share of its force as a supporting contact,
  /// plus `force`. At a share of one both roles are equivalent, so that nothing jumps when the role changes.
  std::optional<double> share;
  Eigen::VectorXd weight;  ///< diagonal of Wf⁻¹   (Del Prete et al. 2014, eq. 6)
};

/// Rows A v̇ = b of one level of motion tasks.
struct MotionLevel {
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
};

/// Indices into ForceProblem::levels, highest priority first.
using LevelOrder = std::vector<std::size_t>;

/// The problem of one tick: the contacts first, then the levels of motion, in the order that a law is constructed with.
struct ForceProblem {
  std::vector<ForceContact> contacts;
  std::vector<MotionLevel> levels;
  Eigen::VectorXd lowest, highest;  ///< bounds of joint accelerations near their stops [rad/s²]; empty: none

  int num_force_rows() const;
  LevelOrder as_listed() const;  ///< the order of `levels`; allocates
};

/// A solution of M v̇ + h = Sᵀτ + Σ Jᵀf.
struct ForceSolution {
  ForceSolution(const ForceProblem& problem, int nv);

  Eigen::VectorXd acceleration;        ///< v̇
  Eigen::VectorXd torque;              ///< τ [N m]
  std::vector<Eigen::VectorXd> force;  ///< force of each contact; zero for a free one [N], [N m]
};

}  // namespace aplomb

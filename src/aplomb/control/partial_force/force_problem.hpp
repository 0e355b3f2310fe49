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

/// One contact in one tick, in its own axes: x, y along the ground, z along its normal, towards the robot. Six rows are
/// a flat patch (force at its point, moment about it), five the same on an edge along y (no moment about that), three a
/// point, one the normal of a point.
struct ForceContact : ContactPatch {
  ForceContact(std::string name, int num_rows, int nv);

  int num_rows() const { return static_cast<int>(jacobian.rows()); }
  int normal() const { return num_rows() == 1 ? 0 : 2; }  ///< the row of the normal force
  bool is_flat() const { return num_rows() == 6; }

  std::string name;  ///< "left_foot"
  ContactRole role = ContactRole::free;
  Eigen::MatrixXd jacobian;      ///< J
  Eigen::VectorXd acceleration;  ///< reference of J v̇: −J̇ v, and a damping where it lands
  Eigen::VectorXd force;         ///< f*, of a controlled contact [N], [N m]
  /// Of a controlled contact that is loaded or unloaded: f* is this share of its force as a supporting one, plus
  /// `force`. At a share of one both roles are the same, so that nothing jumps where they are exchanged.
  std::optional<double> share;
  Eigen::VectorXd weight;  ///< diagonal of Wf⁻¹   (Del Prete et al. 2014, eq. 6)
};

/// Rows A v̇ = b of one level of motion tasks.
struct MotionLevel {
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
};

/// Levels of motion by their place in ForceProblem::levels, the highest first.
using LevelOrder = std::vector<std::size_t>;

/// The problem of one tick: the contacts first, then the levels of motion, in the order that a law is constructed with.
struct ForceProblem {
  std::vector<ForceContact> contacts;
  std::vector<MotionLevel> levels;
  Eigen::VectorXd lowest, highest;  ///< bounds of joint accelerations near their stops [rad/s²]; empty: none

  int num_force_rows() const;
  LevelOrder as_listed() const;  ///< allocates
};

/// A solution of M v̇ + h = Sᵀτ + Σ Jᵀf.
struct ForceSolution {
  ForceSolution(const ForceProblem& problem, int nv);

  Eigen::VectorXd acceleration;        ///< v̇
  Eigen::VectorXd torque;              ///< τ [N m]
  std::vector<Eigen::VectorXd> force;  ///< of each contact; zero where it is free
};

}  // namespace aplomb

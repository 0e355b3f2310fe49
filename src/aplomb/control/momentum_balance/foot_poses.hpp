#pragma once

#include <Eigen/Geometry>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "aplomb/control/momentum_balance/balance_contacts.hpp"
#include "aplomb/control/momentum_balance/joint_accelerations.hpp"
#include "aplomb/control/step/stepping.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// Twist that takes one pose into another in one unit of time, in the frame of the first: log(from⁻¹ to), linear part
/// first [m, rad].
Vector6d pose_error(const Eigen::Isometry3d& from, const Eigen::Isometry3d& to);

/// Desired accelerations of the feet from the errors of their poses and velocities   (Lee & Goswami 2010, eq. 15):
///   a_d = kp log(T⁻¹ T_d) + kd (V_d − V),  twists of the foot in its own frame
/// The pose and the velocity that a foot on the ground should have are those of its ground, which it has: a_d = 0. A
/// foot in the air should keep the pose at which it left the ground, carried along by the feet that stand.
class FootPoses {
 public:
  /// kp [1/s²] and kd [1/s]; without them a foot in the air is free. `sites`: feet first, then hands.
  FootPoses(const std::vector<BalanceContacts::Site>& sites, std::optional<double> stiffness, double damping);

  /// A foot that steps follows this path, until it carries again; absent: none does.
  void step(const std::optional<Stepping::Swing>& swing);

  /// Never allocates.
  void update(const RobotTerms& terms, std::span<const Contact> contacts, const StandingFeet& standing);

  /// By site; those of hands and of free feet prescribe nothing.
  std::span<const JointAccelerations::Prescribed> prescribed() const { return prescribed_; }
  /// Largest errors of the feet in the air [m], [rad]; absent while none is.
  std::optional<double> position_error() const { return position_error_; }
  std::optional<double> rotation_error() const { return rotation_error_; }

 private:
  struct Left {  ///< where a foot left the ground, and the feet that stood then
    Eigen::Isometry3d pose;
    Eigen::Vector3d standing;
  };
  void follow_swing(const FrameTerms& foot, JointAccelerations::Prescribed& prescribed);

  std::vector<BalanceContacts::Site> sites_;
  std::optional<double> stiffness_;
  double damping_;
  std::array<std::optional<Left>, 2> left_;
  std::optional<Stepping::Swing> swing_;
  std::optional<Side> stepping_;  ///< foot that steps, or has just landed
  std::vector<JointAccelerations::Prescribed> prescribed_;
  std::optional<double> position_error_, rotation_error_;
};

}  // namespace aplomb

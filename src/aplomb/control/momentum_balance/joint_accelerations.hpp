#pragma once

#include <Eigen/Cholesky>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "aplomb/control/momentum_balance/balance_contacts.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// Joint accelerations that produce the admissible rate of momentum, keep the contacts in place and draw the posture to
/// its reference   (Lee & Goswami 2010, eq. 14-15):
///   min  W |ḣ − A v̇ − Ȧ v|² + Σ d_j (θ̈_j* − θ̈_j)²   subject to   J_i v̇ + J̇_i v = 0
/// Linear and angular rates are divided by m h and m h², which makes all terms 1/s², and W one number for robots of
/// any size (h: the CoM's height). The base has no posture reference.
/// Beyond the paper: joints decelerate before their stops, and the feet stay apart. Both are inequality constraints: a
/// violated one becomes active, and the problem is solved again.
/// As printed, the rates are in N and N m, with weights w and 1 − w, and every foot has a desired acceleration a_d:
/// J_i v̇ + J̇_i v = a_d.
///
/// Solved for the multipliers λ of the rows: with R = [A; J], compliances Λ = diag(1/W, 0), D = diag(d),
/// (R_j D⁻¹ R_jᵀ + Λ) λ = r − R_b v̇_b,  R_bᵀ λ = 0,  θ̈ = θ̈* + D⁻¹ R_jᵀ λ.
class JointAccelerations {
 public:
  /// Prevents crossed legs: the acceleration of `direction` · (left foot − right foot) is at least `lowest`.
  struct Apart {
    Eigen::Vector3d direction = Eigen::Vector3d::UnitY();
    double lowest = -std::numeric_limits<double>::infinity();  ///< [m/s²]
  };
  /// Acceleration a_d of a foot that is not on the ground   (eq. 15).
  struct Prescribed {
    bool is_fixed = false;                     ///< false: the foot is free
    Vector6d acceleration = Vector6d::Zero();  ///< classical, at the foot's origin, world axes [m/s²], [rad/s²]
  };
  /// Reference and bounds of each joint's acceleration [rad/s²].
  struct Posture {
    Eigen::VectorXd desired, lowest, highest;
  };

  /// Keeps the base upright: its angular acceleration is drawn to `acceleration`, after the rate of momentum.
  struct Upright {
    Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();  ///< base axes [rad/s²]
    bool frees_angular_momentum = false;                     ///< the angular momentum then has whatever rate this needs
  };

  /// `height` is h [m], `weight` d: infinite for a joint that keeps to its posture whatever the momentum. Allocates.
  JointAccelerations(const RobotModel& model, const std::vector<BalanceContacts::Site>& sites, double height,
                     const Eigen::VectorXd& weight, bool as_printed = false, bool has_upright = false);

  /// `terms` must hold the sites' frames. The constraint of a contact becomes softer as its availability falls, unless
  /// `prescribed` (by site, or empty) fixes its acceleration. Never allocates. Returns false when there is no finite
  /// solution.
  bool solve(const RobotTerms& terms, const MomentumRate& momentum, std::span<const Contact> contacts,
             const Apart& apart, const Posture& posture, std::span<const Prescribed> prescribed = {}) noexcept;

  /// For the next solves; absent: the base's orientation is that of the legs' posture. Needs `has_upright`.
  void keep_upright(const std::optional<Upright>& upright) { upright_ = upright; }
  /// v̇_b of the last solve, base axes.
  const Vector6d& base() const { return base_; }

  const Eigen::VectorXd& joints() const { return joints_; }  ///< θ̈ [rad/s²]
  /// Whether joints were still beyond their bounds after the last pass and were clipped: θ̈ then neither produces the
  /// rate of momentum nor keeps the contacts in place.
  bool is_clipped() const { return is_clipped_; }

  /// Derivative of θ̈ of the last solve by the rate of momentum: num_joints × 6, linear first. Never allocates.
  const Eigen::MatrixXd& sensitivity() noexcept;

 private:
  static constexpr int kMostRows = 34;  // momentum 6, feet 12, upright 3, apart 1, hands 6, seat 6
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMostRows, kMostRows>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostRows, 1>;
  void write_rows(const RobotTerms& terms, const MomentumRate& momentum, std::span<const Contact> contacts,
                  std::span<const Prescribed> prescribed);
  void write_upright(Eigen::Index row);
  void write_apart(const RobotTerms& terms, const Apart& apart);
  bool solve_rows();
  bool hold_violated(const Posture& posture);

  std::vector<BalanceContacts::Site> sites_;
  bool has_two_feet_, has_upright_;
  std::optional<Upright> upright_;
  double height_, linear_scale_, angular_scale_, momentum_compliance_;
  Eigen::VectorXd joint_compliance_;                   ///< 1 / d
  Eigen::VectorXd active_compliance_, active_target_;  ///< with joints at active bounds fixed
  Eigen::VectorXd joints_;
  bool is_clipped_ = false;
  Eigen::MatrixXd rows_, scaled_rows_;  ///< R, and R_j D⁻¹; the last row keeps the feet apart
  Vector6d base_ = Vector6d::Zero();    ///< v̇_b
  Column desired_, multipliers_, compliance_;
  Eigen::LLT<Square> factor_;
  Eigen::Matrix<double, Eigen::Dynamic, 7, 0, kMostRows, 7> sides_;  ///< K⁻¹ [R_b, r]
  Eigen::Matrix<double, 6, 6> base_matrix_ = Eigen::Matrix<double, 6, 6>::Zero();
  Eigen::MatrixXd sensitivity_;
};

}  // namespace aplomb

#pragma once

#include <Eigen/Core>

namespace aplomb {

/// Where the loop from commanded CoM to measured ZMP is stable, and by how much.
struct LoopMargins {
  double gain = 0.0;   ///< factor by which the loop gain may grow
  double phase = 0.0;  ///< [rad]
  double peak = 0.0;   ///< largest |1 / (1 + L)| over all frequencies
  bool is_stable = false;
};

/// Turns the ZMP's error into a shift of the CoM   (Galdeano et al. 2014, eq. 13), through a filter that makes the loop
/// stable. Stiff servos put the CoM where it is commanded, so a shift s moves the ZMP by (1 − s²/ω0²) s, ω0 = √(g/h):
/// at first the wrong way. With the printed law the loop gain grows with frequency and every Kp diverges. Here
///   ((1/ωn² + K/ω0²) s² + 2ζ/ωn s + 1 − K) shift = K e_z + Kd de_z/dt,   K = Kp / (1 + Kp),
/// which for ideal servos gives the closed loop  shift = −K d / (s²/ωn² + 2ζ s/ωn + 1)  for a disturbance d of the
/// ZMP: what is left of a constant one is 1/(1 + Kp), as printed, and ωn and ζ are free.
class ZmpFeedback {
 public:
  /// How a servo's spring and damper let the body sway about where it is commanded: s² + 2 ζs ωs s + ωs².
  struct Sway {
    double frequency = 0.0;  ///< ωs [rad/s]
    double damping = 0.0;    ///< ζs
    /// Of a body of mass m [kg] and height h [m] above joints of stiffness k [N m/rad] and damping d [N m s/rad].
    static Sway of_body(double mass, double height, double stiffness, double damping);
  };
  struct Gains {
    double kp = 0.0;         ///< 0: no feedback
    double kd_s = 0.0;       ///< [s]
    double bandwidth = 0.0;  ///< ωn [rad/s]
    double damping = 0.8;    ///< ζ

    /// By rule, from the height of the CoM [m] and how the servos sway: Kp = 1.25, ζ = 0.8 and ωn = 0.75 ω0, or as
    /// much less as leaves a gain margin of 2.5 and a peak below 1.8.
    static Gains for_body(double height, const Sway& sway);
  };

  ZmpFeedback(const Gains& gains, double height);

  /// One tick of `period_s`; `measured` is the error, wanted minus measured ZMP [m]. The shift stays within ±`largest`.
  /// `gate` is how far the measurement counts, 0 … 1; what it does not, is taken as if nothing had disturbed the robot:
  /// then the error is that of the shift itself, and the shift goes back to zero.
  void update(const Eigen::Vector2d& measured, double gate, const Eigen::Vector2d& largest, double period_s);

  const Eigen::Vector2d& shift() const { return shift_; }        ///< of the CoM [m]
  const Eigen::Vector2d& velocity() const { return velocity_; }  ///< [m/s]
  const Gains& gains() const { return gains_; }

  /// Margins of the whole loop, with servos that sway.
  LoopMargins margins(const Sway& sway) const;

 private:
  Gains gains_;
  double height_;
  double mass_, drag_, spring_, gain_;  ///< of the filter: mass s̈ + drag ṡ + spring s = gain e + kd ė
  Eigen::Vector2d shift_ = Eigen::Vector2d::Zero(), velocity_ = Eigen::Vector2d::Zero();
  Eigen::Vector2d last_error_ = Eigen::Vector2d::Zero();
};

}  // namespace aplomb

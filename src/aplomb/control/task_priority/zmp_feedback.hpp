#pragma once

#include <Eigen/Core>

namespace aplomb {

/// Stability margins of the loop from commanded CoM to measured ZMP.
struct LoopMargins {
  double gain = 0.0;   ///< factor by which the loop gain may grow
  double phase = 0.0;  ///< [rad]
  double peak = 0.0;   ///< largest |1 / (1 + L)| over all frequencies
  bool is_stable = false;
};

/// Feedback of the ZMP error to a shift of the CoM   (Galdeano et al. 2014, eq. 13), through a filter that makes the
/// loop stable. Stiff servos put the CoM where it is commanded, so the transfer function from shift to ZMP is 1 −
/// s²/ω0², ω0 = √(g/h): the ZMP moves in the wrong direction first. With the printed law the loop gain grows with
/// frequency, and every Kp is unstable. Here, with s the Laplace variable,
///   ((1/ωn² + K/ω0²) s² + 2ζ/ωn s + 1 − K) shift = K e_z + Kd s e_z,   K = Kp / (1 + Kp).
/// For ideal servos the closed loop is then  shift = −K d / (s²/ωn² + 2ζ s/ωn + 1)  for a disturbance d of the ZMP:
/// 1/(1 + Kp) of a constant one remains, as printed, and ωn and ζ are free parameters.
class ZmpFeedback {
 public:
  /// Sway of the body on compliant servos about the commanded CoM, with the poles of s² + 2 ζs ωs s + ωs².
  struct Sway {
    double frequency = 0.0;  ///< ωs [rad/s]
    double damping = 0.0;    ///< ζs
    /// For a body of mass m [kg] and CoM height h [m] on joints of stiffness k [N m/rad] and damping d [N m s/rad].
    static Sway of_body(double mass, double height, double stiffness, double damping);
  };
  struct Gains {
    double kp = 0.0;          ///< 0: no feedback
    double kd_s = 0.0;        ///< [s]
    double bandwidth = 0.0;   ///< ωn [rad/s]
    double damping = 0.8;     ///< ζ
    bool is_printed = false;  ///< shift = Kp e_z + Kd de_z/dt, as printed: no filter, no limit

    /// By rule, from the CoM's height [m] and the sway: Kp = 1.25, ζ = 0.8 and ωn = 0.75 ω0, or the largest ωn below it
    /// with a gain margin of 2.5 and a peak below 1.8.
    static Gains for_body(double height, const Sway& sway);
  };

  ZmpFeedback(const Gains& gains, double height);

  /// One tick of `period_s`, with `zmp_error` the reference minus the measured ZMP [m]. The shift stays within
  /// ±`largest`. `gate` is the weight of the measured error, 0 to 1; the rest is the error of an undisturbed robot,
  /// −shift, which returns the shift to zero.
  void update(const Eigen::Vector2d& zmp_error, double gate, const Eigen::Vector2d& largest, double period_s);

  const Eigen::Vector2d& shift() const { return shift_; }        ///< shift of the CoM [m]
  const Eigen::Vector2d& velocity() const { return velocity_; }  ///< [m/s]
  const Gains& gains() const { return gains_; }

  /// Margins of the whole loop, with the sway of the body on its servos.
  LoopMargins margins(const Sway& sway) const;

 private:
  Gains gains_;
  double height_;
  double mass_, drag_, spring_, gain_;  ///< coefficients of the filter: mass s̈ + drag ṡ + spring s = gain e + kd ė
  Eigen::Vector2d shift_ = Eigen::Vector2d::Zero(), velocity_ = Eigen::Vector2d::Zero();
  Eigen::Vector2d last_error_ = Eigen::Vector2d::Zero();
};

}  // namespace aplomb

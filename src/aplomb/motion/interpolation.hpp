#pragma once

#include <Eigen/Core>

#include "aplomb/motion/trajectory.hpp"

namespace aplomb {

/// One coordinate between two samples of its position, rate and acceleration. For samples of a cubic, as at the knots
/// of a cubic spline, all three are that cubic and its derivatives. Samples that contradict each other (rates by
/// differences of rough positions) are met all the same: the position is the cubic Hermite polynomial, the acceleration
/// is linear, the rate its integral plus a line; none of them overshoots because of the others.
class CubicPiece {
 public:
  /// `step_s`: time between the samples.
  CubicPiece(double x0, double v0, double a0, double x1, double v1, double a1, double step_s);
  double position(double u) const;  ///< at the fraction u of the interval, 0 to 1
  double rate(double u) const;
  double acceleration(double u) const { return a0_ + u * (a1_ - a0_); }
  /// Largest contradiction of the samples, as an acceleration: zero when one cubic meets all.
  double contradiction() const;

 private:
  double step_s_, x0_, v0_, a0_, x1_, v1_, a1_;
};

/// Motion of a trajectory between samples `sample` and `sample` + 1, at the fraction u of the interval. The flat
/// coordinates (robot/dynamics/motion_derivatives.hpp: joints, base position, base yaw, pitch and roll) are
/// CubicPieces. Beyond a pitch of 80 degrees, where yaw and roll become singular, the base's orientation is R(t) =
/// R_sample exp(φ(t)) instead, each coordinate of φ the polynomial of degree five through both samples with their first
/// two derivatives. Never allocates when q, v and a have their sizes.
void interpolate_motion(const Trajectory& trajectory, Eigen::Index sample, double u, Eigen::VectorXd& q,
                        Eigen::VectorXd& v, Eigen::VectorXd& a);

/// Three coordinates with their derivatives, one column per sample, as CubicPieces: the CoM.
void interpolate_point(const Eigen::Matrix3Xd& x, const Eigen::Matrix3Xd& v, const Eigen::Matrix3Xd& a, double rate_hz,
                       Eigen::Index sample, double u, Eigen::Vector3d& position, Eigen::Vector3d& velocity,
                       Eigen::Vector3d& acceleration);

}  // namespace aplomb

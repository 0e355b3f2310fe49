#pragma once

#include <Eigen/Core>

#include "aplomb/motion/trajectory.hpp"

namespace aplomb {

/// Polynomial of degree five through two samples with their first two derivatives. It is the cubic itself where the
/// samples are those of a cubic, as between the knots of a cubic spline; and twice continuously differentiable from
/// one interval to the next in any case.
class HermitePiece {
 public:
  /// `step_s`: time between the samples.
  HermitePiece(double x0, double v0, double a0, double x1, double v1, double a1, double step_s);
  double position(double u) const;      ///< at the fraction u of the interval, 0 to 1
  double rate(double u) const;          ///< first derivative with respect to time
  double acceleration(double u) const;  ///< second derivative with respect to time

 private:
  double step_s_;
  double c_[6];  ///< coefficients of the powers of u
};

/// Motion of a trajectory between samples `sample` and `sample` + 1, at the fraction u of the interval: one function of
/// time, with v and a as its derivatives. Base position (in the world) and joints are HermitePieces; the base's
/// orientation is R(t) = R_sample exp(φ(t)), with a HermitePiece for each coordinate of the rotation vector φ, whose
/// ends follow from the samples' angular velocities and accelerations. Never allocates when q, v and a have their
/// sizes.
void interpolate_motion(const Trajectory& trajectory, Eigen::Index sample, double u, Eigen::VectorXd& q,
                        Eigen::VectorXd& v, Eigen::VectorXd& a);

/// Likewise for three coordinates with their derivatives, one column per sample: the CoM.
void interpolate_point(const Eigen::Matrix3Xd& x, const Eigen::Matrix3Xd& v, const Eigen::Matrix3Xd& a, double rate_hz,
                       Eigen::Index sample, double u, Eigen::Vector3d& position, Eigen::Vector3d& velocity,
                       Eigen::Vector3d& acceleration);

}  // namespace aplomb

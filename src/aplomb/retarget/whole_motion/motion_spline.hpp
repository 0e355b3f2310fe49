#pragma once

#include <Eigen/Core>
#include <array>

namespace aplomb {

/// Weights of the knots that determine position, rate and acceleration at one knot of a motion, by central differences.
/// The first and the last knot coincide with their neighbours: the motion begins and ends at rest.
struct KnotStencil {
  int count = 0;
  std::array<Eigen::Index, 3> knot{};
  std::array<double, 3> position{}, rate{}, acceleration{};
};

/// Stencil of knot `frame` of `num_frames`; knots 1 .. num_frames − 2 are free.
KnotStencil knot_stencil(Eigen::Index frame, Eigen::Index num_frames, double step_s);

/// Cubic spline through equally spaced knots, at rest at both ends: position, rate and acceleration are one function,
/// and the acceleration is linear between knots.
class MotionSpline {
 public:
  MotionSpline(Eigen::MatrixXd knots, double step_s);  ///< one column per knot

  Eigen::Index num_knots() const { return knots_.cols(); }
  double duration_s() const { return static_cast<double>(num_knots() - 1) * step_s_; }
  void at(double time_s, Eigen::VectorXd& position, Eigen::VectorXd& rate, Eigen::VectorXd& acceleration) const;

 private:
  Eigen::MatrixXd knots_, accelerations_;
  double step_s_;
};

}  // namespace aplomb

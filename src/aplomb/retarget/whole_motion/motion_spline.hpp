#pragma once

#include <Eigen/Core>
#include <array>

namespace aplomb {

/// Weights of the control points that determine a uniform cubic B-spline at one of its knots. The first two and the
/// last two control points coincide with their neighbours, so that the motion begins and ends at rest.
struct SplineStencil {
  int count = 0;
  std::array<Eigen::Index, 3> control{};
  std::array<double, 3> position{}, rate{}, acceleration{};
};

/// Stencil of knot `frame` of `num_frames`; control points 1 .. num_frames − 2 are free.
SplineStencil spline_stencil(Eigen::Index frame, Eigen::Index num_frames, double step_s);

/// A uniform cubic B-spline of vectors through its control points: position, rate and acceleration are one function.
class MotionSpline {
 public:
  /// `controls`: one column per knot; the first and the last are ignored in favour of their neighbours.
  MotionSpline(Eigen::MatrixXd controls, double step_s);

  Eigen::Index num_frames() const { return controls_.cols(); }
  double duration_s() const { return static_cast<double>(num_frames() - 1) * step_s_; }
  void at(double time_s, Eigen::VectorXd& position, Eigen::VectorXd& rate, Eigen::VectorXd& acceleration) const;
  const Eigen::MatrixXd& controls() const { return controls_; }

 private:
  Eigen::MatrixXd controls_;
  double step_s_;
};

}  // namespace aplomb

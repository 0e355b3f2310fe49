#pragma once

#include <Eigen/Core>

#include "aplomb/solvers/bounded_least_squares.hpp"

namespace aplomb {

/// One step of the linear inverted pendulum: where to put the swing foot, when, and the CoP of the stance foot until
/// then   (Khadiv et al. 2016, 2020). With the capture point ξ = c + ċ/ω and Γ = e^(ωT), T the time until landing,
///   ξ_T = p + (ξ − p) Γ = u + b,
/// u the foot's new place, b the distance of the capture point from it. b = 0 brings the pendulum to rest on that foot;
/// what reach and time leave of b remains for the next step. Unlike there, the CoP is an unknown too; the product p Γ
/// is linearised about the last solution, and the problem solved again.
///   min |D (x − x0)|²,  x = (u, Γ, p, b),  within the bounds of u, Γ, p
/// All places are from the centre of the stance foot, in its axes, in metres.
class StepPlanner {
 public:
  struct Request {
    Eigen::Vector2d capture_point = Eigen::Vector2d::Zero();     ///< ξ
    double omega = 3.5;                                          ///< ω [1/s]
    double least_s = 0.2, most_s = 0.4, preferred_s = 0.3;       ///< T [s]
    Eigen::Vector2d foot_lower, foot_upper, foot_preferred;      ///< u
    Eigen::Vector2d cop_lower, cop_upper;                        ///< p
    Eigen::Vector2d offset_preferred = Eigen::Vector2d::Zero();  ///< b
    double length = 1.0;                                         ///< the CoM's height, for the weights [m]
  };
  struct Plan {
    Eigen::Vector2d foot = Eigen::Vector2d::Zero(), cop = Eigen::Vector2d::Zero(), offset = Eigen::Vector2d::Zero();
    double time_s = 0.3;
    double cost = 0.0;
  };

  StepPlanner();  ///< allocates

  /// Forgets the last solution: the next one begins at the preferred time and the CoP's nearest place to ξ.
  void restart() { is_warm_ = false; }
  /// Never allocates. `passes`: how often the problem is linearised and solved. Any input gives a finite plan within
  /// the bounds; false when the solver failed, the last plan is then kept.
  bool solve(const Request& request, int passes = 2) noexcept;
  const Plan& plan() const { return plan_; }

  static constexpr double kFootWeight = 1.0, kTimeWeight = 0.3, kCopWeight = 0.3, kOffsetWeight = 20.0;  // of D; tuned

 private:
  bool is_warm_ = false;
  BoundedLeastSquaresProblem problem_;
  BoundedLeastSquares solver_;
  Plan plan_;
};

/// Sum of squares that a step minimises, for any plan that satisfies its equation.
double step_cost(const StepPlanner::Request& request, const StepPlanner::Plan& plan);

}  // namespace aplomb

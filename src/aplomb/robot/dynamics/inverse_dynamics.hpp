#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// Generalised forces of a motion under external wrenches (recursive Newton-Euler):
///   Sᵀτ = M v̇ + h − Σ J_iᵀ f_i
/// The six base rows are the residual wrench on the base: zero when wrenches and motion are consistent.
class InverseDynamics {
 public:
  /// Allocates; `model` must outlive this object. Wrenches act on `links`.
  InverseDynamics(const RobotModel& model, std::span<const FrameId> links);
  InverseDynamics(InverseDynamics&&) noexcept;
  ~InverseDynamics();

  /// `wrenches[i]` acts on link i: world axes, moment about the world's origin. The result has nv rows: force and
  /// moment on the base, in base axes about its origin [N, N m], then the joint torques [N m].
  const Eigen::VectorXd& compute(const RobotState& state, const Eigen::VectorXd& a, std::span<const Wrench> wrenches);
  /// M v̇ + h alone, in one pass. Never allocates.
  const Eigen::VectorXd& compute(const RobotState& state, const Eigen::VectorXd& a);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace aplomb

#pragma once

#include <Eigen/Core>
#include <memory>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// The forces that an acceleration needs, M v̇ + h on all nv rows, in one recursive Newton-Euler pass: without M.
class InverseDynamics {
 public:
  explicit InverseDynamics(const RobotModel& model);  ///< allocates; `model` must outlive this object
  InverseDynamics(InverseDynamics&&) noexcept;
  ~InverseDynamics();

  /// Never allocates. The answer is owned here and stands until the next call.
  const Eigen::VectorXd& compute(const RobotState& state, const Eigen::VectorXd& acceleration);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace aplomb

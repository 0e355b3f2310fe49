#pragma once

#include <Eigen/Core>
#include <memory>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// The physics engine's own view of a robot, in RobotTerms' conventions: tests hold the two against each other.
class EngineTerms {
 public:
  explicit EngineTerms(const RobotModel& robot);
  ~EngineTerms();

  void update(const RobotState& state);
  const Eigen::MatrixXd& mass_matrix() const { return mass_matrix_; }  ///< M
  const Eigen::VectorXd& bias() const { return bias_; }                ///< h
  const Eigen::Vector3d& com() const { return com_; }
  double mass() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
  Eigen::MatrixXd mass_matrix_;
  Eigen::VectorXd bias_;
  Eigen::Vector3d com_ = Eigen::Vector3d::Zero();
};

}  // namespace aplomb

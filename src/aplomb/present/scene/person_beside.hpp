#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "aplomb/human/human_trial.hpp"
#include "aplomb/report/scene.hpp"
#include "aplomb/retarget/retarget.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// The person whose motion a robot does, in full size to the robot's left, with the measured markers and the centre of
/// mass: nodes, marks and columns of a scene, and the columns' values at any place of the plan.
class PersonBeside {
 public:
  PersonBeside(const HumanTrial& trial, const Retargeted& retargeted);

  void add_to(Scene& scene) const;  ///< the person and its chair, markers, CoM
  const std::vector<std::string>& columns() const { return columns_; }
  /// Values of columns() at a sample of the plan, which may lie between two of them.
  std::vector<double> row(double sample) const;

 private:
  double frame_at(double sample) const;  ///< frame of the trial's motion, at a sample of the plan

  const HumanTrial& trial_;
  const Retargeted& made_;
  RobotModel person_;
  Eigen::Vector3d shift_;  ///< displacement of the displayed person [m]
  std::vector<std::string> columns_;
};

/// A chair to look at: seat and four legs, as a node of the world; `front` is the middle of its seat's front edge.
SceneNode chair_node(const std::string& name, const Eigen::Vector3d& front);

}  // namespace aplomb

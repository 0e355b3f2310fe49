#pragma once

// Private to robot/: the only header that includes Pinocchio (7 s to compile: include it in few files).
#include <pinocchio/multibody.hpp>
#include <vector>

namespace aplomb {

/// Pinocchio's rigid-body model of a RobotModel, and the placement of each link frame in it.
struct PinocchioModel {
  struct Frame {
    pinocchio::JointIndex joint = 0;
    pinocchio::SE3 placement = pinocchio::SE3::Identity();
  };
  pinocchio::Model model;
  std::vector<Frame> frames;  ///< by FrameId: the same order as BodyTree::links
};

}  // namespace aplomb

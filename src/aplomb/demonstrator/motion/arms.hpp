#pragma once

#include <Eigen/Geometry>
#include <array>
#include <vector>

#include "aplomb/human/skeleton/skeleton.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Closed-form inverse kinematics of the light skeleton's arms: elbow flexion from the law of cosines, then the
/// shoulder.
class ReachingArms {
 public:
  ReachingArms(const Skeleton& skeleton, const RobotModel& robot);

  /// Moves each wrist of `q` by the fraction `held` of the way to its place in `wrists` [m], raised in between, and
  /// rotates the hand by the same fraction to rest on its palm. A place out of reach is approached as far as possible.
  /// No change with `held` 0.
  void reach(Eigen::VectorXd& q, const std::array<Eigen::Vector3d, 2>& wrists, double held) const;

 private:
  /// Joints of one arm.
  struct Arm {
    int clavicle = 0;  ///< the last joint above the shoulder
    int flexion = 0, abduction = 0, rotation = 0, elbow = 0, pronation = 0, wrist_flexion = 0;
    double upper_length = 0.0, fore_length = 0.0;  ///< [m]
  };
  void reach_with(Eigen::VectorXd& q, std::size_t side, const Eigen::Vector3d& wrist, double held) const;

  TreeKinematics body_;
  std::array<Arm, 2> arms_;
};

}  // namespace aplomb

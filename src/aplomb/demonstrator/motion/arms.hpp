#pragma once

#include <Eigen/Geometry>
#include <array>
#include <vector>

#include "aplomb/human/skeleton/skeleton.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Arms of the light skeleton that reach for something, in closed form: the elbow bends by the law of cosines, the
/// shoulder turns the arm there.
class ReachingArms {
 public:
  ReachingArms(const Skeleton& skeleton, const RobotModel& robot);

  /// Moves the arms of `q` so that each wrist is the part `held` of the way from where it is to its place `wrists` [m]
  /// (in between a little above that),
  /// and each hand as much turned to rest on its palm. A place out of reach is reached for. With `held` 0 nothing
  /// changes.
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

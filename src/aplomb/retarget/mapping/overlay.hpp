#pragma once

#include <string>
#include <vector>

#include "aplomb/retarget/frames/posture_solver.hpp"
#include "aplomb/retarget/mapping/human_path.hpp"
#include "aplomb/retarget/mapping/link_map.hpp"
#include "aplomb/retarget/mapping/seat.hpp"

namespace aplomb {

/// A person's markers laid over a robot. The body is scaled about its ankles by the ratio of the legs' lengths and its
/// ankles put on the robot's:  x* = s (x − ankles) + ankles of the robot. In the frame that is laid over the seated
/// robot every marker is fixed to the link of its segment, where it is: that is the robot's marker set (Mistry et al.
/// 2010, section on retargeting).
struct Overlay {
  double scale = 1.0;                                      ///< s
  Eigen::Vector3d human_ankles = Eigen::Vector3d::Zero();  ///< [m]
  Eigen::Vector3d robot_ankles = Eigen::Vector3d::Zero();  ///< [m]
  std::vector<PostureSolver::Marker> markers;
  std::vector<std::size_t> sources;   ///< which of the person's markers each one is
  std::vector<std::string> left_out;  ///< labels of markers that no link of the robot carries

  Eigen::Vector3d map(const Eigen::Vector3d& x) const { return scale * (x - human_ankles) + robot_ankles; }
};

/// Throws InvalidValue when fewer than six markers remain.
Overlay lay_over(const HumanPath& human, const RobotModel& robot, const Limbs& limbs, const SeatedRobot& seated,
                 const LinkMap& map);

}  // namespace aplomb

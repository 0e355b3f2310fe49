#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/motion/trajectory.hpp"
#include "aplomb/retarget/mapping/com_map.hpp"
#include "aplomb/retarget/mapping/link_map.hpp"
#include "aplomb/retarget/mapping/seat.hpp"

namespace aplomb {

struct RetargetOptions {
  std::optional<double> chair_height;        ///< [m]
  std::map<std::string, std::string> links;  ///< segment -> link, over those found
  bool keeps_zmp = true;                     ///< false: the paper's original, without the ZMP constraint
  std::size_t rise = 0;                      ///< which rise of the trial
  bool has_arm_rests = true;                 ///< false: a person's push off arm rests is planned without it
};

/// What became of one frame.
struct FrameVerdict {
  bool is_feasible = true;
  std::string reason;         ///< the limits that kept the centre of mass from its place
  double com_residual = 0.0;  ///< [m]
  double marker_rms = 0.0;    ///< [m]
};

/// A person's rise as a robot's.
struct Retargeted {
  Trajectory trajectory;
  ContactPlan contacts;
  std::vector<FrameVerdict> frames;
  HumanPath human;
  LinkMap links;
  Overlay overlay;
  ComMap com_map;
  SeatedRobot seated;
  Eigen::Matrix3Xd com_mapped;  ///< s c_h + o(t) [m]
  Eigen::Matrix3Xd com_asked;   ///< with the ZMP's shift and the blend of the height [m]
  std::vector<std::string> notes;

  // Metrics (docs/metrics.md).
  double com_residual_max = 0.0, com_target_shift_max = 0.0, com_anchor_change = 0.0;
  double marker_rms = 0.0, marker_rms_free = 0.0;
  double zmp_margin_min = 0.0, zmp_shift_max = 0.0;
  bool is_zmp_kept = false;  ///< by a shift that is small enough
  double slowdown = 1.0;     ///< duration over the person's
  double joint_speed_max = 0.0, com_dip = 0.0;
  double jerk_rms = 0.0, jerk_rms_frames = 0.0;  ///< of the joints, after and before the clip pass [rad/s³]
  int infeasible_frames = 0, zmp_iterations = 0;
};

/// Throws InvalidValue when the robot cannot sit or the trial has no rise.
Retargeted retarget(const HumanTrial& trial, const RobotModel& robot, const RetargetOptions& options);

}  // namespace aplomb

#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/human/human_trial.hpp"
#include "aplomb/motion/trajectory.hpp"
#include "aplomb/retarget/frame_verdict.hpp"
#include "aplomb/retarget/mapping.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// The robot cannot sit on a chair of the given height.
class UnfitChair final : public InvalidValue {
 public:
  using InvalidValue::InvalidValue;
};

struct RetargetOptions {
  std::optional<double> chair_height;        ///< absent: as high as fits the robot's legs [m]
  std::map<std::string, std::string> links;  ///< segment -> link, replaces the automatic choice
  bool keeps_zmp = true;                     ///< false: the method of the paper, without the ZMP constraint
  std::size_t rise = 0;                      ///< index of the rise in the trial
  bool has_arm_rests = true;                 ///< false: the robot's chair has none, whatever the person's has
};

/// A person's rise as a motion of the robot.
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
  Eigen::Matrix3Xd com_asked;   ///< reference: com_mapped with the shift for the ZMP and the blend of the height [m]
  std::vector<std::string> notes;

  // Metrics (docs/metrics.md).
  double com_residual_max = 0.0, com_target_shift_max = 0.0, com_anchor_change = 0.0;
  double marker_rms = 0.0, marker_rms_free = 0.0;
  double zmp_margin_min = 0.0, zmp_shift_max = 0.0;
  double zmp_margin_needed = 0.0;  ///< least margin that is enough [m]
  bool is_zmp_kept = false;        ///< the trajectory's ZMP keeps it, and is not behind the hips on the seat
  double slowdown = 1.0;           ///< ratio of the duration to the person's
  double joint_speed_max = 0.0, joint_speed_ratio_max = 0.0, com_dip = 0.0;
  double leg_length = 0.0;                       ///< of the robot, thigh and shank [m]
  double jerk_rms = 0.0, jerk_rms_frames = 0.0;  ///< RMS jerk of the joints, after and before smoothing [rad/s³]
  int infeasible_frames = 0, zmp_iterations = 0;

  MotionPlan plan() const { return {trajectory, contacts}; }  ///< the part that a robot executes
  operator MotionPlan() && { return {std::move(trajectory), std::move(contacts)}; }
};

/// Plans the robot's motion from a rise of the person (docs/retargeting.md). Throws UnfitChair when the robot cannot
/// sit on that chair, InvalidValue when it cannot sit at all or the trial has no rise.
Retargeted retarget(const HumanTrial& trial, const RobotModel& robot, const RetargetOptions& options = {});

/// Reads RetargetOptions::links from a YAML file of lines `SEGMENT: LINK` (or `SEGMENT: none`). Throws FileError.
std::map<std::string, std::string> read_link_map(const std::filesystem::path& file);

}  // namespace aplomb

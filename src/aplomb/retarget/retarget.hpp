#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/human/human_trial.hpp"
#include "aplomb/motion/trajectory.hpp"
#include "aplomb/retarget/frame_verdict.hpp"
#include "aplomb/retarget/likeness.hpp"
#include "aplomb/retarget/mapping.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// The robot cannot sit on a chair of the given height.
class UnfitChair final : public InvalidValue {
 public:
  UnfitChair(const std::string& what, double nearest_m) : InvalidValue(what), nearest_(nearest_m) {}
  double nearest_m() const { return nearest_; }  ///< height nearest to the given one on which it can sit [m]

 private:
  double nearest_;
};

/// How a motion is planned (docs/retargeting.md).
enum class RetargetMode {
  frames,  ///< each frame alone, the CoM as an equation, no forces: the method of Mistry et al. 2010
  hard,    ///< the whole motion with its forces, the CoM as an equation
  priced,  ///< the whole motion with its forces, the CoM as a cost
};
inline constexpr std::array<std::string_view, 3> kRetargetModeNames = {"frames", "hard", "priced"};
/// The mode of that name. Throws InvalidValue, with the valid names.
RetargetMode retarget_mode(const std::string& name);

struct RetargetOptions {
  std::optional<double> chair_height;        ///< absent: as high as fits the robot's legs [m]
  std::map<std::string, std::string> links;  ///< segment -> link, replaces the automatic choice
  RetargetMode mode = RetargetMode::priced;
  std::size_t rise = 0;            ///< index of the rise, or of the sit-down, in the trial
  ClipKind clip = ClipKind::rise;  ///< part of the trial that is planned
  bool has_arm_rests = true;       ///< false: the robot's chair has none, whatever the person's has
  /// Find the limits without which an infeasible plan would be feasible: a few more, smaller problems.
  bool finds_obstacle = true;
};

/// A person's motion as a motion of the robot. All frames, of the person's too, are samples of the plan.
struct Retargeted {
  RetargetMode mode = RetargetMode::priced;
  Trajectory trajectory;
  ContactPlan contacts;
  std::vector<FrameVerdict> frames;
  std::vector<ViolatedPlanLimit> violated;  ///< limits that the whole motion cannot keep, the worst first
  struct Obstacle {
    std::vector<ActiveLimit> limits;
    bool is_all = false;  ///< without them the plan would be feasible
  };
  std::optional<Obstacle> obstacle;  ///< what makes it infeasible; absent: it is feasible, or this was not asked
  HumanPath human;                   ///< on the plan's clock
  LinkMap links;
  Overlay overlay;
  ComMap com_map;
  SeatedRobot seated;
  Eigen::Matrix3Xd com_mapped;  ///< s c_h + o(t) [m]
  Eigen::Matrix3Xd
      com_asked;  ///< reference: com_mapped, with the height blended after seat-off where it is an equation [m]
  std::optional<Likeness> likeness;  ///< absent: the clip was not compared
  std::vector<std::string> notes;

  // Metrics (docs/metrics.md).
  double com_residual_max = 0.0, com_target_shift_max = 0.0, com_target_shift_rms = 0.0, com_anchor_change = 0.0;
  double marker_rms = 0.0, marker_rms_free = 0.0;
  double zmp_margin_min = 0.0;
  Eigen::Vector2d cop_margin_needed = Eigen::Vector2d::Zero();  ///< lengthwise and sideways that is enough [m]
  double slowdown = 1.0;                                        ///< ratio of the duration to the person's
  double joint_speed_max = 0.0, joint_speed_ratio_max = 0.0, com_dip = 0.0;
  double leg_length = 0.0;  ///< of the robot, thigh and shank [m]
  double jerk_rms = 0.0;    ///< RMS jerk of the joints [rad/s³]
  int infeasible_frames = 0;
  int solver_iterations = 0;  ///< quadratic programs of the whole motion
  bool is_settled = true;     ///< the whole motion's solver converged

  /// The limits that forbid the motion, in one line; empty where none does.
  std::string forbidden_by() const;

  MotionPlan plan() const { return {trajectory, contacts}; }  ///< the part that a robot executes
  operator MotionPlan() && { return {std::move(trajectory), std::move(contacts)}; }
};

/// Plans the robot's motion from a clip of the person (docs/retargeting.md). Throws UnfitChair when the robot cannot
/// sit on that chair, InvalidValue when it cannot sit at all or the trial has no rise.
Retargeted retarget(const HumanTrial& trial, const RobotModel& robot, const RetargetOptions& options = {});

/// Reads RetargetOptions::links from a YAML file of lines `SEGMENT: LINK` (or `SEGMENT: none`). Throws FileError.
std::map<std::string, std::string> read_link_map(const std::filesystem::path& file);

}  // namespace aplomb

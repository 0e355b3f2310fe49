#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/human/human_trial.hpp"
#include "aplomb/motion/trajectory.hpp"
#include "aplomb/retarget/mapping.hpp"
#include "aplomb/robot/limbs.hpp"

namespace aplomb {

/// Angles between the segments of a body, by one geometric definition for people and robots, so that zero positions and
/// axes of joints do not matter. Directions are from joint centre to joint centre, angles in the sagittal plane
/// (vertical, at right angles to the line through the hips) except for the elbow's. NaN: the body has no such segment.
struct LimbAngles {
  double trunk = 0.0;  ///< forward pitch of the trunk's axis (TrunkAxis) [rad]
  /// Left, right [rad]: between trunk and thigh, thigh and shank, shank and foot; flexion positive.
  std::array<double, 2> hip{}, knee{}, ankle{};
  /// Left, right [rad]: of the upper arm forward from the trunk's axis downwards; between upper arm and forearm in
  /// space.
  std::array<double, 2> shoulder{}, elbow{};
  /// Left, right: distance of the wrist in front of the line from mid-hips to mid-shoulders, as a fraction of its
  /// length.
  std::array<double, 2> hand_forward{};
};

/// Long axis of a trunk: the line from mid-hips to mid-shoulders; or, for bodies without two arms, the axis of the
/// trunk's link that is vertical in the neutral posture.
enum class TrunkAxis { hips_to_shoulders, link };

/// Reads the angles of a robot, or of a person's skeleton (human_robot.hpp), from its coordinates.
class LimbAngleReader {
 public:
  /// `axis` absent: the line, if the robot has two arms. Throws InvalidValue unless it has two legs (find_limbs).
  explicit LimbAngleReader(const RobotModel& robot, std::optional<TrunkAxis> axis = {});

  TrunkAxis axis() const { return axis_; }
  LimbAngles at(const Eigen::VectorXd& q);  ///< q as in RobotState

 private:
  TreeKinematics tree_;
  Limbs limbs_;
  TrunkAxis axis_;
  std::array<Eigen::Vector3d, 2> toe_;  ///< forward direction of each foot in its body's frame
  Eigen::Vector3d trunk_up_;            ///< vertical of the neutral posture in the trunk's frame
};

/// Angles of the person in a frame of a clip of its trial.
LimbAngles angles_of_person(const HumanTrial& trial, const HumanPath& clip, Eigen::Index frame,
                            TrunkAxis axis = TrunkAxis::hips_to_shoulders);

/// How like the person a robot moves.
struct Likeness {
  /// Differences over some samples; absent: no samples, or the robot has no such segments.
  struct Errors {
    Eigen::Index num_samples = 0;
    std::optional<double> trunk_rms;         ///< of the trunk's pitch [rad]
    std::optional<double> leg_rms;           ///< over hips, knees and ankles of both sides [rad]
    std::optional<double> arm_rms;           ///< over shoulders and elbows of both sides [rad]
    std::optional<double> hands_side_ratio;  ///< fraction of samples with a hand on the person's side of the trunk
  };
  Errors whole, seated, rising, standing;
  double trunk_end =
      0.0;  ///< |difference| of the trunk's pitch in the trajectory's last sample and in the clip's last frame [rad]
  std::vector<double> trunk_error;  ///< robot minus person by compared sample [rad]
};

/// When the robot plays the clip: its first frame at `offset_s` after the trajectory's start, `slowdown` times as slow.
struct PlayedClip {
  double offset_s = 0.0;
  double slowdown = 1.0;
};

/// Compares the robot's trajectory with the person in `clip`, a path cut from `trial` (human_path), at the samples of
/// the trajectory that play the clip. Throws InvalidValue when the robot has no legs or a sample has another size.
Likeness likeness(const HumanTrial& trial, const HumanPath& clip, const RobotModel& robot, const Trajectory& trajectory,
                  const PlayedClip& played = {});

/// The rows of docs/metrics.md; null where absent.
void set_likeness_metrics(const Likeness& likeness, Metrics& metrics);

}  // namespace aplomb

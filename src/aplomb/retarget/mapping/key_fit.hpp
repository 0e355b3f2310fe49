#pragma once

#include <Eigen/Core>
#include <array>

#include "aplomb/human/human_trial.hpp"
#include "aplomb/retarget/mapping.hpp"
#include "aplomb/retarget/mapping/foot_paths.hpp"
#include "aplomb/robot/limbs.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// A clip of a person and the robot that is to follow it.
struct KeyClip {
  const HumanTrial& trial;
  const HumanPath& own;    ///< the clip on the person's clock
  const HumanPath& human;  ///< the same on the plan's clock
  const RobotModel& robot;
  const Limbs& limbs;
  const SeatedRobot& seated;
  double heel_x, toe_x;  ///< ends of the robot's soles in the overlay frame [m]
  const std::array<FootPath, 2>& feet;
};

/// Fits centre of mass and markers to the robot at every key of a clip: at each it takes the person's angles, sitting,
/// with its hips on the seat, or standing with its centre of mass where the person's is over the soles. These postures
/// are the anchors of the CoM map; `overlay` gets the shift with which its markers' targets are met in them, with the
/// same blend between the keys. `guess`: postures by frame, from which the search begins.
ComMap fit_keys(const KeyClip& clip, const Eigen::MatrixXd& guess, Overlay& overlay);

}  // namespace aplomb

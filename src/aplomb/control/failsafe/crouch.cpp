#include "aplomb/control/failsafe/crouch.hpp"

#include "aplomb/core/error.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/kinematics/stance.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

Crouch::Crouch(const RobotModel& model, const RobotState& standing) {
  RobotState start = standing;
  model.stand_on_soles(start);
  RobotTerms terms(model, sole_frames(model));
  terms.update(start);
  Stance stance{.com = Eigen::Vector2d(terms.com().head<2>())};
  int num_feet = 0;
  for (Side side : {kLeft, kRight}) {
    const auto& sole = model.description().soles[side];
    if (!sole) continue;
    Eigen::Isometry3d T_world_sole = terms.frame(model.frame(model.description().roles.foot[side])).T_world_frame;
    T_world_sole.translate(sole->centre());
    stance.feet[side] = Stance::Foot{.T_world_sole = T_world_sole};
    ++num_feet;
  }
  if (num_feet < 2) return;
  for (const double share : {0.25, 0.2, 0.15, 0.1}) {
    RobotState lowered = start;
    lowered.q.z() -= share * terms.com().z();
    try {
      take_stance(model, stance, lowered);
    } catch (const Error&) {
      continue;  // beyond the legs' reach
    }
    angle_ = joint_positions(lowered.q);
    return;
  }
}

}  // namespace aplomb

#pragma once

#include <Eigen/Core>
#include <array>

#include "aplomb/control/task_priority/standing_kinematics.hpp"

namespace aplomb {

/// Support region of the commanded configuration, in the plan frame: the reference foot's sole rectangle, swept along
/// the line between the sole centres of the planted feet.
class StandingSupport {
 public:
  /// Both must outlive this object. Both feet are planted at first.
  StandingSupport(const RobotModel& model, const StandingKinematics& kinematics)
      : model_(&model), kinematics_(&kinematics) {}

  void set_lifted(int side, bool is_lifted) { is_lifted_[static_cast<std::size_t>(side)] = is_lifted; }

  /// Nearest point of the region whose sole rectangle is scaled by `scale` about its centre.
  Eigen::Vector2d clamp(const Eigen::Vector2d& point, double scale) const;
  Eigen::Vector2d sole_size(int side) const;  ///< length, width [m]
  double stance_width() const;                ///< distance of the sole centres [m]; 0 on one foot
  /// Fraction of the weight on the left foot when the ZMP is at `zmp`: 0 or 1 on one foot, else the lever rule.
  double left_share(const Eigen::Vector2d& zmp) const;

 private:
  const RobotModel* model_;
  const StandingKinematics* kinematics_;
  std::array<bool, 2> is_lifted_{};
};

}  // namespace aplomb

#pragma once

#include <Eigen/Core>
#include <limits>
#include <optional>
#include <vector>

#include "aplomb/control/task_priority.hpp"
#include "aplomb/control/task_priority/drive_loads.hpp"
#include "aplomb/control/task_priority/standing_support.hpp"
#include "aplomb/motion/com_reference.hpp"
#include "aplomb/motion/profile/limited_motion.hpp"

namespace aplomb {

/// Governs the CoM reference: keeps it inside the support region, within limits of speed and acceleration, near the
/// CoM, and where legs and drives can follow it. Where leg joints become fast or lose authority over the CoM (straight
/// knees), and where drives come close to their torque limit, the reference slows down and stays behind its target;
/// motion back is not restricted. All in the plan frame.
class ReferenceGovernor {
 public:
  /// State of the legs and their drives after the last tick.
  struct LegState {
    const Eigen::VectorXd& rates;         ///< commanded joint velocities [rad/s]
    const Eigen::VectorXd& speed_limits;  ///< speed limits of the joints [rad/s]
    const DriveLoads& drives;
    double lost_authority;  ///< TaskStack::lost_authority()
  };

  /// `com`: the CoM at the start; `height`: its height above the soles [m]. `support` must outlive this object.
  ReferenceGovernor(const RobotModel& model, const StandingSupport& support, const TaskPriority::Settings& settings,
                    const Eigen::Vector3d& com, double height);

  /// One tick towards `target`. Never allocates, as all below.
  void follow(ComTarget target, const LegState& legs);
  /// Limits how far the reference runs ahead of the commanded CoM, which the ZMP feedback shifts by `shift`.
  void limit_lead(const Eigen::Vector3d& com, const Eigen::Vector2d& shift);

  Eigen::Vector3d position() const { return horizontal_.position() + vertical_.position(); }
  Eigen::Vector3d velocity() const { return horizontal_.velocity() + vertical_.velocity(); }
  const Eigen::Vector2d& zmp() const { return zmp_; }  ///< ZMP of the governed reference [m]

  double lag() const { return lag_; }              ///< lag of the reference behind its target [m]
  double com_lag() const { return com_lag_; }      ///< lag of the commanded CoM behind the reference [m]
  bool is_jumping() const { return is_jumping_; }  ///< the reference lags too far behind a target that is too fast
  bool is_out_of_reach() const { return is_out_of_reach_; }  ///< the target is outside of support or legs' reach
  bool has_yielded() const { return has_yielded_; }          ///< a drive yielded below its nominal torque limit

 private:
  /// Clamps the target to the support region.
  void clamp_to_support(ComTarget& target);
  /// Holds the target back where legs or drives cannot follow. Returns the fraction of the reference's speed limit.
  double hold_back(ComTarget& target, const LegState& legs);

  const StandingSupport* support_;
  double height_;  ///< height of the CoM above the soles [m]
  double reach_;   ///< TaskPriority::Settings::com_reach
  std::vector<bool> carries_body_;
  LimitedMotion horizontal_, vertical_;
  Eigen::Vector2d zmp_ = Eigen::Vector2d::Zero();
  std::optional<Eigen::Vector3d> held_com_;  ///< last reference that legs and drives could follow with ease
  /// Smallest lost authority so far: 0, unless the robot starts with straight legs.
  double least_lost_authority_ = std::numeric_limits<double>::infinity();
  int yield_ticks_ = 0;
  bool is_careful_ = false;  ///< keeps a torque reserve and moves slowly
  bool is_jumping_ = false, is_out_of_reach_ = false, has_yielded_ = false;
  double lag_ = 0.0, com_lag_ = 0.0;
};

}  // namespace aplomb

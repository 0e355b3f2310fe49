#pragma once

#include <Eigen/Core>

#include "aplomb/control/momentum_balance/balance_reference.hpp"
#include "aplomb/control/rise/chair_shift.hpp"
#include "aplomb/motion/plan_player.hpp"

namespace aplomb {

/// References of a plan to rise from a seat or to sit down, adapted to the height of the real chair (ChairShift), and
/// the plan's sample with its contact wrenches.
class PlanFollower {
 public:
  /// Allocates. `model` must outlive this object; it is the controller's model of the robot.
  PlanFollower(const RobotModel& model, const PlanReference& plan);

  void update(const SensorReadings& readings);  ///< call once per tick; never allocates

  const BalanceReference& reference() const { return reference_; }
  const PlanSample& sample() const { return *sample_; }
  const MotionPlan& plan() const { return player_.plan(); }
  double plan_s() const { return plan_s_; }  ///< the plan's own time [s]

 private:
  void update_motion(const SensorReadings& readings);
  void update_momentum();

  PlanPlayer player_;
  double start_s_;
  /// Angular momentum of the plan and its rate, one column per sample [N m s, N m].
  Eigen::Matrix3Xd momentum_table_, rate_table_;
  const PlanSample* sample_;
  double plan_s_ = 0.0;
  ChairShift chair_;
  BalanceReference reference_;
};

}  // namespace aplomb

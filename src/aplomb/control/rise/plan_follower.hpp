#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "aplomb/control/momentum_balance/balance_reference.hpp"
#include "aplomb/control/rise/chair_shift.hpp"
#include "aplomb/motion/plan_player.hpp"

namespace aplomb {

/// References of a plan to rise from a seat or to sit down, adapted to the height of the real chair (ChairShift), and
/// the plan's sample with its contact wrenches.
class PlanFollower {
 public:
  /// Allocates. `model` must outlive this object; it is the controller's model of the robot. `omega`: of the standing
  /// robot as a pendulum [1/s].
  PlanFollower(const RobotModel& model, const PlanReference& plan, double omega);

  void update(const SensorReadings& readings);  ///< call once per tick; never allocates

  /// How fast the plan shall go on: from 1 (as planned) over 0 (it waits) to -1 (back the way it came). The pace
  /// changes by at most ω a second: the CoM's deceleration then needs a ZMP no further out than the capture point.
  void set_pace(double pace) { wanted_pace_ = pace; }
  void shift_hips(double by) { chair_.shift(by); }  ///< up, on top of the plan, from now on [m]

  const BalanceReference& reference() const { return reference_; }
  const PlanSample& sample() const { return *sample_; }
  const MotionPlan& plan() const { return player_.plan(); }
  double plan_s() const { return plan_s_; }  ///< the plan's own time [s]
  double pace() const { return pace_; }
  bool is_seat_ahead(double pace) const;  ///< it takes a seat later on, in the direction of this pace
  /// Times of the plan, in which a phase is a time on the seat or one off it.
  struct Phase {
    bool is_seated = false;
    double start_s = 0.0, end_s = 0.0;
    double highest_s = 0.0;  ///< when the CoM is highest: up to then the robot rises, from then on it comes down
  };
  const Phase& phase() const { return phases_[phase_]; }  ///< now
  const Phase* phase_before() const { return phase_ > 0 ? &phases_[phase_ - 1] : nullptr; }
  const Phase* phase_after() const { return phase_ + 1 < phases_.size() ? &phases_[phase_ + 1] : nullptr; }
  /// Plays the plan back to where it came from: the middle of the phase before, or the plan's start; there it stays.
  void turn_back();
  bool has_turned_back() const { return goal_s_.has_value(); }
  const Eigen::Vector2d& seat_place() const { return chair_.seat_place(); }  ///< under the hips that sit, planned [m]
  double seat_height() const { return seat_height_; }  ///< planned, of the lowest points at the hips [m]
  double hip_height() const { return chair_.planned_hip_height() + chair_.shifted(); }  ///< of these now, wanted [m]
  double chair_shift() const { return chair_.shifted(); }                               ///< of the hips [m]

 private:
  void find_phases();
  void advance(const SensorReadings& readings);
  void update_motion(const SensorReadings& readings);
  void update_momentum();

  PlanPlayer player_;
  double start_s_;
  /// Angular momentum of the plan and its rate, one column per sample [N m s, N m].
  Eigen::Matrix3Xd momentum_table_, rate_table_;
  const PlanSample* sample_;
  double plan_s_ = 0.0;
  double pace_ = 1.0, wanted_pace_ = 1.0, pace_rate_ = 0.0, most_pace_rate_;
  double seat_height_;
  std::vector<Phase> phases_;  ///< at least one
  std::size_t phase_ = 0;
  std::optional<double> goal_s_;  ///< of a plan that is played back
  ChairShift chair_;
  BalanceReference reference_;
};

}  // namespace aplomb

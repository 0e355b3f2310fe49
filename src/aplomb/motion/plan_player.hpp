#pragma once

#include <Eigen/Core>
#include <memory>

#include "aplomb/motion/com_reference.hpp"
#include "aplomb/motion/files/trajectory_file.hpp"

namespace aplomb {

/// A plan as the reference of a controller.
struct PlanReference {
  std::shared_ptr<const MotionPlan> plan;  ///< nullptr: there is none
  double speed = 1.0;                      ///< 2 plays it in half the time
  double start_s = 0.0;                    ///< when the plan begins, in the run's time
};

/// What a plan wants at one instant.
struct PlanSample {
  Eigen::VectorXd q, v, a;  ///< as of Trajectory
  ComTarget com;
  Eigen::Vector3d com_person = Eigen::Vector3d::Zero();  ///< as of Trajectory [m]; zero when it is not known
  Eigen::Vector2d zmp = Eigen::Vector2d::Zero();         ///< [m]
  Eigen::Vector3d force = Eigen::Vector3d::Zero();       ///< from all contacts together [N]
  double seat_share = 0.0;                               ///< of the vertical force that the seat carries
  double seat_share_rate = 0.0;                          ///< [1/s]
  Eigen::Vector2d hand_share = Eigen::Vector2d::Zero();  ///< of the force that the left and the right hand carry
};

/// Plays a plan at some speed from some time on; before it the robot rests in its first posture, after it in its last.
class PlanPlayer {
 public:
  /// Allocates. `speed` is that of the clock: 2 plays it in half the time. `start_s`: when it begins. Throws
  /// InvalidValue on a plan of fewer than two samples or a speed that is not positive.
  PlanPlayer(std::shared_ptr<const MotionPlan> plan, double speed, double start_s);

  const PlanSample& at(double time_s);  ///< never allocates
  /// The same with a clock of its own: `plan_s` seconds into the plan, of which `rate` pass a second.
  const PlanSample& at(double plan_s, double rate);

  const MotionPlan& plan() const { return *plan_; }
  double speed() const { return speed_; }
  double start_s() const { return start_s_; }
  double end_s() const { return start_s_ + duration_s_ / speed_; }  ///< in the run's time
  double duration_s() const { return duration_s_; }                 ///< of the plan itself
  /// When the seat carries nothing any more, seconds into the plan; 0 without a seat.
  double seat_off_s() const { return seat_off_s_; }
  /// When nothing but the feet carries any more: the seat is left, and hands their arm rests; seconds into the plan.
  double on_feet_s() const { return on_feet_s_; }

 private:
  std::shared_ptr<const MotionPlan> plan_;
  double speed_, start_s_, duration_s_ = 0.0, seat_off_s_ = 0.0, on_feet_s_ = 0.0;
  PlanSample sample_;
};

}  // namespace aplomb

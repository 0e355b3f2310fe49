#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "aplomb/motion/com_reference.hpp"
#include "aplomb/motion/trajectory.hpp"

namespace aplomb {

/// A plan as the reference of a controller.
struct PlanReference {
  std::shared_ptr<const MotionPlan> plan;  ///< nullptr: no plan
  double speed = 1.0;                      ///< 2 plays it in half the time
  double start_s = 0.0;                    ///< when the plan begins, in the run's time
};

/// A plan's reference at one instant. Between two samples q, v and a (and those of the CoM) are one function of time
/// with its derivatives when the samples are those of a cubic spline (motion/interpolation.hpp); all else is linear.
struct PlanSample {
  /// Planned wrench of one contact, as in Trajectory [N, N m].
  struct ContactWrench {
    ContactSite site = ContactSite::left_foot;
    Eigen::Matrix<double, 6, 1> wrench = Eigen::Matrix<double, 6, 1>::Zero();
  };
  Eigen::VectorXd q, v, a;  ///< as in Trajectory
  ComTarget com;
  Eigen::Vector3d com_person = Eigen::Vector3d::Zero();  ///< as in Trajectory [m]; zero when unknown
  Eigen::Vector2d zmp = Eigen::Vector2d::Zero();         ///< [m]
  Eigen::Vector3d force = Eigen::Vector3d::Zero();       ///< resultant of all contact forces [N]
  double seat_share = 0.0;                               ///< fraction of the vertical force that the seat carries
  double seat_share_rate = 0.0;                          ///< [1/s]
  Eigen::Vector2d hand_share = Eigen::Vector2d::Zero();  ///< fraction that the left and the right hand carry
  Eigen::VectorXd torque;                                ///< planned joint torques at speed 1 [N m]; empty when unknown
  std::vector<ContactWrench> wrenches;  ///< of the contacts, at speed 1, in the trajectory's order; empty when unknown

  const ContactWrench* wrench_of(ContactSite site) const;  ///< nullptr when unknown
};

/// Samples a plan over time, at a chosen speed and start time. At rest in the first posture before, in the last after.
class PlanPlayer {
 public:
  /// Allocates. `speed` 2 plays the plan in half the time; it begins at `start_s`. Throws
  /// InvalidValue on a plan of fewer than two samples or a speed that is not positive.
  PlanPlayer(std::shared_ptr<const MotionPlan> plan, double speed, double start_s);

  const PlanSample& at(double time_s);  ///< never allocates
  /// Sample at the plan's own time `plan_s`, which advances by `rate` per second.
  const PlanSample& at(double plan_s, double rate);

  const MotionPlan& plan() const { return *plan_; }
  double speed() const { return speed_; }
  double start_s() const { return start_s_; }
  double end_s() const { return start_s_ + duration_s_ / speed_; }  ///< end of the plan, in the run's time
  double duration_s() const { return duration_s_; }                 ///< duration at speed 1
  /// First planned seat-off, in the plan's time: the end of the seat contact with which the plan begins. 0 when it
  /// begins off the seat, which it may take later.
  double seat_off_s() const { return seat_off_s_; }
  /// First time from which only the feet carry the robot, in the plan's time: the end of the contacts with seat and arm
  /// rests with which the plan begins and of those that begin before these have ended. Later ones do not count.
  double on_feet_s() const { return on_feet_s_; }

 private:
  std::shared_ptr<const MotionPlan> plan_;
  double speed_, start_s_, duration_s_ = 0.0, seat_off_s_ = 0.0, on_feet_s_ = 0.0;
  Eigen::VectorXd seat_share_;   ///< by sample
  Eigen::Matrix2Xd hand_share_;  ///< by sample; empty: no hand contact
  PlanSample sample_;
};

}  // namespace aplomb

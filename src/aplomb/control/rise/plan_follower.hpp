#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

#include "aplomb/control/contact/contact.hpp"
#include "aplomb/control/rise/chair_shift.hpp"
#include "aplomb/motion/plan_player.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// Follows a plan with a seat in it, and hands on arm rests, changed to the chair that is there (ChairShift).
class PlanFollower {
 public:
  /// A hand on an arm rest.
  struct Hand {
    FrameId frame{};
    Eigen::Index side = 0;                                    ///< 0 left, 1 right
    Eigen::Vector3d point_in_link = Eigen::Vector3d::Zero();  ///< [m]
    double share = 0.0;                                       ///< of what all contacts shall do
    Eigen::Vector3d point = Eigen::Vector3d::Zero();          ///< where it pushes, in the world [m]
    Eigen::Vector3d force = Eigen::Vector3d::Zero();          ///< that it is taken to push with [N]
  };

  /// Allocates. `model` must outlive this object; it is the one that the controller believes in.
  PlanFollower(const RobotModel& model, const PlanReference& request);

  FrameId seat_frame() const { return seat_frame_; }
  std::span<const Hand> hands() const { return hands_; }

  /// `terms` must hold seat_frame() and the hands' frames. Never allocates.
  void update(const RobotTerms& terms, const SensorReadings& readings);

  const Eigen::Vector3d& com_shift() const { return chair_.com(); }  ///< of the planned CoM, by the chair [m]
  const PlanSample& sample() const { return *sample_; }
  /// How far the height of the centre of mass is the controller's affair: not while the seat carries.
  double height_share() const { return 1.0 - share_; }
  Eigen::Vector3d angular_momentum() const { return angular_momentum_; }   ///< k*, about the CoM [N m s]
  Eigen::Vector3d angular_momentum_rate() const { return angular_rate_; }  ///< [N m]
  const Eigen::VectorXd& angle() const { return angle_; }                  ///< of the joints, with the offset [rad]
  auto rate() const { return sample_->v.tail(angle_.size()); }             ///< [rad/s]
  auto acceleration() const { return sample_->a.tail(angle_.size()); }     ///< [rad/s²]
  const Eigen::Vector3d& seat_point() const { return seat_point_; }        ///< where it pushes, in the world [m]
  const Eigen::Vector3d& seat_force() const { return seat_force_; }        ///< that it is taken to push with [N]
  void carry(const Eigen::Vector3d& all);                                  ///< what all contacts shall do [N]
  double seat_share() const { return share_; }
  double plan_s() const { return plan_s_; }

 private:
  void advance(const RobotTerms& terms, const SensorReadings& readings);
  void update_hands(const RobotTerms& terms, const SensorReadings& readings);
  void look_up_momentum();

  PlanPlayer player_;
  double start_s_;
  FrameId seat_frame_{};
  Eigen::Vector3d point_in_seat_ = Eigen::Vector3d::Zero();
  Eigen::Matrix3Xd momentum_table_, rate_table_;  ///< of the plan, a column a sample
  const PlanSample* sample_;
  double plan_s_ = 0.0, share_ = 0.0;
  ChairShift chair_;
  Eigen::VectorXd angle_;
  Eigen::Vector3d angular_momentum_ = Eigen::Vector3d::Zero(), angular_rate_ = Eigen::Vector3d::Zero();
  std::vector<Hand> hands_;
  Eigen::Vector3d seat_point_ = Eigen::Vector3d::Zero(), seat_force_ = Eigen::Vector3d::Zero();
};

}  // namespace aplomb

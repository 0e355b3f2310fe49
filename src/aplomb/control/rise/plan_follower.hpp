#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/control/momentum_balance/balance_reference.hpp"
#include "aplomb/control/rise/chair_shift.hpp"
#include "aplomb/motion/plan_player.hpp"

namespace aplomb {

/// References from a plan to rise from a seat, possibly with hands on arm rests, adapted to the height of the real
/// chair (ChairShift). Seat and hands exert their planned forces f*, reduced to the measured share of the vertical
/// force plus a tolerance where that is less than the planned one, and that share σ of what the balance adds to the
/// plan:
///   f = σ (f*/σ* + F − F*),   F, F*: total contact force, actual and planned
/// Plans without wrenches: f = σ F. A seat or hand with several contact intervals keeps the link and the point of the
/// one nearest to the start.
class PlanFollower final : public ReferenceSource {
 public:
  /// Allocates. `model` must outlive this object; it is the controller's model of the robot.
  PlanFollower(const RobotModel& model, const PlanReference& plan);

  Eigen::VectorXd posture_weight() const override { return Eigen::VectorXd::Ones(reference_.angle.size()); }
  void update(const RobotTerms& terms, const SensorReadings& readings, Fallbacks& fallbacks) override;
  void distribute(const Eigen::Vector3d& total_force) override;
  const BalanceReference& reference() const override { return reference_; }

 private:
  /// Contact behind each load of the reference, in the same order: the seat first, then the hands.
  struct Carrier {
    ContactSite site = ContactSite::seat;
    Eigen::Vector3d point_in_link = Eigen::Vector3d::Zero();  ///< [m]
    Eigen::Index side = 0;                                    ///< hands only: 0 left, 1 right
    double share = 0.0;                                       ///< share of the total vertical contact force
  };
  void advance(const RobotTerms& terms, const SensorReadings& readings, Fallbacks& fallbacks);
  void update_seat(const RobotTerms& terms);
  void update_hands(const RobotTerms& terms, const SensorReadings& readings, Fallbacks& fallbacks);
  void update_motion(const SensorReadings& readings);
  void update_momentum();

  PlanPlayer player_;
  double start_s_;
  /// Angular momentum of the plan and its rate, one column per sample [N m s, N m].
  Eigen::Matrix3Xd momentum_table_, rate_table_;
  const PlanSample* sample_;
  double plan_s_ = 0.0;
  ChairShift chair_;
  std::vector<Carrier> carriers_;
  BalanceReference reference_;
};

}  // namespace aplomb

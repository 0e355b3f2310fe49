#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/control/momentum_balance/balance_reference.hpp"
#include "aplomb/control/rise/chair_shift.hpp"
#include "aplomb/motion/plan_player.hpp"

namespace aplomb {

/// References from a plan with a seat in it, and hands on arm rests, changed to the chair that is there (ChairShift).
/// Seat and hands exert their planned shares of the total contact force, as far as they are measured to carry.
class PlanFollower final : public ReferenceSource {
 public:
  /// Allocates. `model` must outlive this object; it is the one that the controller believes in.
  PlanFollower(const RobotModel& model, const PlanReference& plan);

  Eigen::VectorXd posture_weight() const override { return Eigen::VectorXd::Ones(reference_.angle.size()); }
  void update(const RobotTerms& terms, const SensorReadings& readings) override;
  void distribute(const Eigen::Vector3d& total_force) override;
  const BalanceReference& reference() const override { return reference_; }

 private:
  /// A load of the reference, in the same order: the seat first, then the hands.
  struct Carrier {
    Eigen::Vector3d point_in_link = Eigen::Vector3d::Zero();  ///< [m]
    Eigen::Index side = 0;                                    ///< of a hand: 0 left, 1 right
    double share = 0.0;                                       ///< of the total contact force
  };
  void advance(const RobotTerms& terms, const SensorReadings& readings);
  void update_seat(const RobotTerms& terms);
  void update_hands(const RobotTerms& terms, const SensorReadings& readings);
  void update_motion(const SensorReadings& readings);
  void update_momentum();

  PlanPlayer player_;
  double start_s_;
  Eigen::Matrix3Xd momentum_table_, rate_table_;  ///< of the plan, a column a sample
  const PlanSample* sample_;
  double plan_s_ = 0.0;
  ChairShift chair_;
  std::vector<Carrier> carriers_;
  BalanceReference reference_;
};

}  // namespace aplomb

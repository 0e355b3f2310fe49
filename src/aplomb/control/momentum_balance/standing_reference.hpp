#pragma once

#include "aplomb/control/momentum_balance/balance_contacts.hpp"
#include "aplomb/control/momentum_balance/balance_reference.hpp"

namespace aplomb {

/// References of a standing robot: a posture to keep and a CoM path. Where the path follows the feet, the CoM leans
/// into the ground's acceleration.
class StandingReference final : public ReferenceSource {
 public:
  /// `contacts` must outlive this object, and be updated before each update of it; `height`: height of the CoM [m].
  StandingReference(const RobotModel& model, const RobotState& posture, const ComReference& com_reference,
                    const BalanceContacts& contacts, double height);

  Eigen::VectorXd posture_weight() const override;
  void update(const RobotTerms& terms, const SensorReadings& readings, Fallbacks& fallbacks) override;
  void distribute(const Eigen::Vector3d&) override {}  // feet and hands on walls exert the whole force
  const BalanceReference& reference() const override { return reference_; }

 private:
  const RobotModel* model_;
  const BalanceContacts* contacts_;
  ComReference com_reference_;
  double height_;
  BalanceReference reference_;
};

}  // namespace aplomb

#pragma once

#include "aplomb/control/momentum_balance/balance_contacts.hpp"
#include "aplomb/control/momentum_balance/balance_reference.hpp"

namespace aplomb {

/// References of a standing robot: a posture to keep and a CoM path. Where the path follows the feet, the CoM leans
/// into the ground's acceleration, unless as printed: the paper's reference is position and velocity alone.
class StandingReference {
 public:
  /// `contacts` must outlive this object, and be updated before each update of it; `height`: height of the CoM [m].
  StandingReference(const RobotState& posture, const ComReference& com_reference, const BalanceContacts& contacts,
                    double height, bool as_printed = false);

  void update(double time_s);  ///< call once per tick; never allocates
  const BalanceReference& reference() const { return reference_; }

 private:
  const BalanceContacts* contacts_;
  ComReference com_reference_;
  double height_;
  bool as_printed_;
  BalanceReference reference_;
};

}  // namespace aplomb

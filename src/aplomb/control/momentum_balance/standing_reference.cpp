#include "aplomb/control/momentum_balance/standing_reference.hpp"

#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

// Part of the distance a h/g by which the CoM leans into the ground's acceleration; the CoP moves by the rest. Tuned on
// moving slopes: the robot balances at periods down to 3.5 s instead of 4 s.
constexpr double kLean = 0.2;

}  // namespace

StandingReference::StandingReference(const RobotState& posture, const ComReference& com_reference,
                                     const BalanceContacts& contacts, double height, bool as_printed)
    : contacts_(&contacts),
      com_reference_(com_reference),
      height_(height),
      as_printed_(as_printed),
      reference_(joint_positions(posture.q)) {}

void StandingReference::update(double time_s) {
  ComTarget& target = reference_.com;
  target = com_reference_.at(time_s, contacts_->standing_feet());
  if (as_printed_) target.acceleration.setZero();  // (eq. 3) has none
  if (!com_reference_.follows_feet() || as_printed_) return;
  // Ground that accelerates by a moves the CoM with it when the CoP is a h/g behind the CoM. Leaning into the
  // acceleration provides a part of that distance, so that the CoP keeps its margin.
  const GroundMotion& ground = contacts_->ground_motion();
  target.position += kLean * height_ / kGravity * ground.acceleration;
  target.velocity += kLean * height_ / kGravity * ground.jerk;
  target.acceleration += (1.0 - kLean) * ground.acceleration;
}

}  // namespace aplomb

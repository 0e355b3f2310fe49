#pragma once

#include <span>
#include <vector>

#include "aplomb/control/momentum_balance/balance_contacts.hpp"
#include "aplomb/control/rise/hip_pads.hpp"
#include "aplomb/control/rise/seat_load.hpp"
#include "aplomb/motion/plan_player.hpp"

namespace aplomb {

/// All contacts of a plan and the loads that it wants from them: the soles; the parts that sit, one for each shape at
/// the hips; the hands on their arm rests. A part of the seat or a hand is available while the plan loads it, and as
/// long as it is found to bear: the seat by the estimate of its load, a hand by its sensor.
class RiseContacts {
 public:
  using Site = BalanceContacts::Site;

  /// Allocates. `model` must outlive this object. `first`: the plan's first sample.
  RiseContacts(const RobotModel& model, const BalanceContacts::Settings& settings, const MotionPlan& plan,
               const PlanSample& first);

  const std::vector<Site>& sites() const { return sites_; }
  std::vector<FrameId> frames() const;

  /// `sample`: of this tick, with wrenches; `loads`: commanded in the previous tick. `terms` must hold `frames()`.
  /// Never allocates.
  void update(const RobotTerms& terms, const SensorReadings& readings, const PlanSample& sample,
              std::span<const ContactLoad> loads, Fallbacks& fallbacks);

  std::span<const Contact> contacts() const { return contacts_; }
  std::span<const ContactLoad> planned() const { return planned_; }  ///< wanted loads, in the order of the contacts
  const BalanceContacts& feet() const { return feet_; }
  double seat_share() const { return seat_share_; }           ///< part of the weight that is wanted from the seat
  double seat_load() const { return seat_load_.estimate(); }  ///< estimated vertical force of the seat [N]
  double wanted_seat_force() const { return wanted_seat_; }   ///< the plan's, whether the seat bears or not [N]
  double hip_height() const { return hip_height_; }           ///< mean of the lowest points at the hips [m]
  bool is_seat_lost() const { return is_seat_lost_; }         ///< it was felt, and bears nothing of its load

  /// Hands on arm rests: the frame of each, whether the plan wants a load from it, and whether it bears.
  std::size_t num_hands() const { return hands_.size(); }
  FrameId hand_frame(std::size_t hand) const { return sites_[feet_.sites().size() + pads_.size() + hand].frame; }
  bool is_hand_wanted(std::size_t hand) const { return hands_[hand].is_wanted; }
  bool does_hand_bear(std::size_t hand) const { return hands_[hand].watch.is_touching(); }

  /// Whether the seat may be given a load, from the next tick on. One that is touched later is felt anew.
  void set_seat_touched(bool is_touched);

 private:
  struct Hand {
    ContactSite site = ContactSite::left_hand;
    Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< in its link's frame [m]
    ContactWatch watch;
    bool is_wanted = false;
  };
  void add_hands(const RobotModel& model, const MotionPlan& plan, double ramp_s);
  void update_feet(const PlanSample& sample);
  void update_seat(const RobotTerms& terms, const SensorReadings& readings, const PlanSample& sample,
                   std::span<const ContactLoad> loads);
  void update_hand(std::size_t hand, const RobotTerms& terms, const SensorReadings& readings, const PlanSample& sample,
                   std::span<const ContactLoad> loads, Fallbacks& fallbacks);
  double force_of_others(const RobotTerms& terms, const SensorReadings& readings,
                         std::span<const ContactLoad> loads) const;

  double weight_n_, ramp_step_;
  BalanceContacts feet_;
  std::vector<Site> sites_;
  std::vector<Contact> contacts_;
  std::vector<ContactLoad> planned_;
  std::vector<HipPad> pads_;
  std::vector<Hand> hands_;
  SeatLoad seat_load_;
  double borne_s_ = 0.0;  ///< for how long the seat has borne without a break, until that was long enough [s]
  bool is_seat_lost_ = false, is_seat_touched_ = true;
  double wanted_seat_ = 0.0, hip_height_ = 0.0;
  double seat_availability_ = 1.0, seat_touch_ = 1.0, seat_share_ = 0.0;
};

}  // namespace aplomb

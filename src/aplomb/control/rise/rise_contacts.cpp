#include "aplomb/control/rise/rise_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "aplomb/control/controller.hpp"

namespace aplomb {
namespace {

constexpr double kFriction = 0.4;     // assumed of seat and arm rests, as the planner does
constexpr double kFullLoad = 0.05;    // [m g] a planned load from which on a seat or hand is fully available; tuned
constexpr double kLostLoad = 0.02;    // [m g] a seat with less, though kAskedLoad was commanded, does not bear
constexpr double kFoundLoad = 0.05;   // [m g] a seat with more bears again
constexpr double kAskedLoad = 0.15;   // [m g]
constexpr double kWantedHand = 0.02;  // [m g] planned load of a hand that has to bear; twice what a touch takes
constexpr double kTouchTime = 0.15;   // [s] in which a seat that has been touched gets its load; tuned
constexpr double kFeltTime = 0.2;     // [s] of bearing without a break after which the seat has been felt; tuned

// Compliance of the seat's contact where it carries kFirmLoad of the weight, small against that of the momentum (1e-3):
// the hips stay where they are. It grows as the load falls, so that the hips are released over the time in which the
// load is taken from the seat, and not at seat-off.
constexpr double kSeatCompliance = 1e-4, kFirmLoad = 0.3;
constexpr int kReleasePower = 4;        // decades of compliance per decade of load; tuned
constexpr double kMostOfPlanned = 2.0;  // largest normal force of a seat or hand, over the planned one; tuned

double seat_compliance(double load) {
  return kSeatCompliance * std::pow(std::max(kFirmLoad / std::max(load, 1e-3), 1.0), kReleasePower);
}

double planned_seat_force(const PlanSample& sample) {
  const PlanSample::ContactWrench* const seat = sample.wrench_of(ContactSite::seat);
  return seat != nullptr ? std::max(seat->wrench[2], 0.0) : 0.0;
}

}  // namespace

RiseContacts::RiseContacts(const RobotModel& model, const BalanceContacts::Settings& settings, const MotionPlan& plan,
                           const PlanSample& first)
    : weight_n_(model.mass() * kGravity),
      ramp_step_(kControlPeriod / std::max(settings.ramp_s, kControlPeriod)),
      feet_(model, settings),
      sites_(feet_.sites()),
      seat_load_(planned_seat_force(first)) {
  feet_.begin_standing();
  if (plan.contacts.has(ContactSite::seat)) pads_ = hip_pads(model);
  for (const HipPad& pad : pads_) sites_.push_back({pad.frame, kLeft, true});
  add_hands(model, plan, settings.ramp_s);
  contacts_.resize(sites_.size());
  for (Contact& contact : contacts_) contact.friction = kFriction;
  planned_.resize(sites_.size());
}

void RiseContacts::set_seat_touched(bool is_touched) {
  is_seat_touched_ = is_touched;
  if (is_touched) return;
  is_seat_lost_ = false;
  borne_s_ = 0.0;
}

void RiseContacts::add_hands(const RobotModel& model, const MotionPlan& plan, double ramp_s) {
  for (const ContactSite site : plan.contacts.sites()) {
    if (!is_hand(site)) continue;
    const ContactPlan::Contact& first = *plan.contacts.nearest(site, plan.trajectory.start_s);
    sites_.push_back({model.frame(first.link), side_of(site), true});
    hands_.push_back({site, first.point, ContactWatch(ramp_s, weight_n_)});
  }
}

std::vector<FrameId> RiseContacts::frames() const {
  std::vector<FrameId> frames;
  for (const Site& site : sites_) {
    if (std::ranges::find(frames, site.frame) == frames.end()) frames.push_back(site.frame);
  }
  return frames;
}

void RiseContacts::update(const RobotTerms& terms, const SensorReadings& readings, const PlanSample& sample,
                          std::span<const ContactLoad> loads, Fallbacks& fallbacks) {
  feet_.update(terms, readings, loads.first(feet_.sites().size()), fallbacks);
  std::ranges::copy(feet_.contacts(), contacts_.begin());
  update_feet(sample);
  if (!pads_.empty()) update_seat(terms, readings, sample, loads);
  for (std::size_t i = 0; i < hands_.size(); ++i) update_hand(i, terms, readings, sample, loads, fallbacks);
}

void RiseContacts::update_feet(const PlanSample& sample) {
  for (std::size_t i = 0; i < feet_.sites().size(); ++i) {
    const ContactSite site = sites_[i].side == kLeft ? ContactSite::left_foot : ContactSite::right_foot;
    const PlanSample::ContactWrench* const planned = sample.wrench_of(site);
    if (planned == nullptr) continue;
    planned_[i].force = planned->wrench.head<3>();
    planned_[i].moment = planned->wrench.tail<3>();
  }
}

double RiseContacts::force_of_others(const RobotTerms& terms, const SensorReadings& readings,
                                     std::span<const ContactLoad> loads) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    const bool is_pad = i >= feet_.sites().size() && i < feet_.sites().size() + pads_.size();
    if (is_pad) continue;
    const Sensor first = sites_[i].is_point ? Sensor::left_hand_wrench : Sensor::left_foot_wrench;
    const auto sensor = static_cast<Sensor>(static_cast<int>(first) + static_cast<int>(sites_[i].side));
    const auto& wrenches = sites_[i].is_point ? readings.hand_wrench : readings.foot_wrench;
    const Eigen::Vector3d& force = wrenches[static_cast<std::size_t>(sites_[i].side)].force;
    const bool is_known = !readings.lost(sensor) && force.allFinite();
    sum += is_known ? terms.frame(sites_[i].frame).T_world_frame.linear().row(2).dot(force) : loads[i].force.z();
  }
  return sum;
}

void RiseContacts::update_seat(const RobotTerms& terms, const SensorReadings& readings, const PlanSample& sample,
                               std::span<const ContactLoad> loads) {
  const std::size_t begin = feet_.sites().size(), end = begin + pads_.size();
  seat_load_.update(terms, force_of_others(terms, readings, loads));
  double commanded = 0.0;
  for (std::size_t i = begin; i < end; ++i) commanded += loads[i].force.z();
  // A seat that has not been felt yet cannot be lost: the robot comes to rest on it, be it lower than planned.
  const bool bears = seat_load_.estimate() > kFoundLoad * weight_n_;
  if (borne_s_ < kFeltTime) borne_s_ = bears ? borne_s_ + kControlPeriod : 0.0;
  if (bears) is_seat_lost_ = false;
  if (borne_s_ >= kFeltTime && seat_load_.estimate() < kLostLoad * weight_n_ && commanded > kAskedLoad * weight_n_)
    is_seat_lost_ = true;
  seat_availability_ += std::clamp((is_seat_lost_ ? 0.0 : 1.0) - seat_availability_, -ramp_step_, ramp_step_);

  const double wanted = wanted_seat_ = planned_seat_force(sample);
  constexpr double kTouchStep = kControlPeriod / kTouchTime;
  seat_touch_ += std::clamp((is_seat_touched_ ? 1.0 : 0.0) - seat_touch_, -kTouchStep, kTouchStep);
  const double availability = seat_touch_ * seat_availability_ * std::clamp(wanted / (kFullLoad * weight_n_), 0.0, 1.0);
  seat_share_ = availability * wanted / weight_n_;
  hip_height_ = 0.0;
  for (std::size_t i = begin; i < end; ++i) {
    const HipPad& pad = pads_[i - begin];
    Contact& contact = contacts_[i];
    contact.point = terms.frame(sites_[i].frame).T_world_frame * pad.centre;
    contact.point.z() -= pad.radius;
    contact.centre = contact.point;
    hip_height_ += contact.point.z() / static_cast<double>(pads_.size());
    contact.compliance = seat_compliance(wanted / weight_n_);
    contact.availability = availability;
    planned_[i] = {};
  }
  const PlanSample::ContactWrench* const seat = sample.wrench_of(ContactSite::seat);
  if (seat == nullptr || pads_.size() != 2) return;
  // The seat's wrench, about the middle of the pads: force and moment about x, as the two can exert them.
  const double across = std::max(std::abs(contacts_[begin].point.y() - contacts_[begin + 1].point.y()), 1e-3);
  const double to_left = std::clamp(0.5 + seat->wrench[3] / (across * std::max(wanted, 1.0)), 0.0, 1.0);
  const bool is_left_first = contacts_[begin].point.y() > contacts_[begin + 1].point.y();
  const Eigen::Vector3d force = seat_touch_ * seat_availability_ * seat->wrench.head<3>();
  planned_[begin].force = (is_left_first ? to_left : 1.0 - to_left) * force;
  planned_[begin + 1].force = force - planned_[begin].force;
  for (std::size_t i = begin; i < end; ++i) contacts_[i].largest_force = kMostOfPlanned * planned_[i].force.z();
}

void RiseContacts::update_hand(std::size_t hand, const RobotTerms& terms, const SensorReadings& readings,
                               const PlanSample& sample, std::span<const ContactLoad> loads, Fallbacks& fallbacks) {
  const std::size_t at = feet_.sites().size() + pads_.size() + hand;
  Hand& of = hands_[hand];
  const Eigen::Isometry3d& T_world_hand = terms.frame(sites_[at].frame).T_world_frame;
  const PlanSample::ContactWrench* const planned = sample.wrench_of(of.site);
  const Eigen::Vector3d wanted =
      planned != nullptr ? Eigen::Vector3d(planned->wrench.head<3>()) : Eigen::Vector3d::Zero();
  const Sensor sensor = sites_[at].side == kLeft ? Sensor::left_hand_wrench : Sensor::right_hand_wrench;
  const Eigen::Vector3d& measured = readings.hand_wrench[static_cast<std::size_t>(sites_[at].side)].force;
  const bool is_known = !readings.lost(sensor) && measured.allFinite();
  if (!is_known && wanted.z() > 0.0) fallbacks.take(sensor, "counts on that hand's planned load");
  const double bears = of.watch.update(
      is_known ? std::optional(T_world_hand.linear().row(2).dot(measured)) : std::nullopt, loads[at].force.z());
  contacts_[at].point = contacts_[at].centre = T_world_hand * of.point;
  contacts_[at].availability = bears * std::clamp(wanted.z() / (kFullLoad * weight_n_), 0.0, 1.0);
  planned_[at].force = bears * wanted;
  of.is_wanted = wanted.z() > kWantedHand * weight_n_;
  contacts_[at].largest_force = kMostOfPlanned * std::max(wanted.z(), 0.0);
}

}  // namespace aplomb

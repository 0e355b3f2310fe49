#include "aplomb/control/momentum_balance/balance_contacts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "aplomb/core/math/rotation.hpp"

namespace aplomb {
namespace {

constexpr double kTwistFraction = 0.3;     // twist radius over √(sole area); tuned, below the 0.42 of even pressure
constexpr double kLeastHandForce = 1.0;    // [N] below, noise hides the contact point of a hand; tuned
constexpr double kGroundCutoff = 5.0;      // [Hz] cutoff of the ground motion, above 0.3 Hz of moving ground; tuned
constexpr double kAvailable = 0.5;         // availability above which a foot counts as support
constexpr std::size_t kMostCorners = 8;    // of two soles
constexpr double kCornerTolerance = 1e-6;  // [m] between corners that count as one

/// Right-handed axes with z along `normal`; x and y are arbitrary.
Eigen::Matrix3d axes_on(const Eigen::Vector3d& normal) {
  return turn_between(Eigen::Vector3d::UnitZ(), normal).toRotationMatrix();
}

/// Origin of the joint that moves a foot, in the foot's frame: fixed, since no joint is between [m].
Eigen::Vector3d ankle_of(const RobotModel& model, FrameId foot) {
  const std::vector<int> chain = model.joint_chain(foot);
  if (chain.empty()) return Eigen::Vector3d::Zero();
  const FrameId link = model.frame(model.joints()[static_cast<std::size_t>(chain.front())].link);
  RobotTerms terms(model, std::vector<FrameId>{foot, link});
  terms.update(model.neutral_state());
  return terms.frame(foot).T_world_frame.inverse() * terms.frame(link).T_world_frame.translation();
}

}  // namespace

BalanceContacts::BalanceContacts(const RobotModel& model, const Settings& settings, bool has_force_at_ankle)
    : model_(&model), settings_(settings) {
  const RobotDescription& description = model.description();
  for (Side side : {kLeft, kRight}) {
    if (!description.soles[side]) continue;
    sites_.push_back({model.frame(description.roles.foot[side]), side, false});
    if (has_force_at_ankle) ankles_[side] = ankle_of(model, sites_.back().frame);
  }
  for (Side side : {kLeft, kRight}) {
    const std::string& hand = description.roles.hand[side];
    if (!settings.planes.empty() && !hand.empty()) sites_.push_back({model.frame(hand), side, true});
  }
  watches_.assign(sites_.size(), ContactWatch(settings.ramp_s, model.mass() * kGravity));
  contacts_.resize(sites_.size());
  support_.reserve(kMostCorners);
}

std::vector<FrameId> BalanceContacts::frames() const {
  std::vector<FrameId> frames;
  for (const Site& site : sites_) frames.push_back(site.frame);
  return frames;
}

void BalanceContacts::begin_standing() {
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    if (!sites_[i].is_point) watches_[i].update(model_->mass() * kGravity, 0.0);
  }
}

std::optional<double> BalanceContacts::measured_normal_force(std::size_t index, const RobotTerms& terms,
                                                             const SensorReadings& readings,
                                                             Fallbacks& fallbacks) const {
  const Site& site = sites_[index];
  const Sensor first = site.is_point ? Sensor::left_hand_wrench : Sensor::left_foot_wrench;
  const auto sensor = static_cast<Sensor>(static_cast<int>(first) + static_cast<int>(site.side));
  const Eigen::Vector3d& force = (site.is_point ? readings.hand_wrench : readings.foot_wrench)[site.side].force;
  if (readings.lost(sensor) || !force.allFinite()) {
    fallbacks.take(sensor, site.is_point ? "keeps that hand as it was, in contact or not"
                                         : "keeps that foot as it was, in contact or not");
    return std::nullopt;
  }
  if (!site.is_point) return force.z();
  return contacts_[index].R_world_contact.col(2).dot(terms.frame(site.frame).T_world_frame.linear() * force);
}

void BalanceContacts::update(const RobotTerms& terms, const SensorReadings& readings,
                             std::span<const ContactLoad> loads, Fallbacks& fallbacks) {
  standing_feet_ = {};
  std::array<Eigen::Vector2d, kMostCorners> corners;
  std::size_t num_corners = 0;
  Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();
  double sum = 0.0;
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    const double commanded = contacts_[i].R_world_contact.col(2).dot(loads[i].force);
    sites_[i].is_point ? place_hand(i, terms, readings.hand_wrench[sites_[i].side]) : place_foot(i, terms);
    const std::optional<double> measured = measured_normal_force(i, terms, readings, fallbacks);
    const bool is_lifted = !sites_[i].is_point && lifted_ == sites_[i].side;
    contacts_[i].availability = is_lifted ? watches_[i].unload() : watches_[i].update(measured, commanded);
    if (sites_[i].is_point) continue;
    normal_force_[sites_[i].side] = measured;
    const double share = std::max(contacts_[i].availability, 1e-9);
    standing_feet_.midpoint += share * contacts_[i].centre;
    const FootMotion& estimated = readings.foot_motion[sites_[i].side];
    standing_feet_.velocity +=
        share * (readings.has_foot_motion ? estimated.velocity : terms.frame(sites_[i].frame).velocity.head<3>());
    acceleration += share * estimated.acceleration;
    sum += share;
    if (contacts_[i].availability < kAvailable) continue;
    const Sole& sole = *model_->description().soles[sites_[i].side];
    for (const Eigen::Vector2d& corner : ground_corners(sole, terms.frame(sites_[i].frame).T_world_frame)) {
      corners[num_corners++] = corner;
    }
  }
  support_.update(std::span(corners).first(num_corners), kCornerTolerance);
  standing_feet_.midpoint /= sum;
  standing_feet_.velocity /= sum;
  estimate_ground_motion(readings.has_foot_motion ? std::make_optional<Eigen::Vector3d>(acceleration / sum)
                                                  : std::nullopt);
}

void BalanceContacts::estimate_ground_motion(const std::optional<Eigen::Vector3d>& measured) {
  // Acceleration: as measured, or the derivative of the low-pass velocity; then its low-pass, of which the jerk is the
  // derivative.
  static const double gain = 1.0 - std::exp(-2.0 * std::numbers::pi * kGroundCutoff * kControlPeriod);
  Eigen::Vector3d input = measured.value_or(standing_feet_.velocity);
  input.z() = 0.0;
  if (!slow_) slow_ = input;
  const Eigen::Vector3d rate = gain / kControlPeriod * (input - *slow_);
  *slow_ += kControlPeriod * rate;
  const Eigen::Vector3d acceleration = measured ? *slow_ : rate;
  ground_motion_.jerk = gain / kControlPeriod * (acceleration - ground_motion_.acceleration);
  ground_motion_.acceleration += kControlPeriod * ground_motion_.jerk;
}

void BalanceContacts::place_foot(std::size_t index, const RobotTerms& terms) {
  const Site& site = sites_[index];
  const Sole& sole = *model_->description().soles[site.side];
  const Eigen::Isometry3d& T_world_foot = terms.frame(site.frame).T_world_frame;
  Contact& contact = contacts_[index];
  contact.R_world_contact = T_world_foot.linear();
  contact.centre = T_world_foot * sole.centre();
  contact.point = ankles_[site.side] ? T_world_foot * *ankles_[site.side] : contact.centre;
  contact.fit_to(sole, settings_.cop_margin_length, settings_.cop_margin_width, kTwistFraction);
  contact.friction = settings_.friction[static_cast<std::size_t>(site.side)];
}

void BalanceContacts::place_hand(std::size_t index, const RobotTerms& terms, const Wrench& measured) {
  const Eigen::Isometry3d& T_world_hand = terms.frame(sites_[index].frame).T_world_frame;
  Eigen::Vector3d hand = T_world_hand.translation();
  // A hand touches at a single point: the line of action of its force passes the hand's origin at f × m / |f|².
  const double square = measured.force.squaredNorm();
  if (square > kLeastHandForce * kLeastHandForce && measured.moment.allFinite()) {
    hand = T_world_hand * Eigen::Vector3d(measured.force.cross(measured.moment) / square);
  }
  double nearest = std::numeric_limits<double>::infinity();
  Contact& contact = contacts_[index];
  contact.point = contact.centre = hand;
  for (const Plane& plane : settings_.planes) {
    const double distance = std::abs(plane.normal.dot(hand - plane.position));
    if (distance >= nearest) continue;
    nearest = distance;
    contact.R_world_contact = axes_on(plane.normal);
    contact.friction = plane.friction;
  }
}

double BalanceContacts::support_margin(const Eigen::Vector2d& point) const { return support_.half_plane_margin(point); }

}  // namespace aplomb

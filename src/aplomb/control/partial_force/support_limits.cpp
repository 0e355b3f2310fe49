#include "aplomb/control/partial_force/support_limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace aplomb {
namespace {

constexpr double kLeastCarried = 0.2;    // least fraction of the weight on the feet: the CoP is divided by it
constexpr double kLeastHeight = 1e-2;    // [m] least height of the CoM, for the same reason
constexpr double kThrown = 2.0;          // allowed distance of the CoP outside, over that of the capture point; tuned
constexpr std::size_t kMostCorners = 8;  // of two soles
constexpr double kTolerance = 1e-6;      // [m] between corners: a foot with a share of nearly zero shrinks to a point

double share_of(const ForceContact& foot) {
  if (foot.role == ContactRole::free || !foot.is_flat()) return 0.0;
  return foot.share.value_or(1.0);
}

}  // namespace

SupportLimits::SupportLimits() { region_.reserve(kMostCorners); }

void SupportLimits::update(std::span<const ForceContact> feet) {
  std::array<Eigen::Vector2d, kMostCorners> corners;
  std::size_t num_corners = 0;
  region_.update({}, kTolerance);
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  double shares = 0.0;
  for (const ForceContact& foot : feet) {
    middle += share_of(foot) * foot.point;
    shares += share_of(foot);
  }
  if (shares < 1e-6) return;
  middle /= shares;
  ground_ = middle.z();
  for (const ForceContact& foot : feet) {
    const double share = share_of(foot);
    if (share <= 0.0) continue;
    for (int i = 0; i < 4 && num_corners < kMostCorners; ++i) {
      const Eigen::Vector3d corner((i & 1 ? 1.0 : -1.0) * foot.half_length, (i & 2 ? 1.0 : -1.0) * foot.half_width,
                                   0.0);
      const Eigen::Vector3d at = foot.point + foot.R_world_contact * corner;
      corners[num_corners++] = (share * at + (1.0 - share) * middle).head<2>();
    }
  }
  region_.update(std::span(corners).first(num_corners), kTolerance);
}

SupportLimits::Load SupportLimits::load_of(const RobotTerms& terms, std::span<const ForceContact> hands) const {
  const double height = std::max(terms.com().z() - ground_, kLeastHeight);
  Load load{Eigen::Vector2d::Zero(), terms.mass() * kGravity};
  for (const ForceContact& hand : hands) {
    if (hand.role != ContactRole::controlled) continue;
    const Eigen::Vector3d force = hand.num_rows() == 1 ? Eigen::Vector3d(hand.R_world_contact.col(2) * hand.force[0])
                                                       : Eigen::Vector3d(hand.R_world_contact * hand.force.head<3>());
    const Eigen::Vector3d moment = (hand.point - terms.com()).cross(force);
    load.push += height * force.head<2>() + Eigen::Vector2d(moment.y(), -moment.x());
    load.carried -= force.z();
  }
  return load;
}

double SupportLimits::force_share(const RobotTerms& terms, std::span<const ForceContact> hands) const {
  if (!has_area()) return 1.0;
  const Load load = load_of(terms, hands);
  const double weight = terms.mass() * kGravity, lifted = weight - load.carried;
  double share = 1.0;
  const std::vector<Eigen::Vector2d>& corners = region_.polygon();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Eigen::Vector2d edge = corners[(i + 1) % corners.size()] - corners[i], outward(edge.y(), -edge.x());
    // n·(c + s push / (m g − s lifted)) ≤ n·edge, for a CoM that is inside; n is the outward normal of any length.
    const double room = outward.dot(corners[i] - terms.com().head<2>());
    const double needed = outward.dot(load.push) + room * lifted;
    if (room > 0.0 && needed * share > room * weight) share = room * weight / needed;
  }
  return share;
}

Eigen::Vector3d SupportLimits::nearest(const Eigen::Vector3d& desired, const RobotTerms& terms,
                                       std::span<const ForceContact> hands) const {
  if (!has_area()) return desired;
  Load load = load_of(terms, hands);
  load.carried = std::max(load.carried, kLeastCarried * terms.mass() * kGravity);
  const double height = std::max(terms.com().z() - ground_, kLeastHeight);
  const Eigen::Vector2d com = terms.com().head<2>();
  const Eigen::Vector2d cop = com + (load.push - height * terms.mass() * desired.head<2>()) / load.carried;
  const Eigen::Vector2d inside = region_.nearest(cop);
  const double distance = (cop - inside).norm();
  if (!(distance > 0.0)) return desired;
  const Eigen::Vector2d capture_point = com + terms.com_velocity().head<2>() * std::sqrt(height / kGravity);
  const double falling = (capture_point - region_.nearest(capture_point)).norm();
  const Eigen::Vector2d had = inside + std::min(1.0, kThrown * falling / distance) * (cop - inside);
  Eigen::Vector3d held = desired;
  held.head<2>() = (load.push - (had - com) * load.carried) / (height * terms.mass());
  return held;
}

}  // namespace aplomb

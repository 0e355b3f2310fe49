#include "aplomb/control/momentum_balance/support_limits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aplomb {
namespace {

constexpr double kLeastCarried = 0.2;  // least fraction of the weight on the feet: the CoP is divided by it
constexpr double kLeastHeight = 1e-2;  // [m] least height of the CoM, for the same reason
constexpr double kThrown = 2.0;        // allowed distance of the CoP outside, over that of the capture point; tuned

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

double share_of(const ForceContact& foot) {
  if (foot.role == ContactRole::free || !foot.is_flat()) return 0.0;
  return foot.share.value_or(1.0);
}

}  // namespace

void SupportLimits::update(std::span<const ForceContact> feet) {
  num_corners_ = num_edges_ = 0;
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
    for (int i = 0; i < 4 && num_corners_ < kMostCorners; ++i) {
      const Eigen::Vector3d corner((i & 1 ? 1.0 : -1.0) * foot.half_length, (i & 2 ? 1.0 : -1.0) * foot.half_width,
                                   0.0);
      const Eigen::Vector3d at = foot.point + foot.R_world_contact * corner;
      corners_[num_corners_++] = (share * at + (1.0 - share) * middle).head<2>();
    }
  }
  add_edges();
}

void SupportLimits::add_edges() {
  for (std::size_t i = 0; i < num_corners_; ++i) {
    for (std::size_t j = 0; j < num_corners_; ++j) {
      const Eigen::Vector2d way = corners_[j] - corners_[i];
      if (way.squaredNorm() < 1e-12 || num_edges_ == kMostCorners) continue;
      const auto is_right_of = [&](const Eigen::Vector2d& corner) {
        const double side = cross(way, corner - corners_[i]);
        if (std::abs(side) > 1e-12) return side < 0.0;
        const double along = way.dot(corner - corners_[i]);
        return along < 0.0 || along > way.squaredNorm();  // the edge is a part of a longer one
      };
      const auto end = corners_.begin() + static_cast<std::ptrdiff_t>(num_corners_);
      if (std::any_of(corners_.begin(), end, is_right_of)) continue;
      edges_[num_edges_++] = {corners_[i], corners_[j], Eigen::Vector2d(way.y(), -way.x()).normalized()};
    }
  }
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
  if (num_edges_ < 3) return 1.0;
  const Load load = load_of(terms, hands);
  const double weight = terms.mass() * kGravity, lifted = weight - load.carried;
  double share = 1.0;
  for (const Edge& edge : edges()) {
    // n·(c + s push / (m g − s lifted)) ≤ n·edge, for a CoM that is inside.
    const double room = edge.outward.dot(edge.from - terms.com().head<2>());
    const double needed = edge.outward.dot(load.push) + room * lifted;
    if (room > 0.0 && needed * share > room * weight) share = room * weight / needed;
  }
  return share;
}

double SupportLimits::outside(const Eigen::Vector2d& point, Eigen::Vector2d& nearest) const {
  double least = std::numeric_limits<double>::infinity();
  bool is_outside = false;
  for (const Edge& edge : edges()) {
    is_outside = is_outside || edge.outward.dot(point - edge.from) > 0.0;
    const Eigen::Vector2d way = edge.to - edge.from;
    const double along = std::clamp((point - edge.from).dot(way) / way.squaredNorm(), 0.0, 1.0);
    const Eigen::Vector2d on_edge = edge.from + along * way;
    if ((point - on_edge).norm() >= least) continue;
    least = (point - on_edge).norm();
    nearest = on_edge;
  }
  if (!is_outside) nearest = point;
  return is_outside ? least : 0.0;
}

Eigen::Vector3d SupportLimits::nearest(const Eigen::Vector3d& desired, const RobotTerms& terms,
                                       std::span<const ForceContact> hands) const {
  if (num_edges_ < 3) return desired;
  Load load = load_of(terms, hands);
  load.carried = std::max(load.carried, kLeastCarried * terms.mass() * kGravity);
  const double height = std::max(terms.com().z() - ground_, kLeastHeight);
  const Eigen::Vector2d com = terms.com().head<2>();
  const Eigen::Vector2d cop = com + (load.push - height * terms.mass() * desired.head<2>()) / load.carried;
  Eigen::Vector2d inside, unused;
  const double distance = outside(cop, inside);
  if (distance <= 0.0) return desired;
  const double falling = outside(com + terms.com_velocity().head<2>() * std::sqrt(height / kGravity), unused);
  const Eigen::Vector2d had = inside + std::min(1.0, kThrown * falling / distance) * (cop - inside);
  Eigen::Vector3d held = desired;
  held.head<2>() = (load.push - (had - com) * load.carried) / (height * terms.mass());
  return held;
}

}  // namespace aplomb

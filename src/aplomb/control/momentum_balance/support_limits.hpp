#pragma once

#include <array>
#include <span>

#include "aplomb/control/partial_force/force_problem.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// What the feet can hold without the body being thrown about. Seen from above, with k̇ = 0 about the CoM c at height h
/// above the soles, forces f of the hands and their moment m about c, the feet carry F_z = m g − Σ f_z with the CoP
///   p = c + (h (Σ f − m c̈) + e_z × m) / F_z.
/// A strict hierarchy with forces and CoM above the posture would have p outside of the soles, by an angular momentum
/// that ends at the joints' stops. So hand forces are cut to what leaves p inside at rest, and the CoM's acceleration
/// to what has p at the nearest point inside; beyond, by twice as much as the capture point is outside, when without
/// throwing the robot would fall.
class SupportLimits {
 public:
  /// The soles' corners from the feet's contacts: of one that comes or goes, drawn to the other's centre by what its
  /// share lacks. Never allocates.
  void update(std::span<const ForceContact> feet);

  /// The part of the hands' forces that leaves p inside at rest. 1 where the support has no area.
  double force_share(const RobotTerms& terms, std::span<const ForceContact> hands) const;
  /// c̈, as near to `wanted` as the feet can hold; only along the ground.
  Eigen::Vector3d nearest(const Eigen::Vector3d& wanted, const RobotTerms& terms,
                          std::span<const ForceContact> hands) const;

 private:
  struct Edge {
    Eigen::Vector2d from, to, outward;
  };
  struct Load {
    Eigen::Vector2d push;  ///< h Σ f + e_z × m
    double carried;        ///< F_z
  };
  std::span<const Edge> edges() const { return {edges_.data(), num_edges_}; }
  void add_edges();
  Load load_of(const RobotTerms& terms, std::span<const ForceContact> hands) const;
  double outside(const Eigen::Vector2d& point, Eigen::Vector2d& nearest) const;  ///< how far; 0: inside

  static constexpr std::size_t kMostCorners = 8;
  std::array<Eigen::Vector2d, kMostCorners> corners_;
  std::array<Edge, kMostCorners> edges_;
  std::size_t num_corners_ = 0, num_edges_ = 0;
  double ground_ = 0.0;  ///< height of the soles, the mean [m]
};

}  // namespace aplomb

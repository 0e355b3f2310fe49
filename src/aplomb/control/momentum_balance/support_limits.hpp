#pragma once

#include <array>
#include <span>

#include "aplomb/control/partial_force/force_problem.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// Hand forces and CoM accelerations that the feet can support without angular momentum. Seen from above, with k̇ = 0
/// about the CoM c at height h above the soles, forces f of the hands and their moment m about c, the feet carry F_z =
/// m g − Σ f_z with the CoP
///   p = c + (h (Σ f − m c̈) + e_z × m) / F_z.
/// A strict hierarchy with forces and CoM above the posture would put p outside of the soles, by an angular momentum
/// that ends at the joints' stops. So hand forces are clamped to those with p inside at rest, and the CoM's
/// acceleration to the one with p at the nearest point inside; p may be outside by twice as much as the capture point
/// is, where without angular momentum the robot would fall.
class SupportLimits {
 public:
  /// The soles' corners from the feet's contacts; those of a foot with a share below one are drawn to the common
  /// centre. Never allocates.
  void update(std::span<const ForceContact> feet);

  /// The part of the hands' forces that leaves p inside at rest. 1 where the support has no area.
  double force_share(const RobotTerms& terms, std::span<const ForceContact> hands) const;
  /// The nearest c̈ to `desired` that the feet can support; only along the ground.
  Eigen::Vector3d nearest(const Eigen::Vector3d& desired, const RobotTerms& terms,
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
  double outside(const Eigen::Vector2d& point, Eigen::Vector2d& nearest) const;  ///< distance; 0: inside

  static constexpr std::size_t kMostCorners = 8;
  std::array<Eigen::Vector2d, kMostCorners> corners_;
  std::array<Edge, kMostCorners> edges_;
  std::size_t num_corners_ = 0, num_edges_ = 0;
  double ground_ = 0.0;  ///< height of the soles, the mean [m]
};

}  // namespace aplomb

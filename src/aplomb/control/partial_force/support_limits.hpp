#pragma once

#include <span>

#include "aplomb/control/partial_force/force_problem.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/robot/support_region.hpp"

namespace aplomb {

/// Limits hand forces and CoM accelerations to those that the feet can support without angular momentum. Seen from
/// above, with k̇ = 0 about the CoM c at height h above the soles, hand forces f and their moment τ about c, the feet
/// carry F_z = m g − Σ f_z with the CoP
///   p = c + (h (Σ f − m c̈) + τ × e_z) / F_z.
/// A strict hierarchy with forces and CoM above the posture would put p outside of the soles and compensate with
/// angular momentum, until joints reach their stops. So hand forces are clamped to those with p inside at rest, and the
/// CoM's acceleration to the one with p at the nearest point inside; p may be outside by twice the distance by which
/// the capture point is outside, since there the robot would fall without angular momentum.
class SupportLimits {
 public:
  SupportLimits();  ///< allocates; without support until the first update
  /// Computes the support from the corners of the soles; those of a foot with a share below one move towards the common
  /// centre. Never allocates.
  void update(std::span<const ForceContact> feet);

  /// Fraction of the hands' forces that keeps p inside at rest; 1 if the support has no area.
  double force_share(const RobotTerms& terms, std::span<const ForceContact> hands) const;
  /// Nearest c̈ to `desired` that the feet can support [m/s²]; only its horizontal part is changed.
  Eigen::Vector3d nearest(const Eigen::Vector3d& desired, const RobotTerms& terms,
                          std::span<const ForceContact> hands) const;

 private:
  struct Load {
    Eigen::Vector2d push;  ///< h Σ f + τ × e_z
    double carried;        ///< F_z
  };
  bool has_area() const { return region_.polygon().size() >= 3; }
  Load load_of(const RobotTerms& terms, std::span<const ForceContact> hands) const;

  SupportRegion region_;
  double ground_ = 0.0;  ///< mean height of the soles [m]
};

}  // namespace aplomb

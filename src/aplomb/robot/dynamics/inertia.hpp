#pragma once

#include <Eigen/Geometry>
#include <string>

namespace aplomb {

/// Mass, centre of mass and inertia about the centre of mass, in one frame.
struct Inertia {
  double mass = 0.0;                                    ///< [kg]
  Eigen::Vector3d com = Eigen::Vector3d::Zero();        ///< [m]
  Eigen::Matrix3d about_com = Eigen::Matrix3d::Zero();  ///< [kg m²], axes of the frame
};

/// The same body seen from another frame: `inertia` is in frame b, the answer in frame a.
Inertia transformed(const Eigen::Isometry3d& T_a_b, const Inertia& inertia);

/// Two bodies made one; both, and the answer, in the same frame:
///   m = m₁ + m₂,   c = (m₁ c₁ + m₂ c₂) / m,   I = I₁ + I₂ + (m₁ m₂ / m) (dᵀd 1 − d dᵀ),   d = c₂ − c₁
Inertia joined(const Inertia& first, const Inertia& second);

/// Why no distribution of mass has this inertia; empty when one has. The principal moments must be above zero (1e-9 of
/// the largest, and a radius of gyration of 1 µm: less is rounding), and none above the sum of the other two, to which
/// 1e-6 relative is granted, since files round their numbers. Mass must be > 0.
std::string impossibility(const Inertia& inertia);

/// The possible inertia that is nearest: same mass and centre of mass, and Σ = ½ tr(I) 1 − I, the second moment of the
/// mass, gets its eigenvalues raised to a floor above zero (1e-4 of the trace of Σ's positive part). Where the file has
/// a point mass (that trace is below m (0.1 mm)²), it becomes a ball with a radius of gyration of 1 cm. Mass must be >
/// 0.
Inertia nearest_possible(const Inertia& inertia);

}  // namespace aplomb

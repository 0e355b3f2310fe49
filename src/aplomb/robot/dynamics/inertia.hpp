#pragma once

#include <Eigen/Geometry>
#include <string>

namespace aplomb {

/// Mass, CoM and rotational inertia about the CoM, in one frame.
struct Inertia {
  double mass = 0.0;                                    ///< [kg]
  Eigen::Vector3d com = Eigen::Vector3d::Zero();        ///< [m]
  Eigen::Matrix3d about_com = Eigen::Matrix3d::Zero();  ///< [kg m²], axes of the frame
};

/// Change of frame: `inertia` is in frame b, the result in frame a.
Inertia transformed(const Eigen::Isometry3d& T_a_b, const Inertia& inertia);

/// Inertia of two rigidly joined bodies, all in the same frame:
///   m = m₁ + m₂,   c = (m₁ c₁ + m₂ c₂) / m,   I = I₁ + I₂ + (m₁ m₂ / m) (dᵀd 1 − d dᵀ),   d = c₂ − c₁
Inertia joined(const Inertia& first, const Inertia& second);

/// Reason why the inertia is not physically consistent; empty when it is. The principal moments must be positive (above
/// 1e-9 of the largest, and a radius of gyration above 1 µm: less is rounding), and none above the sum of the other two
/// plus 1e-6 relative, since files round their numbers. Mass must be > 0.
std::string impossibility(const Inertia& inertia);

/// Nearest physically consistent inertia: same mass and CoM; the eigenvalues of Σ = ½ tr(I) 1 − I, the second moment of
/// the mass, are raised to 1e-4 of the trace of Σ's positive part. A point mass (that trace below m (0.1 mm)²) becomes
/// a ball with a radius of gyration of 1 cm. Mass must be > 0.
Inertia nearest_possible(const Inertia& inertia);

}  // namespace aplomb

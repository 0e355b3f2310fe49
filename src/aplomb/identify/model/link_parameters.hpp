#pragma once

#include <Eigen/Core>

#include "aplomb/robot/dynamics/inertia.hpp"

namespace aplomb {

/// Ten inertial parameters of a rigid body, in which its dynamics is linear: m, h = m c, and the inertia about the
/// frame's origin, (m, hx, hy, hz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz). At rest only the first four act.
using LinkParameters = Eigen::Matrix<double, 10, 1>;

LinkParameters to_parameters(const Inertia& inertia);
Inertia to_inertia(const LinkParameters& parameters);  ///< the mass must not be zero

/// The CAD's body (m₀, c₀, I₀) with another mass m and CoM c. Its inertia follows the mass that was moved or added: a
/// part β of m, of the CAD's shape, has its CoM at a distance d from c₀ with β d = m (c − c₀), the rest stays at c₀,
/// and
///   I = (m / m₀) I₀ + (m − β) β / m (dᵀd 1 − d dᵀ)      (parallel axes)
/// about c. β is the mass that was added, or more where that would have to lie outside of the body: the extent of the
/// ellipsoid with the CAD's inertia. Physically consistent whenever the CAD is; m must be positive.
Inertia with_moved_mass(const Inertia& cad, double mass, const Eigen::Vector3d& com);

/// Converts to the order of Wensing and of Lee, (m, hx, hy, hz, Ixx, Iyy, Izz, Ixy, Iyz, Ixz), and back.
LinkParameters to_wensing_order(const LinkParameters& parameters);
LinkParameters from_wensing_order(const LinkParameters& parameters);

/// P = [Σ h; hᵀ m] with Σ = ½ tr(I) 1 − I: positive definite exactly when some mass distribution has these parameters.
Eigen::Matrix4d pseudo_inertia(const LinkParameters& parameters);
LinkParameters from_pseudo_inertia(const Eigen::Matrix4d& P);  ///< I = tr(Σ) 1 − Σ

bool is_feasible(const LinkParameters& parameters);  ///< P is positive definite

/// Log-Cholesky coordinates θ = (α, d1, d2, d3, s12, s23, s13, t1, t2, t3) (Rucker and Wensing 2022):
///   P = U Uᵀ,   U = e^α [e^d1 s12 s13 t1; 0 e^d2 s23 t2; 0 0 e^d3 t3; 0 0 0 1]
/// Every θ is a physically consistent body, and every such body has one θ.
LinkParameters from_log_cholesky(const LinkParameters& theta);
LinkParameters to_log_cholesky(const LinkParameters& parameters);                  ///< `parameters` must be feasible
Eigen::Matrix<double, 10, 10> log_cholesky_jacobian(const LinkParameters& theta);  ///< ∂ parameters / ∂ θ

/// D(P‖P₀) = tr(P₀⁻¹P) − log det(P₀⁻¹P) − 4: zero at P₀, infinite at the border of the feasible set.
double entropic_divergence(const Eigen::Matrix4d& P, const Eigen::Matrix4d& P0);

}  // namespace aplomb

#pragma once

#include <Eigen/Core>
#include <string_view>

#include "aplomb/control/contact/contact.hpp"
#include "aplomb/control/partial_force/force_problem.hpp"

namespace aplomb {

// Two friction pyramids inscribed in Coulomb's cone are used, rotated by 45° against each other: one is given by its
// edges, along the axes of the patch (Lee & Goswami 2010, eq. 9), the other by its faces, perpendicular to these axes:
// |f_x|, |f_y| ≤ friction / √2 · f_n.

inline constexpr int kPyramidEdges = 4;

/// Edge 0 … 3 of the pyramid along the axes: force with a normal component of one, world axes.
Eigen::Vector3d pyramid_edge(const ContactPatch& patch, int edge);

/// Corner 0 … 3 of the rectangle about `centre`, in the world [m].
Eigen::Vector3d patch_corner(const ContactPatch& patch, const Eigen::Vector3d& centre, int corner);

/// Number of linear limits C f ≤ 0 of a contact's force: the pyramid's faces (which also exclude pulling), and for a
/// flat patch the CoP rectangle and the moment about the normal.
int num_limits(const ForceContact& contact);
/// Writes these limits to `C`, num_limits × num_rows.
void write_limits(const ForceContact& contact, Eigen::Ref<Eigen::MatrixXd> C);
/// Excess of a force over limit `index`: positive is violated. [N], [N m]
double excess(const ForceContact& contact, const Eigen::VectorXd& force, int index);
std::string_view limit_name(const ForceContact& contact, int index);

}  // namespace aplomb

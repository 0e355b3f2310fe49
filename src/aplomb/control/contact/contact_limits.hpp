#pragma once

#include <Eigen/Core>
#include <string_view>

#include "aplomb/control/partial_force/force_problem.hpp"

namespace aplomb {

/// Linear limits C f ≤ 0 of a contact's force: a friction pyramid inside the cone (which leaves no pull), and of a flat
/// patch the CoP inside it and the moment about the normal.
int num_limits(const ForceContact& contact);
/// Into rows of `C`, num_limits × num_rows.
void write_limits(const ForceContact& contact, Eigen::Ref<Eigen::MatrixXd> C);
/// How far a force is beyond limit `index`: positive is broken. [N], [N m]
double excess(const ForceContact& contact, const Eigen::VectorXd& force, int index);
std::string_view limit_name(const ForceContact& contact, int index);

}  // namespace aplomb

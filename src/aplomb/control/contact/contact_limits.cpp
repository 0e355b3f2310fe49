#include "aplomb/control/contact/contact_limits.hpp"

#include <array>
#include <numbers>

namespace aplomb {
namespace {

/// sign · f[row] ≤ factor · normal force.
struct Limit {
  int row;
  double sign;
  double factor;
};

constexpr std::array<std::string_view, 10> kNames = {"friction, forward",
                                                     "friction, backward",
                                                     "friction, to the left",
                                                     "friction, to the right",
                                                     "CoP at the left edge",
                                                     "CoP at the right edge",
                                                     "CoP at the rear edge",
                                                     "CoP at the front edge",
                                                     "twist",
                                                     "twist"};

Limit limit(const ContactPatch& contact, int index) {
  const double sign = index % 2 == 0 ? 1.0 : -1.0;
  if (index < 4) return {index / 2, sign, contact.friction / std::numbers::sqrt2};
  if (index < 6) return {3, sign, contact.half_width};
  if (index < 8) return {4, sign, contact.half_length};
  return {5, sign, contact.friction * contact.twist_radius};
}

}  // namespace

Eigen::Vector3d pyramid_edge(const ContactPatch& patch, int edge) {
  const double along_x = edge == 0 ? 1.0 : edge == 1 ? -1.0 : 0.0;
  const double along_y = edge == 2 ? 1.0 : edge == 3 ? -1.0 : 0.0;
  return patch.R_world_contact * Eigen::Vector3d(patch.friction * along_x, patch.friction * along_y, 1.0);
}

Eigen::Vector3d patch_corner(const ContactPatch& patch, const Eigen::Vector3d& centre, int corner) {
  const double along = corner < 2 ? 1.0 : -1.0, across = corner % 2 == 0 ? 1.0 : -1.0;
  return centre + patch.R_world_contact * Eigen::Vector3d(along * patch.half_length, across * patch.half_width, 0.0);
}

int num_limits(const ForceContact& contact) {
  if (contact.num_rows() == 1) return 1;
  return contact.is_flat() ? 10 : 4;
}

void write_limits(const ForceContact& contact, Eigen::Ref<Eigen::MatrixXd> C) {
  C.setZero();
  if (contact.num_rows() == 1) {
    C(0, 0) = -1.0;
    return;
  }
  for (int i = 0; i < num_limits(contact); ++i) {
    const Limit of = limit(contact, i);
    C(i, of.row) = of.sign;
    C(i, contact.normal()) = -of.factor;
  }
}

double excess(const ForceContact& contact, const Eigen::VectorXd& force, int index) {
  if (contact.num_rows() == 1) return -force[0];
  const Limit of = limit(contact, index);
  return of.sign * force[of.row] - of.factor * force[contact.normal()];
}

std::string_view limit_name(const ForceContact& contact, int index) {
  return contact.num_rows() == 1 ? "pull" : kNames[static_cast<std::size_t>(index)];
}

}  // namespace aplomb

#include "aplomb/human/subject/mass_parameters.hpp"

#include <algorithm>

namespace aplomb {
namespace {

void scale(Inertia& inertia, double factor) {
  inertia.mass *= factor;
  inertia.about_com *= factor;
}

bool is_thigh(const std::string& segment) { return segment == "left_thigh" || segment == "right_thigh"; }

}  // namespace

bool is_trunk(const std::string& segment) {
  if (segment == "pelvis" || segment == "lumbar" || segment == "thorax") return true;
  // L1 … L5, T1 … T12
  return (segment[0] == 'L' || segment[0] == 'T') && segment.size() > 1 && segment[1] >= '0' && segment[1] <= '9';
}

MassParameters::Vector MassParameters::vector() const {
  Vector values;
  values << trunk_shift, thigh_mass, thigh_shift_x, thigh_shift_z;
  return values;
}

MassParameters MassParameters::from(const Vector& values) {
  return {
      .trunk_shift = values.head<3>(), .thigh_mass = values[3], .thigh_shift_x = values[4], .thigh_shift_z = values[5]};
}

Skeleton with_mass_parameters(Skeleton skeleton, const MassParameters& parameters) {
  double thighs = 0.0, trunk = 0.0;
  for (const Segment& segment : skeleton.segments) {
    if (is_thigh(segment.name)) thighs += segment.inertia.mass;
    if (is_trunk(segment.name)) trunk += segment.inertia.mass;
  }
  // Keeps both masses positive, whatever a solver tries.
  const double thigh_factor = std::clamp(1.0 + parameters.thigh_mass, 0.2, 1.0 + 0.8 * trunk / thighs);
  const double trunk_factor = 1.0 - (thigh_factor - 1.0) * thighs / trunk;
  for (Segment& segment : skeleton.segments) {
    if (is_thigh(segment.name)) {
      scale(segment.inertia, thigh_factor);
      segment.inertia.com += Eigen::Vector3d(parameters.thigh_shift_x, 0.0, parameters.thigh_shift_z);
    } else if (is_trunk(segment.name)) {
      scale(segment.inertia, trunk_factor);
      segment.inertia.com += parameters.trunk_shift;
    }
  }
  return skeleton;
}

Skeleton with_mass(Skeleton skeleton, double mass) {
  double sum = 0.0;
  for (const Segment& segment : skeleton.segments) sum += segment.inertia.mass;
  for (Segment& segment : skeleton.segments) scale(segment.inertia, mass / sum);
  skeleton.mass = mass;
  return skeleton;
}

}  // namespace aplomb

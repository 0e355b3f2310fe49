#pragma once

#include <Eigen/Core>

#include "aplomb/human/skeleton/skeleton.hpp"

namespace aplomb {

/// The few numbers by which plates may correct the masses of a mean body. They are effective, not anatomical: what they
/// mend is the whole body's CoM.
struct MassParameters {
  static constexpr int kCount = 6;
  using Vector = Eigen::Matrix<double, kCount, 1>;

  Eigen::Vector3d trunk_shift = Eigen::Vector3d::Zero();  ///< of the CoM of every trunk segment, in its frame [m]
  double thigh_mass = 0.0;     ///< relative change; the trunk gives or takes, the body's mass stays
  double thigh_shift_x = 0.0;  ///< of both thighs' CoM, in their frames: forwards [m]
  double thigh_shift_z = 0.0;  ///< upwards [m]

  Vector vector() const;
  static MassParameters from(const Vector& vector);
};

/// `skeleton` with its inertias changed; everything else stays.
Skeleton with_mass_parameters(Skeleton skeleton, const MassParameters& parameters);

/// All masses and inertias by the same factor, so that the body has `mass`.
Skeleton with_mass(Skeleton skeleton, double mass);

bool is_trunk(const std::string& segment);  ///< pelvis, lumbar and thorax, or their vertebrae

}  // namespace aplomb

#pragma once

#include "aplomb/human/plate_judgement.hpp"

namespace aplomb {

/// Copy of `skeleton` with the inertias changed by `parameters`.
Skeleton with_mass_parameters(Skeleton skeleton, const MassParameters& parameters);

/// Scales all masses and inertias by one factor to the total `mass`.
Skeleton with_mass(Skeleton skeleton, double mass);

bool is_trunk(const std::string& segment);  ///< pelvis, lumbar and thorax, or their vertebrae

}  // namespace aplomb

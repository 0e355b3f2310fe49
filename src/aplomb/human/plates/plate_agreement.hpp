#pragma once

#include <vector>

#include "aplomb/human/plate_judgement.hpp"

namespace aplomb {

/// A CoP needs load: frames in which either side carries less than a tenth of the weight are left out.
PlateAgreement plate_agreement(const CentroidalMotion& body, const GroundForces& forces,
                               const std::vector<FrameRange>& windows);

/// Accepted when the CoP agrees within kCopLimit RMS, forwards and sideways.
Verdict judge(const PlateAgreement& agreement, double mass);

/// The time by which the plates tell later than the motion [s], within ± 50 ms: where the vertical forces (less their
/// means) fit best. Zero when the motion is too quiet to tell (vertical force varies by less than 3 % of the weight).
double plate_lag(const CentroidalMotion& body, const GroundForces& forces, const std::vector<FrameRange>& windows);

}  // namespace aplomb

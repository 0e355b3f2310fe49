#pragma once

#include <vector>

#include "aplomb/human/plate_judgement.hpp"

namespace aplomb {

/// Compares predicted and measured ground reaction. Frames with less than a tenth of body weight in either are left
/// out: their CoP is uncertain.
PlateAgreement plate_agreement(const CentroidalMotion& body, const GroundForces& forces,
                               const std::vector<FrameRange>& windows);

/// Accepted when the CoP agrees within kCopLimit RMS, forwards and sideways, and the motion explains the vertical
/// force.
Verdict judge(const PlateAgreement& agreement, double mass);

/// Delay of the plates behind the motion [s], within ± 50 ms, at the best fit of forces and CoP (means removed; 2 cm
/// weigh as 20 N). In rises the vertical force decides; in walking the CoP, which passes from foot to foot at 3 m/s.
/// Zero when the vertical force varies by less than 3 % of body weight.
double plate_lag(const CentroidalMotion& body, const GroundForces& forces, const std::vector<FrameRange>& windows);

}  // namespace aplomb

#pragma once

#include <optional>

#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/plate_judgement.hpp"

namespace aplomb {

/// Splits the wrench that the motion requires between planted feet and a seat. Its CoP is the mean of the contacts'
/// CoPs, weighed by their vertical forces; so, with the feet pressing under the ankles and the seat 5 cm behind the
/// hips while both carry,
///   seat share = (x_ankles − x) / (x_ankles − x_seat),   left share = (y − y_right) / (y_left − y_right)
/// each within 0 ... 1 (no contact pulls). Outside `rises` nobody sits. Horizontal forces are shared alike, so that all
/// contacts lean on the friction cone alike. Without forces, and with a note, when a foot steps.
ReactionForces reaction_forces(const SegmentMotion& segments, const CentroidalMotion& body, const Rises& rises,
                               const MotionUncertainty& uncertainty);

/// None unless the plates carry the whole body in some window of a rise.
std::optional<ReactionAgreement> reaction_agreement(const ReactionForces& reactions, const CentroidalMotion& body,
                                                    const GroundForces& forces, double plates_mass, const Rises& rises);

}  // namespace aplomb

#pragma once

#include <optional>
#include <vector>

#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/phases/foot_contacts.hpp"
#include "aplomb/human/plate_judgement.hpp"

namespace aplomb {

/// Splits the wrench that the motion requires between the feet and a seat. Its CoP is the mean of the contacts'
/// CoPs, weighed by their vertical forces; so, with the feet pressing under the ankles and the seat 5 cm behind the
/// hips while both carry,
///   seat share = (x_ankles − x) / (x_ankles − x_seat),   left share = (y − y_right) / (y_left − y_right)
/// (along the line between the ankles), each within 0 ... 1 (no contact pulls). Outside `rises` nobody sits. A foot in
/// the air carries nothing, and a foot takes and gives up its load smoothly within 0.25 s of its touchdown and its
/// lift-off, or within the whole time in which both are down where that is shorter (Ren et al. 2008). Horizontal forces
/// are shared alike, so that all contacts lean on the friction cone alike.
ReactionForces reaction_forces(const SegmentMotion& segments, const CentroidalMotion& body, const Rises& rises,
                               const FootContacts& feet, const MotionUncertainty& uncertainty);

/// Against the plates: in rises, and without any in `windows`. None where the plates carry the whole body in neither.
std::optional<ReactionAgreement> reaction_agreement(const ReactionForces& reactions, const CentroidalMotion& body,
                                                    const GroundForces& forces, double plates_mass, const Rises& rises,
                                                    const std::vector<FrameRange>& windows);

}  // namespace aplomb

#pragma once

#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/plate_judgement.hpp"

namespace aplomb {

/// Finds hands on arm rests from the motion: a wrist that stays within 2.5 % of the leg's length of its place at
/// seat-off, until 0.05 s or more after it, while its shoulder moves by 12 % or more, and that is at least 14 % away
/// from its thigh (hip to knee). Where plates under feet and seat always carry 96 % or more of the required force,
/// there is no push. Times are on the clock of the motion.
HandContacts find_hand_contacts(const Skeleton& skeleton, const SegmentMotion& segments, const CentroidalMotion& body,
                                const GroundForces& forces, double seat_off_s);

}  // namespace aplomb

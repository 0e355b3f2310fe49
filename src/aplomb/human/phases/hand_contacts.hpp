#pragma once

#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/plate_judgement.hpp"

namespace aplomb {

/// From the motion: a wrist that stays within 2.5 % of the leg's length of its place at seat-off, 0.05 s or more beyond
/// it, while its shoulder moves by 12 % or more, and that does not lie on its own thigh (14 % off it, hip to knee).
/// Where plates under feet and seat carry all the while 96 % or more of what the motion needs, nothing was pushed.
/// Times are the motion's.
HandContacts find_hand_contacts(const Skeleton& skeleton, const SegmentMotion& segments, const CentroidalMotion& body,
                                const GroundForces& forces, double seat_off_s);

}  // namespace aplomb

#pragma once

#include <array>
#include <vector>

#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/plate_judgement.hpp"

namespace aplomb {

/// Frames in which the left and the right foot are on the floor.
using FootContacts = std::array<std::vector<FrameRange>, 2>;

/// Finds them from the motion of the soles. A foot comes into contact when its heel, its ball or its toe is within 3 %
/// of the leg's length of its lowest level and slower than 0.12 √(g leg); it leaves the floor when all three are above
/// 5 % or faster than 0.24 √(g leg). Both ends of a contact are moved to where one of the three is within 0.8 % of
/// its level in this contact (median), by at most 0.5 s. Interruptions and contacts below 60 ms are left out.
FootContacts foot_contacts_of_motion(const SegmentMotion& segments);

/// The same with plates: a foot on a plate of its own is in contact from 20 N on, and is not in contact in `windows`
/// (plates that carry the whole body) when no plate carries it. The motion decides in the other frames, but a contact
/// does not begin or end within 0.15 s of a plate's.
FootContacts foot_contacts_of_plates(const SegmentMotion& segments, const GroundForces& forces,
                                     const std::vector<FrameRange>& windows);

}  // namespace aplomb

#pragma once

#include <vector>

#include "aplomb/human/phases/contact_schedule.hpp"
#include "aplomb/human/phases/foot_contacts.hpp"

namespace aplomb {

/// Contact schedule of a recording. The seat bears from the beginning until the first seat-off, from each seat-on until
/// the next seat-off, and after the last seat-on; without any rise, all the time when the hips are low and the
/// CoP that the motion requires is behind the heels. Hands bear as found with each rise.
ContactSchedule find_contacts(const SegmentMotion& segments, const CentroidalMotion& body, const FootContacts& feet,
                              const std::vector<Rise>& rises);

}  // namespace aplomb

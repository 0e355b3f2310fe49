#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>

#include "aplomb/human/centroidal_motion.hpp"
#include "aplomb/human/plates/ground_forces.hpp"

namespace aplomb {

/// Hands that push off something beside the body during a rise: arm rests.
struct HandContacts {
  std::array<std::optional<double>, 2> off_s;  ///< left, right: when the hand leaves it; absent: it rests on nothing
  std::optional<double> share;  ///< largest part of the whole force that no plate carried until then; absent: untold

  bool any() const { return off_s[0] || off_s[1]; }
};

/// From the motion: a wrist that stays within 2.5 % of the leg's length of its place at seat-off, 0.05 s or more beyond
/// it, while its shoulder moves by 12 % or more, and that does not lie on its own thigh (14 % off it, hip to knee).
/// Where plates under feet and seat carry all the while 96 % or more of what the motion needs, nothing was pushed.
/// Times are the motion's.
HandContacts find_hand_contacts(const Skeleton& skeleton, const SegmentMotion& segments, const CentroidalMotion& body,
                                const GroundForces& forces, double seat_off_s);

}  // namespace aplomb

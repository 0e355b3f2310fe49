#pragma once

#include "aplomb/human/skeleton/skeleton.hpp"

namespace aplomb {

/// Mass distribution of one segment: de Leva 1996, table 4, whose CoM lies on the line between the segment's ends; its
/// distance in front of that line from Dumas et al. 2007, table 2.
struct SegmentShare {
  double mass = 0.0;          ///< fraction of the body's mass
  double com = 0.0;           ///< fraction of the segment's length, from its upper (foot: rear) end
  double gyration_x = 0.0;    ///< radius of gyration about the sagittal axis (forward) / segment's length
  double gyration_y = 0.0;    ///< the same about the transverse axis (left)
  double gyration_z = 0.0;    ///< the same about the longitudinal axis
  double end_height = 0.0;    ///< trunk only: height of the upper end over the hips / distance from hip to shoulder
  double length_ratio = 0.0;  ///< trunk only: its length / distance from hip to shoulder
  double com_forward = 0.0;   ///< CoM in front of the line / segment's length (trunk: from lumbar to cervical joint)
};

/// A mean body of one sex; the masses sum to 1 when each limb is counted twice.
struct BodyShares {
  SegmentShare head, upper_trunk, middle_trunk, lower_trunk, upper_arm, forearm, hand, thigh, shank, foot;
};

const BodyShares& body_shares(Sex sex);

}  // namespace aplomb

#pragma once

#include "aplomb/human/skeleton/skeleton.hpp"

namespace aplomb {

/// Mass distribution of one segment (de Leva 1996, table 4).
struct SegmentShare {
  double mass = 0.0;          ///< of the body's mass
  double com = 0.0;           ///< of the segment's length, from its upper (foot: rear) end
  double gyration_x = 0.0;    ///< radius of gyration about the sagittal axis (forward), of the segment's length
  double gyration_y = 0.0;    ///< about the transverse axis (left)
  double gyration_z = 0.0;    ///< about the longitudinal axis
  double end_height = 0.0;    ///< trunk only: height of the upper end over the hips, of hip to shoulder
  double length_ratio = 0.0;  ///< trunk only: its length, of hip to shoulder
};

/// A mean body of one sex; the masses sum to 1 with two of each limb's.
struct BodyShares {
  SegmentShare head, upper_trunk, middle_trunk, lower_trunk, upper_arm, forearm, hand, thigh, shank, foot;
};

const BodyShares& body_shares(Sex sex);

}  // namespace aplomb

#pragma once

#include <vector>

#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/plate_judgement.hpp"

namespace aplomb {

/// Inverse dynamics τ = M v̇ + h − Σ Jᵀ f, with the wrench of each foot applied to that foot, that of a seat to the
/// pelvis and that of an arm rest to the hand. Where one plate carries both feet, their shares are unknown: the wrench
/// is divided by the CoP's position between the feet, and only sums of left and right are valid.
JointMoments joint_moments(const Skeleton& skeleton, const HumanMotion& motion, const SegmentMotion& segments,
                           const GroundForces& forces, const std::vector<FrameRange>& windows);

/// The same in all frames with forces that are found from the motion alone; NaN where those are not known.
JointMoments joint_moments(const Skeleton& skeleton, const HumanMotion& motion, const ReactionForces& reactions,
                           double cutoff_hz);

}  // namespace aplomb

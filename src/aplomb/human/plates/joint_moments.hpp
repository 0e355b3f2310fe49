#pragma once

#include <vector>

#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/plate_judgement.hpp"

namespace aplomb {

/// τ = M v̇ + h − Σ Jᵀ f, each foot's wrench on its foot, a seat's on the pelvis. Where one plate carries both feet
/// nobody knows the parts: the wrench is shared out by the CoP's place between the feet, and only sums of left and
/// right are told.
JointMoments joint_moments(const Skeleton& skeleton, const HumanMotion& motion, const SegmentMotion& segments,
                           const GroundForces& forces, const std::vector<FrameRange>& windows);

}  // namespace aplomb

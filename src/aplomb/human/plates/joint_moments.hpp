#pragma once

#include <string>
#include <vector>

#include "aplomb/human/centroidal_motion.hpp"
#include "aplomb/human/phases/rises.hpp"

namespace aplomb {

/// Net moments at the joints, in the windows where the plates carry all of the body.
struct JointMoments {
  std::vector<std::string> names;  ///< joints, in the order of the rows
  Eigen::MatrixXd moment;          ///< [N m], one column a frame; NaN outside of the windows
  /// What the model would need besides the plates at the pelvis, in its axes about mid-hip: force [N], moment [N m].
  Matrix6Xd pelvis_residual;
  bool are_legs_split = true;  ///< false: a plate carries both feet, so a leg's flexion rows hold the sum of both legs
                               ///< (exact where the legs are parallel), and its other rows NaN
  std::string note;            ///< says so
};

/// τ = M v̇ + h − Σ Jᵀ f, each foot's wrench on its foot, a seat's on the pelvis. Where one plate carries both feet
/// nobody knows the parts: the wrench is shared out by the CoP's place between the feet, and only sums of left and
/// right are told.
JointMoments joint_moments(const Skeleton& skeleton, const HumanMotion& motion, const SegmentMotion& segments,
                           const GroundForces& forces, const std::vector<FrameRange>& windows);

}  // namespace aplomb

#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "aplomb/core/math/zero_array.hpp"
#include "aplomb/demonstrator/demonstrator.hpp"
#include "aplomb/demonstrator/motion/dynamics.hpp"
#include "aplomb/demonstrator/motion/posture.hpp"
#include "aplomb/demonstrator/motion/style.hpp"

namespace aplomb {

/// A motion whose ZMP is inside the support polygon of the feet from seat-off on.
struct BalancedMotion {
  double rate_hz = 0.0;
  Eigen::MatrixXd q;  ///< one column per sample
  CentroidalDynamics forces;
  CentroidalDynamics on_ground;   ///< forces on seat and feet: `forces` without the hands' part
  Eigen::RowVectorXd hand_share;  ///< fraction of the contact force on both hands together
  /// Contact points of the palms, left and right [m].
  std::array<Eigen::Vector3d, 2> rests = zero_array<Eigen::Vector3d, 2>();
  double hips_leave_s = 0.0;    ///< seat-off; 0 for styles without a chair
  double chair_height_m = 0.0;  ///< height of the seat; 0: no chair
  Eigen::Vector3d seated_hip = Eigen::Vector3d::Zero();
  double margin_m =
      0.0;             ///< smallest distance of the ZMP of `on_ground` to the edge of the feet, from `hips_leave_s` on
  int iterations = 0;  ///< iterations of the ZMP correction
  std::vector<SupportPhase> support;  ///< in the order of time; the first begins with sample 0
};

struct MotionRequest {
  double frame_rate_hz = 100.0;   ///< the motion's duration is a whole number of frames
  double rate_hz = 400.0;         ///< a multiple of frame_rate_hz
  double size = 1.0;              ///< height of the person relative to 1.75 m
  double sway = 0.0;              ///< lateral hip motion in the middle of a rise, as a fraction of the rise's height
  double least_margin_m = 0.011;  ///< ZMP margin below which the motion is refused
  double margin_m = 0.015;        ///< ZMP margin that the correction aims at
};

/// Generates the motion of `style`, which is in metres and seconds of this person (scaled_style). Hips and trunk follow
/// their keys; then the ZMP is moved into the support polygon. The required ZMP shift e = clip(p) − p gives the shift d
/// of the centre of mass by
///   d − b d″ = e,   d = 0 at both ends,   b = (c_z + ∂k_y/∂ẋ / m) / (g + c̈_z),
/// which the trunk's pitch realises while the person sits and the hips afterwards; repeated until the ZMP is inside.
/// Throws InvalidValue when this fails.
BalancedMotion make_motion(const RobotModel& robot, const PostureMaker& maker, const DemonstrationStyle& style,
                           const MotionRequest& request);

}  // namespace aplomb

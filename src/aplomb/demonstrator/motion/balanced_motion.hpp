#pragma once

#include <Eigen/Core>
#include <array>

#include "aplomb/core/math/zero_array.hpp"
#include "aplomb/demonstrator/motion/dynamics.hpp"
#include "aplomb/demonstrator/motion/posture.hpp"
#include "aplomb/demonstrator/motion/style.hpp"

namespace aplomb {

/// A motion whose ZMP is in the feet from the time on at which the hips leave the seat.
struct BalancedMotion {
  double rate_hz = 0.0;
  Eigen::MatrixXd q;  ///< one column an instant
  CentroidalDynamics forces;
  CentroidalDynamics on_ground;   ///< what is left of them for seat and feet: without the hands' part
  Eigen::RowVectorXd hand_share;  ///< of the force that the hands carry, both together
  /// Where the palms press, left and right [m].
  std::array<Eigen::Vector3d, 2> rests = zero_array<Eigen::Vector3d, 2>();
  double hips_leave_s = 0.0;    ///< 0 for those who stand from the beginning
  double chair_height_m = 0.0;  ///< of its seat; 0: there is no chair
  Eigen::Vector3d seated_hip = Eigen::Vector3d::Zero();
  double margin_m =
      0.0;             ///< smallest distance of the ZMP of `on_ground` to the edge of the feet, from `hips_leave_s` on
  int iterations = 0;  ///< of the repair
};

struct MotionRequest {
  double frame_rate_hz = 100.0;   ///< the motion has whole frames
  double rate_hz = 400.0;         ///< a multiple of it
  double size = 1.0;              ///< of the person, of one of 1.75 m
  double sway = 0.0;              ///< of the hips to the left in the middle of a rise, of the rise
  double least_margin_m = 0.011;  ///< without which the motion is refused
  double margin_m = 0.015;        ///< that the repair aims at
};

/// `style` in metres and seconds of this person (scaled_style). Hips and trunk follow their keys; then the ZMP is
/// brought into the feet. From the demand e = clip(p) − p a shift d of the centre of mass follows by
///   d − b d″ = e,   d = 0 at both ends,   b = (c_z + ∂k_y/∂ẋ / m) / (g + c̈_z),
/// which the trunk's pitch carries out while the person sits and the hips do afterwards; again until it is inside.
/// Throws InvalidValue when the ZMP cannot be brought inside.
BalancedMotion make_motion(const RobotModel& robot, const PostureMaker& maker, const DemonstrationStyle& style,
                           const MotionRequest& request);

}  // namespace aplomb

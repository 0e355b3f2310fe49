#pragma once

#include <Eigen/Core>

#include "aplomb/human/human_motion.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

class SegmentMotion;
struct Skeleton;

/// A body's motion as the ground must have felt it, low-passed without delay; one column a frame, in the motion's
/// frame. CoM c and angular momentum L about the origin are computed from the motion as it was fitted and then
/// filtered. Laws
///   F = m (c̈ + g e_z),   M = L̇ + c × m g e_z
/// are linear in c, L, F and M, so with plates filtered alike both sides have lost exactly the same.
struct CentroidalMotion {
  double rate_hz = 0.0, start_s = 0.0;
  double cutoff_hz = 0.0;                             ///< that was asked for, and that plates have
  double own_cutoff_hz = 0.0;                         ///< of the motion: not above its bandwidth
  double mass = 0.0;                                  ///< [kg]
  Matrix3Xd com, com_velocity, com_acceleration;      ///< [m, m/s, m/s²]
  Matrix3Xd angular_momentum, angular_momentum_rate;  ///< k about the CoM and its rate [kg m²/s, N m]
  Matrix3Xd force;                                    ///< predicted, of all contacts together [N]
  Matrix3Xd moment;                                   ///< the same about the frame's origin [N m]

  Eigen::Index num_frames() const { return com.cols(); }
  double time_s(Eigen::Index frame) const { return start_s + static_cast<double>(frame) / rate_hz; }
  Wrench wrench(Eigen::Index frame) const { return {force.col(frame), moment.col(frame)}; }
  /// Predicted CoP on the plane at height z, x and y; not a number where nothing pushes up.
  Eigen::Vector2d cop(Eigen::Index frame, double z) const { return centre_of_pressure(wrench(frame), z); }
  Eigen::Matrix2Xd cop_path(double z) const;
};

/// The cut-off is lowered to the motion's own bandwidth, where what is left above it is noise of the markers: twice
/// differentiated it would be most of the CoP's error. Throws InvalidValue for a cut-off that the rate does not allow.
CentroidalMotion centroidal_motion(const SegmentMotion& segments, const Skeleton& skeleton, double cutoff_hz);

/// A smooth RobotState for every frame, with its acceleration: q filtered (quaternions by components, then made unit),
/// v and a by central differences.
struct SmoothMotion {
  Eigen::MatrixXd q, v, a;
};
SmoothMotion smooth_motion(const HumanMotion& motion, double cutoff_hz);

}  // namespace aplomb

#pragma once

#include <Eigen/Core>
#include <limits>

#include "aplomb/human/human_motion.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

class SegmentMotion;
struct Skeleton;

/// Frequency above which markers on the skin move more than the body's mass does [Hz]. Against force plates (two
/// people, rises and walking) the horizontal CoM acceleration from markers is too large by a factor that grows from 1.4
/// at 2.2 Hz to 2 … 6 at 3.8 Hz: a zero-phase low-pass at 2.7 Hz undoes it. The vertical one shows no such excess in
/// rises.
inline constexpr double kSkinCutoff = 2.8;

/// Centroidal motion of the body and the contact wrench that it requires, low-passed without delay; one column per
/// frame, in the motion's frame. CoM c and angular momentum L about the origin are computed from the fitted motion and
/// then filtered. The laws
///   F = m (c̈ + g e_z),   M = L̇ + c × m g e_z
/// are linear in c, L, F and M, so that equally filtered plates are attenuated exactly as the prediction is. Horizontal
/// CoM and angular momentum about the CoM are low-passed at the skin's cut-off, where that is lower.
struct CentroidalMotion {
  double rate_hz = 0.0, start_s = 0.0;
  double cutoff_hz = 0.0;                             ///< requested cut-off, applied to the plates
  double own_cutoff_hz = 0.0;                         ///< cut-off of the motion: at most its bandwidth
  double skin_cutoff_hz = 0.0;                        ///< of horizontal CoM and angular momentum: at most the motion's
  double mass = 0.0;                                  ///< [kg]
  Matrix3Xd com, com_velocity, com_acceleration;      ///< [m, m/s, m/s²]
  Matrix3Xd angular_momentum, angular_momentum_rate;  ///< k about the CoM and its rate [kg m²/s, N m]
  Matrix3Xd force;                                    ///< predicted resultant of all contacts [N]
  Matrix3Xd moment;                                   ///< its moment about the frame's origin [N m]

  Eigen::Index num_frames() const { return com.cols(); }
  double time_s(Eigen::Index frame) const { return start_s + static_cast<double>(frame) / rate_hz; }
  Wrench wrench(Eigen::Index frame) const { return {force.col(frame), moment.col(frame)}; }
  /// Predicted CoP (x, y) in the plane at height z; NaN without upward force.
  Eigen::Vector2d cop(Eigen::Index frame, double z) const { return centre_of_pressure(wrench(frame), z); }
  Eigen::Matrix2Xd cop_path(double z) const;
};

/// The cut-off is lowered to the motion's bandwidth: above it there is only marker noise, which differentiated twice
/// would dominate the CoP's error. `skin_cutoff_hz`: kSkinCutoff for a motion from skin markers; infinite for one that
/// is known exactly. Throws InvalidValue for a cut-off that the rate does not allow.
CentroidalMotion centroidal_motion(const SegmentMotion& segments, const Skeleton& skeleton, double cutoff_hz,
                                   double skin_cutoff_hz = std::numeric_limits<double>::infinity());

/// Smoothed state and acceleration of every frame: q filtered (quaternions by component, then normalised), v and a by
/// central differences.
struct SmoothMotion {
  Eigen::MatrixXd q, v, a;
};
SmoothMotion smooth_motion(const HumanMotion& motion, double cutoff_hz);

}  // namespace aplomb

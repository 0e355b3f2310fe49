#pragma once

#include <Eigen/Core>
#include <array>

#include "aplomb/core/math/zero_array.hpp"
#include "aplomb/retarget/mapping/human_path.hpp"
#include "aplomb/retarget/mapping/overlay.hpp"

namespace aplomb {

/// From a person's centre of mass to the one that the robot shall have:  c* = s c_h + o, s the ratio of the legs. o is
/// anchored three times:
///   seated    the robot's own centre of mass on its chair;
///   seat-off  that of the robot with its hips still on the seat and the person's posture as far as it can take it;
///   standing  over the feet, at the share of the soles' length at which the person's is.
/// Between the anchors it is blended with the least jerk, over [onset, seat-off] and [seat-off, stand]. From seat-off
/// on its height goes with the person's height instead of time: who has not risen yet is not drawn down to another
/// height.
struct ComMap {
  double scale = 1.0;                                                         ///< s
  std::array<Eigen::Vector3d, 3> offsets = zero_array<Eigen::Vector3d, 3>();  ///< o at seated, seat-off, standing [m]
  std::array<Eigen::Vector3d, 3> anchors = zero_array<Eigen::Vector3d, 3>();  ///< c* there [m]
  std::array<double, 2> heights{};  ///< of the person's centre of mass at seat-off and standing [m]
  RiseFrames rise;

  /// o at a frame, at which the person's centre of mass is at a height [m].
  Eigen::Vector3d offset(Eigen::Index frame, double height) const;
  Eigen::Vector3d map(const Eigen::Vector3d& human_com, Eigen::Index frame) const {
    return scale * human_com + offset(frame, human_com.z());
  }
  /// How much o changes from seat-off on [m].
  double anchor_change() const { return (offsets[2] - offsets[1]).norm(); }
};

/// `anchors` are the three centres of mass of the robot.
ComMap make_com_map(const HumanPath& human, double scale, const std::array<Eigen::Vector3d, 3>& anchors);

/// Where over its feet the robot shall stand: x at the person's share of the soles' length (kept a quarter of it off
/// heel and toe), y as far from the ankles' middle as the person's, scaled. [m]
Eigen::Vector2d standing_com(const HumanPath& human, const Overlay& overlay, double heel_x, double toe_x);

}  // namespace aplomb

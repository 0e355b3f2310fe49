#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/retarget/mapping.hpp"

namespace aplomb {

/// Frame of a clip in which the anchor of a key is taken.
Eigen::Index anchor_frame(const HumanPath& human, const KeyFrame& key);

/// Computes the offsets from the robot's centre of mass at each key of the clip, in their order [m].
ComMap make_com_map(const HumanPath& human, double scale, const std::vector<Eigen::Vector3d>& anchors);

/// Ground projection of the standing robot's centre of mass. Its x is that of the posture which the markers ask for
/// (`of_markers`), at most `kMostFromShare` from the person's fraction of the soles' length and at least a quarter of
/// the soles from heel and toe; its y is the person's distance from the middle of the ankles, scaled. [m]
Eigen::Vector2d standing_com(const HumanPath& human, Eigen::Index frame, const Overlay& overlay, double of_markers,
                             double heel_x, double toe_x);
/// x at the person's own fraction of the soles' length [m].
double standing_share_x(const HumanPath& human, Eigen::Index frame, double heel_x, double toe_x);

constexpr double kMostFromShare = 0.04;  ///< [m]

}  // namespace aplomb

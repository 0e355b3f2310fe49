#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/retarget/mapping.hpp"

namespace aplomb {

/// Frame of a clip in which the anchor of a key is taken.
Eigen::Index anchor_frame(const HumanPath& human, const KeyFrame& key);

/// Computes the offsets from the robot's centre of mass at each key of the clip, in their order [m].
ComMap make_com_map(const HumanPath& human, double scale, const std::vector<Eigen::Vector3d>& anchors);

/// Ground projection of the standing robot's centre of mass. Its x is at the person's fraction of the soles' length, at
/// least a quarter of it from heel and toe; its y is the person's distance from the middle of the ankles, scaled.
/// `heel_x`, `toe_x`: ends of the robot's soles in the overlay frame; `moved_x`: how far they are from there. [m]
Eigen::Vector2d standing_com(const HumanPath& human, Eigen::Index frame, const Overlay& overlay, double heel_x,
                             double toe_x, double moved_x);

}  // namespace aplomb

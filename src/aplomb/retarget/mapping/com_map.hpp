#pragma once

#include <Eigen/Core>
#include <array>

#include "aplomb/retarget/mapping.hpp"

namespace aplomb {

/// Computes the offsets from `anchors`: the robot's centre of mass seated, at seat-off and standing [m].
ComMap make_com_map(const HumanPath& human, double scale, const std::array<Eigen::Vector3d, 3>& anchors);

/// Ground projection of the standing robot's centre of mass: x at the person's fraction of the soles' length (at least
/// a quarter of it from heel and toe), y at the person's distance from the middle of the ankles, scaled. [m]
Eigen::Vector2d standing_com(const HumanPath& human, const Overlay& overlay, double heel_x, double toe_x);

}  // namespace aplomb

#pragma once

#include "aplomb/human/skeleton/skeleton.hpp"

namespace aplomb {

/// The segments of the generic body (1.75 m) with their joints, without masses.
std::vector<Segment> light_plan();  ///< 47 coordinates
std::vector<Segment> full_plan();   ///< 155 coordinates; the spine's vertebrae follow three drivers

inline constexpr double kGenericVertexHeight = 0.250;  ///< of the vertex over the joint of head and trunk (C7/T1) [m]
inline constexpr double kGenericHeel = -0.055;         ///< of the foot, from the ankle, forward [m]
inline constexpr double kGenericToe = 0.205;           ///< tip of the longest toe [m]
inline constexpr double kGenericHandLength = 0.19;     ///< wrist to finger tip [m]
inline constexpr int kThoraxVertebrae = 12;

}  // namespace aplomb

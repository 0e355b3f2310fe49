#pragma once

#include "aplomb/human/skeleton/skeleton.hpp"

namespace aplomb {

/// The segments of the generic body (1.75 m) with their joints, without masses.
std::vector<Segment> light_plan();  ///< 47 coordinates
std::vector<Segment> full_plan();   ///< 155 coordinates; the vertebrae follow three driving joints

inline constexpr double kGenericVertexHeight = 0.250;  ///< vertex above the joint of head and trunk (C7/T1) [m]
inline constexpr double kGenericHeel = -0.055;         ///< x of the heel from the ankle [m]
inline constexpr double kGenericToe = 0.205;           ///< x of the tip of the longest toe from the ankle [m]
inline constexpr double kGenericHandLength = 0.19;     ///< wrist to finger tip [m]
inline constexpr int kThoraxVertebrae = 12;

}  // namespace aplomb

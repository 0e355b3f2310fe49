#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/human/skeleton/skeleton.hpp"

namespace aplomb {

/// A palpable anatomical landmark, where markers are placed.
struct Landmark {
  std::string name;                                            ///< "left_asis", "c7"
  std::string segment;                                         ///< segment of the light skeleton
  std::string full_segment;                                    ///< segment of the full skeleton
  Eigen::Vector3d generic_position = Eigen::Vector3d::Zero();  ///< on the generic body (1.75 m) in the neutral posture,
                                                               ///< from mid-hip [m]
  double deviation = 0.01;  ///< standard deviation of a marker from the landmark, on the generic body [m]

  const std::string& segment_of(SkeletonSize size) const {
    return size == SkeletonSize::light ? segment : full_segment;
  }
};

const std::vector<Landmark>& landmarks();
const Landmark* find_landmark(std::string_view name);  ///< nullptr when there is none of that name

/// The segment of the full skeleton that corresponds to one of the light one ("thorax": "T5").
std::string full_segment_of(std::string_view light_segment);

}  // namespace aplomb

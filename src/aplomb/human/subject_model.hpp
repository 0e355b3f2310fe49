#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <vector>

#include "aplomb/human/skeleton/skeleton.hpp"

namespace aplomb {

/// A marker on one subject.
struct BodyMarker {
  std::string label;                                         ///< as in the recording
  std::string landmark;                                      ///< empty: somewhere on the segment
  int segment = 0;                                           ///< index in the skeleton
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();          ///< in the segment's frame [m]
  double weight = 1.0;                                       ///< weight in the fit of a frame
  Eigen::Vector3d generic_offset = Eigen::Vector3d::Zero();  ///< `offset` on the generic body [m]
  double deviation = 0.01;  ///< prior standard deviation of `offset` from the scaled generic one [m]
};

/// A skeleton of one subject's size with the markers on it.
struct SubjectModel {
  Skeleton skeleton;
  std::vector<BodyMarker> markers;
};

/// A subject as YAML: size of every segment, masses, markers. Reading back gives the same numbers.
void write_subject(const SubjectModel& subject, const std::filesystem::path& file);  ///< throws FileError
SubjectModel read_subject(const std::filesystem::path& file);                        ///< throws FileError

}  // namespace aplomb

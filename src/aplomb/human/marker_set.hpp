#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/human/skeleton/skeleton.hpp"
#include "aplomb/recording/points.hpp"

namespace aplomb {

/// Attachment of the marker with one label.
struct MarkerPlace {
  std::string label;
  std::string landmark;                                        ///< empty: somewhere on the segment
  std::string segment, full_segment;                           ///< segments of the light and of the full skeleton
  Eigen::Vector3d generic_position = Eigen::Vector3d::Zero();  ///< on the neutral generic body, from mid-hip [m]
  double deviation = 0.0;                                      ///< standard deviation of the position [m]

  const std::string& segment_of(SkeletonSize size) const {
    return size == SkeletonSize::light ? segment : full_segment;
  }
};

/// A marker set: labels and their places on the body.
struct MarkerSet {
  std::string name, about;
  std::vector<MarkerPlace> places;
  std::vector<std::string> computed;  ///< patterns (*, ?, [abc]) of labels that are computed, not measured
};

/// Reads a YAML file like those in marker_sets/. Throws FileError.
MarkerSet read_marker_set(const std::filesystem::path& file);
std::vector<MarkerSet> built_in_marker_sets();

/// Assignment of a recording's points to a marker set's places.
struct LabelMatch {
  struct Marker {
    std::size_t point = 0;
    MarkerPlace place;
  };
  std::string set;
  std::vector<Marker> markers;
  std::vector<std::string> unknown;   ///< labels that no entry of the set explains
  std::vector<std::string> computed;  ///< labels of computed points
};

/// Compares labels without case, dots, underscores, blanks and a prefix before a colon, and chooses the set that
/// explains most of them. Throws InvalidValue when no set explains six.
LabelMatch match_labels(const Points& points, const std::vector<MarkerSet>& sets);

/// Label in lower case, without dots, underscores, dashes, blanks, without a subject's name before a colon.
std::string plain_label(std::string_view label);

}  // namespace aplomb

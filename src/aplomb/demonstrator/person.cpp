#include "aplomb/demonstrator/person.hpp"

#include <fmt/format.h>

#include <map>

#include "aplomb/core/error.hpp"
#include "aplomb/human/marker_set.hpp"

namespace aplomb {
namespace {

using Eigen::Vector3d;

constexpr double kProportion = 0.03;     // standard deviation of a segment's length and girth between people
constexpr double kMostDeviations = 2.0;  // standard deviations at which the draws are truncated
constexpr double kPlacement =
    0.5;  // placement error of markers, as a fraction of the landmark's deviation between people

/// Standard normal draw, truncated at ± `kMostDeviations`.
double mild(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  double value = normal(random);
  while (std::abs(value) > kMostDeviations) value = normal(random);
  return value;
}

Vector3d mild_vector(std::mt19937_64& random) {
  const double x = mild(random), y = mild(random), z = mild(random);
  return {x, y, z};
}

/// Skin position of a marker for which the marker set names only the segment, from the middle of the segment on the
/// generic body [m].
struct SkinPlace {
  const char* label;
  Vector3d offset;
};
const SkinPlace kSkinPlaces[] = {
    {"RBAK", {-0.125, -0.075, 0.11}}, {"LUPA", {0.0, 0.05, 0.02}},   {"RUPA", {0.0, -0.05, -0.02}},
    {"LFRM", {0.0, 0.04, 0.02}},      {"RFRM", {0.0, -0.04, -0.02}}, {"LTHI", {0.02, 0.08, -0.03}},
    {"RTHI", {0.02, -0.08, 0.03}},    {"LTIB", {0.01, 0.055, 0.03}}, {"RTIB", {0.01, -0.055, -0.03}},
};

const char* const kUsual[] = {"LFHD", "RFHD", "LBHD", "RBHD", "C7",   "T10",  "CLAV", "STRN", "RBAK", "LSHO", "LUPA",
                              "LELB", "LFRM", "LWRA", "LWRB", "LFIN", "RSHO", "RUPA", "RELB", "RFRM", "RWRA", "RWRB",
                              "RFIN", "LASI", "RASI", "LPSI", "RPSI", "LILC", "RILC", "LTHI", "LKNE", "LTIB", "LANK",
                              "LHEE", "LTOE", "RTHI", "RKNE", "RTIB", "RANK", "RHEE", "RTOE"};
const char* const kMedial[] = {"LKNM", "RKNM", "LMED", "RMED", "LELBM", "RELBM"};

const std::map<std::string, MarkerPlace>& plug_in_gait() {
  static const std::map<std::string, MarkerPlace> places = [] {
    std::map<std::string, MarkerPlace> found;
    for (const MarkerSet& set : built_in_marker_sets()) {
      if (set.name != "plug_in_gait") continue;
      for (const MarkerPlace& place : set.places) found.emplace(place.label, place);
    }
    return found;
  }();
  return places;
}

AttachedMarker place_marker(const Skeleton& skeleton, const char* label, std::mt19937_64& random) {
  const MarkerPlace& place = plug_in_gait().at(label);
  const int index = skeleton.segment(place.segment);
  const Segment& segment = skeleton.segments[static_cast<std::size_t>(index)];
  Vector3d generic = place.generic_position - skeleton.generic_origin(index);
  double deviation = place.deviation;
  for (const SkinPlace& skin : kSkinPlaces) {
    if (place.label != skin.label) continue;
    generic += skin.offset;
    deviation = 0.02;
  }
  const double size = skeleton.height() / kGenericHeight;
  return {place.label, place.segment,
          segment.scale.cwiseProduct(generic) + kPlacement * deviation * size * mild_vector(random)};
}

}  // namespace

std::mt19937_64 random_stream(std::uint64_t seed, Draw purpose) {
  std::seed_seq sequence{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                         static_cast<std::uint32_t>(purpose)};
  return std::mt19937_64(sequence);
}

Skeleton make_person(const Person& person) {
  if (!(person.height_m >= kSmallestHeight && person.height_m <= kLargestHeight)) {
    throw InvalidValue(
        fmt::format("a height of {} m; valid: {} ... {} m", person.height_m, kSmallestHeight, kLargestHeight));
  }
  if (!(person.mass_kg >= kSmallestMass && person.mass_kg <= kLargestMass)) {
    throw InvalidValue(
        fmt::format("a mass of {} kg; valid: {} ... {} kg", person.mass_kg, kSmallestMass, kLargestMass));
  }
  Skeleton skeleton = make_skeleton(SkeletonSize::light, person.sex, kGenericHeight, person.mass_kg);
  std::mt19937_64 random = random_stream(person.seed, Draw::proportions);
  for (std::size_t i = 0; i < skeleton.segments.size(); ++i) {
    Segment& segment = skeleton.segments[i];
    const auto twin = static_cast<std::size_t>(segment.mirror);
    // Length and girth vary independently.
    const double length = 1.0 + kProportion * mild(random), girth = 1.0 + kProportion * mild(random);
    segment.scale = twin < i ? skeleton.segments[twin].scale : Vector3d(girth, girth, length);
  }
  for (const bool is_last : {false, true}) {
    for (Segment& segment : skeleton.segments) {
      if (segment.parent < 0) continue;
      segment.joint =
          skeleton.segments[static_cast<std::size_t>(segment.parent)].scale.cwiseProduct(segment.generic_joint);
    }
    if (is_last) break;
    const double factor = person.height_m / skeleton.height();
    for (Segment& segment : skeleton.segments) segment.scale *= factor;
  }
  distribute_mass(skeleton);
  return skeleton;
}

std::vector<AttachedMarker> place_markers(const Skeleton& skeleton, std::uint64_t seed, bool has_medial) {
  std::mt19937_64 random = random_stream(seed, Draw::markers);
  std::vector<AttachedMarker> markers;
  for (const char* label : kUsual) markers.push_back(place_marker(skeleton, label, random));
  if (has_medial) {
    for (const char* label : kMedial) markers.push_back(place_marker(skeleton, label, random));
  }
  return markers;
}

}  // namespace aplomb

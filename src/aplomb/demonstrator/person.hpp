#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "aplomb/human/skeleton/skeleton.hpp"

namespace aplomb {

/// A person who does not exist. The same numbers always make the same person.
struct Person {
  double height_m = 1.75;
  double mass_kg = 70.0;
  Sex sex = Sex::male;
  std::uint64_t seed = 1;  ///< draws the proportions, where the markers sit, and habits
};

inline constexpr double kSmallestHeight = 1.2, kLargestHeight = 2.2;  ///< [m]
inline constexpr double kSmallestMass = 30.0, kLargestMass = 200.0;   ///< [kg]

/// A marker that is stuck to the body.
struct StuckMarker {
  std::string label;
  std::string segment;                                 ///< of the light skeleton
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< in the segment's frame [m]
};

/// The light skeleton (47 coordinates) of a person: segments that differ by some 3 % from the mean body's, alike on
/// both sides, of exactly the stated height and mass. Throws InvalidValue when height or mass are out of range.
Skeleton make_person(const Person& person);

/// 41 markers, labelled as Plug-in Gait does (its 39 and two on the iliac crests), each some millimetres from where it
/// should be. With `has_medial` six more on the inner sides of knees, ankles and elbows, as for a trial at rest.
std::vector<StuckMarker> place_markers(const Skeleton& skeleton, std::uint64_t seed, bool has_medial);

/// One stream of random numbers of a seed for each purpose, so that noise does not change the person.
enum class Draw : std::uint32_t { proportions, markers, habits, marker_noise, plate_noise, gaps, swaps };
std::mt19937_64 random_stream(std::uint64_t seed, Draw purpose);

}  // namespace aplomb

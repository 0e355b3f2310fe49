#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "aplomb/human/skeleton/skeleton.hpp"

namespace aplomb {

/// A synthetic person, determined by these numbers.
struct Person {
  double height_m = 1.75;
  double mass_kg = 70.0;
  Sex sex = Sex::male;
  std::uint64_t seed = 1;  ///< random seed of proportions, marker positions and habits
};

inline constexpr double kSmallestHeight = 1.2, kLargestHeight = 2.2;  ///< [m]
inline constexpr double kSmallestMass = 30.0, kLargestMass = 200.0;   ///< [kg]

/// A marker attached to the body.
struct AttachedMarker {
  std::string label;
  std::string segment;                                 ///< segment of the light skeleton
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< in the segment's frame [m]
};

/// The light skeleton (47 coordinates) of a person: segments that deviate by some 3 % from the mean body's, the
/// same on both sides, with exactly the stated height and mass. Throws InvalidValue when height or mass are out of
/// range.
Skeleton make_person(const Person& person);

/// 41 markers, labelled as Plug-in Gait does (its 39 and two on the iliac crests), each some millimetres off its
/// landmark. With `has_medial` six more on the medial sides of knees, ankles and elbows, for a static trial.
std::vector<AttachedMarker> place_markers(const Skeleton& skeleton, std::uint64_t seed, bool has_medial);

/// An independent random stream for each purpose, so that noise does not change the person.
enum class Draw : std::uint32_t { proportions, markers, habits, marker_noise, plate_noise, gaps, swaps };
std::mt19937_64 random_stream(std::uint64_t seed, Draw purpose);

}  // namespace aplomb

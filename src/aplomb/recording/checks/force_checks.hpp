#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/recording/force_plate.hpp"
#include "aplomb/recording/points.hpp"

namespace aplomb {

using PlateList = std::vector<std::unique_ptr<ForcePlate>>;

inline constexpr double kStandardGravity = 9.80665;  ///< [m/s²]

/// The sum of the loaded plates' vertical forces over time.
struct VerticalForce {
  std::vector<double> newtons;
  double start_s = 0.0;
  double rate_hz = 0.0;
};
VerticalForce vertical_force(const PlateList& plates);  ///< empty without plates

/// What all plates carried together while nothing moved: half a second or more within 2 %. Of several such times the
/// heaviest counts, because a seat that is no plate carries the rest in the others.
struct BodyWeight {
  double weight_n = 0.0;
  double noise_n = 0.0;  ///< standard deviation
  double start_s = 0.0;
  double end_s = 0.0;

  double mass_kg() const { return weight_n / kStandardGravity; }
};
/// With `motion`, half of the markers must stay within 3 cm meanwhile: in a step, too, the force can be even for a
/// time.
std::optional<BodyWeight> find_body_weight(const VerticalForce& force, const Points* motion = nullptr);

/// How much later the forces are than the motion, and the weight that goes with it.
struct ForceLag {
  double lag_s = 0.0;        ///< > 0: the forces come late
  double correlation = 0.0;  ///< of the vertical force with the markers' vertical acceleration, at that lag
  double weight_n = 0.0;     ///< the force that goes with no acceleration
};
/// While the plates carry all of the body, F = m (g + a): the two are compared at lags of up to 0.25 s. A body that
/// rises by 0.1 m or more is carried while it is in the upper part (after seat-off); without a rise the force must be
/// close to `weight`. None when that leaves too little, or when the body moves too little to tell.
std::optional<ForceLag> find_force_lag(const Points& points, const VerticalForce& force,
                                       const std::optional<BodyWeight>& weight);

inline constexpr double kMassTolerance = 0.02;
inline constexpr double kMassToleranceInMotion = 0.04;  ///< of a weight that was found while the body moved

/// A line when two masses differ by more than `tolerance`; empty otherwise. `who` says where the other mass is from.
std::string mass_warning(double plates_kg, double other_kg, const std::string& who, double tolerance = kMassTolerance);

}  // namespace aplomb

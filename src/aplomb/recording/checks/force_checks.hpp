#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/recording/examine.hpp"

namespace aplomb {

using PlateList = std::vector<std::unique_ptr<ForcePlate>>;

/// Vertical force summed over the loaded plates, over time.
struct VerticalForce {
  std::vector<double> newtons;
  double start_s = 0.0;
  double rate_hz = 0.0;
};
VerticalForce vertical_force(const PlateList& plates);  ///< empty without plates

/// Finds quiet standing (see BodyWeight). With `motion`, more than half of the markers must also stay within 3 cm,
/// since the force can be constant for a while during a step, too.
std::optional<BodyWeight> find_body_weight(const VerticalForce& force, const Points* motion = nullptr);

/// Correlates both sides of F = m (g + a) at lags of up to ± 0.25 s, over frames in which the plates carry the whole
/// body: if the markers rise by more than 0.1 m, those in the upper 60 % of the rise (after seat-off), otherwise those
/// with a force close to `weight`. None with too few such frames or too little motion.
std::optional<ForceLag> find_force_lag(const Points& points, const VerticalForce& force,
                                       const std::optional<BodyWeight>& weight);

inline constexpr double kMassTolerance = 0.02;
inline constexpr double kMassToleranceInMotion = 0.04;  ///< tolerance when the weight was estimated during motion

/// Warning when two masses differ by more than `tolerance`; else empty. `who` names the source of the other mass.
std::string mass_warning(double plates_kg, double other_kg, const std::string& who, double tolerance = kMassTolerance);

}  // namespace aplomb

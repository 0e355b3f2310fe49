#pragma once

#include <functional>
#include <string>
#include <vector>

#include "aplomb/identify/identification.hpp"

namespace aplomb {

/// A constant error of a sensor: how much of it the residuals would show, and what it does to the CoM when they do not.
struct SensorBias {
  std::string name;              ///< "zero of hip joints, 1 degree"
  double visible = 0.0;          ///< share of its effect (root of squares) that no parameters can absorb, 0 ... 1
  double com_shift_m = 0.0;      ///< root mean square error of the true forward CoM over the postures, once absorbed
  double residual_growth = 0.0;  ///< by which factor the residuals would grow: below 1.1 nobody notices
  bool is_estimable() const { return residual_growth > 1.1; }
};

/// Tries a degree at each moving sagittal joint (or each moving joint) and 3 N m at each foot sensor.
std::vector<SensorBias> sensor_biases(const RobotModel& cad, const PostureSet& set, const Identification& found,
                                      const IdentifyOptions& options);

/// What such an error was found to be.
struct FoundBias {
  std::string name;        ///< "zero of left_elbow"
  std::string unit;        ///< "degrees", "N m"
  double value = 0.0;      ///< reading less truth
  double deviation = 0.0;  ///< standard deviation
};

/// Postures with those constant errors taken out that can be told from a mass distribution.
struct CorrectedPostures {
  PostureSet set;
  std::vector<FoundBias> biases;
};

/// Estimates them along with the masses: min |W φ − y|² over φ and the errors b, linearised a few times, with a degree
/// or 3 N m as what an error may well be. The held-out postures of `found` are not used, so that the 90/10 score of an
/// identification of the corrected set is still made on postures that nothing has seen.
CorrectedPostures without_biases(const RobotModel& cad, const PostureSet& set, const Identification& found,
                                 const IdentifyOptions& options);

}  // namespace aplomb

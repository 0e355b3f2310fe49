#pragma once

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
};

/// Tries a degree at each moving sagittal joint (or each moving joint) and 3 N m at each foot sensor.
std::vector<SensorBias> sensor_biases(const RobotModel& cad, const PostureSet& set, const Identification& found,
                                      const IdentifyOptions& options);

}  // namespace aplomb

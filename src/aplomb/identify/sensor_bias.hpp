#pragma once

#include <functional>
#include <string>
#include <vector>

#include "aplomb/identify/identification.hpp"

namespace aplomb {

/// Effect of a constant sensor error: how visible it is in the residuals, and the CoM error that its invisible part
/// causes.
struct SensorBias {
  std::string name;              ///< "zero of hip joints, 1 degree"
  double visible = 0.0;          ///< fraction of its effect that no parameters can absorb, 0 ... 1
  double com_shift_m = 0.0;      ///< RMS error of the forward CoM over the postures, once absorbed
  double residual_growth = 0.0;  ///< growth factor of the residuals; below 1.1 it is not noticeable
  bool is_estimable() const { return residual_growth > 1.1; }
};

/// Effects of one degree at each moving sagittal joint (or each moving joint) and of 3 N m at each contact sensor.
std::vector<SensorBias> sensor_biases(const RobotModel& cad, const PostureSet& set, const Identification& found,
                                      const IdentifyOptions& options);

/// Estimate of a constant sensor error.
struct FoundBias {
  std::string name;        ///< "zero of left_elbow"
  std::string unit;        ///< "degrees", "N m"
  double value = 0.0;      ///< reading minus true value
  double deviation = 0.0;  ///< standard deviation
};

/// Postures after removal of the constant errors that can be distinguished from a mass distribution.
struct CorrectedPostures {
  PostureSet set;
  std::vector<FoundBias> biases;
};

/// Estimates the errors b together with the parameters: min |W φ − y|² over φ and b, relinearised three times, with a
/// prior standard deviation of one degree or 3 N m. The held-out postures of `found` are not used, so that the hold-out
/// score of an identification from the corrected set remains valid.
CorrectedPostures without_biases(const RobotModel& cad, const PostureSet& set, const Identification& found,
                                 const IdentifyOptions& options);

}  // namespace aplomb

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aplomb/recording/recording.hpp"

namespace aplomb {

struct MarkerReport {
  std::size_t point = 0;
  std::size_t num_missing = 0;       ///< frames
  std::size_t num_interpolated = 0;  ///< frames whose residual says that they were not measured (C3D)
  std::vector<FrameRange> gaps;      ///< the first 100
  std::size_t num_gaps = 0;
  std::size_t longest_gap = 0;     ///< frames
  std::vector<std::size_t> jumps;  ///< frames at which it is not where its motion led; the first 100
  std::size_t num_jumps = 0;
};

/// Two markers that jump into each other's place: their labels were exchanged from this frame on.
struct SuspectedSwap {
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t frame = 0;
};

/// Two markers of one segment whose distance is not what it is elsewhere: one of the labels is wrong there.
struct SuspectedLabel {
  std::size_t a = 0;
  std::size_t b = 0;
  double usual_m = 0.0;
  double found_m = 0.0;  ///< where it is worst
  FrameRange frames;
};

struct MarkerChecks {
  std::vector<MarkerReport> markers;
  std::vector<SuspectedSwap> swaps;    ///< the first 200
  std::vector<SuspectedLabel> labels;  ///< the first 200
};

/// What all plates carried together while nothing moved: half a second or more within 2 %. Of several such times the
/// heaviest counts, because a seat that is no plate carries the rest in the others.
struct BodyWeight {
  double weight_n = 0.0;
  double noise_n = 0.0;  ///< standard deviation
  double start_s = 0.0;
  double end_s = 0.0;

  double mass_kg() const { return weight_n / kStandardGravity; }
};

/// How much later the forces are than the motion, and the weight that goes with it.
struct ForceLag {
  double lag_s = 0.0;        ///< > 0: the forces come late
  double correlation = 0.0;  ///< of the vertical force with the markers' vertical acceleration, at that lag
  double weight_n = 0.0;     ///< the force that goes with no acceleration
};

/// What one plate felt over the whole recording.
struct PlateReport {
  double loaded_ratio = 0.0;               ///< of its samples
  double peak_n = 0.0;                     ///< largest vertical force
  std::optional<double> mean_loaded_n;     ///< mean vertical force while loaded
  std::optional<double> cop_inside_ratio;  ///< of the loaded samples
};

/// What a person wants to know of a recording.
struct Examination {
  MarkerChecks markers;
  std::vector<PlateReport> plates;  ///< in the order of the forces' plates
  std::optional<BodyWeight> weight;
  std::optional<double> stated_mass_kg;  ///< the file's own word for it
  std::optional<ForceLag> lag;
  std::vector<std::string> warnings;  ///< most serious first
};

/// `forces` is where the plates are: the recording itself, or a second file. `mass_kg`: the subject's, to compare with.
Examination examine(const Recording& motion, const Recording& forces, const std::optional<double>& mass_kg);

}  // namespace aplomb

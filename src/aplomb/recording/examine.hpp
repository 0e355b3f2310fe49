#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aplomb/recording/outliers.hpp"
#include "aplomb/recording/recording.hpp"

namespace aplomb {

struct MarkerReport {
  std::size_t point = 0;
  std::size_t num_missing = 0;       ///< frames
  std::size_t num_interpolated = 0;  ///< frames whose residual marks them as not measured (C3D)
  std::vector<FrameRange> gaps;      ///< the first 100
  std::size_t num_gaps = 0;
  std::size_t longest_gap = 0;     ///< frames
  std::vector<std::size_t> jumps;  ///< frames far from the extrapolated motion; the first 100
  std::size_t num_jumps = 0;
};

/// Two markers that jump to each other's position: their labels are exchanged from this frame on.
struct SuspectedSwap {
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t frame = 0;
};

/// Two markers of one rigid segment whose distance changes for some frames: one of the labels is wrong there.
struct SuspectedLabel {
  std::size_t a = 0;
  std::size_t b = 0;
  double usual_m = 0.0;
  double found_m = 0.0;  ///< distance at the worst frame
  FrameRange frames;
};

struct MarkerChecks {
  std::vector<MarkerReport> markers;
  std::vector<SuspectedSwap> swaps;    ///< the first 200
  std::vector<SuspectedLabel> labels;  ///< the first 200
};

/// Total vertical force on the plates during quiet standing: 0.5 s or more within 2 %. Of several such intervals the
/// heaviest one is taken, since a seat without a plate carries part of the weight in the others.
struct BodyWeight {
  double weight_n = 0.0;
  double noise_n = 0.0;  ///< standard deviation
  double start_s = 0.0;
  double end_s = 0.0;

  double mass_kg() const { return weight_n / kStandardGravity; }
};

/// Delay of the forces behind the motion, and the weight estimated at that delay.
struct ForceLag {
  double lag_s = 0.0;        ///< > 0: the forces are late
  double correlation = 0.0;  ///< correlation of vertical force and the markers' vertical acceleration, at that lag
  double weight_n = 0.0;     ///< vertical force at zero acceleration
};

/// Summary of one plate over the whole recording.
struct PlateReport {
  double loaded_ratio = 0.0;               ///< fraction of its samples that are loaded
  double peak_n = 0.0;                     ///< largest vertical force
  std::optional<double> mean_loaded_n;     ///< mean vertical force while loaded
  std::optional<double> cop_inside_ratio;  ///< fraction of the loaded samples with the CoP inside the corners
};

/// Content and faults of a recording, for `aplomb doctor`.
struct Examination {
  MarkerChecks markers;
  MarkerOutliers outliers;          ///< samples that an analysis leaves out
  std::vector<PlateReport> plates;  ///< in the order of `forces.forces.plates`
  std::optional<BodyWeight> weight;
  std::optional<double> stated_mass_kg;  ///< the subject's mass as stored in the file
  std::optional<ForceLag> lag;
  std::vector<std::string> warnings;  ///< most serious first
};

/// Checks a recording. `forces` holds the force plates: `motion` itself, or a second file. `mass_kg`: the subject's
/// mass, compared with the plates'.
Examination examine(const Recording& motion, const Recording& forces, const std::optional<double>& mass_kg);

}  // namespace aplomb

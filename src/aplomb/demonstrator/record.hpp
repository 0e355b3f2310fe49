#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "aplomb/demonstrator/demonstrator.hpp"
#include "aplomb/recording/c3d_file.hpp"

namespace aplomb {

/// Faults injected into a recording, drawn from the person's seed.
struct RecordingFaults {
  double marker_noise_m = 0.0;  ///< standard deviation of each coordinate
  double gap_ratio = 0.0;       ///< fraction of all marker samples that is lost, in bursts of 0.1 to 0.6 s
  int swaps = 0;                ///< number of label swaps, 0.5 s each
  double plate_noise_n = 0.0;   ///< standard deviation of each force channel; of the moments 0.1 m times as much
  /// Forwards and to the left: how far the plate under the feet is described from where it stands [m].
  Eigen::Vector2d plate_shift = Eigen::Vector2d::Zero();
};

/// Whether arm rests have a force plate each, after those of feet and seat.
enum class ArmRestPlates { no, yes };

/// Two swapped labels, in frames counted from 0.
struct LabelSwap {
  std::string first, second;
  std::size_t from = 0, to = 0;  ///< [from, to)
};

struct DemonstratedRecording {
  C3dFile c3d;
  std::vector<LabelSwap> swaps;
  std::size_t num_gaps = 0;  ///< lost marker samples
};

/// The demonstration as a laboratory would record it: markers at 100 Hz in mm, two force plates of type 2 at 400 Hz, z
/// up, seat-off and seat-on as events. Throws InvalidValue on faults out of range, and for plates of arm rests that the
/// style does not have.
DemonstratedRecording record(const Demonstration& demonstration, const RecordingFaults& faults,
                             ArmRestPlates rests = ArmRestPlates::no);

/// The static trial of the same person: two seconds upright on the foot plate, with the medial markers. Of the faults
/// only the noise is applied.
DemonstratedRecording record_at_rest(const Demonstration& demonstration, const RecordingFaults& faults);

}  // namespace aplomb

#pragma once

#include <string>
#include <vector>

#include "aplomb/human/phases/rises.hpp"

namespace aplomb {

/// Of |prediction − plates| over frames; `mean` keeps its sign.
struct ErrorFigures {
  double rms = 0.0, p95 = 0.0, max = 0.0, mean = 0.0;
};

/// How far a predicted motion of the ground's forces is from the measured one, in some windows.
struct PlateAgreement {
  ErrorFigures cop_x, cop_y;               ///< [m], on the plane of the foot plates
  ErrorFigures force_x, force_y, force_z;  ///< [N]
  Eigen::Index num_frames = 0;
  double worst_time_s = 0.0;      ///< of the largest CoP error along x or y
  double worst_load_ratio = 0.0;  ///< of the weight that the plates carried then
};

/// A CoP needs load: frames in which either side carries less than a tenth of the weight are left out.
PlateAgreement plate_agreement(const CentroidalMotion& body, const GroundForces& forces,
                               const std::vector<FrameRange>& windows);

struct Verdict {
  bool is_accepted = false;
  std::string text;  ///< what agrees; what disagrees, where and by how much
};

inline constexpr double kCopLimit = 0.02;  ///< [m] RMS along x, and along y (Mistry et al. ask for 2 cm)

/// Accepted when the CoP agrees within kCopLimit RMS, forwards and sideways.
Verdict judge(const PlateAgreement& agreement, double mass);

/// The time by which the plates tell later than the motion [s], within ± 50 ms: where the vertical forces (less their
/// means) fit best. Zero when the motion is too quiet to tell (vertical force varies by less than 3 % of the weight).
double plate_lag(const CentroidalMotion& body, const GroundForces& forces, const std::vector<FrameRange>& windows);

}  // namespace aplomb

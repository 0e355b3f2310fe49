#pragma once

#include <string>
#include <vector>

namespace aplomb {

/// A joint limit at which the solution of a frame lies.
struct ActiveLimit {
  enum class Kind { range, speed };
  Kind kind = Kind::range;
  std::string joint;
};

/// Whether the robot can follow one frame of the motion.
struct FrameVerdict {
  bool is_feasible = true;
  std::vector<ActiveLimit> limits;  ///< active limits of an infeasible frame: ranges first, then speeds
  double com_residual = 0.0;        ///< [m]
  double marker_rms = 0.0;          ///< [m]

  /// "left_knee, torso_pitch (speed) and 3 more": the limits that prevent the centre of mass from reaching its
  /// reference; empty for a feasible frame.
  std::string reason() const;
  bool is_at(ActiveLimit::Kind kind) const;  ///< whether a limit of this kind is active
};

}  // namespace aplomb

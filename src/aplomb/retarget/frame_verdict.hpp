#pragma once

#include <string>
#include <vector>

namespace aplomb {

/// A limit at which the solution of a frame lies.
struct ActiveLimit {
  enum class Kind { range, speed, torque, contact, distance };
  Kind kind = Kind::range;
  std::string joint;  ///< the joint, the contact with its limit, or the distance
};

/// Whether the robot can follow one frame of the motion.
struct FrameVerdict {
  bool is_feasible = true;
  std::vector<ActiveLimit>
      limits;                 ///< active limits; of frames that were solved alone, only those of infeasible frames
  double com_residual = 0.0;  ///< [m]
  double marker_rms = 0.0;    ///< [m]

  /// "left_knee, torso_pitch (speed) and 3 more": the limits that are violated, or that prevent the centre of mass
  /// from reaching its reference; empty for a feasible frame.
  std::string reason() const;
  bool is_at(ActiveLimit::Kind kind) const;  ///< whether a limit of this kind is active
};

}  // namespace aplomb

#pragma once

#include <string>
#include <vector>

namespace aplomb {

/// A limit at which the solution of a frame lies.
struct ActiveLimit {
  enum class Kind { range, speed, torque, contact, distance, equation };
  Kind kind = Kind::range;
  std::string joint;  ///< the joint, the contact with its limit, the distance, or the equation that is not met

  std::string text() const;  ///< "left_knee (torque)"
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

/// A limit that the plan of a whole motion cannot keep, over all its frames.
struct ViolatedPlanLimit {
  ActiveLimit limit;
  std::string amount;  ///< by how much it is violated at worst, with its unit: "34 %", "12 mm", "5 % of the weight"
  double start_s = 0.0, end_s = 0.0, worst_s = 0.0;  ///< in the plan's time
};

}  // namespace aplomb

#pragma once

namespace aplomb {

/// How a robot's drives differ from ideal torque sources. All zero (and a ratio of one): they do not.
struct DriveErrors {
  double coulomb_friction = 0.0;     ///< of each joint, over its torque limit
  double stiction_ratio = 1.0;       ///< friction of a joint at rest over its Coulomb friction
  double viscous_friction = 0.0;     ///< of each joint at 1 rad/s, over its torque limit [s/rad]
  double torque_bandwidth_hz = 0.0;  ///< of the commanded torque, first order; 0: unlimited
  double torque_ripple = 0.0;        ///< amplitude over the commanded torque
  double armature_spread = 0.0;      ///< rotor inertia is off by up to this fraction, drawn for each joint

  bool operator==(const DriveErrors&) const = default;

  /// Drives of a laboratory's humanoid (docs/simulation.md).
  static DriveErrors laboratory() {
    return {.coulomb_friction = 0.03,
            .stiction_ratio = 1.3,
            .viscous_friction = 0.01,
            .torque_bandwidth_hz = 50.0,
            .torque_ripple = 0.01,
            .armature_spread = 0.2};
  }
};

}  // namespace aplomb

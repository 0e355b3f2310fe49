#pragma once

#include <Eigen/Core>

#include "aplomb/robot/dynamics/inertia.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// Wrench that carries and accelerates a rigid body, in the axes of a frame fixed to it and about the frame's origin:
///   f = m s_c,   m = c × m s_c + I ω̇ + ω × I ω,   s_c = s + ω̇ × c + ω × (ω × c),
/// with the specific force s (acceleration minus gravity) of the frame's origin. All vectors are in the frame's axes.
/// What a force/torque sensor at the body's joint reads less than the contact wrench on the body.
Wrench carrying_wrench(const Inertia& inertia, const Eigen::Vector3d& specific_force,
                       const Eigen::Vector3d& angular_velocity, const Eigen::Vector3d& angular_acceleration);

}  // namespace aplomb

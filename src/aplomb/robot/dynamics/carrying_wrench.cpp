#include "aplomb/robot/dynamics/carrying_wrench.hpp"

#include <Eigen/Geometry>

namespace aplomb {

Wrench carrying_wrench(const Inertia& inertia, const Eigen::Vector3d& specific_force,
                       const Eigen::Vector3d& angular_velocity, const Eigen::Vector3d& angular_acceleration) {
  const Eigen::Vector3d at_com = specific_force + angular_acceleration.cross(inertia.com) +
                                 angular_velocity.cross(angular_velocity.cross(inertia.com));
  Wrench wrench;
  wrench.force = inertia.mass * at_com;
  wrench.moment = inertia.com.cross(wrench.force) + inertia.about_com * angular_acceleration +
                  angular_velocity.cross(inertia.about_com * angular_velocity);
  return wrench;
}

}  // namespace aplomb

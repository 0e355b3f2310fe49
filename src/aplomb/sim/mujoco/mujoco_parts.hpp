#pragma once

// Private to sim/: what the files that build the engine's model share.
#include <algorithm>
#include <set>
#include <string>

#include "aplomb/sim/mujoco/mujoco_model.hpp"

namespace aplomb {

// Collision filter bits: geoms of the world set contype, shapes of the robot conaffinity. Each sole collides with the
// ground under its own foot (the foot's other shapes do not), seat shapes with the chair, all shapes with walls, floor
// and each other. A hand touches a spring surface at one point (SpringContacts), its shapes do not.
inline constexpr int kSoleBit[] = {1, 2};
inline constexpr int kLinkBit = 4;
inline constexpr int kSeatBit = 8;
inline constexpr int kSelfBit = 16;
inline constexpr int kHandBit = 32;

inline void copy(const Eigen::Vector3d& from, double* to) { std::copy_n(from.data(), 3, to); }

inline void copy(const Eigen::Quaterniond& from, double* to) {
  to[0] = from.w();
  to[1] = from.x();
  to[2] = from.y();
  to[3] = from.z();
}

/// Stiff contact that does not chatter at a step of 0.5 to 1 ms: time constant 5 ms (MuJoCo needs at least two steps),
/// critically damped.
inline void set_contact(mjsGeom& geom, double friction) {
  geom.condim = 3;
  geom.friction[0] = friction;
  geom.solref[0] = 0.005;
  geom.solref[1] = 1.0;
  const double solimp[] = {0.95, 0.99, 0.001};
  std::copy_n(solimp, 3, geom.solimp);
}

void add_world(mjSpec& spec, const World& world);
/// The shapes named in `sunk` touch nothing of the world.
void add_robot(mjSpec& spec, const RobotModel& robot, const std::set<std::string>& sunk);
/// Shapes that the robot sits on: the only ones that touch the seat.
void add_seat_shapes(mjSpec& spec, const RobotModel& robot);

// Names in the engine of elements that are not links or joints.
inline constexpr const char* kImuNames[] = {"world/imu_acceleration", "world/imu_angular_velocity"};
std::string corner_name(int side, int corner);                       ///< the sphere under a corner of a sole
std::string shape_name(const std::string& link, std::size_t index);  ///< a link's collision shape
inline constexpr const char* kFloorName = "world/floor";
inline constexpr const char* kGroundNames[] = {"world/left_ground", "world/right_ground"};  ///< under each foot
std::string support_name(std::size_t index);  ///< of its body and its joint

}  // namespace aplomb

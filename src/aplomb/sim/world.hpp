#pragma once

#include <Eigen/Geometry>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/motion/profile/axis_motion.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// Physical springs instead of the engine's contact. Stiffness and damping are those of one contact patch: a foot's
/// four corners share them, a hand has them for itself.
struct Spring {
  double stiffness = 0.0;  ///< [N/m]
  double damping = 0.0;    ///< [N s/m]
};

/// How a surface touches.
struct Surface {
  double friction = 0.8;
  std::optional<Spring> spring;
};

/// A plane that robots lean on: everything behind it is solid.
struct Wall {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< a point of the plane [m]
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();   ///< unit length, out of the wall
  Surface surface{};
  std::optional<Side> touches;  ///< its place is where this hand is at the start, when it is known
  double distance = 0.0;        ///< of that hand from the wall then [m]
};

/// A solid box, level, that does not move.
struct Box {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of its centre [m]
  Eigen::Vector3d size = Eigen::Vector3d::Ones();      ///< full edges [m]
  Surface surface;
};

/// One arm rest of a chair: a solid block from the seat's height up.
struct ArmRest {
  double height = 0.22;  ///< of its top above the seat [m]
  double aside = 0.29;   ///< of its middle from the chair's [m]
  double reach = 0.05;   ///< of its front end in front of the hips [m]
};
inline constexpr double kArmRestWidth = 0.08;  ///< [m]

/// A seat under the hips, with a back and arm rests on request.
struct Chair {
  double height = 0.45;  ///< of the seat above the floor [m]
  double depth = 0.40;   ///< of the seat, front to back [m]
  double hip_x = 0.0;    ///< where the hips are when the robot sits; the seat ends `kChairOverhang` in front of it [m]
  bool has_back = false;
  bool has_arm_rests = false;
  std::array<ArmRest, 2> arm_rests{};  ///< left, right
  double friction = 0.8;

  // The solid blocks that it is made of, where it is:
  Box seat() const;
  Box back() const;
  Box arm_rest(int side) const;
};
inline constexpr double kChairOverhang = 0.05;  ///< [m]; a thigh that slopes to the knee is free of the seat's edge

/// A sinusoid along or about one world axis. [m] or [rad]
struct SupportMotion {
  enum class Axis { x, y, z, roll, pitch };
  Axis axis = Axis::x;
  FadedSine sine;

  AxisMotion at(double time_s) const { return sine.at(time_s); }
  bool is_turning() const { return axis == Axis::roll || axis == Axis::pitch; }
};

/// Ground of its own under one foot, or one plate under both: tilted, moving, or both.
struct Support {
  std::array<bool, 2> carries{true, true};             ///< the left foot, the right foot
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of its surface's centre at rest [m]
  double pitch = 0.0, roll = 0.0;                      ///< of its surface at rest [rad]
  double friction = 0.8;
  std::optional<SupportMotion> motion;

  Eigen::Isometry3d pose_at(double time_s) const;  ///< T_world_support: origin on its surface, z along the normal
};

/// What stands around the robot. The floor is the plane z = 0. Where there are supports, a foot touches its own
/// support or, without one, a block with its surface at z = 0; the floor lies `kPitDepth` lower, for who falls off.
struct World {
  Surface floor;
  std::optional<Chair> chair;
  std::vector<Wall> walls;
  std::vector<Box> boxes;
  std::vector<Support> supports;

  const Support* support_of(int side) const;                   ///< nullptr: that foot stands on the floor
  Eigen::Isometry3d ground_at(int side, double time_s) const;  ///< pose of the ground under a foot
  bool is_level() const;  ///< all ground is one level plane that does not leave z = 0
};
inline constexpr double kPitDepth = 0.5;  ///< [m]

/// A force on a link for a while.
struct Push {
  enum class Frame { world, link };
  enum class Shape { box, half_sine };
  enum class At { robot_com, link_com, point };
  std::string link;      ///< a link's name
  At at = At::link_com;  ///< where it acts on the link: through the whole robot's CoM, the link's own, or a point
  Eigen::Vector3d point_in_link = Eigen::Vector3d::Zero();  ///< [m], for At::point
  Frame frame = Frame::world;
  Shape shape = Shape::box;
  Eigen::Vector3d peak_force = Eigen::Vector3d::Zero();  ///< [N]
  double start_s = 0.0;
  double duration_s = 0.1;
  double ramp_s = 0.0;  ///< of a box: over which it rises at the start and falls at the end

  Eigen::Vector3d force_at(double time_s) const;  ///< zero outside of its time
};

/// The ground under a foot (or the floor) becomes slippery, or grips again.
struct FrictionChange {
  std::optional<int> side;  ///< the ground under that foot; absent: all ground
  double friction = 0.0;
  double start_s = 0.0;
};

/// The ground under a foot, or a wall of springs at a hand, carries nothing for a while.
struct ContactLoss {
  int side = kLeft;
  bool is_hand = false;
  double start_s = 0.0;
  double duration_s = 0.0;
};

/// A point mass that is handed over, and stays.
struct Payload {
  std::string link;
  double mass = 0.0;                                        ///< [kg]
  Eigen::Vector3d point_in_link = Eigen::Vector3d::Zero();  ///< [m]
  double start_s = 0.0;
};

/// What happens during a run.
struct Happenings {
  std::vector<Push> pushes;
  std::vector<FrictionChange> friction_changes;
  std::vector<ContactLoss> contact_losses;
  std::vector<Payload> payloads;
};

}  // namespace aplomb

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

/// Contact properties of a surface.
struct Surface {
  double friction = 0.8;
  std::optional<Spring> spring;
};

/// A wall: the half-space behind a plane is solid.
struct Wall {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< a point of the plane [m]
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();   ///< unit length, out of the wall
  Surface surface{};
  std::optional<Side> touches;  ///< where set, the wall is placed at the initial position of this hand
  double distance = 0.0;        ///< initial distance of that hand from the wall [m]
};

/// A solid box at rest, its edges along the world axes.
struct Box {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< position of its centre [m]
  Eigen::Vector3d size = Eigen::Vector3d::Ones();      ///< full edges [m]
  Surface surface;
};

/// One arm rest of a chair: a solid block from the seat's height up.
struct ArmRest {
  double height = 0.22;  ///< height of its top above the seat [m]
  double aside = 0.29;   ///< lateral distance of its centre line from the chair's [m]
  double reach = 0.05;   ///< distance of its front end ahead of the hips [m]
};
inline constexpr double kArmRestWidth = 0.08;  ///< [m]

/// A chair: a seat under the hips, optionally with a back and arm rests.
struct Chair {
  double height = 0.45;  ///< height of the seat above the floor [m]
  double depth = 0.40;   ///< depth of the seat, front to back [m]
  double hip_x = 0.0;    ///< x of the hips when the robot sits; the seat ends `kChairOverhang` ahead of it [m]
  bool has_back = false;
  bool has_arm_rests = false;
  std::array<ArmRest, 2> arm_rests{};  ///< left, right
  double friction = 0.8;
  double forward = 0.0;          ///< distance of the whole chair ahead of where `hip_x` puts it [m]
  double pitch = 0.0;            ///< tilt of the seat, forward and down, about the line under the hips [rad]
  std::optional<Spring> spring;  ///< a cushion: the seat moves up and down on it
  double spring_load = 0.0;      ///< load under which a cushion is `height` high [N]

  // Its solid blocks, in the world:
  Box seat() const;                        ///< before it is tilted
  Eigen::Isometry3d T_world_seat() const;  ///< pose of the middle of that block
  Box back() const;
  Box arm_rest(int side) const;
};
inline constexpr double kChairOverhang =
    0.05;  ///< seat ahead of the hips [m]; short, so that a sloping thigh clears the edge

/// A sinusoid along or about one world axis. [m] or [rad]
struct SupportMotion {
  enum class Axis { x, y, z, roll, pitch };
  Axis axis = Axis::x;
  FadedSine sine;

  AxisMotion at(double time_s) const { return sine.at(time_s); }
  bool is_turning() const { return axis == Axis::roll || axis == Axis::pitch; }
};

/// A tilted or moving support surface: one foot's own ground, or one plate under both feet.
struct Support {
  std::array<bool, 2> carries{true, true};             ///< the left foot, the right foot
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< centre of its surface at rest [m]
  double pitch = 0.0, roll = 0.0;                      ///< orientation of its surface at rest [rad]
  double friction = 0.8;
  std::optional<SupportMotion> motion;

  Eigen::Isometry3d pose_at(double time_s) const;  ///< T_world_support: origin on its surface, z along the normal
};

/// Environment of the robot. The floor is the plane z = 0. Where there are supports, a foot touches its own support
/// or, without one, a block with its surface at z = 0; the floor then lies `kPitDepth` lower and catches a fall.
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
inline constexpr double kPitDepth = 0.5;  ///< depth of the floor below moving supports [m]

/// An external force on a link during an interval.
struct Push {
  enum class Frame { world, link };
  enum class Shape { box, half_sine };
  enum class At { robot_com, link_com, point };
  std::string link;      ///< a link's name
  At at = At::link_com;  ///< point of application: CoM of the whole robot, CoM of the link, or a point of the link
  Eigen::Vector3d point_in_link = Eigen::Vector3d::Zero();  ///< [m], for At::point
  Frame frame = Frame::world;
  Shape shape = Shape::box;
  Eigen::Vector3d peak_force = Eigen::Vector3d::Zero();  ///< [N]
  double start_s = 0.0;
  double duration_s = 0.1;
  double ramp_s = 0.0;  ///< Shape::box: rise time at the start and fall time at the end

  Eigen::Vector3d force_at(double time_s) const;  ///< zero outside its interval [N]
};

/// A change of the ground's friction coefficient.
struct FrictionChange {
  std::optional<int> side;  ///< the ground under that foot; absent: all ground
  double friction = 0.0;
  double start_s = 0.0;
};

/// Loss of the ground under a foot, or of a spring wall at a hand, during an interval.
struct ContactLoss {
  int side = kLeft;
  bool is_hand = false;
  double start_s = 0.0;
  double duration_s = 0.02;
};

/// A point mass that is attached to a link from `start_s` on.
struct Payload {
  std::string link;
  double mass = 0.0;                                        ///< [kg]
  Eigen::Vector3d point_in_link = Eigen::Vector3d::Zero();  ///< [m]
  double start_s = 0.0;
};

/// Scheduled events of a simulation.
struct SimulationEvents {
  std::vector<Push> pushes;
  std::vector<FrictionChange> friction_changes;
  std::vector<ContactLoss> contact_losses;
  std::vector<Payload> payloads;
};

}  // namespace aplomb

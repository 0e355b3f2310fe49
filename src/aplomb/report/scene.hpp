#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/core/table/log.hpp"

namespace aplomb {

// Three-dimensional replay in a report. Plain data that refer to columns of a log: `present/` decides what is shown,
// `report/` how. Lengths [m], angles [rad], forces [N]; the world's z points up.

/// A solid that moves with its node.
struct SceneShape {
  enum class Kind { box, sphere, cylinder, capsule, hull, plane, mesh };
  Kind kind = Kind::box;
  Eigen::Isometry3d T_node_shape = Eigen::Isometry3d::Identity();
  /// box: full edges; sphere: (radius, -, -); cylinder, capsule: (radius, length along z, -), a capsule's length
  /// without its caps; plane: (edge, edge, -), its normal along z.
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
  std::vector<Eigen::Vector3d> points;                  ///< hull: its points, mesh: its vertices, in the shape's frame
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< mesh: indices of `points`, counter-clockwise from outside
  std::optional<std::array<double, 3>> colour;          ///< red, green, blue, 0 to 1; absent: that of the node's look
};

/// A frame with shapes: a body of a robot or a person, a support, a frame of a link. Parents come before children.
struct SceneNode {
  enum class Look { robot, person, ground, furniture, wall };
  std::string name;
  Look look = Look::robot;
  int parent = -1;                                                  ///< index, -1: the world
  Eigen::Isometry3d T_parent_node = Eigen::Isometry3d::Identity();  ///< pose with the joint at zero
  std::string joint_column;                         ///< column of the joint's position; empty for a fixed or free node
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();  ///< joint axis in the node's frame
  bool is_prismatic = false;
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  std::array<std::string, 7> pose_columns;  ///< free node: position, quaternion (x, y, z, w) in the world; else empty
  std::vector<SceneShape> shapes;
};

/// A point in the frame of a node; each coordinate is a column of the log or a constant.
struct ScenePoint {
  int node = -1;  ///< -1: the world
  Eigen::Vector3d constant = Eigen::Vector3d::Zero();
  std::array<std::string, 3> columns;  ///< empty: the constant is used
};

/// A point that is drawn. `marker` is a marker of the model, `measured_marker` a recorded one.
struct SceneMarker {
  enum class Kind { com, com_reference, cop, zmp, marker, measured_marker };
  Kind kind = Kind::com;
  std::string label;
  ScenePoint point;
};

/// A force, drawn as an arrow where it acts.
struct SceneForce {
  enum class Kind { contact, push };
  Kind kind = Kind::contact;
  std::string label;
  ScenePoint point;
  std::array<std::string, 3> columns;  ///< [N]
  bool is_in_node_axes = false;        ///< in the axes of the point's node; otherwise in world axes
  double friction = 0.0;  ///< friction coefficient of a contact with normal along the node's z; 0: no cone is drawn
};

/// A foot's sole: part of the support polygon while the column has a value.
struct SceneSole {
  int node = -1;
  std::array<Eigen::Vector3d, 4> corners;  ///< in the node's frame
  std::string loaded_column;
  std::string fault_column;  ///< has a value while the sole is drawn in red; empty: never
};

/// An event, marked on the time line.
struct SceneEvent {
  double start_s = 0.0, end_s = 0.0;
  std::string label;
};

/// What happens from an instant on, in one sentence, until the next one begins.
struct ScenePhase {
  double start_s = 0.0;
  std::string text;
};

struct Scene {
  std::vector<SceneNode> nodes;
  std::vector<SceneMarker> markers;
  std::vector<SceneForce> forces;
  std::vector<SceneSole> soles;
  std::vector<SceneEvent> events;
  std::vector<ScenePhase> phases;   ///< in the order of time
  double metres_per_newton = 1e-3;  ///< scale of the arrows
  Log tracks;                       ///< additional columns, with the same times in their rows as the log
};

}  // namespace aplomb

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "aplomb/robot/shapes/seat_shapes.hpp"
#include "aplomb/sim/mujoco/mujoco_parts.hpp"

namespace aplomb {
namespace {

constexpr double kCornerRadius = 0.005;  // [m] small against a sole
constexpr double kOwnFriction = 0.5;     // link against link, assumed; against the world, the world's value counts

/// A foot touches the ground at four small spheres, one under each corner of its sole: one clean contact each.
void add_sole(mjsBody& body, const Eigen::Isometry3d& T_body_foot, const Sole& sole, int side) {
  int index = 0;
  for (const Eigen::Vector3d& corner : sole.corners()) {
    mjsGeom* sphere = mjs_addGeom(&body, nullptr);
    mjs_setName(sphere->element, corner_name(side, index++).c_str());
    sphere->type = mjGEOM_SPHERE;
    sphere->size[0] = kCornerRadius;
    copy(Eigen::Vector3d(T_body_foot * (corner + Eigen::Vector3d(0.0, 0.0, kCornerRadius))), sphere->pos);
    sphere->contype = 0;
    sphere->conaffinity = kSoleBit[side];
    set_contact(*sphere, kOwnFriction);
  }
}

void add_shape(mjsBody& body, const std::string& name, const Eigen::Isometry3d& T_body_link, const Shape& shape,
               int bits) {
  if (shape.kind == Shape::Kind::mesh) return;  // meshes are visual only; contacts use the simple shapes
  mjsGeom* geom = mjs_addGeom(&body, nullptr);
  mjs_setName(geom->element, name.c_str());
  const Eigen::Isometry3d T_body_shape = T_body_link * shape.T_link_shape;
  copy(Eigen::Vector3d(T_body_shape.translation()), geom->pos);
  copy(Eigen::Quaterniond(T_body_shape.linear()), geom->quat);
  switch (shape.kind) {
    case Shape::Kind::box:
      geom->type = mjGEOM_BOX;
      copy(Eigen::Vector3d(0.5 * shape.size), geom->size);
      break;
    case Shape::Kind::sphere:
      geom->type = mjGEOM_SPHERE;
      geom->size[0] = shape.size[0];
      break;
    case Shape::Kind::cylinder:
    case Shape::Kind::capsule:
      geom->type = shape.kind == Shape::Kind::cylinder ? mjGEOM_CYLINDER : mjGEOM_CAPSULE;
      geom->size[0] = shape.size[0];
      geom->size[1] = 0.5 * shape.size[1];
      break;
    case Shape::Kind::mesh:
      break;
  }
  geom->contype = bits & kSelfBit;
  geom->conaffinity = bits;
  set_contact(*geom, kOwnFriction);
}

/// An accelerometer and a gyroscope at the origin of the pelvis, with its axes.
void add_imu(mjSpec& spec, mjsBody& body, const Eigen::Isometry3d& T_body_pelvis) {
  mjsSite* site = mjs_addSite(&body, nullptr);
  mjs_setName(site->element, kImuNames[0]);
  copy(Eigen::Vector3d(T_body_pelvis.translation()), site->pos);
  copy(Eigen::Quaterniond(T_body_pelvis.linear()), site->quat);
  for (const auto& [name, type] :
       {std::pair(kImuNames[0], mjSENS_ACCELEROMETER), std::pair(kImuNames[1], mjSENS_GYRO)}) {
    mjsSensor* sensor = mjs_addSensor(&spec);
    mjs_setName(sensor->element, name);
    sensor->type = type;
    sensor->objtype = mjOBJ_SITE;
    mjs_setString(sensor->objname, kImuNames[0]);
  }
}

void set_inertia(mjsBody& body, const Inertia& inertia) {
  // The engine wants principal axes; finding them here keeps all digits.
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(inertia.about_com);
  Eigen::Matrix3d axes = principal.eigenvectors();
  if (axes.determinant() < 0.0) axes.col(0) *= -1.0;
  body.explicitinertial = 1;
  body.mass = inertia.mass;
  copy(inertia.com, body.ipos);
  copy(Eigen::Quaterniond(axes), body.iquat);
  copy(Eigen::Vector3d(principal.eigenvalues()), body.inertia);
}

/// Adds bodies one after the other. A massless body of a multi-axis joint becomes one more joint of its child.
class RobotBuilder {
 public:
  RobotBuilder(mjSpec& spec, const RobotModel& robot, const std::set<std::string>& sunk)
      : spec_(spec), robot_(robot), sunk_(sunk), bodies_(robot.tree().bodies.size(), nullptr) {}

  void build() {
    const BodyTree& tree = robot_.tree();
    for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
      pending_.push_back(i);
      if (tree.bodies[i].inertia.mass > 0.0) add_body();
    }
    for (const LinkPlacement& link : tree.links) add_shapes(link);
    const std::string& pelvis = robot_.description().roles.pelvis;
    const LinkPlacement& imu =
        tree.links[static_cast<std::size_t>(robot_.frame(pelvis.empty() ? tree.bodies.front().link : pelvis))];
    add_imu(spec_, *bodies_[static_cast<std::size_t>(imu.body)], imu.T_body_link);
    for (std::size_t i = 0; i < robot_.joints().size(); ++i) add_actuator(robot_.joints()[i]);
  }

 private:
  void add_body() {
    const BodyTree& tree = robot_.tree();
    const RigidBody& first = tree.bodies[pending_.front()];
    const RigidBody& last = tree.bodies[pending_.back()];
    mjsBody* parent =
        first.parent < 0 ? mjs_findBody(&spec_, "world") : bodies_[static_cast<std::size_t>(first.parent)];
    mjsBody* body = mjs_addBody(parent, nullptr);
    mjs_setName(body->element, last.link.c_str());
    set_inertia(*body, last.inertia);
    body->simple = 0;  // a payload may move its centre of mass
    Eigen::Isometry3d T_parent_body = Eigen::Isometry3d::Identity();
    for (std::size_t i : pending_) T_parent_body = T_parent_body * tree.bodies[i].T_parent_joint;
    copy(Eigen::Vector3d(T_parent_body.translation()), body->pos);
    copy(Eigen::Quaterniond(T_parent_body.linear()), body->quat);
    Eigen::Isometry3d T_parent_joint = Eigen::Isometry3d::Identity();
    for (std::size_t i : pending_) {
      T_parent_joint = T_parent_joint * tree.bodies[i].T_parent_joint;
      add_joint(*body, i, T_parent_body.inverse() * T_parent_joint);
      bodies_[i] = body;
    }
    pending_.clear();
  }

  void add_joint(mjsBody& body, std::size_t tree_body, const Eigen::Isometry3d& T_body_joint) {
    if (tree_body == 0) {
      mjs_setName(mjs_addFreeJoint(&body)->element, "world/base");
      return;
    }
    const Joint& joint = robot_.joints()[tree_body - 1];
    mjsJoint* added = mjs_addJoint(&body, nullptr);
    mjs_setName(added->element, joint.name.c_str());
    added->type = joint.is_prismatic ? mjJNT_SLIDE : mjJNT_HINGE;
    copy(Eigen::Vector3d(T_body_joint.translation()), added->pos);
    copy(Eigen::Vector3d(T_body_joint.linear() * joint.axis), added->axis);
    added->armature = joint.armature;
    const bool is_limited = std::isfinite(joint.lower) && std::isfinite(joint.upper);
    added->limited = is_limited ? mjLIMITED_TRUE : mjLIMITED_FALSE;
    if (is_limited) {
      added->range[0] = joint.lower;
      added->range[1] = joint.upper;
      added->solref_limit[0] = 0.005;  // [s] the time constant of contacts
    }
  }

  /// Whether a link belongs to a hand: to the body that carries it, or to one beyond (fingers).
  bool is_of_hand(const LinkPlacement& placement) const {
    for (const std::string& hand : robot_.description().roles.hand) {
      if (hand.empty()) continue;
      const int body_of_hand = robot_.tree().links[static_cast<std::size_t>(robot_.frame(hand))].body;
      for (int body = placement.body; body >= 0; body = robot_.tree().bodies[static_cast<std::size_t>(body)].parent) {
        if (body == body_of_hand) return true;
      }
    }
    return false;
  }

  void add_shapes(const LinkPlacement& placement) {
    const RobotDescription& description = robot_.description();
    mjsBody& body = *bodies_[static_cast<std::size_t>(placement.body)];
    const RigidBody& tree_body = robot_.tree().bodies[static_cast<std::size_t>(placement.body)];
    if (tree_body.inertia.mass == 0.0) return;  // its engine body has another frame; such links have no shape
    int world_bits = is_of_hand(placement) ? kHandBit : kLinkBit;
    for (int side : {kLeft, kRight}) {
      if (!description.soles[side]) continue;
      const FrameId foot = robot_.frame(description.roles.foot[side]);
      if (robot_.tree().links[static_cast<std::size_t>(foot)].body != placement.body) continue;
      world_bits = 0;  // the sole stands for the foot, and for all that is fixed to it
      if (robot_.frame_name(foot) == placement.link) {
        add_sole(body, placement.T_body_link, *description.soles[side], side);
      }
    }
    const std::vector<Shape>& shapes = robot_.urdf().link(placement.link).collisions;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const std::string name = shape_name(placement.link, i);
      add_shape(body, name, placement.T_body_link, shapes[i], kSelfBit | (sunk_.contains(name) ? 0 : world_bits));
    }
  }

  void add_actuator(const Joint& joint) {
    mjsActuator* drive = mjs_addActuator(&spec_, nullptr);
    mjs_setName(drive->element, joint.name.c_str());
    drive->trntype = mjTRN_JOINT;
    mjs_setString(drive->target, joint.name.c_str());
    // force = ctrl − k q − d q̇: the gains are written at every tick (joint_drives.cpp).
    drive->gaintype = mjGAIN_FIXED;
    drive->gainprm[0] = 1.0;
    drive->biastype = mjBIAS_AFFINE;
    if (std::isfinite(joint.effort)) {
      drive->forcelimited = mjLIMITED_TRUE;
      drive->forcerange[0] = -joint.effort;
      drive->forcerange[1] = joint.effort;
    }
  }

  mjSpec& spec_;
  const RobotModel& robot_;
  const std::set<std::string>& sunk_;
  std::vector<mjsBody*> bodies_;
  std::vector<std::size_t> pending_;  ///< massless bodies, and the one with mass that ends them
};

}  // namespace

std::string corner_name(int side, int corner) {
  return fmt::format("world/{}_corner_{}", side == kLeft ? "left" : "right", corner);
}

std::string shape_name(const std::string& link, std::size_t index) { return fmt::format("shape/{}/{}", link, index); }

void add_robot(mjSpec& spec, const RobotModel& robot, const std::set<std::string>& sunk) {
  RobotBuilder(spec, robot, sunk).build();
}

void add_seat_shapes(mjSpec& spec, const RobotModel& robot) {
  const std::vector<SeatShape> shapes = seat_shapes(robot);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const RigidBody& body = robot.tree().bodies[static_cast<std::size_t>(shapes[i].body)];
    if (body.inertia.mass == 0.0) continue;  // its engine body has another frame
    add_shape(*mjs_findBody(&spec, body.link.c_str()), fmt::format("seat/{}", i), Eigen::Isometry3d::Identity(),
              shapes[i].shape, kSeatBit);
  }
}

}  // namespace aplomb

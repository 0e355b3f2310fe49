#include "aplomb/sim/mujoco_model.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

// Who touches whom: things of the world offer both bits; soles answer to one, other shapes of the robot to the other,
// so that a foot stands on the spheres under its sole and not on its box as well.
constexpr int kTouchesSoles = 1;
constexpr int kTouchesLinks = 2;
constexpr double kCornerRadius = 0.005;  // [m]

void copy(const Eigen::Vector3d& from, double* to) { std::copy_n(from.data(), 3, to); }

void copy(const Eigen::Quaterniond& from, double* to) {
  to[0] = from.w();
  to[1] = from.x();
  to[2] = from.y();
  to[3] = from.z();
}

void set_options(mjSpec& spec, double timestep) {
  spec.compiler.degree = 0;
  spec.compiler.boundmass = 0.0;
  spec.compiler.boundinertia = 0.0;
  spec.compiler.balanceinertia = 0;
  spec.compiler.fusestatic = 0;
  spec.compiler.inertiafromgeom = mjINERTIAFROMGEOM_FALSE;
  spec.option.timestep = timestep;
  spec.option.integrator = mjINT_IMPLICITFAST;
  spec.option.cone = mjCONE_ELLIPTIC;
  spec.option.impratio = 10.0;
  spec.option.disableflags |= mjDSBL_AUTORESET;
}

/// Contact that is stiff without chatter at a step of 0.5 to 1 ms.
void set_contact(mjsGeom& geom) {
  geom.condim = 3;
  geom.solref[0] = 0.005;
  geom.solref[1] = 1.0;
  const double solimp[] = {0.95, 0.99, 0.001};
  std::copy_n(solimp, 3, geom.solimp);
}

void add_floor(mjSpec& spec, const World& world) {
  mjsGeom* floor = mjs_addGeom(mjs_findBody(&spec, "world"), nullptr);
  mjs_setName(floor->element, "floor");
  floor->type = mjGEOM_PLANE;
  floor->size[2] = 1.0;
  floor->contype = kTouchesSoles | kTouchesLinks;
  floor->conaffinity = 0;
  floor->priority = 1;  // the ground's friction counts, not the larger of the two
  floor->friction[0] = world.floor_friction;
  set_contact(*floor);
}

void add_sole(mjsBody& body, const Eigen::Isometry3d& T_body_foot, const Sole& sole) {
  for (const Eigen::Vector3d& corner : sole.corners()) {
    mjsGeom* sphere = mjs_addGeom(&body, nullptr);
    sphere->type = mjGEOM_SPHERE;
    sphere->size[0] = kCornerRadius;
    copy(Eigen::Vector3d(T_body_foot * (corner + Eigen::Vector3d(0.0, 0.0, kCornerRadius))), sphere->pos);
    sphere->contype = 0;
    sphere->conaffinity = kTouchesSoles;
    set_contact(*sphere);
  }
}

void add_shape(mjsBody& body, const Eigen::Isometry3d& T_body_link, const Shape& shape) {
  if (shape.kind == Shape::Kind::mesh) return;  // meshes are looks; physics uses the simple shapes
  mjsGeom* geom = mjs_addGeom(&body, nullptr);
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
  geom->contype = 0;
  geom->conaffinity = kTouchesLinks;
  set_contact(*geom);
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
  RobotBuilder(mjSpec& spec, const RobotModel& robot)
      : spec_(spec), robot_(robot), bodies_(robot.tree().bodies.size(), nullptr) {}

  void build() {
    const BodyTree& tree = robot_.tree();
    for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
      pending_.push_back(i);
      if (tree.bodies[i].inertia.mass > 0.0) add_body();
    }
    for (const LinkPlacement& link : tree.links) add_shapes(link);
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
      mjs_setName(mjs_addFreeJoint(&body)->element, "base");
      return;
    }
    const Joint& joint = robot_.joints()[tree_body - 1];
    mjsJoint* added = mjs_addJoint(&body, nullptr);
    mjs_setName(added->element, joint.name.c_str());
    added->type = joint.is_prismatic ? mjJNT_SLIDE : mjJNT_HINGE;
    copy(Eigen::Vector3d(T_body_joint.translation()), added->pos);
    copy(Eigen::Vector3d(T_body_joint.linear() * joint.axis), added->axis);
    added->armature = robot_.description().actuation.armature;
    const bool is_limited = std::isfinite(joint.lower) && std::isfinite(joint.upper);
    added->limited = is_limited ? mjLIMITED_TRUE : mjLIMITED_FALSE;
    if (is_limited) {
      added->range[0] = joint.lower;
      added->range[1] = joint.upper;
    }
  }

  void add_shapes(const LinkPlacement& placement) {
    const RobotDescription& description = robot_.description();
    mjsBody& body = *bodies_[static_cast<std::size_t>(placement.body)];
    const RigidBody& tree_body = robot_.tree().bodies[static_cast<std::size_t>(placement.body)];
    for (int side : {kLeft, kRight}) {
      if (description.soles[side] && description.roles.foot[side] == placement.link) {
        add_sole(body, placement.T_body_link, *description.soles[side]);
        return;
      }
    }
    if (tree_body.inertia.mass == 0.0) return;  // its engine body has another frame; such links have no shape
    for (const Shape& shape : robot_.urdf().link(placement.link).collisions) {
      add_shape(body, placement.T_body_link, shape);
    }
  }

  void add_actuator(const Joint& joint) {
    mjsActuator* drive = mjs_addActuator(&spec_, nullptr);
    mjs_setName(drive->element, joint.name.c_str());
    drive->trntype = mjTRN_JOINT;
    mjs_setString(drive->target, joint.name.c_str());
    // force = ctrl − k q − d q̇: the gains are written at every tick (see Simulation::step).
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
  std::vector<mjsBody*> bodies_;
  std::vector<std::size_t> pending_;  ///< massless bodies, and the one with mass that ends them
};

}  // namespace

MujocoModel build_mujoco_model(const RobotModel& robot, const World& world, double timestep) {
  // By default the engine writes a log file where the user stands, and ends the program on an error.
  mju_user_warning = [](const char*) {};  // counted in mjData::warning, reported as sim_warnings
  mju_user_error = [](const char* message) { throw InvalidValue(std::string("physics engine: ") + message); };
  const SpecPtr spec(mj_makeSpec());
  set_options(*spec, timestep);
  add_floor(*spec, world);
  RobotBuilder(*spec, robot).build();

  MujocoModel built;
  built.model.reset(mj_compile(spec.get(), nullptr));
  if (!built.model)
    throw InvalidValue("the physics engine refuses this robot: " + std::string(mjs_getError(spec.get())));

  const BodyTree& tree = robot.tree();
  built.body_of_tree.assign(tree.bodies.size(), -1);
  for (std::size_t i = tree.bodies.size(); i-- > 0;) {
    const int own = mj_name2id(built.model.get(), mjOBJ_BODY, tree.bodies[i].link.c_str());
    built.body_of_tree[i] = own >= 0 ? own : built.body_of_tree[i + 1];
  }
  for (const Joint& joint : robot.joints()) {
    const int id = mj_name2id(built.model.get(), mjOBJ_JOINT, joint.name.c_str());
    built.joint_q.push_back(built.model->jnt_qposadr[id]);
    built.joint_v.push_back(built.model->jnt_dofadr[id]);
  }
  for (int side : {kLeft, kRight}) {
    if (!robot.description().soles[side]) continue;
    const FrameId foot = robot.frame(robot.description().roles.foot[side]);
    built.foot_body[side] =
        built.body_of_tree[static_cast<std::size_t>(tree.links[static_cast<std::size_t>(foot)].body)];
  }
  return built;
}

}  // namespace aplomb

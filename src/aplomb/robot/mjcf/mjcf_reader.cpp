#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <set>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/robot/mjcf/mjcf.hpp"
#include "aplomb/robot/mjcf/mjcf_text.hpp"
#include "aplomb/robot/urdf/urdf_structure.hpp"
#include "aplomb/robot/urdf/urdf_xml.hpp"

namespace aplomb {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = 1e9;  // [kg, m, kg m²] as in a URDF

using ModelPtr = std::unique_ptr<mjModel, decltype(&mj_deleteModel)>;
using SpecPtr = std::unique_ptr<mjSpec, decltype(&mj_deleteSpec)>;

/// By default MuJoCo writes a log file into the working directory and ends the program on an error.
void set_handlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (mju_user_warning == nullptr) mju_user_warning = [](const char*) {};
    if (mju_user_error == nullptr) {
      mju_user_error = [](const char* message) { throw InvalidValue(std::string("physics engine: ") + message); };
    }
  });
}

/// MuJoCo's message on one line. Its line numbers are those of the text after the pre-check, so they are taken out.
std::string compiler_says(std::string message) {
  std::ranges::replace(message, '\n', ' ');
  for (std::size_t at; (at = message.find("line ")) != std::string::npos;) {
    std::size_t end = message.find_first_not_of("0123456789", at + 5);
    if (end == std::string::npos) end = message.size();
    while (at > 0 && (message[at - 1] == ' ' || message[at - 1] == ',')) --at;
    message.erase(at, end - at);
  }
  return fmt::format("MuJoCo's compiler rejects it: {}", shortened(message, 300));
}

ModelPtr compile(const MjcfText& text, const std::filesystem::path& file) {
  set_handlers();
  std::array<char, 1000> error{};
  try {
    const SpecPtr spec(mj_parseXMLString(text.xml.c_str(), nullptr, error.data(), error.size()), &mj_deleteSpec);
    if (!spec) throw FileError({file.string()}, compiler_says(error.data()));
    ModelPtr model(mj_compile(spec.get(), nullptr), &mj_deleteModel);
    if (!model) throw FileError({file.string()}, compiler_says(mjs_getError(spec.get())));
    return model;
  } catch (const InvalidValue& fatal) {  // from the handler above
    throw FileError({file.string()}, compiler_says(fatal.what()));
  }
}

Eigen::Vector3d vector_at(const mjtNum* values, int index) {
  return {values[3 * index], values[3 * index + 1], values[3 * index + 2]};
}

Eigen::Isometry3d pose_at(const mjtNum* positions, const mjtNum* quaternions, int index) {
  Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
  T.translation() = vector_at(positions, index);
  const mjtNum* q = quaternions + 4 * index;
  T.linear() = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
  return T;
}

Eigen::Isometry3d translation(const Eigen::Vector3d& offset) { return Eigen::Isometry3d(Eigen::Translation3d(offset)); }

/// Turns a compiled model into links and joints.
class Converter {
 public:
  Converter(const mjModel& model, const MjcfText& text, const std::filesystem::path& file)
      : model_(model), text_(text), file_(file) {
    urdf_.name = text.name.empty() ? file.stem().string() : text.name;
    urdf_.file = file;
  }

  Urdf convert() {
    check_parts();
    find_root();
    for (int body = 1; body < model_.nbody; ++body) {
      if (is_robot_[static_cast<std::size_t>(body)]) add_body(body);
    }
    add_equalities();
    add_notes();
    return std::move(urdf_);
  }

 private:
  [[noreturn]] void refuse(int line, std::string_view why) const { throw FileError({file_.string(), line}, why); }

  std::string body_name(int body) const {
    const char* name = mj_id2name(&model_, mjOBJ_BODY, body);
    return name != nullptr ? name : body == 0 ? "world" : fmt::format("body_{}", body);
  }
  std::string joint_name(int joint) const {
    const char* name = mj_id2name(&model_, mjOBJ_JOINT, joint);
    if (name != nullptr) return name;
    const int body = model_.jnt_bodyid[joint];
    const int index = joint - model_.body_jntadr[body];
    return index == 0 ? body_name(body) + "_joint" : fmt::format("{}_joint_{}", body_name(body), index + 1);
  }
  int body_line(int body) const {
    const auto found = text_.line_of_body.find(body_name(body));
    return found == text_.line_of_body.end() ? 0 : found->second;
  }
  int joint_line(int joint) const {
    const auto found = text_.line_of_joint.find(joint_name(joint));
    return found == text_.line_of_joint.end() ? 0 : found->second;
  }

  /// What the pre-check cannot see, because a default class says it.
  void check_parts() const {
    if (model_.nbody < 2) refuse(0, "has no <body>: it is not a robot");
    if (model_.ntendon > 0)
      refuse(0, "has tendons, which are beyond this robot model (rigid links and one-axis joints)");
    if (model_.nflex > 0) refuse(0, "has deformable objects, which are beyond this robot model (rigid links)");
    for (int joint = 0; joint < model_.njnt; ++joint) {
      if (model_.jnt_type[joint] != mjJNT_BALL) continue;
      refuse(joint_line(joint),
             fmt::format("joint '{}': ball joints are beyond this robot model; write three hinges", joint_name(joint)));
    }
    for (int body = 1; body < model_.nbody; ++body) {
      if (model_.body_gravcomp[body] == 0.0) continue;
      refuse(body_line(body),
             fmt::format("body '{}': gravity compensation (gravcomp) is beyond this robot model", body_name(body)));
    }
    for (int i = 0; i < model_.nbody; ++i) {
      const Eigen::Vector3d moments = vector_at(model_.body_inertia, i);
      const bool is_sound = moments.allFinite() && moments.cwiseAbs().maxCoeff() <= kLargest &&
                            std::isfinite(model_.body_mass[i]) && model_.body_mass[i] <= kLargest &&
                            vector_at(model_.body_pos, i).cwiseAbs().maxCoeff() <= kLargest &&
                            vector_at(model_.body_ipos, i).cwiseAbs().maxCoeff() <= kLargest;
      if (!is_sound)
        refuse(body_line(i),
               fmt::format("body '{}': a mass, inertia or position is not finite or above 1e9", body_name(i)));
    }
  }

  bool has_free_joint(int body) const {
    return model_.body_jntnum[body] > 0 && model_.jnt_type[model_.body_jntadr[body]] == mjJNT_FREE;
  }

  /// The robot: the tree below the only free joint; without one, the only tree that has joints. Bodies without joints
  /// beside it are the scene.
  void find_root() {
    std::vector<int> free, jointed;
    std::vector<bool> is_jointed(static_cast<std::size_t>(model_.nbody), false);
    std::vector<int> top(static_cast<std::size_t>(model_.nbody), 0);
    for (int body = 1; body < model_.nbody; ++body) {
      const int parent = model_.body_parentid[body];
      top[static_cast<std::size_t>(body)] = parent == 0 ? body : top[static_cast<std::size_t>(parent)];
      if (model_.body_jntnum[body] > 0)
        is_jointed[static_cast<std::size_t>(top[static_cast<std::size_t>(body)])] = true;
      if (has_free_joint(body)) free.push_back(body);
    }
    for (int body = 1; body < model_.nbody; ++body) {
      if (is_jointed[static_cast<std::size_t>(body)]) jointed.push_back(body);
    }
    const auto second_tree = [&](int first, int second) {
      refuse(body_line(second),
             fmt::format("body '{}' moves apart from '{}': a free body or a second mechanism is beyond this "
                         "robot model; take it out of the robot's file",
                         body_name(second), body_name(first)));
    };
    if (free.size() > 1) second_tree(free[0], free[1]);
    if (jointed.size() > 1) second_tree(jointed[0], jointed[1]);
    if (!free.empty()) {
      root_ = free.front();
    } else if (!jointed.empty()) {
      const bool moves_itself = model_.body_jntnum[jointed.front()] > 0;
      root_ = moves_itself ? 0 : jointed.front();
      urdf_.notes.push_back(
          fmt::format("no free joint: '{}' is fixed to the world there, and floats here", body_name(root_)));
    } else if (model_.nbody == 2) {
      root_ = 1;
    } else {
      refuse(0, "has no joint: it is a scene, not a robot");
    }
    is_robot_.assign(static_cast<std::size_t>(model_.nbody), false);
    std::string scene;
    for (int body = 0; body < model_.nbody; ++body) {
      const bool is_own =
          body == root_ || (body > 0 && is_robot_[static_cast<std::size_t>(model_.body_parentid[body])]);
      is_robot_[static_cast<std::size_t>(body)] = is_own;
      if (!is_own && body > 0) scene += (scene.empty() ? "" : ", ") + body_name(body);
    }
    if (root_ == 0) urdf_.links.push_back({.name = "world"});
    if (!scene.empty())
      urdf_.notes.push_back(fmt::format("left out: bodies that are not on the robot ({})", shown(scene)));
  }

  void add_body(int body) {
    UrdfLink link;
    link.name = body_name(body);
    link.line = link.inertial_line = body_line(body);
    // MuJoCo keeps principal moments and their axes.
    const Eigen::Isometry3d T = pose_at(model_.body_ipos, model_.body_iquat, body);
    link.inertia.mass = model_.body_mass[body];
    link.inertia.com = T.translation();
    link.inertia.about_com = T.linear() * vector_at(model_.body_inertia, body).asDiagonal() * T.linear().transpose();
    for (int i = 0; i < model_.body_geomnum[body]; ++i) add_geom(model_.body_geomadr[body] + i, link);
    if (body != root_) add_joints(body);
    urdf_.links.push_back(std::move(link));
  }

  /// A row of one-axis joints, in MuJoCo's order: each turns the body about its anchor.
  void add_joints(int body) {
    const int parent = model_.body_parentid[body];
    std::string above = body_name(parent);
    Eigen::Isometry3d T = pose_at(model_.body_pos, model_.body_quat, body);  // from `above` to the body at zero
    for (int i = 0; i < model_.body_jntnum[body]; ++i) {
      const int id = model_.body_jntadr[body] + i;
      UrdfJoint joint = joint_at(id);
      const Eigen::Vector3d anchor = vector_at(model_.jnt_pos, id);
      joint.parent = above;
      joint.T_parent_joint = T * translation(anchor) * to_zero(id, joint.axis);
      const bool is_last = i + 1 == model_.body_jntnum[body] && anchor.isZero(0.0);
      joint.child = is_last ? body_name(body) : joint.name + "/link";
      if (!is_last) urdf_.links.push_back({.name = joint.child, .line = joint.line});
      above = joint.child;
      urdf_.joints.push_back(std::move(joint));
      T = translation(-anchor);
    }
    if (above == body_name(body)) return;
    urdf_.joints.push_back({.name = body_name(body) + "/fixed",
                            .line = body_line(body),
                            .parent = above,
                            .child = body_name(body),
                            .T_parent_joint = T});
  }

  /// `ref` is the joint's position in the posture of the file, which then is not zero.
  Eigen::Isometry3d to_zero(int joint, const Eigen::Vector3d& axis) const {
    const double reference = model_.qpos0[model_.jnt_qposadr[joint]];
    if (model_.jnt_type[joint] == mjJNT_SLIDE) return translation(-reference * axis);
    return Eigen::Isometry3d(Eigen::AngleAxisd(-reference, axis));
  }

  UrdfJoint joint_at(int id) {
    const bool is_slide = model_.jnt_type[id] == mjJNT_SLIDE;
    const bool is_limited = model_.jnt_limited[id] != 0;
    UrdfJoint joint;
    joint.name = joint_name(id);
    joint.line = joint_line(id);
    joint.axis = vector_at(model_.jnt_axis, id).normalized();
    joint.type = is_slide     ? UrdfJoint::Type::prismatic
                 : is_limited ? UrdfJoint::Type::revolute
                              : UrdfJoint::Type::continuous;
    joint.lower = is_limited ? model_.jnt_range[2 * id] : -kInfinity;
    joint.upper = is_limited ? model_.jnt_range[2 * id + 1] : kInfinity;
    joint.velocity = kInfinity;
    joint.effort = effort_of(id);
    const int dof = model_.jnt_dofadr[id];
    joint.armature = model_.dof_armature[dof];
    if (model_.jnt_stiffness[id] != 0.0) springs_.push_back(joint.name);
    if (model_.dof_damping[dof] != 0.0 || model_.dof_frictionloss[dof] != 0.0) damped_.push_back(joint.name);
    return joint;
  }

  /// Largest torque both ways that the joint's actuators give; inf when nothing limits it, or nothing is actuated at
  /// all.
  double effort_of(int joint) const {
    double sum = model_.nu == 0 ? kInfinity : 0.0;
    for (int i = 0; i < model_.nu; ++i) {
      const bool is_joint =
          model_.actuator_trntype[i] == mjTRN_JOINT || model_.actuator_trntype[i] == mjTRN_JOINTINPARENT;
      if (is_joint && model_.actuator_trnid[2 * i] == joint) sum += effort_of_actuator(i);
    }
    const auto smaller = [](const mjtNum* range) { return std::min(std::abs(range[0]), std::abs(range[1])); };
    if (model_.jnt_actfrclimited[joint] != 0) sum = std::min(sum, smaller(model_.jnt_actfrcrange + 2 * joint));
    return sum;
  }

  double effort_of_actuator(int actuator) const {
    const double gear = std::abs(model_.actuator_gear[6 * actuator]);
    const auto smaller = [](const mjtNum* range) { return std::min(std::abs(range[0]), std::abs(range[1])); };
    double limit = kInfinity;
    if (model_.actuator_forcelimited[actuator] != 0) limit = smaller(model_.actuator_forcerange + 2 * actuator);
    const bool is_motor =
        model_.actuator_gaintype[actuator] == mjGAIN_FIXED && model_.actuator_biastype[actuator] == mjBIAS_NONE;
    if (is_motor && model_.actuator_ctrllimited[actuator] != 0) {
      const double gain = std::abs(model_.actuator_gainprm[mjNGAIN * actuator]);
      limit = std::min(limit, gain * smaller(model_.actuator_ctrlrange + 2 * actuator));
    }
    return gear * limit;
  }

  void add_geom(int geom, UrdfLink& link) {
    const mjtNum* size = model_.geom_size + 3 * geom;
    Shape shape;
    shape.T_link_shape = pose_at(model_.geom_pos, model_.geom_quat, geom);
    switch (model_.geom_type[geom]) {
      case mjGEOM_BOX:
        shape.kind = Shape::Kind::box;
        shape.size = 2.0 * Eigen::Vector3d(size[0], size[1], size[2]);
        break;
      case mjGEOM_SPHERE:
        shape.kind = Shape::Kind::sphere;
        shape.size.x() = size[0];
        break;
      case mjGEOM_CYLINDER:
      case mjGEOM_CAPSULE:
        shape.kind = model_.geom_type[geom] == mjGEOM_CYLINDER ? Shape::Kind::cylinder : Shape::Kind::capsule;
        shape.size.x() = size[0];
        shape.size.y() = 2.0 * size[1];
        break;
      case mjGEOM_MESH:
        if (!read_mesh(geom, shape)) return;
        break;
      default:
        ++num_odd_shapes_;
        return;
    }
    const bool collides = model_.geom_contype[geom] != 0 || model_.geom_conaffinity[geom] != 0;
    constexpr int kShownGroups = 3;  // MuJoCo's viewer shows geoms of groups 0 to 2
    if (collides) link.collisions.push_back(shape);
    if (!collides || model_.geom_group[geom] < kShownGroups) link.visuals.push_back(shape);
  }

  /// The compiler moves a mesh to its centre of mass and principal axes; the file is not moved.
  bool read_mesh(int geom, Shape& shape) {
    const int mesh = model_.geom_dataid[geom];
    const int path = mesh < 0 ? -1 : model_.mesh_pathadr[mesh];
    const auto found = path < 0 ? text_.mesh_files.end() : text_.mesh_files.find(model_.paths + path);
    if (found == text_.mesh_files.end()) {
      ++num_odd_shapes_;
      return false;
    }
    shape.kind = Shape::Kind::mesh;
    shape.mesh_file = found->second;
    shape.size = vector_at(model_.mesh_scale, mesh);
    shape.T_link_shape = shape.T_link_shape * pose_at(model_.mesh_pos, model_.mesh_quat, mesh).inverse();
    return true;
  }

  /// An equality of two joints is a mimic joint; a loop is beyond a tree.
  void add_equalities() {
    for (int i = 0; i < model_.neq; ++i) {
      if (model_.eq_type[i] != mjEQ_JOINT)
        refuse(0, "has an equality that closes a loop, which is beyond this robot model (a tree of links)");
      const int first = model_.eq_obj1id[i], second = model_.eq_obj2id[i];
      const auto joint = std::ranges::find(urdf_.joints, joint_name(first), &UrdfJoint::name);
      if (joint == urdf_.joints.end()) continue;
      if (second < 0)
        refuse(joint->line, fmt::format("joint '{}' is held by an equality; make it a fixed body", joint->name));
      joint->mimics = joint_name(second);
      joint->mimic_offset = model_.eq_data[mjNEQDATA * i];
    }
  }

  void add_notes() {
    const auto note = [&](const std::vector<std::string>& joints, std::string_view what) {
      if (!joints.empty())
        urdf_.notes.push_back(fmt::format("{} (joint {}{})", what, joints.front(),
                                          joints.size() > 1 ? fmt::format(" and {} more", joints.size() - 1) : ""));
    };
    note(springs_, "joint springs (stiffness) are left out");
    note(damped_, "joint damping and friction are left out");
    if (num_odd_shapes_ > 0)
      urdf_.notes.push_back(
          fmt::format("{} shapes that are no box, ball, cylinder, capsule or mesh file are left out", num_odd_shapes_));
    const Eigen::Vector3d gravity(model_.opt.gravity[0], model_.opt.gravity[1], model_.opt.gravity[2]);
    if ((gravity - Eigen::Vector3d(0.0, 0.0, -9.81)).norm() > 0.01) {
      urdf_.notes.push_back(
          fmt::format("the file's gravity ({:g}, {:g}, {:g}) is left out: here it is 9.81 m/s^2 downwards", gravity.x(),
                      gravity.y(), gravity.z()));
    }
  }

  const mjModel& model_;
  const MjcfText& text_;
  std::filesystem::path file_;
  Urdf urdf_;
  int root_ = 1;
  std::vector<bool> is_robot_;
  std::vector<std::string> springs_, damped_;
  int num_odd_shapes_ = 0;
};

}  // namespace

Urdf read_mjcf(const std::filesystem::path& file) {
  const MjcfText text = check_mjcf(file);
  const ModelPtr model = compile(text, file);
  Urdf urdf = Converter(*model, text, file).convert();
  find_structure(urdf);
  note_limits(urdf);
  return urdf;
}

}  // namespace aplomb

#include "aplomb/robot/robot_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <pinocchio/algorithm/kinematics.hpp>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/data_dir.hpp"
#include "aplomb/core/files/input_files.hpp"
#include "aplomb/robot/dynamics/pinocchio_model.hpp"
#include "aplomb/robot/mesh/mesh.hpp"
#include "aplomb/robot/package_path.hpp"
#include "aplomb/robot/robot_file.hpp"

namespace aplomb {
namespace {

pinocchio::SE3 to_se3(const Eigen::Isometry3d& T) { return {T.linear(), T.translation()}; }

Eigen::Isometry3d to_isometry(const pinocchio::SE3& M) {
  Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
  T.linear() = M.rotation();
  T.translation() = M.translation();
  return T;
}

pinocchio::JointModel joint_model(const Joint& joint) {
  const Eigen::Vector3d& axis = joint.axis;
  // Pinocchio is faster on joints about a coordinate axis.
  if (axis == Eigen::Vector3d::UnitX()) {
    return joint.is_prismatic ? pinocchio::JointModel(pinocchio::JointModelPX()) : pinocchio::JointModelRX();
  }
  if (axis == Eigen::Vector3d::UnitY()) {
    return joint.is_prismatic ? pinocchio::JointModel(pinocchio::JointModelPY()) : pinocchio::JointModelRY();
  }
  if (axis == Eigen::Vector3d::UnitZ()) {
    return joint.is_prismatic ? pinocchio::JointModel(pinocchio::JointModelPZ()) : pinocchio::JointModelRZ();
  }
  return joint.is_prismatic ? pinocchio::JointModel(pinocchio::JointModelPrismaticUnaligned(axis))
                            : pinocchio::JointModelRevoluteUnaligned(axis);
}

Joint make_joint(const UrdfJoint& urdf, const Actuation& actuation) {
  Joint joint{.name = urdf.name,
              .link = urdf.child,
              .is_prismatic = urdf.type == UrdfJoint::Type::prismatic,
              .axis = urdf.axis,
              .lower = urdf.lower,
              .upper = urdf.upper,
              .effort = urdf.effort,
              .velocity = urdf.velocity,
              .armature = urdf.armature.value_or(actuation.armature)};
  const bool has_effort = std::isfinite(joint.effort) && joint.effort > 0.0;
  if (!has_effort && actuation.default_effort > 0.0) joint.effort = actuation.default_effort;
  return joint;
}

PinocchioModel build_pinocchio(const BodyTree& tree, const std::vector<Joint>& joints) {
  PinocchioModel built;
  std::size_t next_joint = 0;
  for (const RigidBody& body : tree.bodies) {
    const bool is_root = body.parent < 0;
    const auto parent = static_cast<pinocchio::JointIndex>(body.parent + 1);
    const pinocchio::JointModel model =
        is_root ? pinocchio::JointModel(pinocchio::JointModelFreeFlyer()) : joint_model(joints[next_joint]);
    const std::string& name = is_root ? "base" : joints[next_joint++].name;
    const pinocchio::JointIndex id =
        built.model.addJoint(is_root ? 0 : parent, model, to_se3(body.T_parent_joint), name);
    built.model.appendBodyToJoint(id, pinocchio::Inertia(body.inertia.mass, body.inertia.com, body.inertia.about_com),
                                  pinocchio::SE3::Identity());
  }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    built.model.armature[static_cast<Eigen::Index>(6 + i)] = joints[i].armature;
  }
  for (const LinkPlacement& link : tree.links) {
    built.frames.push_back({static_cast<pinocchio::JointIndex>(link.body + 1), to_se3(link.T_body_link)});
  }
  return built;
}

/// The pose of a link when the base is at the origin.
Eigen::Isometry3d pose_in_base(const PinocchioModel& model, const RobotState& state, FrameId frame) {
  pinocchio::Data data(model.model);
  pinocchio::forwardKinematics(model.model, data, state.q);
  const PinocchioModel::Frame& at = model.frames[static_cast<std::size_t>(frame)];
  return to_isometry(data.oMi[at.joint] * at.placement);
}

std::filesystem::path yaml_beside(const std::filesystem::path& urdf) {
  std::filesystem::path yaml = urdf;
  return yaml.replace_extension(".yaml");
}

}  // namespace

RobotModel::RobotModel(const Urdf& urdf, RobotDescription description)
    : urdf_(with_frames(urdf, description)),
      description_(std::move(description)),
      tree_(build_body_tree(urdf_, description_.inertia)) {
  notes_ = urdf_.notes;
  notes_.insert(notes_.end(), tree_.notes.begin(), tree_.notes.end());
  if (std::string note = missing_meshes_note(urdf_, package_roots()); !note.empty()) notes_.push_back(std::move(note));
  for (const RigidBody& body : tree_.bodies) {
    if (body.joint >= 0) {
      joints_.push_back(make_joint(urdf_.joints[static_cast<std::size_t>(body.joint)], description_.actuation));
    }
    mass_ += body.inertia.mass;
  }
  check_description(description_, urdf_);
  pinocchio_ = std::make_unique<PinocchioModel>(build_pinocchio(tree_, joints_));
}

RobotModel::RobotModel(RobotModel&&) noexcept = default;
RobotModel& RobotModel::operator=(RobotModel&&) noexcept = default;
RobotModel::~RobotModel() = default;

RobotModel RobotModel::from_file(const std::filesystem::path& urdf) {
  const std::filesystem::path yaml = yaml_beside(urdf);
  note_input(yaml);  // also when there is none: one that appears later makes another robot
  if (std::filesystem::exists(yaml)) return RobotModel(read_robot_file(urdf), read_robot_yaml(yaml));
  RobotDescription description;
  description.name = urdf.stem().string();
  description.urdf = urdf;
  RobotModel model(read_robot_file(urdf), std::move(description));
  model.notes_.push_back(
      fmt::format("no {} beside the robot's file: no roles, soles or postures are known", yaml.filename().string()));
  return model;
}

RobotModel RobotModel::load(std::string_view name_or_path) {
  const std::filesystem::path path(name_or_path);
  const bool is_path = is_robot_path(name_or_path);
  if (is_path) require_file(path, robot_names());
  if (path.extension() == ".yaml") {
    const RobotDescription description = read_robot_yaml(path);
    return RobotModel(read_robot_file(description.urdf), description);
  }
  if (is_path) return from_file(path);
  const std::vector<std::string> known = robot_names();
  if (std::ranges::find(known, name_or_path) == known.end()) {
    throw UnknownName("robot", name_or_path, "`aplomb list`", known);
  }
  const RobotDescription description = read_robot_yaml(robot_yaml(name_or_path));
  return RobotModel(read_robot_file(description.urdf), description);
}

int RobotModel::joint(std::string_view name) const {
  const auto found = std::ranges::find(joints_, name, &Joint::name);
  if (found != joints_.end()) return static_cast<int>(found - joints_.begin());
  std::vector<std::string> known;
  for (const Joint& joint : joints_) known.push_back(joint.name);
  throw UnknownName("joint", name, urdf_.file.filename().string(), known);
}

FrameId RobotModel::frame(std::string_view link) const {
  const auto found = std::ranges::find(tree_.links, link, &LinkPlacement::link);
  if (found != tree_.links.end()) return static_cast<FrameId>(found - tree_.links.begin());
  std::vector<std::string> known;
  for (const LinkPlacement& placement : tree_.links) known.push_back(placement.link);
  throw UnknownName("link", link, urdf_.file.filename().string(), known);
}

const std::string& RobotModel::frame_name(FrameId frame) const {
  return tree_.links[static_cast<std::size_t>(frame)].link;
}

std::vector<int> RobotModel::joint_chain(FrameId link, std::optional<FrameId> top) const {
  const auto body_of = [this](FrameId frame) { return tree_.links[static_cast<std::size_t>(frame)].body; };
  std::vector<int> bodies = tree_.chain(body_of(link), top ? body_of(*top) : 0);
  for (int& body : bodies) --body;  // body i is moved by joint i − 1
  return bodies;
}

RobotModel RobotModel::cad() const {
  if (!has_cad()) {
    throw Error(fmt::format("robot '{}' has no CAD model: name the robot whose URDF is its CAD under `cad` in {}",
                            name(), description_.file.empty() ? "its YAML" : description_.file.string()));
  }
  return RobotModel(load(description_.cad).urdf(), description_);
}

RobotState RobotModel::neutral_state() const {
  RobotState state{Eigen::VectorXd::Zero(nq()), Eigen::VectorXd::Zero(nv())};
  state.q[6] = 1.0;
  for (int i = 0; i < num_joints(); ++i) {
    state.q[7 + i] =
        std::clamp(0.0, joints_[static_cast<std::size_t>(i)].lower, joints_[static_cast<std::size_t>(i)].upper);
  }
  return state;
}

RobotState RobotModel::posture(std::string_view name) const {
  const auto found = description_.postures.find(std::string(name));
  if (found == description_.postures.end()) {
    std::vector<std::string> known;
    for (const auto& [posture_name, angles] : description_.postures) known.push_back(posture_name);
    throw UnknownName("posture", name, description_.name + ".yaml", known);
  }
  RobotState state = neutral_state();
  for (const auto& [joint_name, angle] : found->second) state.q[7 + joint(joint_name)] = angle;
  stand_on_soles(state);
  return state;
}

void RobotModel::stand_on_soles(RobotState& state) const {
  state.q.head<7>() << 0, 0, 0, 0, 0, 0, 1;
  std::vector<Eigen::Isometry3d> T_base_sole;
  for (int side : {kLeft, kRight}) {
    if (!description_.soles[side]) continue;
    Eigen::Isometry3d T_foot_sole = Eigen::Isometry3d::Identity();
    T_foot_sole.translation() = description_.soles[side]->centre();
    T_base_sole.push_back(pose_in_base(*pinocchio_, state, frame(description_.roles.foot[side])) * T_foot_sole);
  }
  if (T_base_sole.empty()) return;
  const Eigen::Quaterniond first(T_base_sole.front().linear());
  const Eigen::Quaterniond last(T_base_sole.back().linear());
  const Eigen::Quaterniond R_base_soles = first.slerp(0.5, last);
  const Eigen::Vector3d middle = 0.5 * (T_base_sole.front().translation() + T_base_sole.back().translation());
  const Eigen::Quaterniond R_world_base = R_base_soles.conjugate();
  state.q.head<3>() = -(R_world_base * middle);
  state.q.segment<4>(3) = R_world_base.coeffs();
}

}  // namespace aplomb

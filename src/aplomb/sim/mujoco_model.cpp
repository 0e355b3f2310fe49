#include "aplomb/sim/mujoco_model.hpp"

#include <mutex>
#include <set>
#include <utility>

#include "aplomb/core/error.hpp"
#include "aplomb/sim/mujoco_parts.hpp"

namespace aplomb {
namespace {

using BodyPair = std::pair<std::string, std::string>;

/// By default the engine writes a log file where the user stands, and ends the program on an error.
void set_handlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    mju_user_warning = [](const char*) {};  // counted in mjData::warning, reported as sim_warnings
    mju_user_error = [](const char* message) { throw InvalidValue(std::string("physics engine: ") + message); };
  });
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

ModelPtr compile(const RobotModel& robot, const World& world, double timestep, const std::set<BodyPair>& apart) {
  const SpecPtr spec(mj_makeSpec());
  set_options(*spec, timestep);
  add_world(*spec, world);
  add_robot(*spec, robot);
  for (const auto& [first, second] : apart) {
    mjsExclude* exclude = mjs_addExclude(spec.get());
    mjs_setString(exclude->bodyname1, first.c_str());
    mjs_setString(exclude->bodyname2, second.c_str());
  }
  ModelPtr model(mj_compile(spec.get(), nullptr));
  if (!model) throw InvalidValue("the physics engine refuses this robot: " + std::string(mjs_getError(spec.get())));
  return model;
}

void set_joints(const MujocoModel& built, mjData& data, const RobotState& state) {
  for (std::size_t i = 0; i < built.joint_q.size(); ++i) {
    data.qpos[built.joint_q[i]] = state.q[7 + static_cast<Eigen::Index>(i)];
  }
}

/// Pairs of links whose shapes overlap where nothing should touch: such shapes are coarser than the robot.
std::set<BodyPair> overlapping_pairs(const RobotModel& robot, const MujocoModel& built) {
  std::vector<RobotState> postures = {robot.neutral_state()};
  for (const auto& [name, angles] : robot.description().postures) postures.push_back(robot.posture(name));
  const DataPtr data(mj_makeData(built.model.get()));
  const mjModel& model = *built.model;
  std::set<BodyPair> pairs;
  for (const RobotState& posture : postures) {
    set_joints(built, *data, posture);
    data->qpos[built.base_q + 2] = 100.0;  // far from everything else
    mj_fwdPosition(&model, data.get());
    for (int i = 0; i < data->ncon; ++i) {
      const int first = model.geom_bodyid[data->contact[i].geom[0]];
      const int second = model.geom_bodyid[data->contact[i].geom[1]];
      if (first == 0 || second == 0) continue;  // a wall, which has no end
      pairs.emplace(mj_id2name(&model, mjOBJ_BODY, first), mj_id2name(&model, mjOBJ_BODY, second));
    }
  }
  return pairs;
}

void find_addresses(MujocoModel& built, const RobotModel& robot, const World& world) {
  const mjModel* model = built.model.get();
  const BodyTree& tree = robot.tree();
  built.body_of_tree.assign(tree.bodies.size(), -1);
  for (std::size_t i = tree.bodies.size(); i-- > 0;) {
    const int own = mj_name2id(model, mjOBJ_BODY, tree.bodies[i].link.c_str());
    built.body_of_tree[i] = own >= 0 ? own : built.body_of_tree[i + 1];
  }
  const int base = mj_name2id(model, mjOBJ_JOINT, "world/base");
  built.base_q = model->jnt_qposadr[base];
  built.base_v = model->jnt_dofadr[base];
  built.joint_q.clear();
  built.joint_v.clear();
  for (const Joint& joint : robot.joints()) {
    const int id = mj_name2id(model, mjOBJ_JOINT, joint.name.c_str());
    built.joint_q.push_back(model->jnt_qposadr[id]);
    built.joint_v.push_back(model->jnt_dofadr[id]);
  }
  for (int side : {kLeft, kRight}) {
    built.ground_geom[side] = mj_name2id(model, mjOBJ_GEOM, ground_name(world, side).c_str());
    if (!robot.description().soles[side]) continue;
    built.foot_body[side] = built.body_of_link(robot, robot.description().roles.foot[side]);
  }
  for (std::size_t i : {0, 1}) {
    built.imu_data[i] = model->sensor_adr[mj_name2id(model, mjOBJ_SENSOR, kImuNames[i])];
  }
  built.support_joint.clear();
  for (std::size_t i = 0; i < world.supports.size(); ++i) {
    built.support_joint.push_back(mj_name2id(model, mjOBJ_JOINT, support_name(i).c_str()));
  }
}

}  // namespace

int MujocoModel::body_of_link(const RobotModel& robot, const std::string& link) const {
  const LinkPlacement& placement = robot.tree().links[static_cast<std::size_t>(robot.frame(link))];
  return body_of_tree[static_cast<std::size_t>(placement.body)];
}

MujocoModel build_mujoco_model(const RobotModel& robot, const World& world, double timestep) {
  set_handlers();
  MujocoModel built;
  built.model = compile(robot, world, timestep, {});
  find_addresses(built, robot, world);
  const std::set<BodyPair> apart = overlapping_pairs(robot, built);
  if (!apart.empty()) {
    built.model = compile(robot, world, timestep, apart);
    find_addresses(built, robot, world);
  }
  return built;
}

}  // namespace aplomb

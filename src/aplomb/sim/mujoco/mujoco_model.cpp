#include "aplomb/sim/mujoco/mujoco_model.hpp"

#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/limbs.hpp"
#include "aplomb/sim/mujoco/mujoco_parts.hpp"

namespace aplomb {
namespace {

using BodyPair = std::pair<std::string, std::string>;

constexpr double kOverlap =
    5e-3;  // [m] penetration of the floor beyond which a shape is ignored: above the rounding of a sole

/// By default the engine writes a log file into the working directory and ends the program on an error.
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
  // A body has a handful of shapes: to try all pairs is quicker than trees of boxes and finds the same contacts.
  spec.option.disableflags |= mjDSBL_AUTORESET | mjDSBL_MIDPHASE;
}

/// Collisions that exist only because the shapes are coarser than the robot.
struct CoarseShapes {
  std::set<BodyPair> apart;    ///< links whose shapes overlap in a valid posture
  std::set<std::string> sunk;  ///< shapes that penetrate the floor when the robot stands
  std::set<std::string> links_of_sunk;
};

ModelPtr compile(const RobotModel& robot, const World& world, double timestep, const CoarseShapes& coarse) {
  const SpecPtr spec(mj_makeSpec());
  set_options(*spec, timestep);
  add_world(*spec, world);
  add_robot(*spec, robot, coarse.sunk);
  if (world.chair) add_seat_shapes(*spec, robot);
  for (const auto& [first, second] : coarse.apart) {
    mjsExclude* exclude = mjs_addExclude(spec.get());
    mjs_setString(exclude->bodyname1, first.c_str());
    mjs_setString(exclude->bodyname2, second.c_str());
  }
  ModelPtr model(mj_compile(spec.get(), nullptr));
  if (!model) throw InvalidValue("the physics engine rejects this robot: " + std::string(mjs_getError(spec.get())));
  return model;
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
  built.floor_geom = mj_name2id(model, mjOBJ_GEOM, kFloorName);
  for (int side : {kLeft, kRight}) {
    built.ground_geom[side] = mj_name2id(model, mjOBJ_GEOM, kGroundNames[side]);
    built.ground_bits[side] = model->geom_contype[built.ground_geom[side]];
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

/// Base and joints; at rest.
void place(const MujocoModel& built, mjData& data, const RobotState& state) {
  mjtNum* base = data.qpos + built.base_q;
  std::copy_n(state.q.data(), 3, base);
  copy(Eigen::Quaterniond(state.q.segment<4>(3)), base + 3);
  for (std::size_t i = 0; i < built.joint_q.size(); ++i) {
    data.qpos[built.joint_q[i]] = state.q[7 + static_cast<Eigen::Index>(i)];
  }
  mj_fwdPosition(built.model.get(), &data);
}

void find_overlaps(const MujocoModel& built, const mjData& data, CoarseShapes& coarse) {
  const mjModel& model = *built.model;
  for (int i = 0; i < data.ncon; ++i) {
    const mjContact& contact = data.contact[i];
    const int first = model.geom_bodyid[contact.geom[0]], second = model.geom_bodyid[contact.geom[1]];
    if (first != 0 && second != 0) {
      coarse.apart.emplace(mj_id2name(&model, mjOBJ_BODY, first), mj_id2name(&model, mjOBJ_BODY, second));
    } else if (contact.geom[0] == built.floor_geom && contact.dist < -kOverlap) {
      coarse.sunk.insert(mj_id2name(&model, mjOBJ_GEOM, contact.geom[1]));
      coarse.links_of_sunk.insert(mj_id2name(&model, mjOBJ_BODY, second));
    }
  }
}

/// Places the robot alone on the floor in each of its postures. (The neutral one need not stand.)
CoarseShapes coarse_shapes(const RobotModel& robot, double timestep) {
  CoarseShapes coarse;
  MujocoModel alone;
  alone.model = compile(robot, World{}, timestep, {});
  find_addresses(alone, robot, World{});
  const DataPtr data(mj_makeData(alone.model.get()));
  RobotState neutral = robot.neutral_state();
  neutral.q[2] = 100.0;  // far from the floor
  place(alone, *data, neutral);
  find_overlaps(alone, *data, coarse);
  for (const auto& [name, angles] : robot.description().postures) {
    place(alone, *data, robot.posture(name));
    find_overlaps(alone, *data, coarse);
  }
  return coarse;
}

/// A robot that sits has its thighs at its pelvis, where simple shapes overlap: the hips' stops keep them apart.
void part_hips(const RobotModel& robot, CoarseShapes& coarse) {
  const std::optional<Limbs> limbs = limbs_if_any(robot);
  if (!limbs) return;
  const std::vector<RigidBody>& bodies = robot.tree().bodies;
  const auto body = [&bodies](int i) -> const RigidBody& { return bodies[static_cast<std::size_t>(i)]; };
  for (const Limbs::Leg& leg : limbs->legs) {
    for (int i : robot.tree().chain(leg.thigh, limbs->pelvis)) {
      if (body(i).inertia.mass == 0.0 || body(limbs->pelvis).inertia.mass == 0.0) continue;
      const BodyPair pair(body(limbs->pelvis).link, body(i).link);
      if (!coarse.apart.contains({pair.second, pair.first})) coarse.apart.insert(pair);
    }
  }
}

}  // namespace

int MujocoModel::body_of_link(const RobotModel& robot, const std::string& link) const {
  const LinkPlacement& placement = robot.tree().links[static_cast<std::size_t>(robot.frame(link))];
  return body_of_tree[static_cast<std::size_t>(placement.body)];
}

MujocoModel build_mujoco_model(const RobotModel& robot, const World& world, double timestep) {
  set_handlers();
  CoarseShapes coarse = coarse_shapes(robot, timestep);
  if (world.chair) part_hips(robot, coarse);
  MujocoModel built;
  built.model = compile(robot, world, timestep, coarse);
  find_addresses(built, robot, world);
  for (const std::string& link : coarse.links_of_sunk) {
    built.notes.push_back("link '" + link +
                          "': a collision shape is in the floor when the robot stands; it is left out "
                          "against the world");
  }
  return built;
}

}  // namespace aplomb

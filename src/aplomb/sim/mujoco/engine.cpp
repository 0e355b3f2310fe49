#include "aplomb/sim/mujoco/engine.hpp"

#include <algorithm>

namespace aplomb {

void Engine::set_state(const RobotState& state) {
  const Eigen::Quaterniond R_world_base(state.q.segment<4>(3));
  mjtNum* qpos = data->qpos + built.base_q;
  mjtNum* qvel = data->qvel + built.base_v;
  std::copy_n(state.q.data(), 3, qpos);
  qpos[3] = R_world_base.w();
  Eigen::Map<Eigen::Vector3d>(qpos + 4) = R_world_base.vec();
  Eigen::Map<Eigen::Vector3d>{qvel} = R_world_base * state.v.head<3>();
  Eigen::Map<Eigen::Vector3d>(qvel + 3) = state.v.segment<3>(3);
  for (std::size_t i = 0; i < built.joint_q.size(); ++i) {
    data->qpos[built.joint_q[i]] = state.q[7 + static_cast<Eigen::Index>(i)];
    data->qvel[built.joint_v[i]] = state.v[6 + static_cast<Eigen::Index>(i)];
  }
}

void Engine::get_state(RobotState& state) const {
  const mjtNum* qpos = data->qpos + built.base_q;
  const mjtNum* qvel = data->qvel + built.base_v;
  const Eigen::Quaterniond R_world_base = Eigen::Quaterniond(qpos[3], qpos[4], qpos[5], qpos[6]).normalized();
  state.q.head<3>() = vector3(qpos);
  state.q.segment<4>(3) = R_world_base.coeffs();
  state.v.head<3>() = R_world_base.conjugate() * vector3(qvel);
  state.v.segment<3>(3) = vector3(qvel + 3);
  for (std::size_t i = 0; i < built.joint_q.size(); ++i) {
    state.q[7 + static_cast<Eigen::Index>(i)] = data->qpos[built.joint_q[i]];
    state.v[6 + static_cast<Eigen::Index>(i)] = data->qvel[built.joint_v[i]];
  }
}

void Engine::add_force(int body, const Eigen::Vector3d& point, const Eigen::Vector3d& force) {
  // The engine takes forces at the body's centre of mass.
  mjtNum* applied = data->xfrc_applied + 6 * body;
  Eigen::Map<Eigen::Vector3d> linear(applied), angular(applied + 3);
  linear += force;
  angular += (point - vector3(data->xipos + 3 * body)).cross(force);
}

void Engine::move_supports(const World& world) {
  const double timestep = model().opt.timestep;
  for (std::size_t i = 0; i < world.supports.size(); ++i) {
    if (!world.supports[i].motion) continue;
    const int joint = built.support_joint[i];
    const int dof = model().jnt_dofadr[joint];
    const AxisMotion now = world.supports[i].motion->at(data->time);
    const AxisMotion next = world.supports[i].motion->at(data->time + timestep);
    // Contacts see a velocity only where a joint has one, and an acceleration only where a force makes it: both are
    // given, so that what stands on it is carried along exactly.
    data->qpos[model().jnt_qposadr[joint]] = now.position;
    data->qvel[dof] = now.velocity;
    // The joint's inertia is the support's mass, or its moment of inertia about the axis through its origin.
    data->qfrc_applied[dof] = model().body_mass[model().jnt_bodyid[joint]] * (next.velocity - now.velocity) / timestep;
  }
}

}  // namespace aplomb

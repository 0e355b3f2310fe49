#pragma once

// Private to sim/: the only folder that sees MuJoCo.
#include <mujoco/mujoco.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "aplomb/robot/robot_model.hpp"
#include "aplomb/sim/world.hpp"

namespace aplomb {

struct MujocoDeleter {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
  void operator()(mjSpec* spec) const { mj_deleteSpec(spec); }
};
using ModelPtr = std::unique_ptr<mjModel, MujocoDeleter>;
using DataPtr = std::unique_ptr<mjData, MujocoDeleter>;
using SpecPtr = std::unique_ptr<mjSpec, MujocoDeleter>;

/// The robot and its world as a MuJoCo model, with the addresses of their parts.
struct MujocoModel {
  ModelPtr model;
  std::vector<int> body_of_tree;  ///< BodyTree body -> engine body; massless ones share their child's
  int base_q = 0, base_v = 0;     ///< addresses of the free joint in qpos and qvel
  std::vector<int> joint_q;       ///< joint -> address in qpos
  std::vector<int> joint_v;       ///< joint -> address in qvel
  std::array<int, 2> foot_body{-1, -1};
  int floor_geom = -1;                     ///< touched by everything but the soles
  std::array<int, 2> ground_geom{-1, -1};  ///< ground under each foot; touches only that foot
  std::array<int, 2> ground_bits{};        ///< its contype; 0 where springs carry the foot
  std::array<int, 2> imu_data{};           ///< addresses of accelerometer and gyroscope in sensordata
  std::vector<int> support_joint;          ///< of each support of the world; -1: it does not move
  std::vector<std::string> notes;          ///< collision shapes that are ignored

  /// Index of the engine's body that a link belongs to.
  int body_of_link(const RobotModel& robot, const std::string& link) const;
};

/// Builds the engine's model from our own, body by body, so that both hold the same robot: same inertias, axes, limits.
/// Links that overlap in the neutral posture or in one of the robot's own never collide with each other; a shape that
/// is in the floor when the robot stands in one of its postures touches nothing of the world. Where there is a chair,
/// pelvis and thighs do not collide with each other either.
MujocoModel build_mujoco_model(const RobotModel& robot, const World& world, double timestep);

}  // namespace aplomb

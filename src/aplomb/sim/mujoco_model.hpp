#pragma once

// Private to sim/: the only folder that sees MuJoCo.
#include <mujoco/mujoco.h>

#include <array>
#include <memory>
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

/// The same robot in the physics engine, in its world, and where everything is.
struct MujocoModel {
  ModelPtr model;
  std::vector<int> body_of_tree;  ///< BodyTree body -> engine body; massless ones share their child's
  std::vector<int> joint_q;       ///< joint -> address in qpos
  std::vector<int> joint_v;       ///< joint -> address in qvel
  std::array<int, 2> foot_body{-1, -1};
};

/// Builds the engine's model from our own, body by body, so that both hold the same robot: same inertias, axes, limits.
/// Feet touch the ground at four small spheres, one under each corner of the sole: one clean contact each.
MujocoModel build_mujoco_model(const RobotModel& robot, const World& world, double timestep);

}  // namespace aplomb

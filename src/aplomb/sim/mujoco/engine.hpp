#pragma once

// Private to sim/.
#include <Eigen/Geometry>

#include "aplomb/sim/mujoco/mujoco_model.hpp"

namespace aplomb {

inline Eigen::Map<const Eigen::Vector3d> vector3(const mjtNum* at) { return Eigen::Map<const Eigen::Vector3d>(at); }

inline Eigen::Matrix3d rotation(const mjtNum* row_major) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(row_major);
}

/// The engine's model and data, and the way between its state and ours. The engine has the base's linear velocity in
/// world axes and quaternions with w first.
struct Engine {
  Engine(const RobotModel& robot, const World& world, double timestep)
      : built(build_mujoco_model(robot, world, timestep)), data(mj_makeData(built.model.get())) {}

  mjModel& model() const { return *built.model; }

  void set_state(const RobotState& state);
  void get_state(RobotState& state) const;

  /// Adds a force to a body, acting at a point; both in world axes.
  void add_force(int body, const Eigen::Vector3d& point, const Eigen::Vector3d& force);
  void move_supports(const World& world);  ///< sets their pose, velocity and accelerating force for the next step

  MujocoModel built;
  DataPtr data;
};

}  // namespace aplomb

#include "aplomb/sim/mujoco/drive_model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "aplomb/robot/configuration.hpp"
#include "aplomb/sim/simulation.hpp"

namespace aplomb {
namespace {

constexpr double kStickingTime = 2e-3;  // [s] in which a joint that sticks comes to rest
constexpr double kStickingImpedance = 0.9999;
constexpr double kRestSpeed = 1e-2;     // [rad/s] below this a joint is at rest: its friction is static
constexpr double kRipplesPerTurn = 60;  // of the joint

}  // namespace

DriveModel::DriveModel(const RobotModel& robot, const DriveErrors& errors, std::uint64_t seed)
    : robot_(&robot),
      errors_(errors),
      armature_scale_(robot.num_joints()),
      phase_(robot.num_joints()),
      torque_(Eigen::VectorXd::Zero(robot.num_joints())),
      command_(robot.num_joints()) {
  std::mt19937_64 random(seed ^ 0xd1b54a32d192ed03u);  // a stream of its own
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (double& scale : armature_scale_) scale = 1.0 + errors.armature_spread * unit(random);
  for (double& phase : phase_) phase = std::numbers::pi * unit(random);
}

void DriveModel::prepare(Engine& engine) const {
  mjModel& model = engine.model();
  for (int i = 0; i < robot_->num_joints(); ++i) {
    const int dof = engine.built.joint_v[static_cast<std::size_t>(i)];
    model.dof_armature[dof] *= armature_scale_[i];
    // The engine's dry friction is a soft constraint: with its defaults a joint that should stick creeps.
    model.dof_solref[dof * mjNREF] = kStickingTime;
    std::fill_n(model.dof_solimp + dof * mjNIMP, 2, kStickingImpedance);
  }
}

const Command& DriveModel::apply(const Command& command, const RobotState& state, Engine& engine) {
  command_ = command;
  const double gain =
      errors_.torque_bandwidth_hz > 0.0 && has_torque_
          ? 1.0 - std::exp(-2.0 * std::numbers::pi * errors_.torque_bandwidth_hz * Simulation::kControlPeriod)
          : 1.0;
  has_torque_ = true;
  mjModel& model = engine.model();
  for (int i = 0; i < robot_->num_joints(); ++i) {
    torque_[i] += gain * (command.torque[i] - torque_[i]);
    const double ripple = errors_.torque_ripple * std::sin(kRipplesPerTurn * joint_positions(state.q)[i] + phase_[i]);
    command_.torque[i] = (1.0 + ripple) * torque_[i];
    const double limit = robot_->joints()[static_cast<std::size_t>(i)].effort;
    const bool is_at_rest = std::abs(joint_velocities(state.v)[i]) < kRestSpeed;
    const int dof = engine.built.joint_v[static_cast<std::size_t>(i)];
    model.dof_frictionloss[dof] = errors_.coulomb_friction * limit * (is_at_rest ? errors_.stiction_ratio : 1.0);
    model.dof_damping[dof] = errors_.viscous_friction * limit;
  }
  return command_;
}

}  // namespace aplomb

#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <vector>

#include "aplomb/robot/command.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/sensor_readings.hpp"
#include "aplomb/sim/world.hpp"

namespace aplomb {

/// A robot in its world, one control tick at a time. What it tells through `read` is what a controller may know; the
/// other functions are the truth, for metrics.
class Simulation {
 public:
  static constexpr double kControlPeriod = 1e-3;  ///< [s]

  /// `robot` must outlive this object. `substeps` physics steps make one control tick.
  Simulation(const RobotModel& robot, const World& world, std::vector<Push> pushes = {}, int substeps = 2);
  ~Simulation();

  /// Places the robot at rest. When it stands on its soles, base height and tilt are adjusted (by fractions of a
  /// millimetre) until the ground carries it, so that nothing rings. Time starts at zero.
  void start(const RobotState& state);

  void step(const Command& command);  ///< one control tick
  void read(SensorReadings& readings) const;

  double time_s() const;
  const RobotState& state() const { return state_; }
  /// What the ground does to each foot, in the foot's frame about its origin, at the last physics step.
  const std::array<Wrench, 2>& foot_wrench() const { return foot_wrench_; }
  const Eigen::VectorXd& joint_torque() const { return joint_torque_; }  ///< applied by the drives, after their limits
  Eigen::Vector3d push_force() const;                                    ///< sum of all pushes now, world axes [N]
  bool touches_only_with_soles() const { return touches_only_with_soles_; }
  int num_warnings() const;  ///< of the physics engine, since the start
  bool is_finite() const { return state_.q.allFinite() && state_.v.allFinite(); }

  // For tests that compare this engine with RobotTerms at a given state (no step is made).
  Eigen::MatrixXd mass_matrix_at(const RobotState& state);
  Eigen::VectorXd bias_at(const RobotState& state);  ///< h, converted to the base-frame velocity of RobotState
  Eigen::Vector3d com_at(const RobotState& state);
  double total_mass() const;

 private:
  struct Engine;
  void apply_pushes();
  void preload(const RobotState& state);
  void hold_still(const RobotState& state);  ///< with the torques of standing on both feet
  /// Up, roll and pitch acceleration of the base when it is moved by `shift` (up [m], roll, pitch [rad]).
  Eigen::Vector3d base_acceleration(const RobotState& state, const Eigen::Vector3d& shift);
  void read_state();
  void read_contacts();
  void set_state(const RobotState& state);

  const RobotModel* robot_;
  std::unique_ptr<Engine> engine_;
  std::vector<Push> pushes_;
  int substeps_;
  RobotState state_;
  std::array<Wrench, 2> foot_wrench_;
  Eigen::VectorXd joint_torque_;
  bool touches_only_with_soles_ = true;
};

}  // namespace aplomb

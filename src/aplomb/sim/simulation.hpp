#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "aplomb/robot/command.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/sensor_readings.hpp"
#include "aplomb/sim/drive_errors.hpp"
#include "aplomb/sim/world.hpp"

namespace aplomb {

struct SeatOverlap;  // private to sim/

/// Simulates a robot in its world, one control tick at a time. `read` returns ideal sensor readings; the other
/// accessors return the true state, for metrics.
class Simulation {
 public:
  static constexpr double kControlPeriod = 1e-3;  ///< [s]

  /// `robot` must outlive this object. At least `substeps` physics steps make one control tick; springs may need more:
  /// start() throws InvalidValue when they need over a thousand.
  Simulation(const RobotModel& robot, const World& world, const SimulationEvents& events = {}, int substeps = 2);
  ~Simulation();

  /// Gives the robot drives with errors, drawn from `seed` where they are drawn. Before start().
  void set_drive_errors(const DriveErrors& errors, std::uint64_t seed);

  /// Places the robot at rest. When it stands on its soles or sits, base height and tilt are adjusted (by fractions of
  /// a millimetre) until ground and seat carry it, so that the start excites no transient; a robot that would start
  /// inside the seat is raised onto it. Time starts at zero. To be called once.
  void start(const RobotState& state);

  void step(const Command& command);  ///< one control tick
  void read(SensorReadings& readings) const;

  double time_s() const;
  const World& world() const { return world_; }
  const RobotState& state() const { return state_; }
  /// Ground reaction wrench on each foot at the last physics step, expressed in and about the foot frame.
  const std::array<Wrench, 2>& foot_wrench() const { return foot_wrench_; }
  const std::array<Wrench, 2>& hand_wrench() const { return hand_wrench_; }  ///< contact wrench on each hand, likewise
  const Wrench& seat_wrench() const { return seat_wrench_; }  ///< world axes, about the middle of the seat's front edge
  const Eigen::VectorXd& joint_torque() const {
    return joint_torque_;
  }                                    ///< applied by the drives, after saturation [N m]
  Eigen::Vector3d push_force() const;  ///< sum of all pushes now, world axes [N]
  bool touches_only_with_soles() const { return touches_only_with_soles_; }
  int num_warnings() const;  ///< warnings of the physics engine since the start
  bool is_finite() const { return state_.q.allFinite() && state_.v.allFinite(); }
  int num_substeps() const { return substeps_; }
  double total_mass() const;                                        ///< robot and attached payloads [kg]
  const std::vector<std::string>& notes() const { return notes_; }  ///< warnings about the initial state, for the user

 private:
  struct Parts;  // the engine, events and contacts
  void physics_step();
  void read_engine();
  void preload(RobotState state);
  RobotState raised_onto_seat(RobotState state);
  void note_overlaps();
  /// Applies the static torques for the feet in contact; a seat in contact carries its part of the weight.
  void hold_still(const RobotState& state, const SeatOverlap& seat);
  /// Vertical, roll and pitch acceleration of the base displaced by `shift` (up [m], roll, pitch [rad]).
  Eigen::Vector3d base_acceleration(const RobotState& state, const Eigen::Vector3d& shift);

  const RobotModel* robot_;
  World world_;
  std::unique_ptr<Parts> parts_;
  int substeps_;
  RobotState state_;
  std::array<Wrench, 2> foot_wrench_, hand_wrench_;
  std::array<std::array<double, 4>, 2> load_cells_{};
  Wrench seat_wrench_;
  Eigen::VectorXd joint_torque_;
  bool touches_only_with_soles_ = true;
  std::vector<std::string> notes_;
};

}  // namespace aplomb

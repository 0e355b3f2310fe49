#pragma once

#include <Eigen/Geometry>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "aplomb/core/table/table_file.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// A contact sensor, as named by the columns of the posture file (docs/identification.md):
///   cop     `NAME_cop_x_m`, `NAME_cop_y_m`, `NAME_fz_n`: a point of the sole and the force through it;
///   wrench  `NAME_fx_n` ... `NAME_mz_nm`: force and moment in the link's frame about its origin.
/// NAME is left_foot, right_foot, left_hand, right_hand, or `plate` (a force plate under both feet, cop only).
struct ContactSensor {
  enum class Kind { cop, wrench };
  std::string name;
  Kind kind = Kind::cop;
  bool is_plate = false;  ///< level axes, x in the feet's forward direction, origin below the mid-point of the soles
  FrameId link{};         ///< link of the foot or hand
  double sole_z = 0.0;    ///< height of a foot's sole in the link's frame [m]
};

/// The sensors of a posture file.
struct Sensors {
  std::vector<ContactSensor> contacts;
  std::vector<int> torque_joints;  ///< joints whose torque is measured
  bool has_orientation = false;    ///< the base's orientation is measured; otherwise both soles are assumed level
  bool is_moving = false;          ///< rates and accelerations are given: each row is an instant of a motion
};

/// Measurement noise: standard deviations of one reading.
struct MeasurementNoise {
  double cop_m = 0.002;
  double vertical_force_n = 2.0;
  double joint_rad = 0.0035;  ///< 0.2 degrees
  double force_n = 2.0;       ///< force of a wrench sensor
  double moment_nm = 1.0;     ///< moment of a wrench sensor
  double torque_nm = 1.0;
};

/// One posture, averaged over its samples; or one instant of a motion.
struct Posture {
  std::int64_t id = 0;
  int num_samples = 1;
  RobotState state;                ///< base placed on level soles, or with its measured orientation
  Eigen::VectorXd acceleration;    ///< time derivative of state.v; empty at rest
  std::vector<Vector6d> contacts;  ///< by sensor: (cop_x, cop_y, fz, 0, 0, 0), or force and moment
  Eigen::VectorXd torque;          ///< by Sensors::torque_joints [N m]
};

struct PostureSet {
  std::filesystem::path file;
  Sensors sensors;
  std::vector<Posture> postures;
  std::vector<std::string> dropped;  ///< postures that are not used, each with the reason
  std::vector<std::string> notes;    ///< remarks for the report
};

struct ReadOptions {
  std::string absent_joints_at;  ///< posture of the robot for joints without a column; empty: such a joint is an error
};

/// Reads and checks a posture file, CSV or NPZ. Throws FileError with line and column on an implausible file: an
/// unknown or missing column, a value that is not a number, angles beyond the limits (degrees are recognised), forces
/// far from the robot's weight (kilograms are recognised), a foot off the ground.
PostureSet read_postures(const std::filesystem::path& file, const RobotModel& cad, const ReadOptions& options = {});

/// The same for a table in memory.
PostureSet read_postures(const TableFile& file, const RobotModel& cad, const ReadOptions& options = {});

// Columns of a posture file.
std::string angle_column(const Joint& joint);         ///< "left_knee_rad"; `_m` for a prismatic joint
std::string rate_column(const Joint& joint);          ///< "left_knee_rad_per_s"
std::string acceleration_column(const Joint& joint);  ///< "left_knee_rad_per_s2"
std::string torque_column(const Joint& joint);        ///< "left_knee_nm"; `_n` for a prismatic joint

/// World poses of the soles (axes of the foot link, origin at the sole's centre), left then right, of those that the
/// robot has.
std::vector<Eigen::Isometry3d> sole_poses(const RobotModel& robot, const RobotState& state);

/// Places the base: level soles, or the given orientation with the mid-point of the soles at the origin.
void place_base(const RobotModel& robot, bool has_orientation, RobotState& state);

}  // namespace aplomb

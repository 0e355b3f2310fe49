#include "aplomb/estimate/estimate_log.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "aplomb/core/error.hpp"
#include "aplomb/core/table/time_column.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

constexpr const char* kSides[] = {"left", "right"};

std::vector<std::string> xyz(const std::string& stem, const std::string& unit) {
  return {stem + "_x_" + unit, stem + "_y_" + unit, stem + "_z_" + unit};
}

/// Columns of a log that hold one vector; none when the log does not have them.
struct Columns {
  std::vector<std::size_t> indices;

  bool exist() const { return !indices.empty(); }
  void read(const Log& log, std::size_t row, Eigen::Ref<Eigen::VectorXd> values) const {
    for (std::size_t i = 0; i < indices.size(); ++i) values[static_cast<Eigen::Index>(i)] = log.at(row, indices[i]);
  }
};

/// Sensors of a robot in the columns of a log.
class SensorColumns {
 public:
  SensorColumns(const TableFile& file, const RobotModel& robot) : file_(file), robot_(robot) {
    acceleration_ = required(xyz("imu_acceleration", "m_per_s2"));
    angular_velocity_ = required(xyz("imu_angular_velocity", "rad_per_s"));
    find_joints();
    for (int side : {kLeft, kRight}) {
      const std::string name = kSides[side];
      ankle_force_[side] = optional(xyz(name + "_ankle_force", "n"));
      ankle_moment_[side] = optional(xyz(name + "_ankle_moment", "nm"));
      foot_acceleration_[side] = optional(xyz(name + "_foot_acceleration", "m_per_s2"));
      foot_angular_velocity_[side] = optional(xyz(name + "_foot_angular_velocity", "rad_per_s"));
    }
    orientation_ = optional({"base_quaternion_x", "base_quaternion_y", "base_quaternion_z", "base_quaternion_w"});
    if (missing_.empty()) return;
    const std::size_t shown = std::min<std::size_t>(missing_.size(), 6);
    throw FileError(
        {file.file},
        fmt::format("the log has no column {}{}; the estimate needs the pelvis' accelerometer and gyroscope "
                    "and the positions of the legs' joints of {} (docs/simulation.md lists the columns)",
                    fmt::join(missing_.begin(), missing_.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                    missing_.size() > shown ? fmt::format(" and {} more", missing_.size() - shown) : "", robot.name()));
  }

  const Columns& orientation() const { return orientation_; }

  std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    if (!ankle_force_[kLeft].exist() || !ankle_force_[kRight].exist()) {
      notes.emplace_back("The log has no ankle wrenches of both feet: feet without one count as loaded all the time.");
    }
    if (!foot_acceleration_[kLeft].exist() || !foot_acceleration_[kRight].exist()) {
      notes.emplace_back("The log has no accelerometers of both feet: the tilt at the start is less certain.");
    }
    if (!has_rates_) notes.emplace_back("The log has no joint rates: they are differences of the positions.");
    return notes;
  }

  void read(std::size_t row, double period_s, SensorReadings& readings) {
    const Log& log = file_.table;
    acceleration_.read(log, row, readings.imu_acceleration);
    angular_velocity_.read(log, row, readings.imu_angular_velocity);
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      const auto& [joint, position, rate] = joints_[i];
      const double last = readings.state.q[kBaseQ + joint], now = log.at(row, position);
      readings.state.q[kBaseQ + joint] = now;
      if (has_rates_) readings.state.v[kBaseV + joint] = log.at(row, rate);
      if (!has_rates_ && row > 0) readings.state.v[kBaseV + joint] = (now - last) / period_s;
    }
    constexpr std::array kWrench = {Sensor::left_ankle_wrench, Sensor::right_ankle_wrench};
    constexpr std::array kForce = {Sensor::left_foot_acceleration, Sensor::right_foot_acceleration};
    constexpr std::array kTurn = {Sensor::left_foot_angular_velocity, Sensor::right_foot_angular_velocity};
    for (int side : {kLeft, kRight}) {
      ankle_force_[side].read(log, row, readings.ankle_wrench[side].force);
      ankle_moment_[side].read(log, row, readings.ankle_wrench[side].moment);
      foot_acceleration_[side].read(log, row, readings.foot_acceleration[side]);
      foot_angular_velocity_[side].read(log, row, readings.foot_angular_velocity[side]);
      readings.is_lost[static_cast<std::size_t>(kWrench[static_cast<std::size_t>(side)])] =
          !ankle_force_[side].exist() || !ankle_moment_[side].exist();
      readings.is_lost[static_cast<std::size_t>(kForce[static_cast<std::size_t>(side)])] =
          !foot_acceleration_[side].exist();
      readings.is_lost[static_cast<std::size_t>(kTurn[static_cast<std::size_t>(side)])] =
          !foot_angular_velocity_[side].exist();
    }
  }

 private:
  struct JointColumns {
    int joint = 0;
    std::size_t position = 0, rate = 0;
  };

  Columns required(const std::vector<std::string>& names) {
    Columns columns;
    for (const std::string& name : names) {
      if (file_.table.has(name)) {
        columns.indices.push_back(file_.table.index(name));
      } else {
        missing_.push_back(name);
      }
    }
    return columns;
  }
  /// All of them or none.
  Columns optional(const std::vector<std::string>& names) const {
    Columns columns;
    for (const std::string& name : names) {
      if (!file_.table.has(name)) return {};
      columns.indices.push_back(file_.table.index(name));
    }
    return columns;
  }

  /// Joints of the legs are needed; others are used when they are there.
  void find_joints() {
    std::vector<bool> is_needed(static_cast<std::size_t>(robot_.num_joints()), false);
    for (int side : {kLeft, kRight}) {
      if (!robot_.description().soles[side]) continue;
      for (int joint : robot_.joint_chain(robot_.frame(robot_.description().roles.foot[side]))) {
        is_needed[static_cast<std::size_t>(joint)] = true;
      }
    }
    has_rates_ = true;
    for (int i = 0; i < robot_.num_joints(); ++i) {
      const std::string& name = robot_.joints()[static_cast<std::size_t>(i)].name;
      const std::string position = fmt::format("position_{}_rad", name);
      const std::string rate = fmt::format("velocity_{}_rad_per_s", name);
      if (!file_.table.has(position)) {
        if (is_needed[static_cast<std::size_t>(i)]) missing_.push_back(position);
        continue;
      }
      has_rates_ = has_rates_ && file_.table.has(rate);
      joints_.push_back({.joint = i,
                         .position = file_.table.index(position),
                         .rate = file_.table.has(rate) ? file_.table.index(rate) : 0});
    }
  }

  const TableFile& file_;
  const RobotModel& robot_;
  std::vector<std::string> missing_;
  Columns acceleration_, angular_velocity_, orientation_;
  std::array<Columns, 2> ankle_force_, ankle_moment_, foot_acceleration_, foot_angular_velocity_;
  std::vector<JointColumns> joints_;
  bool has_rates_ = false;
};

std::vector<std::string> output_columns() {
  std::vector<std::string> names = {"time_s", "base_x_m", "base_y_m", "base_z_m"};
  for (const char* part : {"x", "y", "z", "w"}) names.push_back(std::string("base_quaternion_") + part);
  const auto add = [&names](const std::vector<std::string>& more) {
    names.insert(names.end(), more.begin(), more.end());
  };
  add(xyz("base_velocity", "m_per_s"));
  add(xyz("base_angular_velocity", "rad_per_s"));
  add({"base_tilt_sigma_rad", "base_velocity_sigma_m_per_s", "base_tilt_error_rad", "left_contact_trust",
       "right_contact_trust", "left_foot_force_z_n", "right_foot_force_z_n"});
  add(xyz("gyroscope_bias", "rad_per_s"));
  add(xyz("accelerometer_bias", "m_per_s2"));
  return names;
}

/// Rate of the log; throws FileError.
double period_of(const TableFile& file) {
  if (!file.table.has("time_s")) throw FileError({file.file}, "the log has no column time_s");
  const std::vector<double> times = file.table.column("time_s");
  if (times.size() < 2) throw FileError({file.file}, "the log has fewer than two rows");
  if (const auto fault = find_time_fault(times)) {
    throw FileError(file.place(fault->row), file.row_text(fault->row) + fault->text);
  }
  return (times.back() - times.front()) / static_cast<double>(times.size() - 1);
}

double angle_between_verticals(const Eigen::Quaterniond& first, const Eigen::Quaterniond& second) {
  const Eigen::Vector3d up = Eigen::Vector3d::UnitZ();
  const Eigen::Vector3d a = first.conjugate() * up, b = second.conjugate() * up;
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

/// Errors of the tilt and counts, over a log.
struct Summary {
  double tilt_max = 0.0, tilt_squares = 0.0;
  std::int64_t rows = 0, missing = 0;

  void write(const BaseEstimator& estimator, bool has_truth, double period_s, Metrics& metrics) const {
    metrics.set("duration_s", static_cast<double>(rows) * period_s);
    metrics.set("base_tilt_error_max_rad", has_truth ? MetricValue(tilt_max) : MetricValue{});
    metrics.set("base_tilt_error_rms_rad",
                has_truth ? MetricValue(std::sqrt(tilt_squares / static_cast<double>(rows))) : MetricValue{});
    metrics.set("base_tilt_sigma_end_rad", estimator.tilt_sigma());
    metrics.set("slips", std::int64_t{estimator.num_slips()});
    metrics.set("missing_readings", missing);
  }
};

}  // namespace

EstimatedLog estimate_log(const TableFile& file, const RobotModel& robot, const BaseEstimator::Settings& settings) {
  BaseEstimator::Settings used = settings;
  used.period_s = period_of(file);
  SensorColumns sensors(file, robot);
  EstimatedLog result{.log = Log(output_columns()), .notes = sensors.notes()};
  SensorReadings readings;
  readings.state = robot.neutral_state();
  RobotState placed = robot.neutral_state();
  sensors.read(0, used.period_s, readings);
  joint_positions(placed.q) = joint_positions(readings.state.q);
  robot.stand_on_soles(placed);
  BaseEstimator estimator(robot, used, placed);
  SensorReadings estimate = readings;
  Summary summary;
  for (std::size_t row = 0; row < file.table.num_rows(); ++row) {
    sensors.read(row, used.period_s, readings);
    estimator.update(readings);
    summary.missing += estimator.is_missing(Sensor::imu_acceleration) ||
                       estimator.is_missing(Sensor::imu_angular_velocity) ||
                       estimator.is_missing(Sensor::joint_position);
    if (!estimator.has_started()) continue;
    estimator.write(estimate);
    double tilt_error = std::numeric_limits<double>::quiet_NaN();
    if (sensors.orientation().exist()) {
      Eigen::Vector4d coefficients;
      sensors.orientation().read(file.table, row, coefficients);
      tilt_error =
          angle_between_verticals(base_orientation(estimate.state.q), Eigen::Quaterniond(coefficients).normalized());
      summary.tilt_max = std::max(summary.tilt_max, tilt_error);
      summary.tilt_squares += tilt_error * tilt_error;
    }
    ++summary.rows;
    const Eigen::Matrix3d R = base_orientation(estimate.state.q).toRotationMatrix();
    const ContactFilter& filter = estimator.filter();
    std::vector<double> values = {file.table.at(row, file.table.index("time_s"))};
    const auto add = [&values](const auto& part) { values.insert(values.end(), part.begin(), part.end()); };
    add(estimate.state.q.head<7>());
    add(Eigen::Vector3d(R * estimate.state.v.head<3>()));
    add(Eigen::Vector3d(R * estimate.state.v.segment<3>(3)));
    values.insert(values.end(), {estimator.tilt_sigma(), std::sqrt(filter.covariance().diagonal().segment<3>(3).sum()),
                                 tilt_error, estimator.contact_trust(kLeft), estimator.contact_trust(kRight),
                                 estimate.foot_wrench[kLeft].force.z(), estimate.foot_wrench[kRight].force.z()});
    add(filter.state().gyroscope_bias);
    add(filter.state().accelerometer_bias);
    result.log.append(values);
  }
  if (summary.rows == 0) {
    throw FileError({file.file}, fmt::format("the log ends before the estimate has started; it needs {} readings at "
                                             "rest in which the pelvis' sensors and the encoders answer",
                                             BaseEstimator::kRestTicks));
  }
  summary.write(estimator, sensors.orientation().exist(), used.period_s, result.metrics);
  return result;
}

}  // namespace aplomb

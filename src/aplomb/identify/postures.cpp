#include "aplomb/identify/postures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "aplomb/identify/data/posture_checks.hpp"
#include "aplomb/identify/data/posture_columns.hpp"
#include "aplomb/identify/model/body_motion.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 30;
constexpr double kMaxId = 1e15;  // integers up to here are exact in a double

/// Reads one row of the file.
class RowReader {
 public:
  RowReader(const TableFile& file, const PostureColumns& columns, std::size_t row)
      : file_(file), columns_(columns), row_(row) {}

  Posture read(const Posture& absent) const {
    Posture posture = absent;
    posture.id = id();
    for (std::size_t i = 0; i < columns_.angle.size(); ++i) {
      const auto joint = static_cast<Eigen::Index>(i);
      if (columns_.angle[i]) posture.state.q[7 + joint] = value(*columns_.angle[i]);
      if (columns_.rate[i]) posture.state.v[6 + joint] = value(*columns_.rate[i]);
      if (columns_.sensors.is_moving) posture.acceleration[6 + joint] = value(*columns_.acceleration[i]);
    }
    if (columns_.quaternion) posture.state.q.segment<4>(3) = orientation();
    if (columns_.sensors.is_moving) read_base_motion(posture);
    for (std::size_t i = 0; i < columns_.contacts.size(); ++i) {
      const bool is_cop = columns_.sensors.contacts[i].kind == ContactSensor::Kind::cop;
      Vector6d reading = Vector6d::Zero();
      for (std::size_t k = 0; k < (is_cop ? 3u : 6u); ++k)
        reading[static_cast<Eigen::Index>(k)] = value(columns_.contacts[i][k]);
      posture.contacts.push_back(reading);
    }
    posture.torque.resize(static_cast<Eigen::Index>(columns_.torque.size()));
    for (std::size_t i = 0; i < columns_.torque.size(); ++i)
      posture.torque[static_cast<Eigen::Index>(i)] = value(columns_.torque[i]);
    return posture;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw FileError(file_.place(row_), file_.row_text(row_) + what);
  }

  double value(std::size_t column) const {
    const double number = file_.table.at(row_, column);
    if (!std::isfinite(number))
      refuse(fmt::format("column '{}' is not a number; remove the row or correct it", file_.table.columns()[column]));
    return number;
  }

  std::int64_t id() const {
    if (!columns_.posture) return static_cast<std::int64_t>(row_);
    const double id = value(*columns_.posture);
    if (id != std::round(id) || std::abs(id) > kMaxId)
      refuse(fmt::format("column 'posture' has {:g}; postures are numbered 0, 1, 2, ...", id));
    return static_cast<std::int64_t>(id);
  }

  Eigen::Vector4d orientation() const {
    Eigen::Vector4d quaternion;
    for (std::size_t i = 0; i < 4; ++i) quaternion[static_cast<Eigen::Index>(i)] = value((*columns_.quaternion)[i]);
    const double norm = quaternion.norm();
    if (std::abs(norm - 1.0) > 0.05)
      refuse(fmt::format("base_qx, ..., base_qw have length {:.3g}; a rotation has 1", norm));
    return quaternion / norm;
  }

  void read_base_motion(Posture& posture) const {
    for (std::size_t i = 0; i < 3; ++i) {
      const auto axis = static_cast<Eigen::Index>(i);
      posture.state.v[3 + axis] = value((*columns_.base_motion)[i]);
      posture.acceleration[axis] = value((*columns_.base_motion)[3 + i]);
      posture.acceleration[3 + axis] = value((*columns_.base_motion)[6 + i]);
    }
  }

  const TableFile& file_;
  const PostureColumns& columns_;
  std::size_t row_;
};

/// Mean of the samples of one posture; each CoP is weighted by its force.
Posture averaged(const std::vector<Posture>& samples, const Sensors& sensors) {
  Posture mean = samples.front();
  const auto count = static_cast<double>(samples.size());
  mean.num_samples = static_cast<int>(samples.size());
  mean.state.q.setZero();
  mean.state.v.setZero();
  mean.torque.setZero();
  for (Vector6d& contact : mean.contacts) contact.setZero();
  for (const Posture& sample : samples) {
    const double sign = sample.state.q.segment<4>(3).dot(samples.front().state.q.segment<4>(3)) < 0.0 ? -1.0 : 1.0;
    mean.state.q.segment<4>(3) += sign * sample.state.q.segment<4>(3);
    joint_positions(mean.state.q) += joint_positions(sample.state.q) / count;
    mean.state.v += sample.state.v / count;
    mean.torque += sample.torque / count;
    for (std::size_t i = 0; i < mean.contacts.size(); ++i) {
      Vector6d reading = sample.contacts[i];
      if (sensors.contacts[i].kind == ContactSensor::Kind::cop) reading.head<2>() *= reading[2];
      mean.contacts[i] += reading / count;
    }
  }
  mean.state.q.segment<4>(3).normalize();
  for (std::size_t i = 0; i < mean.contacts.size(); ++i) {
    if (sensors.contacts[i].kind == ContactSensor::Kind::cop && mean.contacts[i][2] != 0.0) {
      mean.contacts[i].head<2>() /= mean.contacts[i][2];
    }
  }
  return mean;
}

}  // namespace

std::vector<Eigen::Isometry3d> sole_poses(const RobotModel& robot, const RobotState& state) {
  BodyMotions motions(robot);
  motions.place(state.q);
  std::vector<Eigen::Isometry3d> soles;
  for (int side : {kLeft, kRight}) {
    const auto& sole = robot.description().soles[static_cast<std::size_t>(side)];
    if (!sole) continue;
    const FrameId foot = robot.frame(robot.description().roles.foot[static_cast<std::size_t>(side)]);
    soles.push_back(motions.link_pose(foot) * Eigen::Translation3d(sole->centre()));
  }
  return soles;
}

void place_base(const RobotModel& robot, bool has_orientation, RobotState& state) {
  state.q.head<3>().setZero();
  if (!has_orientation) state.q.segment<4>(3) << 0, 0, 0, 1;
  const std::vector<Eigen::Isometry3d> soles = sole_poses(robot, state);
  const Eigen::Quaterniond R_world_base(Eigen::Vector4d(state.q.segment<4>(3)));
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  if (!soles.empty() && !has_orientation) {
    turn = Eigen::Quaterniond(soles.front().linear()).slerp(0.5, Eigen::Quaterniond(soles.back().linear())).conjugate();
  } else {
    // Heading does not affect statics: the feet's forward direction becomes x.
    Eigen::Vector3d forward = Eigen::Vector3d::Zero();
    for (const Eigen::Isometry3d& sole : soles) forward += sole.linear().col(0);
    if (soles.empty()) forward = R_world_base.toRotationMatrix().col(0);
    turn = Eigen::AngleAxisd(-std::atan2(forward.y(), forward.x()), Eigen::Vector3d::UnitZ());
  }
  if (!soles.empty()) state.q.head<3>() = -(turn * (0.5 * (soles.front().translation() + soles.back().translation())));
  state.q.segment<4>(3) = (turn * R_world_base).coeffs();
}

PostureSet read_postures(const std::filesystem::path& path, const RobotModel& cad, const ReadOptions& options) {
  const std::string ending = path.extension().string();
  if (ending != ".csv" && ending != ".npz") {
    throw FileError({path.string()}, fmt::format("ends in '{}'; a posture file is .csv or .npz", ending));
  }
  return read_postures(read_table(path, {.max_bytes = kMaxBytes}), cad, options);
}

PostureSet read_postures(const TableFile& file, const RobotModel& cad, const ReadOptions& options) {
  if (file.table.num_rows() == 0) throw FileError({file.file.string()}, "has no rows, so that no posture is measured");
  const PostureColumns columns = find_columns(file, cad, options);
  PostureSet set{.file = file.file, .sensors = columns.sensors};
  const PostureChecks checks(file, columns, cad);
  checks.check_columns();
  Posture absent;
  absent.state = options.absent_joints_at.empty() ? cad.neutral_state() : cad.posture(options.absent_joints_at);
  if (columns.sensors.is_moving) absent.acceleration = Eigen::VectorXd::Zero(cad.nv());
  std::map<std::int64_t, std::vector<Posture>> samples;
  std::map<std::int64_t, std::size_t> first_row;
  for (std::size_t row = 0; row < file.table.num_rows(); ++row) {
    Posture posture = RowReader(file, columns, row).read(absent);
    checks.check_row(posture, row);
    if (columns.sensors.is_moving) posture.id = static_cast<std::int64_t>(row);
    first_row.try_emplace(posture.id, row);
    samples[posture.id].push_back(std::move(posture));
  }
  for (const auto& [id, all] : samples) {
    const std::string why = columns.sensors.is_moving ? std::string() : checks.motion_of(all);
    if (!why.empty()) {
      set.dropped.push_back(fmt::format("posture {}: {}", id, why));
      continue;
    }
    Posture posture = columns.sensors.is_moving ? all.front() : averaged(all, columns.sensors);
    place_base(cad, columns.sensors.has_orientation, posture.state);
    if (!columns.sensors.is_moving) checks.check_feet(posture, first_row.at(id));
    set.postures.push_back(std::move(posture));
  }
  if (!columns.sensors.is_moving) {
    checks.check_missing_foot(set);
    checks.drop_odd_weights(set);
  }
  checks.check_weight(set);
  return set;
}

}  // namespace aplomb

// How a task-priority controller makes a shift of the CoM from the ZMP's error.
#include <algorithm>
#include <cmath>

#include "aplomb/control/task_priority.hpp"

namespace aplomb {
namespace {

constexpr double kPeriod = 1e-3;     // [s] between two ticks
constexpr double kShiftShare = 0.6;  // of the support's half size: how far the ZMP's error may shift the CoM
constexpr double kTiltBegin = 0.02, kTiltEnd = 0.05;    // [rad] of the base: the feet no longer stand flat
constexpr double kEdgeBegin = 0.8, kEdgeEnd = 0.95;     // of the way from the middle of the support to its edge
constexpr double kStrainBegin = 1.5, kStrainEnd = 3.0;  // of a drive's limit: it is giving way
constexpr double kLeash = 0.005;  // of the CoM's height: how far the reference may be ahead of the CoM

Eigen::Vector3d flat(const Eigen::Vector3d& v) { return {v.x(), v.y(), 0.0}; }
Eigen::Vector3d upright(const Eigen::Vector3d& v) { return {0.0, 0.0, v.z()}; }

}  // namespace

/// The support is what the sole's rectangle covers between the planted feet. Returns the nearest point of that region,
/// its rectangle scaled by `share`.
Eigen::Vector2d TaskPriority::inside_support(const Eigen::Vector2d& point, double share) const {
  const int side = kinematics_.reference_side();
  const Eigen::Vector2d from = kinematics_.sole_centre(side).head<2>();
  Eigen::Vector2d along = kinematics_.sole_centre(1 - side).head<2>() - from;
  if (is_lifted_[1 - side]) along.setZero();
  const double length2 = along.squaredNorm();
  const double position = length2 > 0.0 ? std::clamp((point - from).dot(along) / length2, 0.0, 1.0) : 0.0;
  const Eigen::Vector2d centre = from + position * along;
  const Eigen::Vector2d ahead = kinematics_.pose(kinematics_.foot(side)).linear().col(0).head<2>().normalized();
  const Eigen::Vector2d left(-ahead.y(), ahead.x());
  const Eigen::Vector2d half = 0.5 * share * sole_size(side);
  return centre + std::clamp(ahead.dot(point - centre), -half.x(), half.x()) * ahead +
         std::clamp(left.dot(point - centre), -half.y(), half.y()) * left;
}

Eigen::Vector2d TaskPriority::sole_size(int side) const {
  const Sole& sole = *model_->description().soles[side];
  return {sole.x_max - sole.x_min, sole.y_max - sole.y_min};
}

double TaskPriority::planned_left_share() const {
  if (is_lifted_[kLeft] || is_lifted_[kRight]) return is_lifted_[kLeft] ? 0.0 : 1.0;
  const Eigen::Vector2d right = kinematics_.sole_centre(kRight).head<2>();
  const Eigen::Vector2d along = kinematics_.sole_centre(kLeft).head<2>() - right;
  return std::clamp((zmp_reference_ - right).dot(along) / std::max(along.squaredNorm(), 1e-9), 0.0, 1.0);
}

/// 1 while the feet stand flat and the drives hold, 0 when the ZMP is at the support's edge, the robot rocks or a drive
/// gives way. Then the ZMP says nothing of how far the CoM should be shifted, and a shift turns feet or joints instead
/// of moving the CoM.
double TaskPriority::balance_gate(const SensorReadings& readings) const {
  if (!load_cells_.are_trusted() || !load_cells_.is_loaded()) return 0.0;
  // The nearest point of a support that is smaller by 1 − kEdgeBegin, against one that is smaller by 1 − kEdgeEnd.
  const double beyond = (tick_.zmp_measured - inside_support(tick_.zmp_measured, kEdgeBegin)).cwiseAbs().maxCoeff();
  const double band = 0.5 * (kEdgeEnd - kEdgeBegin) * sole_size(kinematics_.reference_side()).minCoeff();
  double gate = std::clamp(1.0 - beyond / band, 0.0, 1.0);
  gate = std::clamp((kStrainEnd - tick_.strain) / (kStrainEnd - kStrainBegin), 0.0, gate);
  const Eigen::Vector4d q = readings.state.q.segment<4>(3);
  if (readings.lost(Sensor::base_orientation) || !q.allFinite() || !(q.norm() > 0.5)) return gate;
  const Eigen::Matrix3d R_world_base = Eigen::Quaterniond(q).normalized().toRotationMatrix();
  // How far the base is tilted more than commanded; its heading does not count.
  const Eigen::Vector3d up = R_world_base.row(2), commanded_up = kinematics_.R_plan_base().row(2);
  const double tilt = std::atan2(up.cross(commanded_up).norm(), up.dot(commanded_up));
  return std::min(gate, std::clamp((kTiltEnd - tilt) / (kTiltEnd - kTiltBegin), 0.0, 1.0));
}

void TaskPriority::regulate_zmp(const SensorReadings& readings) {
  tick_.left_share = load_cells_.left_share();
  const std::array<double, 2> share = {tick_.left_share, 1.0 - tick_.left_share};
  const std::array<double, 2> planned = {planned_left_share(), 1.0 - planned_left_share()};
  Eigen::Vector2d measured = Eigen::Vector2d::Zero(), centre = Eigen::Vector2d::Zero(), wanted = zmp_reference_;
  for (int side : {kLeft, kRight}) {
    const Eigen::Isometry3d T_plan_foot = kinematics_.pose(kinematics_.foot(side));
    const Eigen::Vector2d& zmp = load_cells_.foot(side).zmp;
    const double z = model_->description().soles[side]->z;
    measured += share[side] * (T_plan_foot * Eigen::Vector3d(zmp.x(), zmp.y(), z)).head<2>();
    centre += (share[side] - planned[side]) * kinematics_.sole_centre(side).head<2>();
  }
  // As printed, e_z = Σ share (p* − p) compares each foot with itself: a load that has gone from one foot to the other
  // is no error. Of the whole body it is one: Σ (planned share − share) centre in addition.
  if (settings_.zmp_error == ZmpError::feet) wanted += centre;
  tick_.zmp_measured = measured;
  tick_.gate = balance_gate(readings);
  const double stance =
      is_lifted_[0] || is_lifted_[1] ? 0.0 : (kinematics_.sole_centre(kLeft) - kinematics_.sole_centre(kRight)).norm();
  const Eigen::Vector2d largest = 0.5 * kShiftShare * (sole_size(kRight) + Eigen::Vector2d(0.0, stance));
  zmp_feedback_.update(wanted - measured, tick_.gate, largest, kPeriod);
  tick_.zmp_reference = wanted;
  tick_.com_shift = zmp_feedback_.shift();

  Eigen::Vector3d position = com_way_.position() + com_height_.position();
  Eigen::Vector3d velocity = com_way_.velocity() + com_height_.velocity();
  position.head<2>() += zmp_feedback_.shift();
  velocity.head<2>() += zmp_feedback_.velocity();
  com_task_.track(position, velocity);
  Eigen::Vector3d reached = kinematics_.com();
  reached.head<2>() -= zmp_feedback_.shift();
  tick_.com_lag = (position - kinematics_.com()).norm();
  tick_.is_out_of_reach |= tick_.com_lag > 0.8 * kLeash * height_;
  com_way_.keep_near(flat(reached), kLeash * height_);
  com_height_.keep_near(upright(reached), kLeash * height_);
}

}  // namespace aplomb

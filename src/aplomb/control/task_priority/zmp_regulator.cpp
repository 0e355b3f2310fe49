#include "aplomb/control/task_priority/zmp_regulator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace aplomb {
namespace {

// The feedback fades out from the first value to the second. Tuned: without the fading, the largest
// short push that HOAP-3 survives is smaller by 7 % backward and 25 % sideways.
constexpr double kTiltBegin = 0.02, kTiltEnd = 0.05;  // [rad] tilt of the base: the feet no longer stand flat
constexpr double kEdgeBegin = 0.8, kEdgeEnd = 0.95;   // ZMP, over the way from the support's middle to its edge
constexpr double kPrintedGain = 0.02;  // Kp as printed, stable on HOAP-3 in both directions; the paper gives none
constexpr double kYieldBegin = 1.5, kYieldEnd = 3.0;  // torque of a lagging servo spring, over the drive's limit

ZmpFeedback::Sway sway_of(const RobotModel& model, const ServoGains& servo, double height) {
  const BodySpring spring = BodySpring::of(model, servo);
  return ZmpFeedback::Sway::of_body(model.mass(), height, spring.stiffness, spring.damping);
}

ZmpFeedback::Gains gains_for(const TaskPriority::Settings& settings, double height, const ZmpFeedback::Sway& sway) {
  ZmpFeedback::Gains gains = ZmpFeedback::Gains::for_body(height, sway);
  gains.kp = settings.has_zmp_feedback ? settings.gain_scale * settings.zmp_kp.value_or(gains.kp) : 0.0;
  gains.kd_s = settings.zmp_kd_s.value_or(gains.kd_s);
  gains.bandwidth = settings.zmp_bandwidth.value_or(gains.bandwidth);
  gains.is_printed = settings.as_printed;
  if (settings.as_printed && settings.has_zmp_feedback)
    gains.kp = settings.gain_scale * settings.zmp_kp.value_or(kPrintedGain);
  return gains;
}

}  // namespace

ZmpRegulator::ZmpRegulator(const RobotModel& model, const StandingKinematics& kinematics,
                           const StandingSupport& support, const ServoGains& servo,
                           const TaskPriority::Settings& settings, double height)
    : model_(&model),
      kinematics_(&kinematics),
      support_(&support),
      error_(settings.zmp_error),
      is_printed_(settings.as_printed),
      largest_shift_(settings.com_shift),
      load_cells_(model),
      sway_(sway_of(model, servo, height)),
      feedback_(gains_for(settings, height, sway_), height) {}

void ZmpRegulator::update(const SensorReadings& readings, const Eigen::Vector2d& zmp_reference, double spring_load,
                          Fallbacks& fallbacks) {
  load_cells_.update(readings, fallbacks);
  measure(zmp_reference);
  gate_ = gate_for(readings, spring_load, fallbacks);
  const Eigen::Vector2d largest =
      0.5 * largest_shift_ * (support_->sole_size(kRight) + Eigen::Vector2d(0.0, support_->stance_width()));
  feedback_.update(reference_ - measured_, gate_, largest, kControlPeriod);
}

void ZmpRegulator::measure(const Eigen::Vector2d& zmp_reference) {
  const double left = load_cells_.left_share(), planned_left = support_->left_share(zmp_reference);
  const std::array<double, 2> share = {left, 1.0 - left};
  const std::array<double, 2> planned = {planned_left, 1.0 - planned_left};
  Eigen::Vector2d measured = Eigen::Vector2d::Zero(), centre = Eigen::Vector2d::Zero();
  for (int side : {kLeft, kRight}) {
    const Eigen::Isometry3d T_plan_foot = kinematics_->pose(kinematics_->foot(side));
    const Eigen::Vector2d& zmp = load_cells_.foot(side).zmp;
    const double z = model_->description().soles[side]->z;
    measured += share[side] * (T_plan_foot * Eigen::Vector3d(zmp.x(), zmp.y(), z)).head<2>();
    centre += (share[side] - planned[side]) * kinematics_->sole_centre(side).head<2>();
  }
  measured_ = measured;
  reference_ = zmp_reference;
  // As printed, e_z = Σ share (p* − p) compares each foot with its own reference: load that moves from one foot to the
  // other is no error. The error of the whole body has the term Σ (planned share − share) centre in addition.
  if (error_ == TaskPriority::ZmpError::feet) reference_ += centre;
  if (!is_printed_) return;
  // (9) to (12): the desired ZMP of each foot is its centre, whatever the CoM's reference.
  reference_.setZero();
  for (int side : {kLeft, kRight}) reference_ += share[side] * kinematics_->sole_centre(side).head<2>();
}

/// 1 while the feet stand flat and the drives hold, 0 when the ZMP is at the support's edge, the robot rocks or a drive
/// yields. Then the ZMP error does not determine how far the CoM should be shifted.
double ZmpRegulator::gate_for(const SensorReadings& readings, double spring_load, Fallbacks& fallbacks) const {
  for (int side : {kLeft, kRight}) {
    if (load_cells_.is_trusted(side)) continue;
    fallbacks.take(LoadCells::sensor(side), "the ZMP feedback fades out");
  }
  if (!load_cells_.are_trusted() || !load_cells_.is_loaded()) return 0.0;
  if (is_printed_) return 1.0;
  // Distance of the ZMP from the support scaled by kEdgeBegin, over the distance between that support and the one
  // scaled by kEdgeEnd.
  const double beyond = (measured_ - support_->clamp(measured_, kEdgeBegin)).cwiseAbs().maxCoeff();
  const double band = 0.5 * (kEdgeEnd - kEdgeBegin) * support_->sole_size(kinematics_->reference_side()).minCoeff();
  double gate = std::clamp(1.0 - beyond / band, 0.0, 1.0);
  gate = std::clamp((kYieldEnd - spring_load) / (kYieldEnd - kYieldBegin), 0.0, gate);
  const Eigen::Vector4d q = readings.state.q.segment<4>(3);
  if (readings.lost(Sensor::base_orientation) || !q.allFinite() || !(q.norm() > 0.5)) {
    fallbacks.take(Sensor::base_orientation, "keeps the ZMP feedback on when the robot rocks");
    return gate;
  }
  const Eigen::Matrix3d R_world_base = Eigen::Quaterniond(q).normalized().toRotationMatrix();
  // Tilt of the base against the commanded one, whatever its heading.
  const Eigen::Vector3d up = R_world_base.row(2), commanded_up = kinematics_->R_plan_base().row(2);
  const double tilt = std::atan2(up.cross(commanded_up).norm(), up.dot(commanded_up));
  return std::min(gate, std::clamp((kTiltEnd - tilt) / (kTiltEnd - kTiltBegin), 0.0, 1.0));
}

void ZmpRegulator::add_faults(std::vector<Fault>& faults) const {
  for (int side : {kLeft, kRight}) {
    const char* name = side == kLeft ? "left" : "right";
    const auto index = static_cast<std::size_t>(side);
    if (const auto& since = load_cells_.frozen_since_s[index]) {
      faults.push_back({.name = fmt::format("{}_load_cells_repeat_themselves", name),
                        .start_s = *since,
                        .fallback = "detected: the ZMP feedback fades out meanwhile"});
    }
    if (const auto& since = load_cells_.repaired_since_s[index]) {
      faults.push_back({.name = fmt::format("{}_load_cell_silent", name),
                        .start_s = *since,
                        .fallback = "detected: replaced from the three others of that foot"});
    }
  }
}

}  // namespace aplomb

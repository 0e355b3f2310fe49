#include "aplomb/run/metrics/task_metrics.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/core/math/rotation.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

constexpr double kWindow = 0.2;       // [s] length of the averages before and at the end of a push
constexpr double kHeldAtLeast = 0.5;  // [s] shortest push with an average at its end
constexpr double kSettled = 2e-3;     // [m] distance from the ZMP at rest
constexpr std::size_t kEndTicks = 500;
constexpr std::size_t kLongestPeriod = 60'000;  // ticks

}  // namespace

void TaskMetrics::Mean::add(double time_s, const Eigen::Vector2d& value) {
  if (time_s <= begin_s || time_s > end_s) return;
  sum += value;
  ++count;
}

TaskMetrics::TaskMetrics(const RobotModel& robot, const RobotState& start, const ComRequest& request,
                         const std::vector<Push>& pushes)
    : robot_(&robot),
      com_reference_(make_com_reference(request, robot, start)),
      steps_(make_step_plan(request, robot, start)),
      height_(com_height(robot, start)) {
  if (!pushes.empty()) {
    const auto begin = std::ranges::min_element(pushes, {}, &Push::start_s);
    const auto last = std::ranges::max_element(pushes, {}, [](const Push& p) { return p.start_s + p.duration_s; });
    pushed_until_s_ = last->start_s + last->duration_s;
    rest_ = {.begin_s = begin->start_s - kWindow, .end_s = begin->start_s};
    if (last->duration_s >= kHeldAtLeast && last->shape == Push::Shape::box) {
      held_until_s_ = *pushed_until_s_ - last->ramp_s;
      held_ = {.begin_s = *held_until_s_ - kWindow, .end_s = *held_until_s_};
    }
  }
  if (request.kind == ComRequest::Kind::sine) {
    const auto ticks = std::llround(request.sine.period_s / Simulation::kControlPeriod);
    periodic_from_s_ = request.begin_s + request.sine.ramp_s;
    if (static_cast<std::size_t>(ticks) <= kLongestPeriod) period_ticks_ = static_cast<std::size_t>(ticks);
    last_period_.assign(period_ticks_, Eigen::VectorXd());
    changes_.assign(period_ticks_, 0.0);
  }
}

void TaskMetrics::add(const Observation& now, const RobotState& state) {
  height_error_max_ = std::max(height_error_max_, std::abs(now.com.z() - now.com_reference.z()));
  ++num_ticks_;
  add_zmp(now);
  add_feet(now);
  add_period(now, state);
}

void TaskMetrics::add_zmp(const Observation& now) {
  if (!now.zmp.allFinite()) {
    zmp_exists_ = false;
    return;
  }
  Eigen::Vector2d reference = now.com_reference.head<2>();
  if (!com_reference_.follows_feet()) {
    reference -= height_ / kGravity * com_reference_.at(now.time_s, {}).acceleration.head<2>();
  }
  const Eigen::Vector2d error = now.zmp - reference;
  const double size = error.cwiseAbs().maxCoeff();
  square_sum_ += size * size;
  error_max_ = std::max(error_max_, size);
  if (end_errors_.size() < kEndTicks)
    end_errors_.push_back(error);
  else
    end_errors_[static_cast<std::size_t>(num_ticks_) % kEndTicks] = error;
  rest_.add(now.time_s, now.zmp);
  held_.add(now.time_s, now.zmp);
  if (pushed_until_s_ && now.time_s > *pushed_until_s_) after_push_.push_back(now.zmp);
}

void TaskMetrics::add_feet(const Observation& now) {
  if (!robot_->description().soles[kLeft] || !robot_->description().soles[kRight]) return;
  if (!has_feet_) feet_ = now.T_world_foot;
  has_feet_ = true;
  std::array<Eigen::Isometry3d, 2> planned = feet_;
  for (int side : {kLeft, kRight}) planned[side].translation() += steps_.at(side, now.time_s).offset;
  const Eigen::Isometry3d wanted = planned[kRight].inverse() * planned[kLeft];
  const Eigen::Isometry3d is = now.T_world_foot[kRight].inverse() * now.T_world_foot[kLeft];
  position_error_max_ = std::max(position_error_max_, (is.translation() - wanted.translation()).norm());
  rotation_error_max_ =
      std::max(rotation_error_max_, rotation_vector(wanted.linear().transpose() * is.linear()).norm());
}

void TaskMetrics::add_period(const Observation& now, const RobotState& state) {
  if (period_ticks_ == 0 || now.time_s <= periodic_from_s_) return;
  const Eigen::VectorXd joints = joint_positions(state.q);
  Eigen::VectorXd& before = last_period_[period_tick_];
  if (before.size() > 0) {
    changes_[period_tick_] = (joints - before).cwiseAbs().maxCoeff();
    ++num_changes_;
  }
  before = joints;
  period_tick_ = (period_tick_ + 1) % period_ticks_;
}

void TaskMetrics::finish(Metrics& metrics) const {
  const auto set = [&metrics](const char* name, bool exists, double value) {
    metrics.set(name, exists ? MetricValue(value) : MetricValue{});
  };
  const bool has_zmp = zmp_exists_ && num_ticks_ > 0;
  set("zmp_error_rms_m", has_zmp, std::sqrt(square_sum_ / static_cast<double>(std::max<std::int64_t>(num_ticks_, 1))));
  set("zmp_error_max_m", has_zmp, error_max_);
  if (held_until_s_) {
    set("zmp_offset_end_m", has_zmp && held_.count > 0 && rest_.count > 0, (held_.value() - rest_.value()).norm());
  } else {
    double sum = 0.0;
    for (const Eigen::Vector2d& error : end_errors_) sum += error.norm();
    set("zmp_offset_end_m", has_zmp, sum / static_cast<double>(std::max<std::size_t>(end_errors_.size(), 1)));
  }
  std::size_t settled_after = after_push_.size();
  while (settled_after > 0 && (after_push_[settled_after - 1] - rest_.value()).norm() < kSettled) --settled_after;
  const bool settles = has_zmp && rest_.count > 0 && settled_after < after_push_.size();
  set("zmp_settle_s", settles, static_cast<double>(settled_after) * Simulation::kControlPeriod);
  set("feet_position_error_max_m", has_feet_, position_error_max_);
  set("feet_rotation_error_max_rad", has_feet_, rotation_error_max_);
  set("com_height_error_max_m", num_ticks_ > 0, height_error_max_);
  const bool has_period = period_ticks_ > 0 && num_changes_ >= period_ticks_;
  set("period_repeat_max_rad", has_period, has_period ? *std::ranges::max_element(changes_) : 0.0);
}

}  // namespace aplomb

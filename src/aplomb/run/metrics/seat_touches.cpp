#include "aplomb/run/metrics/seat_touches.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "aplomb/core/math/zero_phase.hpp"

namespace aplomb {
namespace {

constexpr double kOnSeat = 10.0;       // [N] seat force above which the robot is sitting
constexpr double kAway = 0.1;          // [s] without load on the seat after which its return is a touch, no chatter
constexpr double kForceCutoff = 50.0;  // [Hz] as of the foot forces

MetricValue number_or_null(const std::optional<double>& value) {
  return value ? MetricValue(*value) : MetricValue(std::monostate{});
}

}  // namespace

SeatTouches::SeatTouches(const RobotModel& robot, const PlanPlayer& plan)
    : kinematics_(robot), shapes_(seat_shapes(robot)), is_on_seat_(false) {
  const Trajectory& trajectory = plan.plan().trajectory;
  is_on_seat_ = plan.plan().contacts.is_active(ContactSite::seat, trajectory.start_s);
  for (const ContactPlan::Contact& contact : plan.plan().contacts.contacts) {
    if (contact.site != ContactSite::seat || contact.start_s <= trajectory.start_s) continue;
    const double time_s = plan.start_s() + (contact.start_s - trajectory.start_s) / plan.speed();
    planned_s_ = std::max(planned_s_.value_or(time_s), time_s);
  }
  off_since_s_ = -kAway;
}

double SeatTouches::lowest_point(const RobotState& state) {
  kinematics_.update(state.q);
  double lowest = std::numeric_limits<double>::infinity();
  for (const SeatShape& one : shapes_) {
    const double height = kinematics_.point(one.body, one.shape.T_link_shape.translation()).z();
    lowest = std::min(lowest, height - one.shape.size.x());
  }
  return lowest;
}

void SeatTouches::add(const Observation& now, const RobotState& state) {
  if (!planned_s_) return;
  const bool is_on_seat = now.seat_force > kOnSeat;
  if (is_on_seat && !is_on_seat_ && now.time_s - off_since_s_ >= kAway) {
    touch_s_ = now.time_s;
    velocity_ = std::max(velocity_.value_or(speed_), speed_);
  }
  if (is_on_seat) off_since_s_ = now.time_s;
  is_on_seat_ = is_on_seat;
  const double height = lowest_point(state);
  speed_ = height_ ? (*height_ - height) / Simulation::kControlPeriod : 0.0;
  height_ = height;
  if (touch_s_) forces_.push_back(now.seat_force);
  planned_force_ = now.planned_seat_force;
}

void SeatTouches::finish(Metrics& metrics) const {
  std::optional<double> peak;
  if (!forces_.empty() && planned_force_ > 0.0) {
    const Eigen::Map<const Eigen::RowVectorXd> raw(forces_.data(), static_cast<Eigen::Index>(forces_.size()));
    peak = ZeroPhaseFilter(kForceCutoff, 1.0 / Simulation::kControlPeriod).filtered(raw).maxCoeff() / planned_force_;
  }
  metrics.set("seat_on_s", number_or_null(touch_s_));
  metrics.set("seat_on_planned_s", number_or_null(planned_s_));
  metrics.set("touch_velocity_m_per_s", number_or_null(velocity_));
  metrics.set("seat_force_peak_ratio", number_or_null(peak));
}

}  // namespace aplomb

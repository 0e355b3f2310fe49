#include "aplomb/run/payload_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/sim/simulation.hpp"

namespace aplomb {
namespace {

constexpr int kTicks = 10;       // of the control loop make a reading
constexpr double kNear = 0.002;  // [m]: a CoM that is this near counts as right
constexpr double kPeriod = Simulation::kControlPeriod;

bool is_usable(const SensorReadings& readings) {
  return std::ranges::find(readings.is_lost, true) == readings.is_lost.end() && readings.state.q.allFinite() &&
         readings.state.v.allFinite();
}

void add_share(const Wrench& wrench, Wrench& mean) {
  mean.force += wrench.force / kTicks;
  mean.moment += wrench.moment / kTicks;
}

}  // namespace

PayloadEstimate::PayloadEstimate(const RobotModel& believed, FrameId link, double handed_over_s)
    : filter_(believed, link, {}),
      terms_(believed, {}),
      first_rate_(Eigen::VectorXd::Zero(believed.nv())),
      acceleration_(first_rate_),
      handed_over_s_(handed_over_s),
      com_error_(std::numeric_limits<double>::quiet_NaN()) {}

void PayloadEstimate::clear() {
  num_ticks_ = 0;
  mean_.foot_wrench = mean_.hand_wrench = {};
}

bool PayloadEstimate::update(const SensorReadings& readings) {
  if (!is_usable(readings)) {
    clear();
    return false;
  }
  if (num_ticks_ == 0) first_rate_ = readings.state.v;
  for (std::size_t side = 0; side < 2; ++side) {
    add_share(readings.foot_wrench[side], mean_.foot_wrench[side]);
    add_share(readings.hand_wrench[side], mean_.hand_wrench[side]);
  }
  if (++num_ticks_ < kTicks) return false;
  acceleration_ = (readings.state.v - first_rate_) / ((kTicks - 1) * kPeriod);
  filter_.update(readings.state, acceleration_, mean_, kTicks * kPeriod);
  clear();
  return true;
}

void PayloadEstimate::judge(const Observation& truth, const RobotState& true_state) {
  terms_.correct(filter_.correction());
  terms_.update(true_state);
  com_error_ = (terms_.com() - truth.com).head<2>().norm();
  if (!(com_error_ < kNear)) right_since_s_.reset();
  if (com_error_ < kNear && !right_since_s_) right_since_s_ = truth.time_s;
}

std::array<Signal, 2> PayloadEstimate::signals() const {
  return {Signal{"payload_mass_kg", filter_.added_mass()}, Signal{"payload_com_error_m", com_error_}};
}

void PayloadEstimate::add_metrics(Metrics& metrics) const {
  metrics.set("payload_mass_kg", filter_.added_mass());
  metrics.set("payload_com_error_end_m", std::isnan(com_error_) ? MetricValue{} : MetricValue(com_error_));
  metrics.set("payload_corrected_s",
              right_since_s_ ? MetricValue(std::max(0.0, *right_since_s_ - handed_over_s_)) : MetricValue{});
}

}  // namespace aplomb

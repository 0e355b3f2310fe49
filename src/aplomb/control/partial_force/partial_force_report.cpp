#include "aplomb/control/partial_force/partial_force_report.hpp"

#include <algorithm>
#include <numeric>

namespace aplomb {
namespace {

constexpr const char* kSides[] = {"left", "right"};

std::vector<Signal> named_signals() {
  std::vector<Signal> signals;
  for (const char* side : kSides) {
    signals.push_back({std::string(side) + "_foot_command_n"});
    signals.push_back({std::string(side) + "_foot_share"});
    signals.push_back({std::string(side) + "_hand_command_n"});
    for (const char* axis : {"x", "y"}) signals.push_back({std::string(side) + "_cop_command_" + axis + "_m"});
  }
  signals.push_back({"law_in_use"});
  signals.push_back({"force_given_up_n"});
  signals.push_back({"com_given_up_m_per_s2"});
  return signals;
}

}  // namespace

PartialForceReport::PartialForceReport(bool has_limits, int num_limits)
    : has_limits_(has_limits), signals_(named_signals()), limit_s_(static_cast<std::size_t>(num_limits), 0.0) {}

void PartialForceReport::add(const PartialForceTick& tick) {
  std::size_t next = 0;
  const auto put = [&](double value) { signals_[next++].value = value; };
  for (std::size_t side : {0u, 1u}) {
    put(tick.foot_force[side]);
    put(tick.foot_share[side]);
    put(tick.hand_force[side]);
    put(tick.cop[side].x());
    put(tick.cop[side].y());
  }
  put(static_cast<double>(tick.law));
  put(tick.force_given_up);
  put(tick.com_given_up);
  for (Side side : {kLeft, kRight}) {
    if (!tick.is_hand_without_wall[side]) continue;
    ++without_wall_ticks_[side];
    if (!without_wall_since_s_[side]) without_wall_since_s_[side] = tick.time_s;
  }
  ++ticks_[static_cast<std::size_t>(tick.law)];
  if (tick.limit >= 0) limit_s_[static_cast<std::size_t>(tick.limit)] += kControlPeriod;
  if (tick.com_given_up > worst_com_.com_given_up) worst_com_ = tick;
  if (tick.force_given_up > worst_force_.force_given_up) worst_force_ = tick;
}

Metrics PartialForceReport::metrics() const {
  Metrics metrics;
  const auto full = ticks_[static_cast<std::size_t>(ForceHierarchy::Law::full)];
  const std::string base = has_limits_ ? "bounded" : "closed_form";
  metrics.set("law", full == 0 ? base : full == ticks_[0] + ticks_[1] + full ? "full" : base + ", full");
  metrics.set("limit_active_s", std::accumulate(limit_s_.begin(), limit_s_.end(), 0.0));
  metrics.set("full_law_s", kControlPeriod * full);
  metrics.set("hand_without_wall_s", kControlPeriod * std::ranges::max(without_wall_ticks_));
  metrics.set("force_given_up_max_n", worst_force_.force_given_up);
  metrics.set("com_given_up_max_m_per_s2", worst_com_.com_given_up);
  return metrics;
}

}  // namespace aplomb

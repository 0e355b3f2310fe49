#include "aplomb/control/step/step_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace aplomb {

std::vector<Signal> step_signals() {
  return {{"capture_point_x_m"}, {"capture_point_y_m"}, {"planned_foot_x_m"}, {"planned_foot_y_m"}, {"step_left_s"}};
}

void write_step_signals(const Stepping& stepping, std::span<Signal> signals) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const bool is_swinging = stepping.swing().has_value();
  signals[0].value = stepping.capture_point().x();
  signals[1].value = stepping.capture_point().y();
  signals[2].value = is_swinging ? stepping.target().x() : kNone;
  signals[3].value = is_swinging ? stepping.target().y() : kNone;
  signals[4].value = is_swinging ? stepping.left_s() : kNone;
}

Metrics step_metrics(const Stepping& stepping) {
  std::optional<double> longest, shortest_s, longest_s;
  for (const Stepping::Step& step : stepping.steps()) {
    if (!step.land_s) continue;
    const double time_s = *step.land_s - step.begin_s;
    longest = std::max(longest.value_or(0.0), (step.to - step.from).norm());
    shortest_s = std::min(shortest_s.value_or(time_s), time_s);
    longest_s = std::max(longest_s.value_or(0.0), time_s);
  }
  const auto or_null = [](const std::optional<double>& value) { return value ? MetricValue(*value) : MetricValue{}; };
  Metrics metrics;
  metrics.set("steps_taken", static_cast<std::int64_t>(stepping.num_steps()));
  metrics.set("step_length_max_m", or_null(longest));
  metrics.set("step_time_min_s", or_null(shortest_s));
  metrics.set("step_time_max_s", or_null(longest_s));
  return metrics;
}

std::vector<std::string> step_notes(const Stepping& stepping) {
  std::vector<std::string> notes;
  for (const Stepping::Step& step : stepping.steps()) {
    const Eigen::Vector2d way = step.to - step.from;
    const std::string end = step.land_s ? fmt::format("{:.2f} m forward and {:.2f} m to the left, in {:.2f} s", way.x(),
                                                      way.y(), *step.land_s - step.begin_s)
                                        : "it did not land before the end";
    if (step.is_closing) {
      notes.push_back(fmt::format("step at {:.3f} s with the {} foot, to put the feet side by side; {}", step.begin_s,
                                  step.side == kLeft ? "left" : "right", end));
      continue;
    }
    notes.push_back(fmt::format(
        "step at {:.3f} s with the {} foot: the capture point was {:.0f} mm outside the support, of which the rotation "
        "of trunk and arms can make up for {:.0f} mm; {}",
        step.begin_s, step.side == kLeft ? "left" : "right", 1e3 * step.beyond, 1e3 * step.lunge, end));
  }
  return notes;
}

}  // namespace aplomb

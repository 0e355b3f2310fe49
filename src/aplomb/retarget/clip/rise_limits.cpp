// What the joints allow: the part of RiseSolver that deals with their stops and speeds.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "aplomb/retarget/clip/rise_solver.hpp"

namespace aplomb {
namespace {

constexpr double kOffStops = 0.05;         // [rad] that a plan stays off a joint's stops, at most
constexpr double kOffStopsOfRange = 0.03;  // of the joint's range, at most

}  // namespace

/// A plan that runs into a stop leaves nothing to the controller that follows it.
void RiseSolver::keep_off_stops(const Eigen::VectorXd& seated) {
  for (Eigen::Index i = 0; i < seated.size(); ++i) {
    const double range = solver_->upper[i] - solver_->lower[i];
    if (!std::isfinite(range)) continue;
    const double margin = std::min(kOffStops, kOffStopsOfRange * range);
    solver_->lower[i] = std::min(solver_->lower[i] + margin, std::max(seated[i], solver_->lower[i]));
    solver_->upper[i] = std::max(solver_->upper[i] - margin, std::min(seated[i], solver_->upper[i]));
  }
}

/// No joint may turn faster than it can from the posture before.
void RiseSolver::limit_speed(const Eigen::Ref<const Eigen::VectorXd>& before) {
  for (Eigen::Index i = 0; i < speed_.size(); ++i) {
    const double most = speed_[i] > 0.0 ? speed_[i] / human_.rate_hz : HUGE_VAL;
    solver_->lower[i] = std::max(lower_[i], before[7 + i] - most);
    solver_->upper[i] = std::min(upper_[i], before[7 + i] + most);
  }
}

/// "left_knee, torso_pitch and 3 more": those at an end of their range first, then those at their greatest speed.
std::string RiseSolver::active_limits(const Eigen::VectorXd& q) const {
  std::vector<std::string> ends, speeds;
  for (Eigen::Index i = 0; i < speed_.size(); ++i) {
    if (solver_->held()[static_cast<std::size_t>(6 + i)] == 0) continue;
    const bool is_end = q[7 + i] <= lower_[i] + 1e-9 || q[7 + i] >= upper_[i] - 1e-9;
    const std::string& name = robot_.joints()[static_cast<std::size_t>(i)].name;
    const bool is_fast = q[7 + i] <= solver_->lower[i] + 1e-9 || q[7 + i] >= solver_->upper[i] - 1e-9;
    if (is_end) ends.push_back(name);
    if (!is_end && is_fast) speeds.push_back(name + " (speed)");
  }
  ends.insert(ends.end(), speeds.begin(), speeds.end());
  constexpr std::size_t kMost = 6;
  const std::size_t rest = ends.size() > kMost ? ends.size() - kMost : 0;
  ends.resize(ends.size() - rest);
  return fmt::format("{}{}", fmt::join(ends, ", "), rest > 0 ? fmt::format(" and {} more", rest) : "");
}

}  // namespace aplomb

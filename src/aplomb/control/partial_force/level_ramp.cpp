#include "aplomb/control/partial_force/level_ramp.hpp"

#include <algorithm>

namespace aplomb {

LevelRamp::LevelRamp(const RobotModel& model, const ForceProblem& shape, const std::vector<Change>& changes,
                     std::size_t com_level, bool has_limits, const Settings& settings, double budget)
    : settings_(settings),
      largest_torque_(settings.torque_rate * kControlPeriod * model.mass() * kGravity),
      before_(shape, model.nv()) {
  hierarchies_.reserve(1 + changes.size());
  hierarchies_.emplace_back(model, shape, shape.as_listed(), com_level, has_limits, budget);
  for (const Change& change : changes) {
    hierarchies_.emplace_back(model, shape, change.order, com_level, has_limits, budget);
    start_s_.push_back(change.start_s);
  }
}

bool LevelRamp::solve(double time_s, const RobotState& state, const RobotTerms& terms, const ForceProblem& problem,
                      ForceSolution& solution) {
  if (!is_changing() && present_ < start_s_.size() && time_s >= start_s_[present_]) {
    ++present_;
    share_ = settings_.ramp_s > 0.0 ? 0.0 : 1.0;
  }
  if (is_changing()) return mix(state, terms, problem, solution);
  return hierarchies_[present_].solve(state, terms, problem, solution);
}

bool LevelRamp::is_cut_short() const {
  const bool is_before = is_changing() && hierarchies_[present_ - 1].outcome().is_cut_short;
  return is_before || outcome().is_cut_short;
}

bool LevelRamp::mix(const RobotState& state, const RobotTerms& terms, const ForceProblem& problem,
                    ForceSolution& solution) {
  if (!hierarchies_[present_ - 1].solve(state, terms, problem, before_)) return false;
  if (!hierarchies_[present_].solve(state, terms, problem, solution)) return false;
  double apart = 0.0;
  for (Eigen::Index i = 0; i < solution.torque.size(); ++i) {
    apart = std::max(apart, std::abs(solution.torque[i] - before_.torque[i]));
  }
  double step = kControlPeriod / settings_.ramp_s;
  if (apart * step > largest_torque_) step = largest_torque_ / apart;
  share_ = std::min(1.0, share_ + step);
  const double rest = 1.0 - share_;
  solution.torque = share_ * solution.torque + rest * before_.torque;
  solution.acceleration = share_ * solution.acceleration + rest * before_.acceleration;
  for (std::size_t i = 0; i < solution.force.size(); ++i) {
    solution.force[i] = share_ * solution.force[i] + rest * before_.force[i];
  }
  return true;
}

}  // namespace aplomb

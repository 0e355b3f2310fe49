#include "aplomb/retarget/chair_search.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "aplomb/retarget/retarget_checks.hpp"
#include "aplomb/retarget/retarget_metrics.hpp"

namespace aplomb {
namespace {

constexpr int kFirstStride = 4;   // [steps]
constexpr int kGap = 2;           // [steps]: kChairGap
constexpr double kLowest = 0.02;  // [m] no chair is lower
constexpr int kMostRetries = 4;   // of the search below a chair that is feasible under one that is not

/// Why a plan fails; empty: it does not.
std::string failure_of(const Retargeted& plan, const RobotModel& robot) {
  const Metrics metrics = retarget_metrics(plan, audit_plan(robot, plan.plan(), kAuditPointsBetween));
  for (const Check& check : retarget_checks(plan)) {
    if (judge(check, metrics).ok) continue;
    if (!plan.violated.empty()) return plan.forbidden_by();
    const std::optional<double> value = metrics.number(check.metric);
    const double* const bound = std::get_if<double>(&check.bound);
    if (!value || bound == nullptr) return check.metric + " fails";
    return fmt::format("{} is {:.4g}; {} {:.4g} is needed", check.metric, *value,
                       check.rule == Check::Rule::above ? "more than" : "less than", *bound);
  }
  return {};
}

class Search {
 public:
  Search(const HumanTrial& trial, const RobotModel& robot, const RetargetOptions& options)
      : trial_(trial), robot_(robot), options_(options) {
    options_.finds_obstacle = false;  // only of the last one
    options_.chair_height.reset();
    usual_ = retarget(trial_, robot_, options_);
    highest_ = usual_->seated.chair_height;
    judge_plan(0, *usual_);
  }

  ChairSearch run() {
    std::optional<int> lowest = feasible(0) ? descend(0) : ascend();
    for (int retry = 0; lowest && retry < kMostRetries && feasible(*lowest + kGap); ++retry)
      lowest = descend(*lowest + kGap);
    ChairSearch result;
    result.is_found = lowest.has_value();
    result.plan = lowest && best_ ? std::move(*best_) : std::move(*usual_);
    result.forbidden_lower = reason_with_obstacle(lowest ? *lowest + kGap : 0);
    for (const auto& [step, height] : tried_) result.tried.push_back(height);
    return result;
  }

 private:
  double height(int step) const { return highest_ - step * kChairStep; }

  /// Lowest feasible step from a feasible one on.
  int descend(int feasible_step) {
    int infeasible_step = feasible_step;
    for (int stride = kFirstStride; infeasible_step == feasible_step; stride *= 2) {
      if (feasible(feasible_step + stride)) {
        infeasible_step = feasible_step += stride;
      } else {
        infeasible_step = feasible_step + stride;
      }
    }
    return between(feasible_step, infeasible_step);
  }

  /// The same from an infeasible one: the first higher chair that is feasible, and the lowest below it.
  std::optional<int> ascend() {
    int infeasible_step = 0;
    for (int step = -kFirstStride; !is_too_high_; step -= kFirstStride) {
      if (feasible(step)) return between(step, infeasible_step);
      infeasible_step = step;
    }
    return std::nullopt;
  }

  int between(int feasible_step, int infeasible_step) {
    while (infeasible_step - feasible_step > 1) {
      const int middle = feasible_step + (infeasible_step - feasible_step) / 2;
      (feasible(middle) ? feasible_step : infeasible_step) = middle;
    }
    return feasible_step;
  }

  bool feasible(int step) {
    const auto known = tried_.find(step);
    if (known != tried_.end()) return known->second.is_feasible;
    if (height(step) < kLowest) {
      tried_[step] = {height(step), false, fmt::format("no chair is lower than {:.2f} m", kLowest)};
      return false;
    }
    options_.chair_height = height(step);
    try {
      return judge_plan(step, retarget(trial_, robot_, options_));
    } catch (const UnfitChair& error) {
      is_too_high_ = is_too_high_ || error.nearest_m() < height(step);
      tried_[step] = {height(step), false, error.what()};
    }
    return false;
  }

  bool judge_plan(int step, Retargeted plan) {
    const std::string reason = failure_of(plan, robot_);
    tried_[step] = {height(step), reason.empty(), reason};
    if (!reason.empty()) return false;
    if (!best_ || step > best_step_) {
      best_ = std::move(plan);
      best_step_ = step;
    }
    return true;
  }

  /// Why the chair of a step is infeasible, with the limits without which it would not be.
  std::string reason_with_obstacle(int step) {
    if (feasible(step)) return {};
    options_.finds_obstacle = true;
    options_.chair_height = height(step);
    if (step == 0) options_.chair_height.reset();
    try {
      tried_[step].reason = failure_of(retarget(trial_, robot_, options_), robot_);
    } catch (const UnfitChair&) {  // its reason is known
    }
    return tried_[step].reason;
  }

  const HumanTrial& trial_;
  const RobotModel& robot_;
  RetargetOptions options_;
  double highest_ = 0.0;
  bool is_too_high_ = false;
  std::optional<Retargeted> usual_, best_;
  int best_step_ = 0;
  std::map<int, ChairSearch::Height> tried_;  ///< by steps below the usual chair
};

}  // namespace

ChairSearch find_lowest_chair(const HumanTrial& trial, const RobotModel& robot, const RetargetOptions& options) {
  return Search(trial, robot, options).run();
}

}  // namespace aplomb

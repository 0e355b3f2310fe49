#include "aplomb/control/step/step_planner.hpp"

#include <algorithm>
#include <cmath>

namespace aplomb {
namespace {

enum Unknown : Eigen::Index { kFoot = 0, kGrowth = 2, kCop = 3, kOffset = 5, kUnknowns = 7 };

}  // namespace

StepPlanner::StepPlanner() : problem_(1, kUnknowns, 2), solver_(1, kUnknowns, 2) {}

bool StepPlanner::solve(const Request& request, int passes) noexcept {
  const double least = std::exp(request.omega * request.least_s);
  const double most = std::max(least, std::exp(request.omega * request.most_s));
  double growth = std::clamp(std::exp(request.omega * (is_warm_ ? plan_.time_s : request.preferred_s)), least, most);
  Eigen::Vector2d cop = is_warm_ ? plan_.cop : request.capture_point;
  cop = cop.cwiseMax(request.cop_lower).cwiseMin(request.cop_upper);
  auto& p = problem_;
  p.D.segment<2>(kFoot).setConstant(kFootWeight / request.length);
  p.D[kGrowth] = kTimeWeight;
  p.D.segment<2>(kCop).setConstant(kCopWeight / request.length);
  p.D.segment<2>(kOffset).setConstant(kOffsetWeight / request.length);
  p.x0 << request.foot_preferred, std::exp(request.omega * request.preferred_s), 0.0, 0.0, request.offset_preferred;
  p.lower.segment<2>(kFoot) = request.foot_lower;
  p.upper.segment<2>(kFoot) = request.foot_upper.cwiseMax(request.foot_lower);
  p.lower[kGrowth] = least;
  p.upper[kGrowth] = most;
  p.lower.segment<2>(kCop) = request.cop_lower;
  p.upper.segment<2>(kCop) = request.cop_upper;
  for (int pass = 0; pass < passes; ++pass) {
    // u + b − (1 − Γ̄) p − (ξ − p̄) Γ = p̄ Γ̄, the equation of the class about (p̄, Γ̄)
    p.C.setZero();
    for (Eigen::Index axis = 0; axis < 2; ++axis) {
      p.C(axis, kFoot + axis) = p.C(axis, kOffset + axis) = 1.0;
      p.C(axis, kCop + axis) = growth - 1.0;
      p.C(axis, kGrowth) = cop[axis] - request.capture_point[axis];
      p.d[axis] = cop[axis] * growth;
    }
    if (solver_.solve(p) != SolveStatus::solved) return false;
    const Eigen::VectorXd& x = solver_.solution().x;
    growth = x[kGrowth];
    cop = x.segment<2>(kCop);
    plan_.foot = x.segment<2>(kFoot);
  }
  plan_.cop = cop;
  plan_.time_s = std::log(growth) / request.omega;
  plan_.offset = cop + (request.capture_point - cop) * growth - plan_.foot;
  plan_.cost = step_cost(request, plan_);
  is_warm_ = true;
  return true;
}

double step_cost(const StepPlanner::Request& request, const StepPlanner::Plan& plan) {
  const auto square = [](double weight, double value) { return weight * weight * value * value; };
  const double preferred = std::exp(request.omega * request.preferred_s);
  return square(StepPlanner::kFootWeight / request.length, (plan.foot - request.foot_preferred).norm()) +
         square(StepPlanner::kTimeWeight, std::exp(request.omega * plan.time_s) - preferred) +
         square(StepPlanner::kCopWeight / request.length, plan.cop.norm()) +
         square(StepPlanner::kOffsetWeight / request.length, (plan.offset - request.offset_preferred).norm());
}

}  // namespace aplomb

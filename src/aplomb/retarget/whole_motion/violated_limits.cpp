#include "aplomb/retarget/whole_motion/violated_limits.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace aplomb {
namespace {

constexpr int kMostRounds = 3, kMostIterations = 12;
constexpr double kTogether = 0.5;  // of the largest sum: limits that are taken out in one round
// Instead of a limit: so far away that it is never reached, and not so far that its slack would rule the solver's
// start.
constexpr double kNoTorque = 1e9;     // [N m] as of joints whose URDF states none
constexpr double kNoForce = 1e5;      // [N]
constexpr double kNoWeight = 100.0;   // of all contacts, per weight
constexpr double kNoFriction = 10.0;  // coefficient
constexpr double kNoEdge = 5.0;       // [m] half size of a sole

void remove_joint_limit(const RobotModel& robot, const ViolatedLimit& limit, MotionTask& task) {
  for (Eigen::Index i = 0; i < robot.num_joints(); ++i) {
    if (robot.joints()[static_cast<std::size_t>(i)].name != limit.name) continue;
    if (limit.kind == ReachedLimit::Kind::torque) task.torque[i] = kNoTorque;
    if (limit.kind == ReachedLimit::Kind::speed) task.speed[i] = 0.0;  // none
    if (limit.kind != ReachedLimit::Kind::range) continue;
    task.lower[i] = -HUGE_VAL;
    task.upper[i] = HUGE_VAL;
  }
}

void remove_distance(const ViolatedLimit& limit, MotionTask& task) {
  std::erase_if(task.bounds, [&](const PointCondition& bound) { return bound.name == limit.name; });
  std::erase_if(task.pairs, [&](const MotionTask::Pair& pair) { return pair.name == limit.name; });
}

/// A limit of contact forces, "left_foot, CoP lengthwise".
void remove_contact_limit(const ViolatedLimit& limit, MotionTask& task) {
  const std::size_t comma = limit.name.find(", ");
  const std::string contact = limit.name.substr(0, comma), what = limit.name.substr(comma + 2);
  if (what == "largest vertical force") task.largest_force_per_weight = kNoWeight;
  if (what == "least vertical force") task.least_force_per_weight = -kNoWeight;
  for (SoleContact& sole : task.soles) {
    if (sole.name != contact) continue;
    if (what == "friction" || what == "friction in twist") sole.friction = kNoFriction;
    if (what == "CoP lengthwise") sole.half_size.x() = kNoEdge;
    if (what == "CoP sideways") sole.half_size.y() = kNoEdge;
    if (what == "least force") sole.least_force.setConstant(-kNoForce);
  }
  for (PointContact& point : task.points) {
    if (point.name != contact) continue;
    if (what == "friction") point.friction = kNoFriction;
    if (what == "least force") point.least_force.setConstant(-kNoForce);
    if (what == "largest force") point.largest_force.setConstant(HUGE_VAL);
  }
}

}  // namespace

std::vector<ViolatedLimit> violated_limits(const WholeMotion& motion, double least) {
  std::vector<ViolatedLimit> found;
  for (std::size_t j = 0; j < motion.limits.size(); ++j) {
    const auto knot = static_cast<Eigen::Index>(j);
    for (const ReachedLimit& limit : motion.limits[j]) {
      if (limit.excess <= least) continue;
      auto to = std::ranges::find_if(
          found, [&](const ViolatedLimit& other) { return other.kind == limit.kind && other.name == limit.name; });
      if (to == found.end())
        to = found.insert(to, {.kind = limit.kind, .name = limit.name, .first = knot, .worst = knot});
      if (limit.excess > to->excess) {
        to->excess = limit.excess;
        to->worst = knot;
      }
      to->sum += limit.excess;
      to->last = knot;
    }
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &ViolatedLimit::sum);
  return found;
}

void remove_limit(const RobotModel& robot, const ViolatedLimit& limit, MotionTask& task) {
  switch (limit.kind) {
    case ReachedLimit::Kind::contact:
      return remove_contact_limit(limit, task);
    case ReachedLimit::Kind::torque:
    case ReachedLimit::Kind::speed:
    case ReachedLimit::Kind::range:
      return remove_joint_limit(robot, limit, task);
    case ReachedLimit::Kind::distance:
      return remove_distance(limit, task);
    case ReachedLimit::Kind::equation:
      return;
  }
}

Removal find_removal(const RobotModel& robot, MotionTask task, const WholeMotion& motion, double least) {
  Removal removal;
  std::vector<ViolatedLimit> violated = violated_limits(motion, least);
  for (int round = 0; round < kMostRounds; ++round) {
    std::erase_if(violated, [](const ViolatedLimit& limit) { return limit.kind == ReachedLimit::Kind::equation; });
    if (violated.empty()) break;  // only equations contradict each other
    const double together = kTogether * violated.front().sum;
    for (const ViolatedLimit& limit : violated) {
      if (limit.sum < together) break;
      remove_limit(robot, limit, task);
      removal.limits.push_back(limit);
    }
    const WholeMotion without = MotionSolver(robot, task).solve({.max_iterations = kMostIterations});
    task.first_guess = without.knots;
    violated = violated_limits(without, least);
    removal.is_enough = violated.empty();
    if (removal.is_enough) break;
  }
  return removal;
}

}  // namespace aplomb

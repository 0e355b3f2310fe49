#include "aplomb/identify/design/self_collision.hpp"

#include <algorithm>

namespace aplomb {
namespace {

constexpr double kOverlap = 0.01;  // [m] tolerated overlap: capsules only approximate the shapes

}  // namespace

SelfCollision::SelfCollision(const RobotModel& robot, const RobotState& free) : motions_(robot) {
  const int num_bodies = static_cast<int>(robot.tree().bodies.size());
  for (int body = 0; body < num_bodies; ++body) {
    for (const Capsule& capsule : capsules_of(robot, body)) capsules_.push_back(capsule);
  }
  motions_.place(free.q);
  for (std::size_t i = 0; i < capsules_.size(); ++i) {
    for (std::size_t k = i + 1; k < capsules_.size(); ++k) {
      const int first = capsules_[i].body, second = capsules_[k].body;
      const bool is_joined = first == second || motions_.parent(first) == second || motions_.parent(second) == first;
      if (!is_joined && !overlaps(capsules_[i], capsules_[k])) pairs_.emplace_back(i, k);
    }
  }
}

bool SelfCollision::overlaps(const Capsule& first, const Capsule& second) const {
  const Eigen::Isometry3d& T1 = motions_.body(first.body).T_world_body;
  const Eigen::Isometry3d& T2 = motions_.body(second.body).T_world_body;
  const ClosestPoints closest = closest_points(T1 * first.begin, T1 * first.end, T2 * second.begin, T2 * second.end);
  return (closest.first - closest.second).norm() < first.radius + second.radius - kOverlap;
}

bool SelfCollision::collides(const RobotState& state) {
  motions_.place(state.q);
  return std::ranges::any_of(
      pairs_, [this](const auto& pair) { return overlaps(capsules_[pair.first], capsules_[pair.second]); });
}

}  // namespace aplomb

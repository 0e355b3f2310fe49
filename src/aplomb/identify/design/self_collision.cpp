#include "aplomb/identify/design/self_collision.hpp"

#include <algorithm>

namespace aplomb {
namespace {

constexpr double kOverlap = 0.01;  // [m] overlap that does not count: capsules are rounder than the shapes

/// Shortest distance of two segments (Ericson, Real-Time Collision Detection, 5.1.9).
double distance(const Eigen::Vector3d& p, const Eigen::Vector3d& p_end, const Eigen::Vector3d& q,
                const Eigen::Vector3d& q_end) {
  const Eigen::Vector3d u = p_end - p, v = q_end - q, w = p - q;
  const double a = u.squaredNorm(), e = v.squaredNorm(), f = v.dot(w), c = u.dot(w), b = u.dot(v);
  const double denominator = a * e - b * b;
  double s = denominator > 1e-12 ? std::clamp((b * f - c * e) / denominator, 0.0, 1.0) : 0.0;
  double t = e > 1e-12 ? (b * s + f) / e : 0.0;
  if (t < 0.0 || t > 1.0) {
    t = std::clamp(t, 0.0, 1.0);
    s = a > 1e-12 ? std::clamp((b * t - c) / a, 0.0, 1.0) : 0.0;
  }
  return (w + s * u - t * v).norm();
}

}  // namespace

SelfCollision::SelfCollision(const RobotModel& robot, const RobotState& free) : motions_(robot) {
  for (const LinkPlacement& placement : robot.tree().links) {
    for (const Shape& shape : robot.urdf().link(placement.link).collisions) {
      if (shape.kind == Shape::Kind::mesh) continue;
      Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();
      double radius = shape.size[0], half = 0.5 * shape.size[1];
      if (shape.kind == Shape::Kind::sphere) half = 0.0;
      if (shape.kind == Shape::Kind::cylinder) half = std::max(0.0, half - radius);
      if (shape.kind == Shape::Kind::box) {
        Eigen::Index longest = 0;
        const double length = shape.size.maxCoeff(&longest);
        axis = Eigen::Vector3d::Unit(longest);
        radius = 0.5 * (shape.size.sum() - length - shape.size.minCoeff());  // half the middle edge
        half = std::max(0.0, 0.5 * length - radius);
      }
      const Eigen::Isometry3d T = placement.T_body_link * shape.T_link_shape;
      capsules_.push_back({placement.body, T * (-half * axis), T * (half * axis), radius});
    }
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
  return distance(T1 * first.begin, T1 * first.end, T2 * second.begin, T2 * second.end) <
         first.radius + second.radius - kOverlap;
}

bool SelfCollision::collides(const RobotState& state) {
  motions_.place(state.q);
  return std::ranges::any_of(
      pairs_, [this](const auto& pair) { return overlaps(capsules_[pair.first], capsules_[pair.second]); });
}

}  // namespace aplomb

#include "aplomb/robot/shapes/capsule.hpp"

#include <algorithm>

namespace aplomb {

// Ericson, Real-Time Collision Detection, 5.1.9.
ClosestPoints closest_points(const Eigen::Vector3d& p, const Eigen::Vector3d& p_end, const Eigen::Vector3d& q,
                             const Eigen::Vector3d& q_end) {
  constexpr double kPoint = 1e-12;  // squared length below which a segment is a point [m²]
  const Eigen::Vector3d u = p_end - p, v = q_end - q, w = p - q;
  const double a = u.squaredNorm(), e = v.squaredNorm(), f = v.dot(w), c = u.dot(w), b = u.dot(v);
  const double denominator = a * e - b * b;
  double s = denominator > kPoint ? std::clamp((b * f - c * e) / denominator, 0.0, 1.0) : 0.0;
  double t = e > kPoint ? (b * s + f) / e : 0.0;
  if (t < 0.0 || t > 1.0) {
    t = std::clamp(t, 0.0, 1.0);
    s = a > kPoint ? std::clamp((b * t - c) / a, 0.0, 1.0) : 0.0;
  }
  return {p + s * u, q + t * v};
}

std::vector<Capsule> capsules_of(const RobotModel& robot, int body) {
  std::vector<Capsule> capsules;
  for (const LinkPlacement& placement : robot.tree().links) {
    if (placement.body != body) continue;
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
      capsules.push_back({body, T * Eigen::Vector3d(-half * axis), T * Eigen::Vector3d(half * axis), radius});
    }
  }
  return capsules;
}

}  // namespace aplomb

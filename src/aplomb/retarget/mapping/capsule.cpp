#include "aplomb/retarget/mapping/capsule.hpp"

#include <algorithm>

namespace aplomb {

// Ericson, Real-Time Collision Detection, 5.1.9.
ClosestPoints closest_points(const Eigen::Vector3d& p, const Eigen::Vector3d& p_end, const Eigen::Vector3d& q,
                             const Eigen::Vector3d& q_end) {
  constexpr double kPoint = 1e-12;  // squared length of a segment that is a point [m²]
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

}  // namespace aplomb

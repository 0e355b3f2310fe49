#include "aplomb/robot/shapes/shape.hpp"

namespace aplomb {

std::vector<Eigen::Vector3d> outer_points(const Shape& shape, const Eigen::Vector3d& direction) {
  const Eigen::Vector3d d = shape.T_link_shape.linear().transpose() * direction;
  const Eigen::Vector3d level = Eigen::Vector3d(d.x(), d.y(), 0.0).normalized();
  std::vector<Eigen::Vector3d> points;
  switch (shape.kind) {
    case Shape::Kind::box:
      for (int corner = 0; corner < 8; ++corner) {
        const Eigen::Vector3d sign(corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, corner & 4 ? 0.5 : -0.5);
        points.emplace_back(shape.size.cwiseProduct(sign));
      }
      break;
    case Shape::Kind::sphere:
      points.emplace_back(shape.size[0] * d);
      break;
    case Shape::Kind::cylinder:
      for (double end : {-0.5, 0.5}) {
        points.emplace_back(shape.size[0] * level + end * shape.size[1] * Eigen::Vector3d::UnitZ());
      }
      break;
    case Shape::Kind::capsule:
      for (double end : {-0.5, 0.5})
        points.emplace_back(shape.size[0] * d + end * shape.size[1] * Eigen::Vector3d::UnitZ());
      break;
    case Shape::Kind::mesh:
      break;
  }
  for (Eigen::Vector3d& point : points) point = shape.T_link_shape * point;
  return points;
}

}  // namespace aplomb

#include "aplomb/robot/guess/guess_soles.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "aplomb/core/error.hpp"
#include "aplomb/core/math/polygon.hpp"
#include "aplomb/robot/package_path.hpp"

namespace aplomb {
namespace {

constexpr double kSlab = 0.003;  // [m] points at most this far above the lowest belong to the sole (bevels, treads)
constexpr double kSmallestArea = 1e-4;  // [m²] least area of a sole; less is a point or line contact
constexpr double kFlatShare =
    0.25;  // least area of the sole over that of the foot seen from above; less is an edge contact

void add_round(const Shape& shape, const Eigen::Isometry3d& T, FootShape& foot) {
  const double radius = shape.size[0], half_length = 0.5 * shape.size[1];
  for (const double end : {-half_length, half_length}) {
    if (shape.kind == Shape::Kind::capsule) {
      foot.balls.push_back({T * Eigen::Vector3d(0.0, 0.0, end), radius});
      continue;
    }
    constexpr int kCorners = 48;
    for (int i = 0; i < kCorners; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / kCorners;
      foot.points.emplace_back(T * Eigen::Vector3d(radius * std::cos(angle), radius * std::sin(angle), end));
    }
  }
}

void add_mesh(const Shape& shape, const Eigen::Isometry3d& T, const std::filesystem::path& urdf,
              std::span<const std::filesystem::path> package_roots, ColladaUpAxis up_axis, FootShape& foot) {
  constexpr std::size_t kEnoughPoints = 5'000'000;
  if (foot.points.size() > kEnoughPoints) return;
  try {
    const std::filesystem::path file = find_mesh_file(shape.mesh_file, urdf, package_roots);
    for (const Eigen::Vector3d& point : read_mesh_points(file, up_axis)) {
      foot.points.emplace_back(T * Eigen::Vector3d(shape.size.cwiseProduct(point)));
    }
  } catch (const Error& error) {
    if (foot.unreadable.empty()) foot.unreadable = error.what();
  }
}

void add_shape(const Shape& shape, const Eigen::Isometry3d& T_body_link, const std::filesystem::path& urdf,
               std::span<const std::filesystem::path> package_roots, ColladaUpAxis up_axis, FootShape& foot) {
  const Eigen::Isometry3d T = T_body_link * shape.T_link_shape;
  switch (shape.kind) {
    case Shape::Kind::box:
      for (int corner = 0; corner < 8; ++corner) {
        const Eigen::Vector3d sign((corner & 1) != 0 ? 0.5 : -0.5, (corner & 2) != 0 ? 0.5 : -0.5,
                                   (corner & 4) != 0 ? 0.5 : -0.5);
        foot.points.emplace_back(T * Eigen::Vector3d(sign.cwiseProduct(shape.size)));
      }
      break;
    case Shape::Kind::sphere:
      foot.balls.push_back({T.translation(), shape.size[0]});
      break;
    case Shape::Kind::cylinder:
    case Shape::Kind::capsule:
      add_round(shape, T, foot);
      break;
    case Shape::Kind::mesh:
      add_mesh(shape, T, urdf, package_roots, up_axis, foot);
      break;
  }
}

Eigen::Matrix3d axes_from(const Eigen::Vector3d& up, const Eigen::Vector3d& forward) {
  Eigen::Matrix3d axes;
  axes.col(2) = up.normalized();
  axes.col(0) = (forward - forward.dot(axes.col(2)) * axes.col(2)).normalized();
  axes.col(1) = axes.col(2).cross(axes.col(0));
  return axes;
}

/// Outline of the ground contact when `axes` has z up.
struct Footprint {
  std::vector<Eigen::Vector2d> sole, shadow;  ///< outlines of the lowest slab, and of the whole foot from above
  double ground = 0.0;                        ///< height of the lowest point

  bool is_flat() const {
    const double area = polygon_area(sole);
    return area > kSmallestArea && area > kFlatShare * polygon_area(shadow);
  }
};

Footprint footprint_of(const FootShape& shape, const Eigen::Matrix3d& axes) {
  const std::vector<Eigen::Vector3d> points = shape.points_towards(-axes.col(2));
  Footprint print;
  print.ground = std::numeric_limits<double>::infinity();
  for (const Eigen::Vector3d& point : points) print.ground = std::min(print.ground, axes.col(2).dot(point));
  std::vector<Eigen::Vector2d> sole, shadow;
  for (const Eigen::Vector3d& point : points) {
    const Eigen::Vector2d seen(axes.col(0).dot(point), axes.col(1).dot(point));
    shadow.push_back(seen);
    if (axes.col(2).dot(point) < print.ground + kSlab) sole.push_back(seen);
  }
  print.sole = convex_hull(sole);
  print.shadow = convex_hull(shadow);
  return print;
}

/// Up direction of a foot at rest: a foot loaded at its origin rolls until the origin is lowest. Searches over the
/// tilt with ever smaller steps.
Eigen::Vector3d roll_to_rest(const FootShape& shape, const Eigen::Matrix3d& axes) {
  const auto up_at = [&](const Eigen::Vector2d& tilt) -> Eigen::Vector3d {
    return (axes.col(2) + tilt.x() * axes.col(0) + tilt.y() * axes.col(1)).normalized();
  };
  const auto origin_height = [&](const Eigen::Vector2d& tilt) {
    const Eigen::Vector3d up = up_at(tilt);
    double lowest = std::numeric_limits<double>::infinity();
    for (const Eigen::Vector3d& point : shape.points) lowest = std::min(lowest, up.dot(point));
    for (const FootShape::Ball& ball : shape.balls) lowest = std::min(lowest, up.dot(ball.centre) - ball.radius);
    return -lowest;
  };
  constexpr double kSteepest = 1.0;  // tan 45°
  Eigen::Vector2d tilt = Eigen::Vector2d::Zero();
  double best = origin_height(tilt);
  for (double step = 0.2; step > 1e-5;) {
    const Eigen::Vector2d before = tilt;
    for (int direction = 0; direction < 8; ++direction) {
      const double angle = direction * std::numbers::pi / 4.0;
      const Eigen::Vector2d tried = before + step * Eigen::Vector2d(std::cos(angle), std::sin(angle));
      if (const double height = origin_height(tried); tried.norm() < kSteepest && height < best) {
        best = height;
        tilt = tried;
      }
    }
    if (tilt == before) step *= 0.5;
  }
  return up_at(tilt);
}

RestingPlane plane_from(const Footprint& print, const Eigen::Matrix3d& axes) {
  Eigen::Vector2d least = print.sole.front(), most = least, first = print.shadow.front(), last = first;
  for (const Eigen::Vector2d& corner : print.sole) {
    least = least.cwiseMin(corner);
    most = most.cwiseMax(corner);
  }
  for (const Eigen::Vector2d& corner : print.shadow) {
    first = first.cwiseMin(corner);
    last = last.cwiseMax(corner);
  }
  // Shrink the bounding rectangle to the area of the outline, so that its corners are not far outside a round sole.
  const double shrink = std::sqrt(polygon_area(print.sole) / (most - least).prod());
  const Eigen::Vector2d middle = 0.5 * (least + most), half = 0.5 * shrink * (most - least);
  const auto rounded = [](double value) { return std::round(1e4 * value) * 1e-4; };  // 0.1 mm
  RestingPlane plane;
  plane.R_body_sole = axes;
  plane.sole = {.x_min = rounded(middle.x() - half.x()),
                .x_max = rounded(middle.x() + half.x()),
                .y_min = rounded(middle.y() - half.y()),
                .y_max = rounded(middle.y() + half.y()),
                .z = rounded(print.ground)};
  plane.length = last.x() - first.x();
  plane.forward_share = plane.length > 0.0 ? last.x() / plane.length : 0.5;
  return plane;
}

}  // namespace

std::vector<Eigen::Vector3d> FootShape::points_towards(const Eigen::Vector3d& direction) const {
  std::vector<Eigen::Vector3d> all = points;
  for (const Ball& ball : balls) all.emplace_back(ball.centre + ball.radius * direction);
  return all;
}

FootShape foot_shape(const RobotModel& model, int body, std::span<const std::filesystem::path> package_roots,
                     ColladaUpAxis up_axis) {
  FootShape none;
  for (const bool is_collision : {true, false}) {
    FootShape foot;
    for (const LinkPlacement& placement : model.tree().links) {
      if (placement.body != body) continue;
      const UrdfLink& link = model.urdf().link(placement.link);
      for (const Shape& shape : is_collision ? link.collisions : link.visuals) {
        add_shape(shape, placement.T_body_link, model.urdf().file, package_roots, up_axis, foot);
      }
    }
    if (foot.points.empty() && foot.balls.empty()) {
      if (none.unreadable.empty()) none.unreadable = foot.unreadable;
      continue;
    }
    foot.from = is_collision ? "collision shapes" : "visual shapes";
    return foot;
  }
  return none;
}

std::optional<RestingPlane> find_resting_plane(const FootShape& shape, const Eigen::Vector3d& up_in_body,
                                               const Eigen::Vector3d& forward_in_body) {
  if (shape.points.empty() && shape.balls.empty()) return std::nullopt;
  Eigen::Matrix3d axes = axes_from(up_in_body, forward_in_body);
  Footprint print = footprint_of(shape, axes);
  if (!print.is_flat()) {
    axes = axes_from(roll_to_rest(shape, axes), forward_in_body);
    print = footprint_of(shape, axes);
  }
  if (!print.is_flat()) return std::nullopt;
  return plane_from(print, axes);
}

}  // namespace aplomb

#include "aplomb/present/scene/world_scene.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "aplomb/core/math/rotation.hpp"

namespace aplomb {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;

constexpr double kPlate = 0.1;  // [m] thickness of plates and blocks, as in the simulator

Isometry3d at(const Vector3d& position) { return Isometry3d(Eigen::Translation3d(position)); }

SceneShape box(const Vector3d& centre, const Vector3d& size) {
  return {.kind = SceneShape::Kind::box, .T_node_shape = at(centre), .size = size, .points = {}};
}

SceneShape box(const Box& block) { return box(block.position, block.size); }

SceneNode fixed_node(std::string name, SceneNode::Look look, const Isometry3d& T_world_node, SceneShape shape) {
  return {.name = std::move(name), .look = look, .T_parent_node = T_world_node, .shapes = {std::move(shape)}};
}

void add_floor(const World& world, std::vector<SceneNode>& nodes) {
  constexpr double kFloor = 6.0;  // [m]
  const bool is_pit = !world.supports.empty();
  nodes.push_back(fixed_node("floor", SceneNode::Look::ground, at({0.0, 0.0, is_pit ? -kPitDepth : 0.0}),
                             {.kind = SceneShape::Kind::plane, .size = {kFloor, kFloor, 0.0}, .points = {}}));
  for (int side : {kLeft, kRight}) {
    if (!is_pit || world.support_of(side) != nullptr) continue;
    const double y = side == kLeft ? 0.25 : -0.25;  // the half of the ground on this foot's side
    nodes.push_back(fixed_node("block", SceneNode::Look::furniture, at({0.0, y, -0.5 * kPlate}),
                               box(Vector3d::Zero(), {0.8, 0.5, kPlate})));
  }
}

void add_support(const Support& support, std::size_t index, std::vector<SceneNode>& nodes, SceneTracks& tracks) {
  const bool is_shared = support.carries[kLeft] && support.carries[kRight];
  const Vector3d size = is_shared ? Vector3d(0.9, 0.7, kPlate) : Vector3d(0.42, 0.17, kPlate);
  SceneNode node = fixed_node(fmt::format("support {}", index + 1), SceneNode::Look::furniture, support.pose_at(0.0),
                              box({0.0, 0.0, -0.5 * kPlate}, size));
  if (support.motion) {
    const std::string stem = fmt::format("scene_support_{}", index);
    node.pose_columns = {stem + "_x_m",          stem + "_y_m",          stem + "_z_m",         stem + "_quaternion_x",
                         stem + "_quaternion_y", stem + "_quaternion_z", stem + "_quaternion_w"};
    tracks.add(node.pose_columns, [support](double time_s) { return support.pose_at(time_s); });
  }
  nodes.push_back(std::move(node));
}

void add_chair(const Chair& chair, std::vector<SceneNode>& nodes) {
  const Box seat = chair.seat();
  SceneShape plate = box(Vector3d::Zero(), seat.size);
  plate.T_node_shape = chair.T_world_seat();
  SceneNode node = fixed_node("chair", SceneNode::Look::furniture, Isometry3d::Identity(), std::move(plate));
  if (chair.has_back) node.shapes.push_back(box(chair.back()));
  constexpr double kLeg = 0.03, kLegInside = 0.05;  // [m]; legs are drawn only, without contact
  const double leg_height = chair.height - seat.size.z();
  for (const double side : {0.5, -0.5}) {
    for (const double end : {0.5, -0.5}) {
      node.shapes.push_back(box({seat.position.x() + end * (seat.size.x() - 2.0 * kLegInside),
                                 side * (seat.size.y() - 2.0 * kLeg), 0.5 * leg_height},
                                {kLeg, kLeg, leg_height}));
    }
  }
  if (chair.has_arm_rests) {
    for (int side : {kLeft, kRight}) node.shapes.push_back(box(chair.arm_rest(side)));
  }
  nodes.push_back(std::move(node));
}

void add_wall(const Wall& wall, std::vector<SceneNode>& nodes) {
  constexpr double kWall = 2.0, kThin = 0.02;  // [m]
  Isometry3d T_world_wall = at(wall.position);
  T_world_wall.linear() = turn_between(Vector3d::UnitZ(), wall.normal).toRotationMatrix();
  // An upright wall is infinite; only the part above the floor is drawn.
  if (std::abs(wall.normal.z()) < 0.1) T_world_wall.translation().z() = 0.5 * kWall;
  nodes.push_back(
      fixed_node("wall", SceneNode::Look::wall, T_world_wall, box({0.0, 0.0, -0.5 * kThin}, {kWall, kWall, kThin})));
}

}  // namespace

void SceneTracks::add(const std::array<std::string, 3>& columns, std::function<Vector3d(double)> value) {
  names_.insert(names_.end(), columns.begin(), columns.end());
  writers_.push_back([value = std::move(value)](double time_s, std::vector<double>& row) {
    const Vector3d now = value(time_s);
    row.insert(row.end(), now.data(), now.data() + 3);
  });
}

void SceneTracks::add(const std::array<std::string, 7>& columns, std::function<Isometry3d(double)> pose) {
  names_.insert(names_.end(), columns.begin(), columns.end());
  writers_.push_back([pose = std::move(pose)](double time_s, std::vector<double>& row) {
    const Isometry3d now = pose(time_s);
    const Eigen::Quaterniond turn(now.linear());
    row.insert(row.end(), now.translation().data(), now.translation().data() + 3);
    row.insert(row.end(), turn.coeffs().data(), turn.coeffs().data() + 4);
  });
}

Log SceneTracks::log(const std::vector<double>& times) const {
  Log log(names_);
  if (names_.empty()) return log;
  log.reserve(times.size());
  std::vector<double> row;
  for (const double time : times) {
    row.clear();
    for (const auto& write : writers_) write(time, row);
    log.append(row);
  }
  return log;
}

void add_world_to_scene(const World& world, std::vector<SceneNode>& nodes, SceneTracks& tracks) {
  add_floor(world, nodes);
  for (std::size_t i = 0; i < world.supports.size(); ++i) add_support(world.supports[i], i, nodes, tracks);
  if (world.chair) add_chair(*world.chair, nodes);
  for (const Wall& wall : world.walls) add_wall(wall, nodes);
  for (const Box& solid : world.boxes) {
    nodes.push_back(
        fixed_node("box", SceneNode::Look::furniture, at(solid.position), box(Vector3d::Zero(), solid.size)));
  }
}

}  // namespace aplomb

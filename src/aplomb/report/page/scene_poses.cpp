#include "aplomb/report/page/scene_poses.hpp"

#include <cmath>

namespace aplomb {

ScenePoses::ScenePoses(const Scene& scene, const Log& log)
    : scene_(&scene), log_(&log), in_parent_(scene.nodes.size()), in_world_(scene.nodes.size()) {
  for (const SceneNode& node : scene.nodes) {
    joints_.push_back(find(node.joint_column));
    std::array<Column, 7> free{};
    for (std::size_t i = 0; i < 7; ++i) free[i] = find(node.pose_columns[i]);
    free_.push_back(free);
  }
  for (const SceneMarker& marker : scene.markers) markers_.push_back(find(marker.point));
  for (const SceneForce& force : scene.forces) {
    force_points_.push_back(find(force.point));
    forces_.push_back({find(force.columns[0]), find(force.columns[1]), find(force.columns[2])});
  }
}

ScenePoses::Column ScenePoses::find(const std::string& name) const {
  if (name.empty()) return -1;
  const auto num_columns = static_cast<Column>(log_->columns().size());
  if (scene_->tracks.has(name)) return num_columns + static_cast<Column>(scene_->tracks.index(name));
  return static_cast<Column>(log_->index(name));
}

ScenePoses::Point ScenePoses::find(const ScenePoint& point) const {
  return {point.node, point.constant, {find(point.columns[0]), find(point.columns[1]), find(point.columns[2])}};
}

double ScenePoses::value(Column column) const {
  const auto index = static_cast<std::size_t>(column), num_columns = log_->columns().size();
  return index < num_columns ? log_->at(row_, index) : scene_->tracks.at(row_, index - num_columns);
}

void ScenePoses::update(std::size_t row) {
  row_ = row;
  for (std::size_t i = 0; i < scene_->nodes.size(); ++i) {
    const SceneNode& node = scene_->nodes[i];
    Eigen::Isometry3d pose = node.T_parent_node;
    if (joints_[i] >= 0 && node.is_prismatic) pose.translate(Eigen::Vector3d(value(joints_[i]) * node.axis));
    if (joints_[i] >= 0 && !node.is_prismatic) pose.rotate(Eigen::AngleAxisd(value(joints_[i]), node.axis));
    if (free_[i][0] >= 0) {
      const auto part = [&](std::size_t k) { return value(free_[i][k]); };
      pose.translation() = Eigen::Vector3d(part(0), part(1), part(2));
      pose.linear() = Eigen::Quaterniond(part(6), part(3), part(4), part(5)).normalized().toRotationMatrix();
    }
    in_parent_[i] = pose;
    in_world_[i] = node.parent < 0 ? pose : in_world_[static_cast<std::size_t>(node.parent)] * pose;
  }
}

std::optional<Eigen::Vector3d> ScenePoses::vector(const Eigen::Vector3d& constant,
                                                  const std::array<Column, 3>& columns) const {
  Eigen::Vector3d all = constant;
  for (int i = 0; i < 3; ++i) {
    if (const Column column = columns[static_cast<std::size_t>(i)]; column >= 0) all[i] = value(column);
  }
  return all.allFinite() ? std::make_optional(all) : std::nullopt;
}

std::optional<Eigen::Vector3d> ScenePoses::in_world_frame(const Point& point) const {
  auto local = vector(point.constant, point.columns);
  if (!local || point.node < 0) return local;
  return in_world_[static_cast<std::size_t>(point.node)] * *local;
}

std::optional<Eigen::Vector3d> ScenePoses::force(std::size_t index) const {
  auto local = vector(Eigen::Vector3d::Zero(), forces_[index]);
  const SceneForce& force = scene_->forces[index];
  if (!local || !force.is_in_node_axes || force.point.node < 0) return local;
  return in_world_[static_cast<std::size_t>(force.point.node)].linear() * *local;
}

}  // namespace aplomb

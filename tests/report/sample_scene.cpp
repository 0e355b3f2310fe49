#include "report/sample_scene.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace aplomb::test {
namespace {

constexpr double kThigh = 0.4, kShank = 0.4;  // [m]

SceneShape box(const Eigen::Vector3d& centre, const Eigen::Vector3d& size) {
  return {.kind = SceneShape::Kind::box,
          .T_node_shape = Eigen::Isometry3d(Eigen::Translation3d(centre)),
          .size = size,
          .points = {}};
}

SceneNode joint_node(const std::string& name, int parent, const Eigen::Vector3d& origin, const std::string& column,
                     SceneShape shape) {
  SceneNode node{.name = name, .parent = parent, .joint_column = column, .axis = Eigen::Vector3d::UnitY()};
  node.T_parent_node.translation() = origin;
  node.lower = -2.0;
  node.upper = 2.0;
  node.shapes = {std::move(shape)};
  return node;
}

std::vector<SceneNode> squatter_nodes() {
  SceneNode pelvis{.name = "pelvis"};
  pelvis.pose_columns = {"base_x_m",          "base_y_m",          "base_z_m",         "base_quaternion_x",
                         "base_quaternion_y", "base_quaternion_z", "base_quaternion_w"};
  pelvis.shapes = {box({0.0, 0.0, 0.25}, {0.2, 0.3, 0.5})};
  SceneShape ball{.kind = SceneShape::Kind::sphere, .size = {0.1, 0.0, 0.0}, .points = {}};
  ball.T_node_shape.translation().z() = 0.62;
  pelvis.shapes.push_back(ball);
  SceneNode floor{.name = "floor", .look = SceneNode::Look::ground};
  floor.shapes = {{.kind = SceneShape::Kind::plane, .size = {4.0, 4.0, 0.0}, .points = {}}};
  return {pelvis,
          joint_node("thigh", 0, Eigen::Vector3d::Zero(), "position_hip_rad",
                     box({0.0, 0.0, -0.5 * kThigh}, {0.12, 0.24, kThigh})),
          joint_node("shank", 1, {0.0, 0.0, -kThigh}, "position_knee_rad",
                     box({0.0, 0.0, -0.5 * kShank}, {0.1, 0.2, kShank})),
          joint_node("foot", 2, {0.0, 0.0, -kShank}, "position_ankle_rad", box({0.04, 0.0, -0.02}, {0.26, 0.24, 0.04})),
          floor};
}

std::vector<std::string> squatter_columns(int num_more) {
  std::vector<std::string> columns = {"time_s",
                                      "base_x_m",
                                      "base_y_m",
                                      "base_z_m",
                                      "base_quaternion_x",
                                      "base_quaternion_y",
                                      "base_quaternion_z",
                                      "base_quaternion_w",
                                      "position_hip_rad",
                                      "position_knee_rad",
                                      "position_ankle_rad",
                                      "com_x_m",
                                      "com_y_m",
                                      "com_z_m",
                                      "foot_cop_x_m",
                                      "foot_force_x_n",
                                      "foot_force_y_n",
                                      "foot_force_z_n",
                                      "trunk_tilt_rad"};
  for (int i = 0; i < num_more; ++i) columns.push_back(fmt::format("more_{}", i));
  return columns;
}

}  // namespace

Sample sample_of_motion(double duration_s, int num_more_columns, double period_s, int rows_per_s) {
  Sample sample;
  sample.result.verb = "run";
  sample.result.scenario = "squat";
  sample.page.title = "squat";
  sample.result.metrics.set("fell", false);
  sample.result.metrics.set("trunk_tilt_max_rad", 0.2);
  for (const Check& check :
       {Check{"fell", Check::Rule::equals, false}, Check{"trunk_tilt_max_rad", Check::Rule::below, 0.3}}) {
    sample.result.checks.push_back(judge(check, sample.result.metrics));
  }
  sample.log = Log(squatter_columns(num_more_columns));
  Scene& scene = sample.page.scene.emplace();
  scene.tracks = Log({"push_x_n", "push_y_n", "push_z_n"});
  for (int tick = 0; tick <= std::lround(rows_per_s * duration_s); ++tick) {
    const double time = static_cast<double>(tick) / rows_per_s,
                 bend = 0.6 * (1.0 - std::cos(2.0 * std::numbers::pi / period_s * time));
    const double height = 0.04 + (kThigh + kShank) * std::cos(bend);
    std::vector<double> row = {time,
                               0.0,
                               0.0,
                               height,
                               0.0,
                               0.0,
                               0.0,
                               1.0,
                               -bend,
                               2.0 * bend,
                               -bend,
                               0.0,
                               0.0,
                               height + 0.2,
                               0.02,
                               0.0,
                               0.0,
                               300.0,
                               0.2 * std::exp(-std::pow((time - 1.5) / 0.1, 2))};
    for (int i = 0; i < num_more_columns; ++i) row.push_back(std::sin(time + i));
    sample.log.append(row);
    scene.tracks.append(std::vector{time >= 0.5 && time < 0.7 ? 80.0 : 0.0, 0.0, 0.0});
  }
  scene.nodes = squatter_nodes();
  scene.markers = {{SceneMarker::Kind::com, "CoM", {.columns = {"com_x_m", "com_y_m", "com_z_m"}}},
                   {SceneMarker::Kind::cop, "CoP", {.node = 3, .columns = {"foot_cop_x_m", "", ""}}}};
  scene.forces = {{.label = "ground",
                   .point = {.node = 3, .columns = {"foot_cop_x_m", "", ""}},
                   .columns = {"foot_force_x_n", "foot_force_y_n", "foot_force_z_n"},
                   .friction = 0.6},
                  {.kind = SceneForce::Kind::push,
                   .label = "push",
                   .point = {.node = 0, .constant = {0.0, 0.0, 0.4}},
                   .columns = {"push_x_n", "push_y_n", "push_z_n"}}};
  const double z = -0.04;
  scene.soles = {
      {3, {Eigen::Vector3d{0.17, 0.12, z}, {0.17, -0.12, z}, {-0.09, 0.12, z}, {-0.09, -0.12, z}}, "foot_cop_x_m"}};
  scene.events = {{0.5, 0.7, "push"}};
  scene.metres_per_newton = 2e-3;
  sample.page.line_plots = {
      {.title = "Height of the CoM", .about = "", .y_label = "CoM z [m]", .series = {{"com_z_m", "CoM"}}, .limits = {}},
      {.title = "Push", .about = "", .y_label = "angle [rad]", .series = {{"position_hip_rad", "hip"}}, .limits = {}}};
  return sample;
}

}  // namespace aplomb::test

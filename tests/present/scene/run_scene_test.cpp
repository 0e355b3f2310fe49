#include "aplomb/present/scene/run_scene.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "aplomb/present/scene/robot_scene.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/scenario/run_scenario.hpp"
#include "support/temporary_folder.hpp"

namespace aplomb {
namespace {

Scenario scenario_of(const std::string& robot, const std::string& more, double duration_s = 0.3) {
  return parse_scenario(fmt::format("scenario: test\nrobot: {}\nduration_s: {}\n{}", robot, duration_s, more),
                        "test.yaml");
}

constexpr const char* kPush =
    "events: [{push: {link: trunk, at: [0.1, 0, 0], frame: link, force_per_weight: [0.1, 0.05, 0], start_s: 0.1, "
    "duration_s: 0.1}}]\n";

/// Poses of all nodes at a row, composed as the page's script does.
std::vector<Eigen::Isometry3d> poses_at(const Scene& scene, const Log& log, std::size_t row) {
  std::vector<Eigen::Isometry3d> poses;
  const auto value = [&](const std::string& column) {
    return scene.tracks.has(column) ? scene.tracks.at(row, scene.tracks.index(column)) : log.at(row, log.index(column));
  };
  for (const SceneNode& node : scene.nodes) {
    const Eigen::Isometry3d parent =
        node.parent < 0 ? Eigen::Isometry3d::Identity() : poses[static_cast<std::size_t>(node.parent)];
    Eigen::Isometry3d pose = parent * node.T_parent_node;
    if (!node.joint_column.empty()) {
      const double q = value(node.joint_column);
      if (node.is_prismatic) {
        pose.translate(Eigen::Vector3d(q * node.axis));
      } else {
        pose.rotate(Eigen::AngleAxisd(q, node.axis));
      }
    }
    if (!node.pose_columns[0].empty()) {
      std::array<double, 7> parts{};
      std::ranges::transform(node.pose_columns, parts.begin(), value);
      pose.linear() = Eigen::Quaterniond(parts[6], parts[3], parts[4], parts[5]).normalized().toRotationMatrix();
      pose.translation() = Eigen::Vector3d(parts[0], parts[1], parts[2]);
    }
    poses.push_back(pose);
  }
  return poses;
}

TEST(RunScene, PlacesEveryLinkAsTheRobotModelDoes) {
  for (const char* name : {"coman", "sarcos", "hoap3", "balancer"}) {
    const Scenario scenario = scenario_of(name, kPush);
    const RunResult output = run_scenario(scenario);
    const Scene scene = make_run_scene(output);
    const RobotModel& robot = *output.setup.robot;
    std::vector<FrameId> frames;
    for (const RigidBody& body : robot.tree().bodies) frames.push_back(robot.frame(body.link));
    RobotTerms terms(robot, frames);
    for (const std::size_t row : {std::size_t{0}, output.log.num_rows() - 1}) {
      RobotState state = robot.neutral_state();
      const std::size_t base = output.log.index("base_x_m");
      for (int i = 0; i < 7; ++i) state.q[i] = output.log.at(row, base + static_cast<std::size_t>(i));
      for (int i = 0; i < robot.num_joints(); ++i) {
        const std::string& joint = robot.joints()[static_cast<std::size_t>(i)].name;
        state.q[7 + i] = output.log.at(row, output.log.index("position_" + joint + "_rad"));
      }
      terms.update(state);
      const std::vector<Eigen::Isometry3d> poses = poses_at(scene, output.log, row);
      for (std::size_t i = 0; i < frames.size(); ++i) {
        EXPECT_TRUE(poses[i].isApprox(terms.frame(frames[i]).T_world_frame, 1e-9))
            << name << " " << robot.tree().bodies[i].link;
      }
    }
  }
}

TEST(RunScene, DrawsBonesWhereEveryMeshOfTheRobotIsMissing) {
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "bones.urdf";
  const auto link = [](const std::string& name) {
    return "<link name='" + name +
           "'><inertial><mass value='1'/><inertia ixx='.01' iyy='.01' izz='.01' ixy='0' ixz='0' iyz='0'/></inertial>"
           "<visual><geometry><mesh filename='lost.stl'/></geometry></visual></link>";
  };
  std::ofstream(file) << "<robot name='bones'>" << link("base") << link("leg")
                      << "<joint name='hip' type='revolute'><parent link='base'/><child link='leg'/>"
                         "<origin xyz='0.3 0 -0.4'/><axis xyz='0 1 0'/>"
                         "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint></robot>";
  const std::vector<SceneNode> nodes = scene_nodes(RobotModel::from_file(file));
  ASSERT_EQ(nodes.size(), 2u);
  ASSERT_EQ(nodes[0].shapes.size(), 1u);
  const SceneShape& bone = nodes[0].shapes[0];
  EXPECT_DOUBLE_EQ(bone.size[1], 0.5);
  for (const double side : {-1.0, 1.0}) {  // its ends are the two joints
    const Eigen::Vector3d end = bone.T_node_shape * Eigen::Vector3d(0.0, 0.0, side * 0.25);
    EXPECT_LT(
        (end - (side < 0.0 ? Eigen::Vector3d(0.0, 0.0, 0.0) : Eigen::Vector3d(nodes[1].T_parent_node.translation())))
            .norm(),
        1e-12);
  }
  EXPECT_EQ(nodes[1].shapes.size(), 1u);
}

TEST(RunScene, ShowsThePushesOfTheSimulator) {
  const Scenario scenario = scenario_of("coman", kPush);
  const RunResult output = run_scenario(scenario);
  const Scene scene = make_run_scene(output);
  const auto push = std::ranges::find(scene.forces, SceneForce::Kind::push, &SceneForce::kind);
  ASSERT_NE(push, scene.forces.end());
  ASSERT_TRUE(push->is_in_node_axes);
  int num_pushed = 0;
  for (std::size_t row = 0; row < output.log.num_rows(); row += 7) {
    const auto poses = poses_at(scene, output.log, row);
    Eigen::Vector3d force, logged;
    for (int i = 0; i < 3; ++i) {
      force[i] = scene.tracks.at(row, scene.tracks.index(push->columns[static_cast<std::size_t>(i)]));
      logged[i] = output.log.at(
          row, output.log.index(std::array{"push_x_n", "push_y_n", "push_z_n"}[static_cast<std::size_t>(i)]));
    }
    force = poses[static_cast<std::size_t>(push->point.node)].linear() * force;
    if (logged.norm() > 0.0) ++num_pushed;
    // The log has the force at the end of its tick, the body turns by less than 0.1 mrad in it.
    EXPECT_LT((force - logged).norm(), 1e-3 * (1.0 + logged.norm())) << row;
  }
  EXPECT_GT(num_pushed, 5);
  const auto event = std::ranges::find(scene.events, "push", &SceneEvent::label);
  ASSERT_NE(event, scene.events.end());
  EXPECT_EQ(event->start_s, 0.1);
  EXPECT_NEAR(event->end_s, 0.2, 1e-12);
}

TEST(RunScene, MovesSupportsAsTheWorldDoes) {
  const Scenario scenario = scenario_of(
      "balancer", "world: {supports: [{foot: both, motion: {axis: x, amplitude_m: 0.02, period_s: 0.4}}]}\n");
  const RunResult output = run_scenario(scenario);
  const Scene scene = make_run_scene(output);
  const World world = output.setup.world;
  const auto support = std::ranges::find(scene.nodes, "support 1", &SceneNode::name);
  ASSERT_NE(support, scene.nodes.end());
  const auto index = static_cast<std::size_t>(support - scene.nodes.begin());
  for (std::size_t row = 0; row < output.log.num_rows(); row += 50) {
    const double time = output.log.at(row, output.log.index("time_s"));
    EXPECT_TRUE(poses_at(scene, output.log, row)[index].isApprox(world.supports[0].pose_at(time), 1e-12));
  }
}

TEST(RunScene, MarksTheInstantAtWhichAFootIsUnloaded) {
  const Scenario scenario =
      scenario_of("coman", "events: [{contact_lost: {foot: left, start_s: 0.1, duration_s: 0.3}}]\n", 0.4);
  const RunResult output = run_scenario(scenario);
  const Scene scene = make_run_scene(output);
  const auto lifts = std::ranges::find(scene.events, "left foot lifts", &SceneEvent::label);
  ASSERT_NE(lifts, scene.events.end());
  EXPECT_GT(lifts->start_s, 0.1);
  EXPECT_LT(lifts->start_s, 0.15);  // the low-pass of 20 Hz and the 5 % threshold
}

TEST(RunScene, HasFloorWallsAndBoxes) {
  const Scenario scenario = scenario_of("coman",
                                        "world: {walls: [{position_m: [1, 0, 0], normal: [-1, 0, 0]}], boxes: "
                                        "[{position_m: [0, 1, 0.1], size_m: [0.2, 0.2, 0.2]}]}\n");
  const RunResult output = run_scenario(scenario);
  const Scene scene = make_run_scene(output);
  for (const char* name : {"floor", "wall", "box"}) {
    EXPECT_NE(std::ranges::find(scene.nodes, name, &SceneNode::name), scene.nodes.end()) << name;
  }
}

}  // namespace
}  // namespace aplomb

#include "aplomb/present/scene/human_scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "aplomb/demonstrator/demonstrator.hpp"
#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/human_robot.hpp"
#include "aplomb/present/scene/robot_scene.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"

namespace aplomb {
namespace {

/// An analysis without errors: the motion is the demonstrator's own, the markers are where it has them.
TrialAnalysis exact_analysis() {
  DemonstratorOptions options;
  options.style = "natural";
  const Demonstration shown = demonstrate(options);
  TrialAnalysis made{.name = "natural"};
  made.cutoff_hz = 4.0;
  made.subject.skeleton = shown.skeleton;
  for (const AttachedMarker& marker : shown.markers) {
    made.subject.markers.push_back(
        {.label = marker.label, .segment = shown.skeleton.segment(marker.segment), .offset = marker.position});
  }
  made.fit.motion = shown.motion;
  made.judgement.body = centroidal_motion(SegmentMotion(shown.skeleton, shown.motion), shown.skeleton, 4.0);
  made.judgement.rises.rises.push_back({.seat_off_s = shown.seat_off_s.front()});
  const RobotModel robot = human_robot(shown.skeleton);
  const std::vector<int> bodies = segment_bodies(shown.skeleton, robot);
  TreeKinematics tree(robot);
  made.track.num_markers = made.subject.markers.size();
  for (Eigen::Index frame = 0; frame < shown.motion.num_frames(); ++frame) {
    tree.update(shown.motion.q.col(frame));
    for (const BodyMarker& marker : made.subject.markers) {
      made.track.positions.push_back(tree.point(bodies[static_cast<std::size_t>(marker.segment)], marker.offset));
    }
  }
  made.errors.frames_m.assign(static_cast<std::size_t>(shown.motion.num_frames()), 0.0);
  return made;
}

Log times_of(const TrialAnalysis& analysis) {
  Log log({"time_s"});
  for (Eigen::Index i = 0; i < analysis.fit.motion.num_frames(); ++i) {
    log.append(std::array{analysis.fit.motion.time_s(i)});
  }
  return log;
}

class HumanScene : public testing::Test {
 protected:
  static const TrialAnalysis& analysis() {
    static const TrialAnalysis made = exact_analysis();
    return made;
  }
  static const Scene& scene() {
    static const Scene made = make_human_scene(analysis(), times_of(analysis()));
    return made;
  }
  static double track(std::size_t row, const std::string& column) {
    return scene().tracks.at(row, scene().tracks.index(column));
  }
};

TEST_F(HumanScene, ModelAndMeasuredMarkersCoincideWhenTheFitIsExact) {
  const RobotModel robot = human_robot(analysis().subject.skeleton);
  TreeKinematics tree(robot);
  const std::vector<std::string> columns = posture_columns(robot);
  for (const std::size_t row : {std::size_t{0}, scene().tracks.num_rows() / 2}) {
    Eigen::VectorXd q(static_cast<Eigen::Index>(columns.size()));
    for (std::size_t i = 0; i < columns.size(); ++i) q[static_cast<Eigen::Index>(i)] = track(row, columns[i]);
    tree.update(q);
    Eigen::Vector3d on_the_body = Eigen::Vector3d::Zero();
    int num_pairs = 0;
    for (const SceneMarker& marker : scene().markers) {
      if (marker.kind == SceneMarker::Kind::marker) on_the_body = tree.point(marker.point.node, marker.point.constant);
      if (marker.kind != SceneMarker::Kind::measured_marker) continue;
      ++num_pairs;
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(track(row, marker.point.columns[static_cast<std::size_t>(axis)]), on_the_body[axis], 1e-9)
            << marker.label;
      }
    }
    EXPECT_EQ(num_pairs, static_cast<int>(analysis().subject.markers.size()));
  }
}

TEST_F(HumanScene, StandsOnTheFloorAndMarksSeatOff) {
  ASSERT_EQ(scene().events.size(), 1u);
  EXPECT_EQ(scene().events[0].label, "seat-off");
  EXPECT_EQ(scene().events[0].start_s, *analysis().judgement.rises.rises[0].seat_off_s);
  for (const SceneNode& node : scene().nodes) {
    if (node.look != SceneNode::Look::ground) continue;
    EXPECT_NEAR(node.T_parent_node.translation().z(), 0.0, 0.01);  // the demonstrator's soles are on z = 0
  }
}

TEST_F(HumanScene, ShowsHeadHandsAndFeet) {
  for (const char* name : {"head", "left_hand", "right_hand", "left_foot", "right_foot"}) {
    const auto node = std::ranges::find(scene().nodes, name, &SceneNode::name);
    ASSERT_NE(node, scene().nodes.end()) << name;
    ASSERT_FALSE(node->shapes.empty()) << name;
    EXPECT_GT(node->shapes.back().size.x(), 0.02) << name;  // radius or length [m]
  }
}

}  // namespace
}  // namespace aplomb

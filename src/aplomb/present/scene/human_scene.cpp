#include "aplomb/present/scene/human_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

#include "aplomb/human/human_robot.hpp"
#include "aplomb/present/scene/robot_scene.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"

namespace aplomb {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kDensity = 1000.0;   // [kg/m³] mean density of a body
constexpr double kFootHeight = 0.05;  // [m]
constexpr double kLoaded = 20.0;      // [N] force below which a plate's CoP is not shown

/// A sphere of the segment's volume around its centre of mass: for head and hands, which have no child segment.
SceneShape ball_of(const Inertia& inertia) {
  SceneShape ball{.kind = SceneShape::Kind::sphere, .points = {}};
  ball.T_node_shape.translation() = inertia.com;
  ball.size.x() = std::cbrt(3.0 * inertia.mass / (4.0 * std::numbers::pi * kDensity));
  return ball;
}

SceneShape box_over(const Sole& sole) {
  SceneShape box{.kind = SceneShape::Kind::box, .points = {}};
  box.size = {sole.x_max - sole.x_min, sole.y_max - sole.y_min, kFootHeight};
  box.T_node_shape.translation() = sole.centre() + 0.5 * kFootHeight * Eigen::Vector3d::UnitZ();
  return box;
}

bool has_bones(const Skeleton& skeleton, int segment) {
  return std::ranges::any_of(skeleton.segments, [&](const Segment& child) { return child.parent == segment; });
}

/// Height of the plates, or without plates that of the lowest point of the soles in the motion.
double floor_height(const TrialAnalysis& analysis, const RobotModel& robot) {
  if (!analysis.judgement.forces.plates.empty()) return analysis.judgement.forces.plane_height;
  constexpr Eigen::Index kStride = 10;  // frames
  const std::vector<int> bodies = segment_bodies(analysis.subject.skeleton, robot);
  TreeKinematics tree(robot);
  double lowest = std::numeric_limits<double>::infinity();
  for (Eigen::Index frame = 0; frame < analysis.fit.motion.num_frames(); frame += kStride) {
    tree.update(analysis.fit.motion.q.col(frame));
    for (std::size_t side = 0; side < 2; ++side) {
      const int segment = analysis.subject.skeleton.segment(robot.description().roles.foot[side]);
      for (const Eigen::Vector3d& corner : robot.description().soles[side]->corners()) {
        lowest = std::min(lowest, tree.point(bodies[static_cast<std::size_t>(segment)], corner).z());
      }
    }
  }
  return lowest;
}

std::array<std::string, 3> xyz(const std::string& stem, const std::string& unit) {
  return {stem + "_x_" + unit, stem + "_y_" + unit, stem + "_z_" + unit};
}

/// Builds the scene of one trial part by part. Each part adds its columns, and their values in every frame.
class HumanSceneMaker {
 public:
  explicit HumanSceneMaker(const TrialAnalysis& analysis)
      : analysis_(analysis),
        robot_(human_robot(analysis.subject.skeleton)),
        bodies_(segment_bodies(analysis.subject.skeleton, robot_)) {
    scene_.nodes = person_nodes(analysis.subject.skeleton, robot_);
    columns_ = posture_columns(robot_);
    const CentroidalMotion& body = analysis.judgement.body;
    const double height = body.num_frames() > 0 ? body.com(2, 0) : 1.0;
    scene_.metres_per_newton = height / (analysis.subject.skeleton.mass * kGravity);
  }

  void add_floor() {
    constexpr double kFloor = 6.0;  // [m]
    SceneNode floor{.name = "floor", .look = SceneNode::Look::ground};
    floor.T_parent_node.translation().z() = floor_height(analysis_, robot_);
    floor.shapes = {{.kind = SceneShape::Kind::plane, .size = {kFloor, kFloor, 0.0}, .points = {}}};
    scene_.nodes.push_back(std::move(floor));
  }

  void add_centres() {
    const Eigen::Vector3d level(0.0, 0.0, analysis_.judgement.forces.plane_height);
    scene_.markers.push_back({SceneMarker::Kind::com, "CoM", {.columns = xyz("com", "m")}});
    scene_.markers.push_back({SceneMarker::Kind::zmp,
                              "CoP that the motion needs",
                              {.constant = level, .columns = {"cop_x_m", "cop_y_m", ""}}});
    if (analysis_.judgement.windows.empty()) return;
    scene_.markers.push_back({SceneMarker::Kind::cop,
                              "CoP of all plates",
                              {.constant = level, .columns = {"cop_x_plates_m", "cop_y_plates_m", ""}}});
  }

  void add_markers() {
    for (std::size_t i = 0; i < analysis_.subject.markers.size(); ++i) {
      const BodyMarker& marker = analysis_.subject.markers[i];
      const int node = bodies_[static_cast<std::size_t>(marker.segment)];
      scene_.markers.push_back({SceneMarker::Kind::marker, marker.label, {.node = node, .constant = marker.offset}});
      const std::array<std::string, 3> columns = xyz(fmt::format("marker_{}", i), "m");
      columns_.insert(columns_.end(), columns.begin(), columns.end());
      scene_.markers.push_back({SceneMarker::Kind::measured_marker, marker.label, {.columns = columns}});
    }
  }

  void add_plates() {
    const std::vector<PlateTrack>& plates = analysis_.judgement.forces.plates;
    for (std::size_t i = 0; i < plates.size(); ++i) {
      const std::string stem = fmt::format("plate_{}", i + 1);
      const std::array<std::string, 3> force = xyz(stem + "_force", "n");
      const std::array<std::string, 2> cop = {stem + "_cop_x_m", stem + "_cop_y_m"};
      columns_.insert(columns_.end(), force.begin(), force.end());
      columns_.insert(columns_.end(), cop.begin(), cop.end());
      scene_.forces.push_back(
          {.kind = SceneForce::Kind::contact,
           .label = plates[i].name,
           .point = {.constant = {0.0, 0.0, plates[i].height}, .columns = {cop[0], cop[1], std::string()}},
           .columns = force});
    }
  }

  void add_events() {
    for (const Rise& rise : analysis_.judgement.rises.rises) {
      if (rise.seat_off_s) scene_.events.push_back({*rise.seat_off_s, *rise.seat_off_s, "seat-off"});
      if (rise.seat_on_s) scene_.events.push_back({*rise.seat_on_s, *rise.seat_on_s, "seat-on"});
    }
    std::ranges::stable_sort(scene_.events, {}, &SceneEvent::start_s);
  }

  Scene finish(std::size_t num_rows) {
    scene_.tracks = Log(columns_);
    scene_.tracks.reserve(num_rows);
    std::vector<double> row;
    for (std::size_t frame = 0; frame < num_rows; ++frame) {
      row.clear();
      write_frame(frame, row);
      scene_.tracks.append(row);
    }
    return std::move(scene_);
  }

 private:
  void write_frame(std::size_t frame, std::vector<double>& row) const {
    const auto column = static_cast<Eigen::Index>(frame);
    const auto add = [&row](const auto& values) { row.insert(row.end(), values.begin(), values.end()); };
    add(Eigen::VectorXd(analysis_.fit.motion.q.col(column)));
    for (const Eigen::Vector3d& marker : analysis_.track.frame(frame)) add(marker);
    for (const PlateTrack& plate : analysis_.judgement.forces.plates) {
      const Wrench wrench = plate.wrench(column);
      if (!(wrench.force.z() > kLoaded)) {
        row.insert(row.end(), 5, kNan);
        continue;
      }
      add(wrench.force);
      add(centre_of_pressure(wrench, plate.height));
    }
  }

  const TrialAnalysis& analysis_;
  RobotModel robot_;
  std::vector<int> bodies_;
  Scene scene_;
  std::vector<std::string> columns_;
};

}  // namespace

std::vector<SceneNode> person_nodes(const Skeleton& skeleton, const RobotModel& robot, const std::string& prefix) {
  std::vector<SceneNode> nodes = scene_nodes(robot, prefix);
  for (SceneNode& node : nodes) {
    node.look = SceneNode::Look::person;
    // No limits, so that none is highlighted: a straight knee is always at its limit.
    node.lower = -std::numeric_limits<double>::infinity();
    node.upper = std::numeric_limits<double>::infinity();
  }
  const std::vector<int> bodies = segment_bodies(skeleton, robot);
  for (std::size_t i = 0; i < skeleton.segments.size(); ++i) {
    const Segment& segment = skeleton.segments[i];
    std::vector<SceneShape>& shapes = nodes[static_cast<std::size_t>(bodies[i])].shapes;
    const auto& feet = robot.description().roles.foot;
    const auto foot = std::ranges::find(feet, segment.name);
    if (foot != feet.end()) {
      shapes.push_back(box_over(*robot.description().soles[static_cast<std::size_t>(foot - feet.begin())]));
    } else if (!has_bones(skeleton, static_cast<int>(i)) && segment.inertia.mass > 0.0) {
      shapes.push_back(ball_of(segment.inertia));
    }
  }
  return nodes;
}

Scene make_human_scene(const TrialAnalysis& analysis, const Log& log) {
  assert(analysis.fit.motion.num_frames() == static_cast<Eigen::Index>(log.num_rows()));
  HumanSceneMaker maker(analysis);
  maker.add_floor();
  maker.add_centres();
  maker.add_markers();
  maker.add_plates();
  maker.add_events();
  return maker.finish(log.num_rows());
}

}  // namespace aplomb

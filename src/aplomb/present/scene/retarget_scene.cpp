#include "aplomb/present/scene/retarget_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "aplomb/present/scene/person_beside.hpp"
#include "aplomb/present/scene/robot_scene.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {
namespace {

std::array<std::string, 3> xyz(const std::string& stem) { return {stem + "_x_m", stem + "_y_m", stem + "_z_m"}; }

class RetargetSceneMaker {
 public:
  RetargetSceneMaker(const HumanTrial& trial, const RobotModel& robot, const Retargeted& retargeted)
      : robot_(robot), made_(retargeted), person_(trial, retargeted) {
    scene_.metres_per_newton = retargeted.trajectory.com(2, 0) / (robot.mass() * kGravity);
  }

  void add_robot() {
    scene_.nodes = scene_nodes(robot_);
    add_columns(posture_columns(robot_));
    for (std::size_t i = 0; i < made_.overlay.markers.size(); ++i) {
      const RobotMarker& marker = made_.overlay.markers[i];
      scene_.markers.push_back({SceneMarker::Kind::marker,
                                made_.human.labels[made_.overlay.sources[i]],
                                {.node = marker.body, .constant = marker.offset}});
    }
    for (int side : {kLeft, kRight}) {
      const int node = add_link_node(robot_, robot_.description().roles.foot[side], 0, scene_.nodes);
      scene_.soles.push_back({node, robot_.description().soles[side]->corners(), /*loaded_column=*/"com_x_m"});
    }
  }

  void add_person() {
    person_.add_to(scene_);
    add_columns(person_.columns());
  }

  void add_centres() {
    scene_.markers.push_back({SceneMarker::Kind::com, "CoM of the robot", {.columns = xyz("com")}});
    scene_.markers.push_back({SceneMarker::Kind::com_reference, "reference", {.columns = xyz("com_asked")}});
    const ScenePoint zmp{.columns = {"zmp_x_m", "zmp_y_m", ""}};
    scene_.markers.push_back({SceneMarker::Kind::zmp, "planned ZMP", zmp});
    scene_.forces.push_back({.kind = SceneForce::Kind::contact,
                             .label = "feet and seat together",
                             .point = zmp,
                             .columns = {"force_x_n", "", "force_z_n"}});
  }

  void add_world() {
    constexpr double kFloor = 6.0, kOverhang = 0.05;  // [m]
    SceneNode floor{.name = "floor", .look = SceneNode::Look::ground};
    floor.shapes = {{.kind = SceneShape::Kind::plane, .size = {kFloor, kFloor, 0.0}, .points = {}}};
    scene_.nodes.push_back(std::move(floor));
    const Eigen::Vector3d front(hips().x() + kOverhang, made_.overlay.robot_ankles.y(), made_.seated.chair_height);
    scene_.nodes.push_back(chair_node("chair", front));
    const double seat_off = made_.trajectory.time_s(made_.human.rise.seat_off);
    scene_.events.push_back({seat_off, seat_off, "seat-off"});
  }

  Scene finish() {
    scene_.tracks = Log(columns_);
    scene_.tracks.reserve(static_cast<std::size_t>(made_.trajectory.num_samples()));
    for (Eigen::Index i = 0; i < made_.trajectory.num_samples(); ++i) scene_.tracks.append(row(i));
    return std::move(scene_);
  }

 private:
  template <typename Names>
  void add_columns(const Names& names) {
    columns_.insert(columns_.end(), names.begin(), names.end());
  }

  /// Point of application of the planned seat force, in the world [m].
  Eigen::Vector3d hips() const {
    const auto seat = std::ranges::find(made_.contacts.contacts, ContactSite::seat, &ContactPlan::Contact::site);
    const LinkPlacement& placement = robot_.tree().links[static_cast<std::size_t>(robot_.frame(seat->link))];
    TreeKinematics tree(robot_);
    tree.update(made_.seated.state.q);
    return tree.point(placement.body, placement.T_body_link * seat->point);
  }

  std::vector<double> row(Eigen::Index sample) const {
    std::vector<double> values;
    const auto add = [&values](const auto& more) { values.insert(values.end(), more.begin(), more.end()); };
    add(Eigen::VectorXd(made_.trajectory.q.col(sample)));
    add(person_.row(static_cast<double>(sample)));
    return values;
  }

  const RobotModel& robot_;
  const Retargeted& made_;
  PersonBeside person_;
  Scene scene_;
  std::vector<std::string> columns_;
};

}  // namespace

Scene make_retarget_scene(const HumanTrial& trial, const RobotModel& robot, const Retargeted& retargeted) {
  RetargetSceneMaker maker(trial, robot, retargeted);
  maker.add_robot();
  maker.add_person();
  maker.add_centres();
  maker.add_world();
  return maker.finish();
}

}  // namespace aplomb

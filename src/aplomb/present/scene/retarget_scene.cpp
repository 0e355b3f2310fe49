#include "aplomb/present/scene/retarget_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "aplomb/human/human_robot.hpp"
#include "aplomb/present/scene/human_scene.hpp"
#include "aplomb/present/scene/robot_scene.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {
namespace {

constexpr double kBeside = 1.0;  // [m] lateral distance of the person, to the robot's left
constexpr const char* kPrefix = "person_";

std::array<std::string, 3> xyz(const std::string& stem) { return {stem + "_x_m", stem + "_y_m", stem + "_z_m"}; }

/// The posture interpolated between two frames; constant beyond the ends.
Eigen::VectorXd posture_at(const HumanMotion& motion, double place) {
  const double inside = std::clamp(place, 0.0, static_cast<double>(motion.num_frames() - 1));
  const auto before = static_cast<Eigen::Index>(inside);
  const Eigen::Index after = std::min(before + 1, motion.num_frames() - 1);
  const double share = inside - static_cast<double>(before);
  Eigen::VectorXd next = motion.q.col(after);
  // The quaternions q and -q are the same rotation: take the nearer one.
  if (next.segment<4>(3).dot(motion.q.col(before).segment<4>(3)) < 0.0) next.segment<4>(3) *= -1.0;
  Eigen::VectorXd q = (1.0 - share) * motion.q.col(before) + share * next;
  q.segment<4>(3).normalize();
  return q;
}

class RetargetSceneMaker {
 public:
  RetargetSceneMaker(const HumanTrial& trial, const RobotModel& robot, const Retargeted& retargeted)
      : trial_(trial), robot_(robot), made_(retargeted), person_(human_robot(trial.subject.skeleton)) {
    shift_ = retargeted.overlay.robot_ankles - retargeted.overlay.human_ankles;
    shift_.y() += kBeside;
    shift_.z() = 0.0;  // both stand on the floor
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
    const auto first = static_cast<int>(scene_.nodes.size());
    for (SceneNode& node : person_nodes(trial_.subject.skeleton, person_, kPrefix)) {
      if (node.parent >= 0) node.parent += first;
      scene_.nodes.push_back(std::move(node));
    }
    add_columns(posture_columns(person_, kPrefix));
    for (std::size_t i = 0; i < made_.human.labels.size(); ++i) {
      const std::array<std::string, 3> columns = xyz(fmt::format("{}marker_{}", kPrefix, i));
      add_columns(columns);
      scene_.markers.push_back({SceneMarker::Kind::measured_marker, made_.human.labels[i], {.columns = columns}});
    }
  }

  void add_centres() {
    const std::array<std::string, 3> person = xyz(std::string(kPrefix) + "com");
    add_columns(person);
    scene_.markers.push_back({SceneMarker::Kind::com, "CoM of the robot", {.columns = xyz("com")}});
    scene_.markers.push_back({SceneMarker::Kind::com, "CoM of the person", {.columns = person}});
    scene_.markers.push_back({SceneMarker::Kind::com_reference, "reference", {.columns = xyz("com_asked")}});
    const ScenePoint zmp{.columns = {"zmp_x_m", "zmp_y_m", ""}};
    scene_.markers.push_back({SceneMarker::Kind::zmp, "planned ZMP", zmp});
    scene_.forces.push_back({.kind = SceneForce::Kind::contact,
                             .label = "feet and seat together",
                             .point = zmp,
                             .columns = {"force_x_n", "", "force_z_n"}});
  }

  void add_world() {
    constexpr double kFloor = 6.0, kDepth = 0.40, kWidth = 0.50, kThick = 0.04, kOverhang = 0.05;  // [m]
    SceneNode floor{.name = "floor", .look = SceneNode::Look::ground};
    floor.shapes = {{.kind = SceneShape::Kind::plane, .size = {kFloor, kFloor, 0.0}, .points = {}}};
    scene_.nodes.push_back(std::move(floor));
    SceneNode chair{.name = "chair", .look = SceneNode::Look::furniture};
    const double height = made_.seated.chair_height, front = hips().x() + kOverhang;
    chair.T_parent_node.translation() =
        Eigen::Vector3d(front - 0.5 * kDepth, made_.overlay.robot_ankles.y(), height - 0.5 * kThick);
    chair.shapes = {{.kind = SceneShape::Kind::box, .size = {kDepth, kWidth, kThick}, .points = {}}};
    for (const double x : {-0.5, 0.5}) {
      for (const double y : {-0.5, 0.5}) {  // legs, so that it looks like a chair
        SceneShape leg{.kind = SceneShape::Kind::box, .size = {kThick, kThick, height - kThick}, .points = {}};
        leg.T_node_shape.translation() =
            Eigen::Vector3d(x * (kDepth - 2.0 * kThick), y * (kWidth - 2.0 * kThick), -0.5 * height);
        chair.shapes.push_back(std::move(leg));
      }
    }
    scene_.nodes.push_back(std::move(chair));
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
    const HumanMotion& motion = trial_.motion;
    const double start = (made_.human.start_s - motion.start_s) * motion.rate_hz;
    Eigen::VectorXd person = posture_at(motion, start + static_cast<double>(sample) / made_.slowdown);
    person.head<3>() += shift_;
    add(person);
    for (std::size_t i = 0; i < made_.human.labels.size(); ++i) {
      add(Eigen::Vector3d(made_.human.marker(i, sample) + shift_));
    }
    add(Eigen::Vector3d(made_.human.com.col(sample) + shift_));
    return values;
  }

  const HumanTrial& trial_;
  const RobotModel& robot_;
  const Retargeted& made_;
  RobotModel person_;
  Eigen::Vector3d shift_;  ///< displacement of the displayed person [m]
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

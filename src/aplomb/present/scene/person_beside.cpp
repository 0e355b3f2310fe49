#include "aplomb/present/scene/person_beside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "aplomb/human/human_robot.hpp"
#include "aplomb/present/scene/human_scene.hpp"
#include "aplomb/present/scene/robot_scene.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"

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

/// A column of points between two samples of the plan; constant beyond the ends.
Eigen::VectorXd column_at(const Eigen::Ref<const Eigen::MatrixXd>& points, double sample) {
  const double inside = std::clamp(sample, 0.0, static_cast<double>(points.cols() - 1));
  const auto before = static_cast<Eigen::Index>(inside);
  const Eigen::Index after = std::min(before + 1, points.cols() - 1);
  const double share = inside - static_cast<double>(before);
  return (1.0 - share) * points.col(before) + share * points.col(after);
}

}  // namespace

PersonBeside::PersonBeside(const HumanTrial& trial, const Retargeted& retargeted)
    : trial_(trial),
      made_(retargeted),
      person_(human_robot(trial.subject.skeleton)),
      shift_(retargeted.overlay.robot_ankles - retargeted.overlay.human_ankles) {
  shift_.y() += kBeside;
  shift_.z() = 0.0;  // both stand on the floor
  columns_ = posture_columns(person_, kPrefix);
  for (std::size_t i = 0; i < made_.human.labels.size(); ++i) {
    for (std::string& name : xyz(fmt::format("{}marker_{}", kPrefix, i))) columns_.push_back(std::move(name));
  }
  for (std::string& name : xyz(std::string(kPrefix) + "com")) columns_.push_back(std::move(name));
}

void PersonBeside::add_to(Scene& scene) const {
  const auto first = static_cast<int>(scene.nodes.size());
  for (SceneNode& node : person_nodes(trial_.subject.skeleton, person_, kPrefix)) {
    if (node.parent >= 0) node.parent += first;
    scene.nodes.push_back(std::move(node));
  }
  if (made_.contacts.has(ContactSite::seat)) {
    constexpr double kOverhang = 0.05;  // [m] of the seat ahead of the hips, as on the robot's chair
    const Eigen::Vector3d hips =
        posture_at(trial_.motion, frame_at(static_cast<double>(made_.human.rise.overlay))).head<3>() + shift_;
    // The robot's hips are `clearance` above its seat; a person's in proportion.
    const double scale = made_.overlay.scale > 0.0 ? made_.overlay.scale : 1.0;
    const double height = std::max(0.1, hips.z() - made_.seated.clearance / scale);
    const Eigen::Vector3d front(hips.x() + kOverhang, hips.y(), height);
    scene.nodes.push_back(chair_node("person's chair", front));
  }
  for (std::size_t i = 0; i < made_.human.labels.size(); ++i) {
    const std::array<std::string, 3> columns = xyz(fmt::format("{}marker_{}", kPrefix, i));
    scene.markers.push_back({SceneMarker::Kind::measured_marker, made_.human.labels[i], {.columns = columns}});
  }
  scene.markers.push_back(
      {SceneMarker::Kind::com, "CoM of the person", {.columns = xyz(std::string(kPrefix) + "com")}});
}

double PersonBeside::frame_at(double sample) const {
  const double start = (made_.human.start_s - trial_.motion.start_s) * trial_.motion.rate_hz;
  return start + std::clamp(sample, 0.0, static_cast<double>(made_.trajectory.num_samples() - 1)) / made_.slowdown;
}

std::vector<double> PersonBeside::row(double sample) const {
  std::vector<double> values;
  const auto add = [&values](const auto& more) { values.insert(values.end(), more.begin(), more.end()); };
  Eigen::VectorXd person = posture_at(trial_.motion, frame_at(sample));
  person.head<3>() += shift_;
  add(person);
  const Eigen::VectorXd markers = column_at(made_.human.markers, sample);
  for (std::size_t i = 0; i < made_.human.labels.size(); ++i) {
    add(Eigen::Vector3d(markers.segment<3>(3 * static_cast<Eigen::Index>(i)) + shift_));
  }
  add(Eigen::Vector3d(column_at(made_.human.com, sample) + shift_));
  return values;
}

SceneNode chair_node(const std::string& name, const Eigen::Vector3d& front) {
  constexpr double kDepth = 0.40, kWidth = 0.50, kThick = 0.04;  // [m]
  SceneNode chair{.name = name, .look = SceneNode::Look::furniture};
  const double height = front.z();
  chair.T_parent_node.translation() = front - Eigen::Vector3d(0.5 * kDepth, 0.0, 0.5 * kThick);
  chair.shapes = {{.kind = SceneShape::Kind::box, .size = {kDepth, kWidth, kThick}, .points = {}}};
  for (const double x : {-0.5, 0.5}) {
    for (const double y : {-0.5, 0.5}) {  // legs, so that it looks like a chair
      SceneShape leg{.kind = SceneShape::Kind::box, .size = {kThick, kThick, height - kThick}, .points = {}};
      leg.T_node_shape.translation() =
          Eigen::Vector3d(x * (kDepth - 2.0 * kThick), y * (kWidth - 2.0 * kThick), -0.5 * height);
      chair.shapes.push_back(std::move(leg));
    }
  }
  return chair;
}

}  // namespace aplomb

#include "aplomb/present/scene/rise_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "aplomb/present/scene/person_beside.hpp"
#include "aplomb/present/scene/robot_scene.hpp"
#include "aplomb/present/scene/run_scene.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"

namespace aplomb {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// What person and robot do, from the plan's times of the person and the measured ones of the robot.
std::vector<ScenePhase> phases_of(const RunResult& run, const Retargeted& made) {
  const Metrics& metrics = run.result.metrics;
  const auto in_run = [&](Eigen::Index sample) {
    return run.setup.plan_start_s + static_cast<double>(sample) / (made.trajectory.rate_hz * run.setup.plan_speed);
  };
  const double onset = in_run(made.human.rise.onset), planned_off = in_run(made.human.rise.seat_off);
  const double stand = in_run(made.human.rise.stand);
  const std::optional<double> off = metrics.number("seat_off_s"), fell = metrics.number("fell_at_s");
  std::vector<ScenePhase> phases = {
      {0.0, "Person and robot sit."},
      {onset, "They lean forward: the centre of mass moves over the feet, the seat still bears the weight."}};
  if (off) {
    constexpr double kShown = 0.35;  // [s] long enough to be read at half speed
    phases.push_back(
        {*off, fmt::format("Seat-off: the robot leaves the seat {:.2f} s {} planned, and its feet bear it alone.",
                           std::abs(*off - planned_off), *off < planned_off ? "before" : "after")});
    phases.push_back({*off + kShown, "They rise: hips and knees extend, the centre of mass stays over the feet."});
    phases.push_back({std::max(stand, *off + 2.0 * kShown), "They stand."});
  } else {
    phases.push_back({planned_off, "The person leaves the seat; the robot does not."});
  }
  if (fell) {
    std::erase_if(phases, [&](const ScenePhase& phase) { return phase.start_s >= *fell; });
    phases.push_back({*fell, "The robot has fallen."});
  }
  return phases;
}

}  // namespace

Scene make_rise_scene(const RunResult& run, const HumanTrial& person, const Retargeted& retargeted) {
  Scene scene = make_run_scene(run);
  const PersonBeside beside(person, retargeted);
  beside.add_to(scene);
  scene.phases = phases_of(run, retargeted);
  const Log world = std::move(scene.tracks);
  std::vector<std::string> columns = world.columns();
  columns.insert(columns.end(), beside.columns().begin(), beside.columns().end());
  scene.tracks = Log(columns);
  scene.tracks.reserve(run.log.num_rows());
  const std::size_t time = run.log.index("time_s");
  std::vector<double> row;
  for (std::size_t i = 0; i < run.log.num_rows(); ++i) {
    row.clear();
    for (std::size_t k = 0; k < world.columns().size(); ++k) row.push_back(world.at(i, k));
    const double plan_s = (run.log.at(i, time) - run.setup.plan_start_s) * run.setup.plan_speed;
    const std::vector<double> values = beside.row(plan_s * retargeted.trajectory.rate_hz);
    row.insert(row.end(), values.begin(), values.end());
    scene.tracks.append(row);
  }
  return scene;
}

Replayed make_postures_scene(const IdentifiedRobot& identified) {
  constexpr double kEach = 0.5;  // [s] shown
  const RobotModel& cad = *identified.cad;
  Replayed replayed{.log = Log({"time_s"}), .scene = {}};
  Scene& scene = replayed.scene;
  scene.nodes = scene_nodes(cad);
  SceneNode floor{.name = "floor", .look = SceneNode::Look::ground};
  constexpr double kFloor = 4.0;  // [m]
  floor.shapes = {{.kind = SceneShape::Kind::plane, .size = {kFloor, kFloor, 0.0}, .points = {}}};
  scene.nodes.push_back(std::move(floor));
  std::vector<std::string> columns = posture_columns(cad);
  const auto add_point = [&](const std::string& stem) {
    const std::array<std::string, 3> names = {stem + "_x_m", stem + "_y_m", stem + "_z_m"};
    columns.insert(columns.end(), names.begin(), names.end());
    return names;
  };
  scene.markers.push_back({SceneMarker::Kind::com, "CoM, identified masses", {.columns = add_point("com_identified")}});
  scene.markers.push_back({SceneMarker::Kind::com_reference, "CoM, CAD masses", {.columns = add_point("com_cad")}});
  std::vector<std::size_t> feet;  // sensors that measure a CoP in a foot's frame
  const std::vector<ContactSensor>& sensors = identified.postures.sensors.contacts;
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    if (sensors[i].kind != ContactSensor::Kind::cop || sensors[i].is_plate) continue;
    feet.push_back(i);
    const int node = add_link_node(cad, cad.frame_name(sensors[i].link), 0, scene.nodes);
    const std::string stem = sensors[i].name + "_measured_cop";
    columns.insert(columns.end(), {stem + "_x_m", stem + "_y_m"});
    scene.markers.push_back(
        {SceneMarker::Kind::cop,
         fmt::format("measured CoP, {}", sensors[i].name),
         {.node = node, .constant = {0.0, 0.0, sensors[i].sole_z}, .columns = {stem + "_x_m", stem + "_y_m", ""}}});
  }
  scene.tracks = Log(columns);
  TreeKinematics by_cad(cad), by_identified(identified.model);
  const std::vector<Posture>& postures = identified.postures.postures;
  for (std::size_t i = 0; i < postures.size(); ++i) {
    const double time = kEach * static_cast<double>(i);
    replayed.log.append(std::vector{time});
    scene.phases.push_back(
        {time, fmt::format("Posture {} of {}: at rest, the centre of mass is above the centre of pressure.", i + 1,
                           postures.size())});
    const Eigen::VectorXd& q = postures[i].state.q;
    by_cad.update(q);
    by_identified.update(q);
    std::vector<double> row(q.begin(), q.end());
    for (const Eigen::Vector3d& com : {by_identified.com(), by_cad.com()})
      row.insert(row.end(), com.begin(), com.end());
    for (const std::size_t foot : feet) {
      const Vector6d& cop = postures[i].contacts[foot];
      const bool is_loaded = cop[2] > 0.0;
      row.insert(row.end(), {is_loaded ? cop[0] : kNan, is_loaded ? cop[1] : kNan});
    }
    scene.tracks.append(row);
  }
  return replayed;
}

}  // namespace aplomb

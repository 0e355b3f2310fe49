#include "aplomb/present/scene/run_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include "aplomb/present/scene/robot_scene.hpp"
#include "aplomb/present/scene/world_scene.hpp"
#include "aplomb/robot/dynamics/statics.hpp"

namespace aplomb {
namespace {

constexpr const char* kSides[] = {"left", "right"};

std::array<std::string, 3> xyz(const std::string& stem, const std::string& unit) {
  return {stem + "_x_" + unit, stem + "_y_" + unit, stem + "_z_" + unit};
}

/// The scene of one run, part by part.
class SceneMaker {
 public:
  SceneMaker(const RobotModel& robot, const World& world, const Log& log)
      : robot_(robot), world_(world), log_(log), times_(log.column("time_s")) {
    scene_.nodes = scene_nodes(robot);
    // Scale of force arrows: the robot's weight is as long as its CoM is high.
    const double height = log.num_rows() > 0 ? log.at(0, log.index("com_z_m")) : 1.0;
    scene_.metres_per_newton = height / (robot.mass() * kGravity);
  }

  void add_feet() {
    for (int side : {kLeft, kRight}) {
      if (!robot_.description().soles[side]) continue;
      const Sole& sole = *robot_.description().soles[side];
      const std::string name = kSides[side];
      const int node = add_link_node(robot_, robot_.description().roles.foot[side], 0, scene_.nodes);
      const ScenePoint cop{
          .node = node, .constant = {0.0, 0.0, sole.z}, .columns = {name + "_cop_x_m", name + "_cop_y_m", ""}};
      const Support* support = world_.support_of(side);
      scene_.soles.push_back({node, sole.corners(), name + "_cop_x_m"});
      scene_.markers.push_back({SceneMarker::Kind::cop, fmt::format("CoP of the {} foot", name), cop});
      scene_.forces.push_back({.kind = SceneForce::Kind::contact,
                               .label = fmt::format("ground on the {} foot", name),
                               .point = cop,
                               .columns = xyz(name + "_foot_force", "n"),
                               .is_in_node_axes = true,
                               .friction = support != nullptr ? support->friction : world_.floor.friction});
      // A foot's CoP has a value only while the foot is loaded.
      const std::size_t column = log_.index(name + "_cop_x_m");
      add_switches([&](std::size_t row) { return std::isfinite(log_.at(row, column)); }, name + " foot lands",
                   name + " foot lifts");
    }
  }

  void add_hands() {
    for (int side : {kLeft, kRight}) {
      const std::string& link = robot_.description().roles.hand[side];
      const std::array<std::string, 3> columns = xyz(fmt::format("{}_hand_force", kSides[side]), "n");
      if (link.empty() || !log_.has(columns[0])) continue;
      const int node = add_link_node(robot_, link, 0, scene_.nodes);
      scene_.forces.push_back({.kind = SceneForce::Kind::contact,
                               .label = fmt::format("wall on the {} hand", kSides[side]),
                               .point = {.node = node},
                               .columns = columns});
    }
  }

  /// Adds the seat force of a run with a chair, and the event of seat-off.
  void add_seat() {
    if (!world_.chair || !log_.has("seat_force_z_n")) return;
    scene_.forces.push_back({.kind = SceneForce::Kind::contact,
                             .label = "seat",
                             .point = {.constant = {0.0, 0.0, world_.chair->height}, .columns = {"pelvis_x_m", "", ""}},
                             .columns = {"", "", "seat_force_z_n"}});
    const std::size_t column = log_.index("seat_force_z_n");
    constexpr double kSeated = 1.0;  // [N]
    add_switches([&](std::size_t row) { return log_.at(row, column) > kSeated; }, "seat-on", "seat-off");
  }

  void add_centres() {
    scene_.markers.push_back({SceneMarker::Kind::com, "CoM", {.columns = xyz("com", "m")}});
    scene_.markers.push_back(
        {SceneMarker::Kind::com_reference, "CoM reference", {.columns = xyz("com_reference", "m")}});
    scene_.markers.push_back({SceneMarker::Kind::zmp, "ZMP", {.columns = {"zmp_x_m", "zmp_y_m", ""}}});
  }

  void add_pushes(const std::vector<Push>& pushes) {
    for (std::size_t i = 0; i < pushes.size(); ++i) {
      const Push& push = pushes[i];
      const std::string name = pushes.size() == 1 ? "push" : fmt::format("push {}", i + 1);
      const auto columns = xyz(fmt::format("scene_push_{}", i), "n");
      const int node = add_link_node(robot_, push.link, 0, scene_.nodes);
      const bool is_point = push.at == Push::At::point;
      ScenePoint point{.node = node,
                       .constant = is_point ? push.point_in_link : robot_.urdf().link(push.link).inertia.com};
      // A push at the whole robot's CoM is drawn there, whichever link receives it.
      if (push.at == Push::At::robot_com && push.frame == Push::Frame::world) point = {.columns = xyz("com", "m")};
      scene_.forces.push_back({.kind = SceneForce::Kind::push,
                               .label = fmt::format("{} on {}", name, push.link),
                               .point = point,
                               .columns = columns,
                               .is_in_node_axes = push.frame == Push::Frame::link});
      tracks_.add(columns, [&push](double time_s) { return push.force_at(time_s); });
      add_event(push.start_s, push.duration_s, name);
    }
  }

  void add_events(const SimulationEvents& events) {
    for (const FrictionChange& change : events.friction_changes) {
      add_event(change.start_s, 0.0, fmt::format("friction {:.3g}", change.friction));
    }
    for (const ContactLoss& loss : events.contact_losses) {
      add_event(loss.start_s, loss.duration_s, fmt::format("{} contact taken away", kSides[loss.side]));
    }
    for (const Payload& payload : events.payloads) {
      add_event(payload.start_s, 0.0, fmt::format("payload of {:.3g} kg on {}", payload.mass, payload.link));
    }
  }

  void add_faults(const std::vector<SensorFault>& faults) {
    for (const SensorFault& fault : faults) {
      add_event(fault.start_s, 0.0, fmt::format("fault of {}", kSensorNames[static_cast<std::size_t>(fault.sensor)]));
    }
  }

  Scene finish() {
    add_world_to_scene(world_, scene_.nodes, tracks_);
    std::ranges::stable_sort(scene_.events, {}, &SceneEvent::start_s);
    scene_.tracks = tracks_.log(times_);
    return std::move(scene_);
  }

 private:
  void add_event(double start_s, double duration_s, std::string label) {
    scene_.events.push_back({start_s, start_s + duration_s, std::move(label)});
  }

  /// Adds events where a contact becomes loaded or unloaded; interruptions shorter than kShortest are ignored.
  void add_switches(const std::function<bool(std::size_t)>& is_loaded_at, const std::string& begins,
                    const std::string& ends) {
    constexpr double kShortest = 0.05;  // [s]
    bool was_loaded = !times_.empty() && is_loaded_at(0);
    double changed_s = 0.0;
    bool is_loaded = was_loaded;
    for (std::size_t row = 0; row < times_.size(); ++row) {
      const bool now = is_loaded_at(row);
      if (now != is_loaded) changed_s = times_[row];
      is_loaded = now;
      if (is_loaded == was_loaded || times_[row] < changed_s + kShortest) continue;
      add_event(changed_s, 0.0, is_loaded ? begins : ends);
      was_loaded = is_loaded;
    }
  }

  const RobotModel& robot_;
  const World& world_;
  const Log& log_;
  std::vector<double> times_;
  Scene scene_;
  SceneTracks tracks_;
};

}  // namespace

Scene make_run_scene(const RunResult& run) {
  SceneMaker maker(*run.setup.robot, run.setup.world, run.log);
  maker.add_centres();
  maker.add_feet();
  maker.add_hands();
  maker.add_seat();
  maker.add_pushes(run.setup.events.pushes);
  maker.add_events(run.setup.events);
  maker.add_faults(run.setup.sensor_faults);
  return maker.finish();
}

}  // namespace aplomb

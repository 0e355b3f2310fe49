#include "aplomb/scenario/keys/task_keys.hpp"

#include <fmt/format.h>

#include "aplomb/core/error.hpp"
#include "aplomb/core/settings/settings_of.hpp"
#include "aplomb/scenario/fit_robot.hpp"

namespace aplomb {
namespace {

/// The keys of `controller.tasks[].circle`.
struct CircleKeys {
  PointMotion::Circle circle;
  bool is_per_com_height = false;
  std::string plane = "yz";
};

const SettingsOf<CircleKeys>& circle_keys() {
  static const auto keys =
      SettingsOf<CircleKeys>()
          .add(schema::number("radius_m", "radius of the circle").in("m").above(0).at_most(10),
               [](const YamlView& view, CircleKeys& it) { it.circle.radius = view.number(); })
          .add(schema::number("radius_per_com_height", "radius over the CoM's height").above(0).at_most(2),
               [](const YamlView& view, CircleKeys& it) {
                 it.circle.radius = view.number();
                 it.is_per_com_height = true;
               })
          .add([](CircleKeys& it) -> double& { return it.circle.period_s; },
               schema::number("period_s", "duration of one round").in("s").at_least(0.1).at_most(3600).required())
          .add(&CircleKeys::plane, schema::choice("plane", {"xy", "yz", "xz"}, "axes of the world at the start"))
          .add([](CircleKeys& it) -> double& { return it.circle.begin_s; },
               schema::number("start_s", "when it begins").in("s").at_least(0).at_most(3600))
          .add([](CircleKeys& it) -> double& { return it.circle.ramp_s; },
               schema::number("ramp_s", "time over which it gets up to speed")
                   .in("s")
                   .at_least(0)
                   .at_most(3600)
                   .when_absent("one period"));
  return keys;
}

void read_circle(const YamlView& view, TaskRequest& request) {
  CircleKeys keys = circle_keys().read(view);
  const auto axis = [](char name) { return Eigen::Vector3d(Eigen::Vector3d::Unit(name - 'x')); };
  keys.circle.first = axis(keys.plane[0]);
  keys.circle.second = axis(keys.plane[1]);
  if (!view.has("ramp_s")) keys.circle.ramp_s = keys.circle.period_s;
  request.spec.reference.motion.circle = keys.circle;
  request.is_radius_per_com_height = keys.is_per_com_height;
}

Schema points_schema() {
  return schema::list("points", "a minimum-jerk path from point to point, at rest in each",
                      schema::map("", "a waypoint",
                                  {schema::number("time_s", "time at the waypoint, later than that of the one before")
                                       .in("s")
                                       .above(0)
                                       .at_most(3600)
                                       .required(),
                                   schema::numbers("offset_m", 3, "offset from the position at the start")
                                       .in("m")
                                       .at_least(-10)
                                       .at_most(10)
                                       .required()}));
}

void read_points(const YamlView& view, TaskRequest& request) {
  double last_s = 0.0;
  for (const YamlView& point : view.items()) {
    if (!(point["time_s"].number() > last_s)) {
      throw FileError(point["time_s"].place(),
                      "controller.tasks: each time_s of a task's points must be later than the one before");
    }
    last_s = point["time_s"].number();
    request.spec.reference.motion.points.push_back({.time_s = last_s, .offset = point["offset_m"].vector3()});
  }
}

const SettingsOf<TaskRequest>& task_keys() {
  using Kind = TaskSpec::Kind;
  const auto point = [](std::string_view key, std::string_view about) {
    return schema::numbers(key, 3, about).at_least(-100).at_most(100);
  };
  static const auto keys =
      SettingsOf<TaskRequest>()
          .add([](TaskRequest& it) -> Kind& { return it.spec.kind; },
               schema::choice("kind", {"pose", "position", "orientation", "gaze", "joint", "relative"},
                              "which quantity is controlled")
                   .required(),
               {Kind::pose, Kind::position, Kind::orientation, Kind::gaze, Kind::joint, Kind::relative})
          .add(schema::text("link", "a role (right_hand, head, ...) or a link of the URDF; not for kind joint"),
               [](const YamlView& view, TaskRequest& it) { it.spec.link = view.text(); })
          .add(schema::text("relative_to", "the role or link in whose frame it moves; only for kind relative"),
               [](const YamlView& view, TaskRequest& it) { it.spec.relative_to = view.text(); })
          .add(
              [](TaskRequest& it) -> int& { return it.spec.level; },
              schema::integer("level", "smaller numbers are strictly first; tasks of the same level share it by weight")
                  .at_least(1)
                  .at_most(100))
          .add([](TaskRequest& it) -> double& { return it.spec.weight; },
               schema::number("weight", "weight of its squared error").above(0).at_most(1e6))
          .add(schema::named("joints", "only for kind joint, by joint",
                             schema::number("", "desired angle of this joint").in("rad").at_least(-100).at_most(100)),
               [](const YamlView& view, TaskRequest& it) { it.spec.joint_angles = view.named_numbers(); })
          .add(point("point_m", "point to look at, in the world at the start; only for kind gaze").in("m"),
               [](const YamlView& view, TaskRequest& it) { it.spec.gaze_point = view.vector3(); })
          .add(point("point_per_com_height", "the same over the CoM's height"),
               [](const YamlView& view, TaskRequest& it) {
                 it.spec.gaze_point = view.vector3();
                 it.is_point_per_com_height = true;
               })
          .add(circle_keys()
                   .schema("circle", "a circle through where it is at the start")
                   .exactly_one_of({"radius_m", "radius_per_com_height"}),
               read_circle)
          .add(points_schema(), read_points)
          .add([](TaskRequest& it) -> Eigen::Vector3d& { return it.spec.reference.turn; },
               schema::numbers("turn_rad", 3, "rotation vector by which it turns").in("rad").at_least(-10).at_most(10))
          .add([](TaskRequest& it) -> double& { return it.spec.reference.turn_s; },
               schema::number("turn_s", "time in which it turns").in("s").above(0).at_most(3600));
  return keys;
}

void require_keys_of_kind(const YamlView& view, const std::string& key, TaskSpec::Kind kind) {
  const bool is_joint = kind == TaskSpec::Kind::joint;
  if (is_joint != view.has("joints")) {
    throw FileError(view.place(), fmt::format("{}: the key joints and kind joint go together", key));
  }
  if (is_joint == view.has("link")) {
    throw FileError(view.place(), fmt::format("{}: a task of kind {} {}", key, view["kind"].text(),
                                              is_joint ? "has joints, not a link" : "needs a link"));
  }
  if ((kind == TaskSpec::Kind::gaze) != (view.has("point_m") || view.has("point_per_com_height"))) {
    throw FileError(
        view.place(),
        fmt::format("{}: kind gaze and a point to look at (point_m or point_per_com_height) go together", key));
  }
  if ((kind == TaskSpec::Kind::relative) != view.has("relative_to")) {
    throw FileError(view.place(), fmt::format("{}: the key relative_to and kind relative go together", key));
  }
}

TaskRequest read_task(const YamlView& view, const std::string& key) {
  TaskRequest request = task_keys().read(view);
  request.key = key;
  request.place = view.place();
  require_keys_of_kind(view, key, request.spec.kind);
  return request;
}

}  // namespace

Schema tasks_schema() {
  return schema::list("tasks", "further tasks, for controllers with a hierarchy (task_priority)",
                      task_keys().schema("", "one task"));
}

std::vector<TaskRequest> read_tasks(const YamlView& tasks) {
  std::vector<TaskRequest> requests;
  int index = 0;
  for (const YamlView& task : tasks.items()) {
    requests.push_back(read_task(task, fmt::format("controller.tasks.{}", index++)));
  }
  return requests;
}

std::vector<TaskSpec> fit_tasks(const std::vector<TaskRequest>& requests, const RobotModel& robot, double com_height,
                                std::vector<std::string>& notes) {
  std::vector<TaskSpec> specs;
  for (const TaskRequest& task : requests) {
    TaskSpec spec = task.spec;
    if (!spec.link.empty()) spec.link = find_link(task.place, task.key + ".link", spec.link, robot, notes);
    if (!spec.relative_to.empty()) {
      spec.relative_to = find_link(task.place, task.key + ".relative_to", spec.relative_to, robot, notes);
    }
    if (task.is_radius_per_com_height) spec.reference.motion.circle.radius *= com_height;
    if (task.is_point_per_com_height) spec.gaze_point *= com_height;
    specs.push_back(std::move(spec));
  }
  return specs;
}

}  // namespace aplomb

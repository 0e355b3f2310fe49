#include "aplomb/scenario/keys/task_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "aplomb/core/files/text_file.hpp"
#include "aplomb/scenario/setup/fit_robot.hpp"

namespace aplomb {
namespace {

const std::vector<std::string> kKinds = {"pose", "position", "orientation", "gaze", "joint", "relative"};  // as Kind

Schema circle_schema() {
  return schema::map(
             "circle", "goes round in a circle through where it is at the start",
             {schema::number("radius_m", "of the circle").in("m").above(0).at_most(10),
              schema::number("radius_per_com_height", "of the circle over the CoM's height").above(0).at_most(2),
              schema::number("period_s", "of one round").in("s").at_least(0.1).at_most(3600).required(),
              schema::choice("plane", {"xy", "yz", "xz"}, "axes of the world at the start").defaults_to("yz"),
              schema::number("start_s", "when it begins").in("s").at_least(0).at_most(3600).defaults_to("0"),
              schema::number("ramp_s", "over which it gets up to speed")
                  .in("s")
                  .at_least(0)
                  .at_most(3600)
                  .when_absent("one period")})
      .exactly_one_of({"radius_m", "radius_per_com_height"});
}

Schema points_schema() {
  return schema::list(
      "points", "goes from point to point with the least jerk, at rest in each",
      schema::map(
          "", "where it shall be, and when",
          {schema::number("time_s", "later than that of the point before").in("s").above(0).at_most(3600).required(),
           schema::numbers("offset_m", 3, "from where it is at the start")
               .in("m")
               .at_least(-10)
               .at_most(10)
               .required()}));
}

PointMotion::Circle read_circle(const YamlView& view, bool& is_per_com_height) {
  is_per_com_height = view.has("radius_per_com_height");
  const std::string& plane = view["plane"].text();
  const auto axis = [](char name) { return Eigen::Vector3d(Eigen::Vector3d::Unit(name - 'x')); };
  return {.radius = view[is_per_com_height ? "radius_per_com_height" : "radius_m"].number(),
          .first = axis(plane[0]),
          .second = axis(plane[1]),
          .period_s = view["period_s"].number(),
          .begin_s = view["start_s"].number(),
          .ramp_s = view[view.has("ramp_s") ? "ramp_s" : "period_s"].number()};
}

void require_keys_of_kind(const YamlView& view, const std::string& key, const std::string& kind) {
  const bool is_gaze = kind == "gaze", is_joint = kind == "joint";
  if (is_joint != view.has("joints")) {
    throw FileError(view.place(), fmt::format("{}: the key joints and kind joint go together", key));
  }
  if (is_joint == view.has("link")) {
    throw FileError(view.place(), fmt::format("{}: a task of kind {} {}", key, kind,
                                              is_joint ? "has joints, not a link" : "needs a link"));
  }
  if (is_gaze != (view.has("point_m") || view.has("point_per_com_height"))) {
    throw FileError(
        view.place(),
        fmt::format("{}: kind gaze and a point to look at (point_m or point_per_com_height) go together", key));
  }
  if ((kind == "relative") != view.has("relative_to")) {
    throw FileError(view.place(), fmt::format("{}: the key relative_to and kind relative go together", key));
  }
}

TaskRequest read_task(const YamlView& view, const std::string& key) {
  TaskRequest request{.key = key, .place = view.place()};
  const std::string& kind = view["kind"].text();
  require_keys_of_kind(view, key, kind);
  TaskSpec& spec = request.spec;
  spec.kind = static_cast<TaskSpec::Kind>(std::ranges::find(kKinds, kind) - kKinds.begin());
  if (view.has("link")) spec.link = view["link"].text();
  if (view.has("relative_to")) spec.relative_to = view["relative_to"].text();
  spec.level = static_cast<int>(view["level"].integer());
  spec.weight = view["weight"].number();
  spec.joint_angles = view["joints"].named_numbers();
  if (view.has("circle")) spec.reference.motion.circle = read_circle(view["circle"], request.is_radius_per_com_height);
  double last_s = 0.0;
  for (const YamlView& point : view["points"].items()) {
    if (!(point["time_s"].number() > last_s)) {
      throw FileError(point["time_s"].place(), key + ".points: each time_s must be later than the one before");
    }
    last_s = point["time_s"].number();
    spec.reference.motion.points.push_back({.time_s = last_s, .offset = point["offset_m"].vector3()});
  }
  spec.reference.turn = view["turn_rad"].vector3();
  spec.reference.turn_s = view["turn_s"].number();
  request.is_point_per_com_height = view.has("point_per_com_height");
  if (request.is_point_per_com_height) spec.gaze_point = view["point_per_com_height"].vector3();
  if (view.has("point_m")) spec.gaze_point = view["point_m"].vector3();
  return request;
}

}  // namespace

Schema tasks_schema() {
  const auto point = [](std::string_view key, std::string_view about) {
    return schema::numbers(key, 3, about).at_least(-100).at_most(100);
  };
  return schema::list(
      "tasks", "what else shall be done, for controllers with a hierarchy (task_priority)",
      schema::map(
          "", "one task",
          {schema::choice("kind", kKinds, "what is controlled").required(),
           schema::text("link", "a role (right_hand, head, ...) or a link of the URDF; not for kind joint"),
           schema::text("relative_to", "the role or link in whose frame it moves; only for kind relative"),
           schema::integer("level", "smaller numbers are strictly first; tasks of the same level share it by weight")
               .at_least(1)
               .at_most(100)
               .defaults_to("1"),
           schema::number("weight", "of its squared error").above(0).at_most(1e6).defaults_to("1"),
           schema::named("joints", "only for kind joint, by joint",
                         schema::number("", "where the joint shall be").in("rad").at_least(-100).at_most(100)),
           point("point_m", "what to look at, in the world at the start; only for kind gaze").in("m"),
           point("point_per_com_height", "the same over the CoM's height"), circle_schema(), points_schema(),
           schema::numbers("turn_rad", 3, "rotation vector by which it turns")
               .in("rad")
               .at_least(-10)
               .at_most(10)
               .defaults_to("[0, 0, 0]"),
           schema::number("turn_s", "time in which it turns").in("s").above(0).at_most(3600).defaults_to("1")}));
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

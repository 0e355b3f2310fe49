// Every key of a scenario, whatever it is, refuses a value of the wrong type and one outside of its range, by name.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "aplomb/core/error.hpp"
#include "aplomb/scenario/keys/scenario_schema.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {
namespace {

// One of each: every key of the schema exists here or may be added by --set.
constexpr const char* kEverything = R"(
scenario: everything
robot: balancer
world:
  floor: {stiffness_n_per_m: 1e5}
  chair: {stiffness_n_per_m: 50000}
  walls: [{position_m: [2, 0, 0], normal: [-1, 0, 0], stiffness_n_per_m: 1e5}]
  boxes: [{position_m: [3, 0, 0], size_m: [1, 1, 1], stiffness_n_per_m: 1e5}]
  supports: [{foot: left, motion: {axis: x, amplitude_m: 0.1, period_s: 2}}]
reference:
  com: {sine: {amplitude_m: 0.01, period_s: 1}}
  hands: {left: {force_n: 1}, right: {force_n: 1}}
  feet: [{foot: left, unload_s: 0.1, lift_off_s: 1, touch_down_s: 2, carry_s: 3, step_m: [0, 0, 0], lift_m: 0.1}]
plan: {style: natural}
controller:
  partial_force: {level_changes: [{start_s: 1, first: com, second: limbs}]}
  tasks:
    - {kind: position, link: trunk, circle: {radius_m: 0.1, period_s: 1}, points: [{time_s: 1, offset_m: [0, 0, 0]}]}
sensors: {joint_position: {noise: 0.001}}
estimate: {payload: {link: right_hand}}
events:
  - push: {force_n: [1, 0, 0]}
  - friction: {value: 0.5}
  - contact_lost: {foot: left}
  - sensor_fault: {sensor: joint_position, kind: bias, bias: 0.1}
  - payload: {mass_kg: 1}
duration_s: 1
vary: {world.floor.friction: [0.5, 0.9]}
search: {key: events.0.push.start_s, low: 0, high: 1, step: 0.5}
checks: [{metric: fell, equals: false}]
)";

/// "events[].push.link" as a path into the file above; empty for what --set cannot reach.
std::string concrete(std::string path) {
  static const std::map<std::string, std::string> kEvents = {
      {"push", "0"}, {"friction", "1"}, {"contact_lost", "2"}, {"sensor_fault", "3"}, {"payload", "4"}};
  if (path.starts_with("events[].")) {
    const std::string kind = path.substr(9, path.find('.', 9) - 9);
    path.replace(6, 2, "." + kEvents.at(kind));
  }
  if (path.starts_with("vary.")) return {};  // its names are paths themselves
  // These exclude what the example has: its sine, its wall's position, its foot.
  for (const char* excluded :
       {"reference.com.points", "reference.com.targets", "reference.com.trajectory_time_s", "world.walls[].touches",
        "world.walls[].distance_m", "reference.feet[].step_per_com_height", "reference.feet[].lift_per_com_height",
        "events.2.contact_lost.hand", "reference.trajectory", "plan.demonstration"}) {
    if (path.starts_with(excluded)) return {};
  }
  for (std::size_t at; (at = path.find("[]")) != std::string::npos;)
    path = path.substr(0, at) + ".0" + path.substr(at + 2);
  if (path.starts_with("sensors.NAME")) path.replace(8, 4, "joint_position");
  if (path.starts_with("start.joint_offset_rad.NAME")) path.replace(23, 4, "left_knee");
  if (path.starts_with("controller.tasks.0.joints.NAME")) path.replace(26, 4, "left_knee");
  if (path.starts_with("plant.link_mass_scale.NAME")) path.replace(22, 4, "trunk");
  return path;
}

std::string error_with(const std::string& key, const std::string& value) {
  const Override change{key, value};
  try {
    parse_scenario(kEverything, "everything.yaml", std::span(&change, 1));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

std::string wrong_type(const Schema& schema) {
  switch (schema.type) {
    case Schema::Type::text:
    case Schema::Type::choice:
    case Schema::Type::value:
      return "{a: 1}";
    default:
      return "'wrong'";
  }
}

TEST(EveryKey, OfTheExampleIsRight) { EXPECT_NO_THROW(parse_scenario(kEverything, "everything.yaml")); }

TEST(EveryKey, RefusesAValueOfTheWrongTypeByName) {
  int tried = 0;
  for_each_key(scenario_schema(), [&](const std::string& path, const Schema& schema) {
    const std::string key = path.ends_with("[]") ? "" : concrete(path);
    if (key.empty()) return;
    const std::string error = error_with(key, wrong_type(schema));
    EXPECT_TRUE(error.starts_with("--set " + key + "=")) << path << ": " << error;
    ++tried;
  });
  EXPECT_GT(tried, 90);
}

TEST(EveryKey, RefusesAValueOutsideOfItsRange) {
  int tried = 0;
  for_each_key(scenario_schema(), [&](const std::string& path, const Schema& schema) {
    const bool is_number = schema.type == Schema::Type::number || schema.type == Schema::Type::integer;
    const std::string key = concrete(path);
    // These exclude a key of the example, which is said before any range.
    const bool is_excluded = path.ends_with("amplitude_rad") || path.ends_with("amplitude_per_com_height") ||
                             path.ends_with("magnitude_n") || path.ends_with("direction_deg") ||
                             path.ends_with("radius_per_com_height");
    if (!is_number || key.empty() || is_excluded) return;
    if (schema.max) {
      EXPECT_TRUE(error_with(key, fmt::format("{}", *schema.max + 1)).find("at most") != std::string::npos) << path;
      ++tried;
    }
    if (schema.min) {
      EXPECT_FALSE(error_with(key, fmt::format("{}", *schema.min - 1)).empty()) << path;
      ++tried;
    }
  });
  EXPECT_GT(tried, 60);
}

}  // namespace
}  // namespace aplomb

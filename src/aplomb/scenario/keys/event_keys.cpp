#include "aplomb/scenario/keys/event_keys.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "aplomb/core/error.hpp"
#include "aplomb/scenario/keys/sensor_keys.hpp"

namespace aplomb {
namespace {

constexpr double kLongestRun = 3600.0;  // [s]
constexpr double kControlTick = 0.001;  // [s]
constexpr double kLargestForce = 1e6;   // [N], [N s]

Schema start_s() {
  return schema::number("start_s", "when it begins").in("s").at_least(0).at_most(kLongestRun).defaults_to("0");
}

Schema duration_s() {
  return schema::number("duration_s", "how long it lasts; one control tick or more")
      .in("s")
      .at_least(kControlTick)
      .at_most(kLongestRun);
}

Schema link_schema(std::string_view standard) {
  return schema::text("link", "a role (pelvis, trunk, head, left_foot, ...) or a link of the URDF")
      .defaults_to(standard);
}

Schema push_schema() {
  const auto strength = [](std::string_view key, std::string_view unit, std::string_view about) {
    return schema::numbers(key, 3, about).in(unit).at_least(-kLargestForce).at_most(kLargestForce);
  };
  return schema::map(
             "push", "a force on a link for a while",
             {link_schema("trunk"),
              schema::choice_or_numbers("at", {"com", "link_com"}, 3,
                                        "the robot's centre of mass, the link's own, or a point in the link's frame")
                  .in("m")
                  .at_least(-10)
                  .at_most(10)
                  .defaults_to("com"),
              schema::choice("frame", {"world", "link"}, "axes of the force").defaults_to("world"),
              schema::choice("shape", {"box", "half_sine"}, "force over time: constant, or half a period of a sine")
                  .defaults_to("box"),
              start_s(), duration_s().defaults_to("0.1"),
              schema::number("ramp_s", "of a box: time of its rise and of its fall, within the duration")
                  .in("s")
                  .at_least(0)
                  .at_most(kLongestRun)
                  .defaults_to("0"),
              strength("force_n", "N", "peak force x, y, z"),
              strength("impulse_n_s", "N s", "integral of the force over time x, y, z"),
              strength("force_per_weight", "-", "peak force x, y, z over the robot's weight m g"),
              schema::number("magnitude_n", "peak force, horizontal").in("N").at_least(0).at_most(kLargestForce),
              schema::number("direction_deg", "of magnitude_n: 0 forward (x), 90 to the left (y)")
                  .in("deg")
                  .at_least(-360)
                  .at_most(360)
                  .defaults_to("0")
                  .only_with("magnitude_n")})
      .exactly_one_of({"force_n", "impulse_n_s", "force_per_weight", "magnitude_n"});
}

Schema friction_schema() {
  return schema::map(
      "friction", "the ground becomes slippery, or grips again",
      {schema::choice("foot", {"left", "right", "both"}, "under which foot").defaults_to("both"),
       schema::number("value", "the new Coulomb coefficient").at_least(0).at_most(10).required(), start_s()});
}

Schema contact_lost_schema() {
  return schema::map(
             "contact_lost", "the ground under a foot, or a wall of springs at a hand, carries nothing for a while",
             {schema::choice("foot", {"left", "right"}, "under which foot"),
              schema::choice("hand", {"left", "right"}, "at which hand"), start_s(), duration_s().defaults_to("0.02")})
      .exactly_one_of({"foot", "hand"});
}

Schema payload_schema() {
  return schema::map(
      "payload", "a point mass that is handed over, and stays",
      {link_schema("right_hand"), schema::number("mass_kg", "its mass").in("kg").above(0).at_most(1000).required(),
       schema::numbers("at", 3, "a point in the link's frame")
           .in("m")
           .at_least(-10)
           .at_most(10)
           .defaults_to("[0, 0, 0]"),
       start_s()});
}

void read_strength(const YamlView& view, PushRequest& push) {
  using Strength = PushRequest::Strength;
  if (view.has("magnitude_n")) {
    const double direction = view["direction_deg"].number() * std::numbers::pi / 180.0;
    push.amount = view["magnitude_n"].number() * Eigen::Vector3d(std::cos(direction), std::sin(direction), 0.0);
    return;
  }
  const bool is_force = view.has("force_n");
  const bool is_impulse = view.has("impulse_n_s");
  push.strength = is_force ? Strength::force_n : is_impulse ? Strength::impulse_n_s : Strength::force_per_weight;
  push.amount = view[is_force ? "force_n" : is_impulse ? "impulse_n_s" : "force_per_weight"].vector3();
}

PushRequest read_push(const YamlView& view, const std::string& key) {
  PushRequest push;
  push.key = key;
  push.link = view["link"].text();
  if (view["at"].is_list()) {
    push.at = Push::At::point;
    push.point_in_link = view["at"].vector3();
  } else {
    push.at = view["at"].text() == "link_com" ? Push::At::link_com : Push::At::robot_com;
  }
  push.frame = view["frame"].text() == "link" ? Push::Frame::link : Push::Frame::world;
  push.shape = view["shape"].text() == "half_sine" ? Push::Shape::half_sine : Push::Shape::box;
  push.start_s = view["start_s"].number();
  push.duration_s = view["duration_s"].number();
  push.ramp_s = view["ramp_s"].number();
  if (push.ramp_s > 0.5 * push.duration_s) {
    throw FileError(view["ramp_s"].place(), fmt::format("{}.ramp_s must not be more than half of duration_s", key));
  }
  read_strength(view, push);
  return push;
}

FrictionChange read_friction(const YamlView& view) {
  FrictionChange change{.friction = view["value"].number(), .start_s = view["start_s"].number()};
  if (view["foot"].text() == "left") change.side = kLeft;
  if (view["foot"].text() == "right") change.side = kRight;
  return change;
}

}  // namespace

Schema events_schema() {
  return schema::list(
      "events", "what happens during the run, one key each",
      schema::map("", "one event",
                  {push_schema(), friction_schema(), contact_lost_schema(), sensor_fault_schema(), payload_schema()})
          .exactly_one_of({"push", "friction", "contact_lost", "sensor_fault", "payload"}));
}

void read_events(const YamlView& events, Scenario& scenario) {
  int index = 0;
  for (const YamlView& event : events.items()) {
    std::string key = fmt::format("events.{}.", index++);
    double start = 0.0;
    if (event.has("push")) {
      key += "push";
      scenario.pushes.push_back(read_push(event["push"], key));
      start = scenario.pushes.back().start_s;
    } else if (event.has("friction")) {
      key += "friction";
      scenario.friction_changes.push_back(read_friction(event["friction"]));
      start = scenario.friction_changes.back().start_s;
    } else if (event.has("contact_lost")) {
      key += "contact_lost";
      const YamlView view = event["contact_lost"];
      start = view["start_s"].number();
      const bool is_hand = view.has("hand");
      scenario.contact_losses.push_back({.side = view[is_hand ? "hand" : "foot"].text() == "left" ? kLeft : kRight,
                                         .is_hand = is_hand,
                                         .start_s = start,
                                         .duration_s = view["duration_s"].number()});
    } else if (event.has("sensor_fault")) {
      key += "sensor_fault";
      scenario.sensor_faults.push_back(read_sensor_fault(event["sensor_fault"]));
      start = scenario.sensor_faults.back().start_s;
    } else {
      key += "payload";
      const YamlView view = event["payload"];
      start = view["start_s"].number();
      scenario.payloads.push_back({.key = key,
                                   .payload = {.link = view["link"].text(),
                                               .mass = view["mass_kg"].number(),
                                               .point_in_link = view["at"].vector3(),
                                               .start_s = start}});
    }
    if (start >= scenario.duration_s) {
      scenario.notes.push_back(fmt::format("{} starts at {:g} s, when the run is over ({:g} s): it does nothing", key,
                                           start, scenario.duration_s));
    }
  }
}

}  // namespace aplomb

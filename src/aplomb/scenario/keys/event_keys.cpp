#include "aplomb/scenario/keys/event_keys.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "aplomb/core/error.hpp"
#include "aplomb/core/settings/settings_of.hpp"
#include "aplomb/scenario/keys/sensor_keys.hpp"

namespace aplomb {
namespace {

constexpr double kLongestRun = 3600.0;  // [s]
constexpr double kControlTick = 0.001;  // [s]
constexpr double kLargestForce = 1e6;   // [N], [N s]

Schema start_s() { return schema::number("start_s", "when it begins").in("s").at_least(0).at_most(kLongestRun); }

Schema duration_s() {
  return schema::number("duration_s", "duration; at least one control tick")
      .in("s")
      .at_least(kControlTick)
      .at_most(kLongestRun);
}

Schema link_schema() {
  return schema::text("link", "a role (pelvis, trunk, head, left_foot, ...) or a link of the URDF");
}

void read_point(const YamlView& view, PushRequest& push) {
  if (view.is_list()) {
    push.at = Push::At::point;
    push.point_in_link = view.vector3();
  } else {
    push.at = view.text() == "link_com" ? Push::At::link_com : Push::At::robot_com;
  }
}

const SettingsOf<PushRequest>& push_keys() {
  using Strength = PushRequest::Strength;
  const auto schema_of = [](std::string_view key, std::string_view unit, std::string_view about) {
    return schema::numbers(key, 3, about).in(unit).at_least(-kLargestForce).at_most(kLargestForce);
  };
  const auto reader_of = [](Strength strength) {
    return [strength](const YamlView& view, PushRequest& push) {
      push.strength = strength;
      push.amount = view.vector3();
    };
  };
  static const auto keys =
      SettingsOf<PushRequest>()
          .add(&PushRequest::link, link_schema())
          .add(schema::choice_or_numbers("at", {"com", "link_com"}, 3,
                                         "the robot's centre of mass, the link's own, or a point in the link's frame")
                   .in("m")
                   .at_least(-10)
                   .at_most(10)
                   .defaults_to("com"),
               read_point)
          .add(&PushRequest::frame, schema::choice("frame", {"world", "link"}, "axes of the force"),
               {Push::Frame::world, Push::Frame::link})
          .add(&PushRequest::shape,
               schema::choice("shape", {"box", "half_sine"}, "force over time: constant, or half a period of a sine"),
               {Push::Shape::box, Push::Shape::half_sine})
          .add(&PushRequest::start_s, start_s())
          .add(&PushRequest::duration_s, duration_s())
          .add(&PushRequest::ramp_s,
               schema::number("ramp_s", "of a box: time of its rise and of its fall, within the duration")
                   .in("s")
                   .at_least(0)
                   .at_most(kLongestRun))
          .add(schema_of("force_n", "N", "peak force x, y, z"), reader_of(Strength::force_n))
          .add(schema_of("impulse_n_s", "N s", "integral of the force over time x, y, z"),
               reader_of(Strength::impulse_n_s))
          .add(schema_of("force_per_weight", "-", "peak force x, y, z over the robot's weight m g"),
               reader_of(Strength::force_per_weight))
          .add(schema::number("magnitude_n", "peak force, horizontal").in("N").at_least(0).at_most(kLargestForce),
               [](const YamlView& view, PushRequest& push) { push.amount = view.number() * Eigen::Vector3d::UnitX(); })
          .add(schema::number("direction_deg", "of magnitude_n: 0 forward (x), 90 to the left (y)")
                   .in("deg")
                   .at_least(-360)
                   .at_most(360)
                   .defaults_to("0")
                   .only_with("magnitude_n"),
               [](const YamlView& view, PushRequest& push) {
                 const double direction = view.number() * std::numbers::pi / 180.0;
                 push.amount = push.amount.x() * Eigen::Vector3d(std::cos(direction), std::sin(direction), 0.0);
               });
  return keys;
}

const SettingsOf<FrictionChange>& friction_keys() {
  static const auto keys =
      SettingsOf<FrictionChange>()
          .add(&FrictionChange::side, schema::choice("foot", {"left", "right", "both"}, "under which foot"),
               {kLeft, kRight, std::nullopt})
          .add(&FrictionChange::friction,
               schema::number("value", "the new Coulomb coefficient").at_least(0).at_most(10).required())
          .add(&FrictionChange::start_s, start_s());
  return keys;
}

const SettingsOf<ContactLoss>& contact_loss_keys() {
  const auto reader_of = [](bool is_hand) {
    return [is_hand](const YamlView& view, ContactLoss& loss) {
      loss.side = view.text() == "left" ? kLeft : kRight;
      loss.is_hand = is_hand;
    };
  };
  static const auto keys = SettingsOf<ContactLoss>()
                               .add(schema::choice("foot", {"left", "right"}, "under which foot"), reader_of(false))
                               .add(schema::choice("hand", {"left", "right"}, "at which hand"), reader_of(true))
                               .add(&ContactLoss::start_s, start_s())
                               .add(&ContactLoss::duration_s, duration_s());
  return keys;
}

const SettingsOf<PayloadRequest>& payload_keys() {
  using Request = PayloadRequest;
  static const auto keys =
      SettingsOf<Request>()
          .add([](Request& it) -> std::string& { return it.payload.link; }, link_schema())
          .add([](Request& it) -> double& { return it.payload.mass; },
               schema::number("mass_kg", "its mass").in("kg").above(0).at_most(1000).required())
          .add([](Request& it) -> Eigen::Vector3d& { return it.payload.point_in_link; },
               schema::numbers("at", 3, "a point in the link's frame").in("m").at_least(-10).at_most(10))
          .add([](Request& it) -> double& { return it.payload.start_s; }, start_s());
  return keys;
}

PushRequest read_push(const YamlView& view, const std::string& key) {
  PushRequest push = push_keys().read(view);
  push.key = key;
  if (push.ramp_s > 0.5 * push.duration_s) {
    throw FileError(view["ramp_s"].place(), fmt::format("{}.ramp_s must not be more than half of duration_s", key));
  }
  return push;
}

PayloadRequest read_payload(const YamlView& view, const std::string& key) {
  PayloadRequest request = payload_keys().read(view);
  request.key = key;
  return request;
}

}  // namespace

Schema events_schema() {
  return schema::list(
      "events", "disturbances and faults during the run, one key each",
      schema::map("", "one event",
                  {push_keys()
                       .schema("push", "a force on a link for a limited time")
                       .exactly_one_of({"force_n", "impulse_n_s", "force_per_weight", "magnitude_n"}),
                   friction_keys().schema("friction", "the friction of the ground changes"),
                   contact_loss_keys()
                       .schema("contact_lost",
                               "the ground under a foot, or a wall of springs at a hand, carries nothing for a while")
                       .exactly_one_of({"foot", "hand"}),
                   sensor_fault_schema(),
                   payload_keys().schema("payload", "a point mass that is added to a link for the rest of the run")})
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
      scenario.friction_changes.push_back(friction_keys().read(event["friction"]));
      start = scenario.friction_changes.back().start_s;
    } else if (event.has("contact_lost")) {
      key += "contact_lost";
      scenario.contact_losses.push_back(contact_loss_keys().read(event["contact_lost"]));
      start = scenario.contact_losses.back().start_s;
    } else if (event.has("sensor_fault")) {
      key += "sensor_fault";
      scenario.sensor_faults.push_back(read_sensor_fault(event["sensor_fault"]));
      start = scenario.sensor_faults.back().start_s;
    } else {
      key += "payload";
      scenario.payloads.push_back(read_payload(event["payload"], key));
      start = scenario.payloads.back().payload.start_s;
    }
    if (start >= scenario.duration_s) {
      scenario.notes.push_back(fmt::format("{} starts at {:g} s, when the run is over ({:g} s): it does nothing", key,
                                           start, scenario.duration_s));
    }
  }
}

}  // namespace aplomb

#include "aplomb/scenario/scenario_schema.hpp"

namespace aplomb {
namespace {

constexpr double kLongestRun = 3600.0;     // [s]
constexpr double kControlTick = 0.001;     // [s]
constexpr double kLargestForce = 1e6;      // [N], [N s]
constexpr double kLargestFriction = 10.0;  // of any pair of real surfaces

Schema start_schema() {
  return schema::map("start", "how the run begins",
                     {schema::text("posture", "a posture of the robot's YAML").defaults_to("half_sitting"),
                      schema::named("joint_offset_rad", "added to the posture, by joint",
                                    schema::number("", "offset of this joint").in("rad").at_least(-10).at_most(10))});
}

Schema world_schema() {
  return schema::map("world", "what stands around the robot",
                     {schema::map("floor", "the plane z = 0",
                                  {schema::number("friction", "Coulomb coefficient between floor and robot")
                                       .at_least(0)
                                       .at_most(kLargestFriction)
                                       .defaults_to("0.8")})});
}

/// Keys that only one kind of controller knows live in a block of its name. Every block is checked, and the blocks of
/// the other kinds are not used, so that one file runs under each controller.
Schema controller_schema() {
  return schema::map("controller", "who moves the joints",
                     {schema::choice("kind", controller_kinds(), "the controller").defaults_to("joint_pd"),
                      schema::number("gain_scale", "multiplies the controller's feedback gains")
                          .above(0)
                          .at_most(100)
                          .defaults_to("1"),
                      schema::map("joint_pd", "only for kind joint_pd, which has no keys of its own yet", {})});
}

Schema push_schema() {
  const auto strength = [](std::string_view key, std::string_view unit, std::string_view about) {
    return schema::numbers(key, 3, about).in(unit).at_least(-kLargestForce).at_most(kLargestForce);
  };
  return schema::map(
             "push", "a force on a link for a while",
             {schema::text("link", "a role (pelvis, trunk, head, left_foot, ...) or a link of the URDF")
                  .defaults_to("trunk"),
              schema::choice_or_numbers("at", {"com"}, 3, "the link's centre of mass, or a point in the link's frame")
                  .in("m")
                  .at_least(-10)
                  .at_most(10)
                  .defaults_to("com"),
              schema::choice("frame", {"world", "link"}, "axes of the force").defaults_to("world"),
              schema::choice("shape", {"box", "half_sine"}, "force over time: constant, or half a period of a sine")
                  .defaults_to("box"),
              schema::number("start_s", "when it begins").in("s").at_least(0).at_most(kLongestRun).defaults_to("0"),
              schema::number("duration_s", "how long it lasts; one control tick or more")
                  .in("s")
                  .at_least(kControlTick)
                  .at_most(kLongestRun)
                  .defaults_to("0.1"),
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

Schema vary_schema() {
  return schema::named("vary", "for `--repeat`: what differs from run to run, by key path (docs/repeats.md)",
                       schema::numbers("", 2, "lowest and highest value, all between being equally likely"))
      .with_path_keys();
}

Schema search_schema() {
  return schema::map("search", "finds the largest value that still passes (docs/repeats.md)",
                     {schema::text("key", "the key path whose value is searched: events.0.push.magnitude_n").required(),
                      schema::number("low", "the smallest value, which should pass").required(),
                      schema::number("high", "the largest value that is tried").required(),
                      schema::number("step", "the values are low, low + step, ..., up to high").above(0).required(),
                      schema::numbers("directions", 0, "direction_deg of the key's push, one search for each")
                          .in("deg")
                          .at_least(-360)
                          .at_most(360)
                          .when_absent("one search, as the push is written")});
}

Schema check_schema() {
  return schema::map("", "one demand on the result",
                     {schema::text("metric", "a key of metrics.json (docs/metrics.md)").required(),
                      schema::value("equals", "the metric is exactly this"),
                      schema::number("below", "the metric is less than this"),
                      schema::number("above", "the metric is more than this")})
      .exactly_one_of({"equals", "below", "above"});
}

Schema make_scenario_schema() {
  return schema::map(
      "", "a scenario",
      {schema::text("scenario", "its name").required(),
       schema::text("about", "one sentence: what is shown, and where it comes from").defaults_to("''"),
       schema::text("robot", "a name from `aplomb list`, or a path to a URDF").required(),
       schema::text("robot_model", "another robot or URDF that the controller believes in")
           .when_absent("the robot itself"),
       start_schema(), world_schema(), controller_schema(),
       schema::list("events", "what happens during the run, one key each",
                    schema::map("", "one event", {push_schema()}).exactly_one_of({"push"})),
       schema::number("duration_s", "simulated time").in("s").above(0).at_most(kLongestRun).required(),
       schema::integer("seed", "of everything that is drawn at random").at_least(0).defaults_to("1"), vary_schema(),
       search_schema(), schema::list("checks", "what must hold for the run to pass", check_schema())});
}

}  // namespace

const std::vector<std::string>& controller_kinds() {
  static const std::vector<std::string> kinds = {"joint_pd"};
  return kinds;
}

const Schema& scenario_schema() {
  static const Schema schema = make_scenario_schema();
  return schema;
}

}  // namespace aplomb

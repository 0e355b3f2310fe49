#include "aplomb/scenario/keys/scenario_schema.hpp"

#include "aplomb/scenario/checks.hpp"
#include "aplomb/scenario/keys/controller_keys.hpp"
#include "aplomb/scenario/keys/event_keys.hpp"
#include "aplomb/scenario/keys/plan_keys.hpp"
#include "aplomb/scenario/keys/reference_keys.hpp"
#include "aplomb/scenario/keys/sensor_keys.hpp"
#include "aplomb/scenario/keys/start_keys.hpp"
#include "aplomb/scenario/keys/world_keys.hpp"
#include "aplomb/scenario/setup/plant.hpp"

namespace aplomb {
namespace {

constexpr double kLongestRun = 3600.0;  // [s]

Schema estimate_schema() {
  return schema::map(
      "estimate", "quantities that are estimated during the run and passed to the controller (docs/identification.md)",
      {schema::map("payload", "the mass that a link may pick up",
                   {schema::text("link", "a role (pelvis, trunk, head, left_foot, ...) or a link of the URDF")
                        .when_absent("none is estimated")})});
}

Schema vary_schema() {
  return schema::named(
             "vary", "for `--repeat`: ranges of the values that differ from run to run, by key path (docs/repeats.md)",
             schema::numbers("", 2, "lowest and highest value of a uniform distribution"))
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

Schema make_scenario_schema() {
  return schema::map("", "a scenario",
                     {schema::text("scenario", "its name").required(),
                      schema::text("about", "one sentence: its purpose and its source").defaults_to("''"),
                      schema::text("robot", "a name from `aplomb list`, or a path to a URDF").required(),
                      schema::text("robot_model", "another robot or URDF that the controller believes in")
                          .when_absent("the robot itself"),
                      plant_schema(), start_schema(), world_schema(), reference_schema(), plan_schema(),
                      controller_schema(), sensors_schema(), estimate_schema(), events_schema(),
                      schema::number("duration_s", "simulated time; at least one control tick")
                          .in("s")
                          .at_least(0.001)
                          .at_most(kLongestRun)
                          .required(),
                      schema::integer("seed", "seed of all random numbers").at_least(0).defaults_to("1"), vary_schema(),
                      search_schema(), schema::list("checks", "conditions for the run to pass", check_schema())});
}

}  // namespace

const Schema& scenario_schema() {
  static const Schema schema = make_scenario_schema();
  return schema;
}

}  // namespace aplomb

#include "aplomb/scenario/keys/reference_keys.hpp"

#include <numbers>

#include "aplomb/core/error.hpp"
#include "aplomb/core/settings/settings_of.hpp"
#include "aplomb/scenario/keys/hand_keys.hpp"
#include "aplomb/scenario/keys/plan_keys.hpp"
#include "aplomb/scenario/keys/step_keys.hpp"

namespace aplomb {
namespace {

/// The keys of `reference.com.sine`.
struct SineKeys {
  enum class Swings { about, below, above };
  int axis = 2;
  FadedSine sine;
  bool is_per_com_height = false;
  Swings swings = Swings::about;
  double begin_s = 0.0;
};

const SettingsOf<SineKeys>& sine_keys() {
  using Swings = SineKeys::Swings;
  static const auto keys =
      SettingsOf<SineKeys>()
          .add(&SineKeys::axis, schema::choice("axis", {"x", "y", "z"}, "along which world axis"), {0, 1, 2})
          .add(schema::number("amplitude_m", "half of the stroke").in("m").at_least(0).at_most(10),
               [](const YamlView& view, SineKeys& it) { it.sine.amplitude = view.number(); })
          .add(schema::number("amplitude_per_com_height", "half of the stroke over the CoM's height")
                   .at_least(0)
                   .at_most(1),
               [](const YamlView& view, SineKeys& it) {
                 it.sine.amplitude = view.number();
                 it.is_per_com_height = true;
               })
          .add([](SineKeys& it) -> double& { return it.sine.period_s; },
               schema::number("period_s", "duration of one cycle").in("s").at_least(0.05).at_most(3600).required())
          .add(
              &SineKeys::swings,
              schema::choice("swings", {"about", "below", "above"},
                             "about where the CoM is at the start, or between there and two amplitudes below or above; "
                             "the last two begin at rest, whatever the phase"),
              {Swings::about, Swings::below, Swings::above})
          .add([](SineKeys& it) -> double& { return it.sine.phase; },
               schema::number("phase_rad", "phase when it begins").in("rad").at_least(-10).at_most(10))
          .add(&SineKeys::begin_s, schema::number("start_s", "when it begins").in("s").at_least(0).at_most(3600))
          .add([](SineKeys& it) -> double& { return it.sine.ramp_s; },
               schema::number("ramp_s", "time over which the amplitude is faded in; 0: at full speed from the start")
                   .in("s")
                   .at_least(0)
                   .at_most(3600)
                   .when_absent("one period"));
  return keys;
}

void read_sine(const YamlView& view, ComRequest& request) {
  SineKeys keys = sine_keys().read(view);
  if (!view.has("ramp_s")) keys.sine.ramp_s = keys.sine.period_s;
  if (keys.swings != SineKeys::Swings::about) {
    const double sign = keys.swings == SineKeys::Swings::above ? 1.0 : -1.0;
    keys.sine.phase = -sign * 0.5 * std::numbers::pi;
    keys.sine.offset = sign * keys.sine.amplitude;
  }
  request.kind = ComRequest::Kind::sine;
  request.axis = keys.axis;
  request.sine = keys.sine;
  request.is_per_com_height = keys.is_per_com_height;
  request.begin_s = keys.begin_s;
}

Schema points_schema(std::string_view key, std::string_view about) {
  return schema::list(key, about,
                      schema::map("", "a waypoint of the CoM",
                                  {schema::number("time_s", "time at the waypoint, later than that of the one before")
                                       .in("s")
                                       .above(0)
                                       .at_most(3600)
                                       .required(),
                                   schema::numbers("offset_m", 3, "offset from the CoM at the start")
                                       .in("m")
                                       .at_least(-10)
                                       .at_most(10)
                                       .required()}));
}

}  // namespace

Schema reference_schema() {
  return schema::map(
      "reference", "reference motion and forces, for controllers that follow one",
      {schema::choice_or_map(
           "com", {"hold", "feet_midpoint"},
           "the CoM: hold its position, stay above the mid-point of the moving feet, or follow a motion",
           {sine_keys().schema("sine", "a sinusoid").exactly_one_of({"amplitude_m", "amplitude_per_com_height"}),
            points_schema("points", "a minimum-jerk path from point to point, at rest in each"),
            points_schema("targets",
                          "points that the reference follows through a third-order filter, "
                          "from the time of each on"),
            schema::number("trajectory_time_s", "trajectory time of the filter that follows `targets`")
                .in("s")
                .above(0.01)
                .at_most(3600)
                .defaults_to("1")
                .only_with("targets"),
            schema::choice("height", {"prescribed", "free"},
                           "whether the reference is one of the CoM's height too, or of its place above "
                           "the ground alone")
                .defaults_to("prescribed")})
           .exactly_one_of({"sine", "points", "targets"})
           .defaults_to("hold"),
       hands_schema(), feet_schema(), trajectory_schema()});
}

ComRequest read_com_reference(const YamlView& reference) {
  const YamlView com = reference["com"];
  ComRequest request;
  request.steps = read_steps(reference["feet"]);
  if (!com.is_map()) {
    if (com.text() == "feet_midpoint") request.kind = ComRequest::Kind::feet_midpoint;
    return request;
  }
  request.is_height_free = com["height"].text() == "free";
  if (com.has("sine")) {
    read_sine(com["sine"], request);
    return request;
  }
  const bool is_filtered = com.has("targets");
  request.kind = is_filtered ? ComRequest::Kind::targets : ComRequest::Kind::points;
  request.trajectory_time_s = com["trajectory_time_s"].number();
  double last_s = 0.0;
  for (const YamlView& point : com[is_filtered ? "targets" : "points"].items()) {
    if (!(point["time_s"].number() > last_s)) {
      throw FileError(point["time_s"].place(), "reference.com: each time_s must be later than the one before");
    }
    last_s = point["time_s"].number();
    request.points.push_back({.time_s = last_s, .offset = point["offset_m"].vector3()});
  }
  return request;
}

}  // namespace aplomb

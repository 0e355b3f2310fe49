#include "aplomb/scenario/keys/step_keys.hpp"

#include <string_view>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {
namespace {

constexpr double kLiftPerHeight = 0.06;  // of the CoM: 2 cm for HOAP-3

FootStep read_step(const YamlView& view, const StepRequest& request) {
  const FootStep step{.foot = view["foot"].text() == "left" ? kLeft : kRight,
                      .unload_s = view["unload_s"].number(),
                      .lift_off_s = view["lift_off_s"].number(),
                      .touch_down_s = view["touch_down_s"].number(),
                      .carry_s = view["carry_s"].number(),
                      .step = view[request.is_step_per_height ? "step_per_com_height" : "step_m"].vector3(),
                      .lift = view.has("lift_m")                ? view["lift_m"].number()
                              : view.has("lift_per_com_height") ? view["lift_per_com_height"].number()
                                                                : kLiftPerHeight};
  if (!(step.unload_s < step.lift_off_s && step.lift_off_s < step.touch_down_s && step.touch_down_s < step.carry_s)) {
    throw FileError(view["carry_s"].place(),
                    "reference.feet: the times of a step must increase, from unload_s to lift_off_s to touch_down_s to "
                    "carry_s");
  }
  return step;
}

}  // namespace

Schema feet_schema() {
  const auto time = [](std::string_view key, std::string_view about) {
    return schema::number(key, about).in("s").at_least(0).at_most(3600).required();
  };
  return schema::list(
      "feet", "footsteps in order of time; the CoM moves with them when `com` is hold",
      schema::map("", "one step, its times from the start of the run and increasing",
                  {schema::choice("foot", {"left", "right"}, "swing foot").required(),
                   time("unload_s", "when its load begins to decrease"),
                   time("lift_off_s", "when it is unloaded and lifts off"),
                   time("touch_down_s", "when it touches the ground again"),
                   time("carry_s", "when it is fully loaded again and the CoM is in the middle"),
                   schema::numbers("step_m", 3, "displacement from where it stands").in("m").at_least(-2).at_most(2),
                   schema::numbers("step_per_com_height", 3, "the same over the CoM's height").at_least(-1).at_most(1),
                   schema::number("lift_m", "height of the swing").in("m").at_least(0).at_most(1),
                   schema::number("lift_per_com_height", "the same over the CoM's height")
                       .at_least(0)
                       .at_most(1)
                       .when_absent("0.06 unless there is lift_m")})
          .exactly_one_of({"step_m", "step_per_com_height"}));
}

std::vector<StepRequest> read_steps(const YamlView& feet) {
  std::vector<StepRequest> requests;
  for (const YamlView& view : feet.items()) {
    if (view.has("lift_m") && view.has("lift_per_com_height")) {
      throw FileError(view["lift_m"].place(), "reference.feet: give lift_m or lift_per_com_height, not both");
    }
    StepRequest request{.is_step_per_height = view.has("step_per_com_height"),
                        .is_lift_per_height = !view.has("lift_m")};
    request.step = read_step(view, request);
    if (!requests.empty() && request.step.unload_s < requests.back().step.carry_s) {
      throw FileError(view["unload_s"].place(),
                      "reference.feet: a step must not begin (unload_s) before the one before has ended (carry_s)");
    }
    requests.push_back(request);
  }
  return requests;
}

}  // namespace aplomb

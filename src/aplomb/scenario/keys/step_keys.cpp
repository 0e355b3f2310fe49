#include "aplomb/scenario/keys/step_keys.hpp"

#include <fmt/format.h>

#include <string_view>

#include "aplomb/core/error.hpp"
#include "aplomb/core/settings/settings_of.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {
namespace {

constexpr double kLiftPerHeight = 0.06;  // default swing height over CoM height: 2 cm for HOAP-3

const SettingsOf<StepRequest>& step_keys() {
  using Request = StepRequest;
  const auto time = [](std::string_view key, std::string_view about) {
    return schema::number(key, about).in("s").at_least(0).at_most(3600).required();
  };
  static const auto keys =
      SettingsOf<Request>()
          .add([](Request& it) -> int& { return it.step.foot; },
               schema::choice("foot", {"left", "right"}, "swing foot").required(), {kLeft, kRight})
          .add([](Request& it) -> double& { return it.step.unload_s; },
               time("unload_s", "when its load begins to decrease"))
          .add([](Request& it) -> double& { return it.step.lift_off_s; },
               time("lift_off_s", "when it is unloaded and lifts off"))
          .add([](Request& it) -> double& { return it.step.touch_down_s; },
               time("touch_down_s", "when it touches the ground again"))
          .add([](Request& it) -> double& { return it.step.carry_s; },
               time("carry_s", "when it is fully loaded again and the CoM is in the middle"))
          .add([](Request& it) -> std::optional<double>& { return it.step.load_to_per_weight; },
               schema::number("load_to_per_weight",
                              "prescribes its normal force by hand, without moments: from what it carries at unload_s "
                              "to zero, and from zero to this part of the body weight at carry_s; only for "
                              "kind partial_force")
                   .above(0)
                   .at_most(1.5)
                   .when_absent("the share of what it would carry as a rigid contact"))
          .add(schema::numbers("step_m", 3, "displacement from where it stands").in("m").at_least(-2).at_most(2),
               [](const YamlView& view, Request& it) { it.step.step = view.vector3(); })
          .add(schema::numbers("step_per_com_height", 3, "the same over the CoM's height").at_least(-1).at_most(1),
               [](const YamlView& view, Request& it) {
                 it.step.step = view.vector3();
                 it.is_step_per_height = true;
               })
          .add(schema::number("lift_m", "height of the swing").in("m").at_least(0).at_most(1),
               [](const YamlView& view, Request& it) { it.step.lift = view.number(); })
          .add(schema::number("lift_per_com_height", "the same over the CoM's height")
                   .at_least(0)
                   .at_most(1)
                   .when_absent(fmt::format("{} unless there is lift_m", kLiftPerHeight)),
               [](const YamlView& view, Request& it) { it.step.lift = view.number(); });
  return keys;
}

StepRequest read_step(const YamlView& view) {
  StepRequest request = step_keys().read(view);
  request.is_lift_per_height = !view.has("lift_m");
  if (request.is_lift_per_height && !view.has("lift_per_com_height")) request.step.lift = kLiftPerHeight;
  const FootStep& step = request.step;
  if (!(step.unload_s < step.lift_off_s && step.lift_off_s < step.touch_down_s && step.touch_down_s < step.carry_s)) {
    throw FileError(view["carry_s"].place(),
                    "reference.feet: the times of a step must increase, from unload_s to lift_off_s to touch_down_s to "
                    "carry_s");
  }
  return request;
}

}  // namespace

Schema feet_schema() {
  return schema::list("feet", "footsteps in order of time; the CoM moves with them when `com` is hold",
                      step_keys()
                          .schema("", "one step, its times from the start of the run and increasing")
                          .exactly_one_of({"step_m", "step_per_com_height"}));
}

std::vector<StepRequest> read_steps(const YamlView& feet) {
  std::vector<StepRequest> requests;
  for (const YamlView& view : feet.items()) {
    if (view.has("lift_m") && view.has("lift_per_com_height")) {
      throw FileError(view["lift_m"].place(), "reference.feet: give lift_m or lift_per_com_height, not both");
    }
    const StepRequest request = read_step(view);
    if (!requests.empty() && request.step.unload_s < requests.back().step.carry_s) {
      throw FileError(view["unload_s"].place(),
                      "reference.feet: a step must not begin (unload_s) before the one before has ended (carry_s)");
    }
    requests.push_back(request);
  }
  return requests;
}

}  // namespace aplomb

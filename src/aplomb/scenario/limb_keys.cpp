#include "aplomb/scenario/limb_keys.hpp"

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

constexpr const char* kSides[] = {"left", "right"};
constexpr double kLift = 0.06;  // of the CoM's height

Schema time_schema(std::string_view key, std::string_view about) {
  return schema::number(key, about).in("s").at_least(0).at_most(3600);
}

Schema hand_schema(std::string_view side) {
  return schema::map(
      side, "this hand presses against the wall that is nearest to it at the start",
      {schema::number("force_n", "along the wall's normal").in("N").at_least(0).at_most(1e4).required(),
       schema::choice("tangents", {"controlled", "free"},
                      "the force along the wall: controlled to zero, or not looked at (for a wall without friction)")
           .defaults_to("controlled"),
       time_schema("start_s", "when the force begins to rise").defaults_to("0"),
       time_schema("ramp_s", "over which it rises").defaults_to("0.5")});
}

LimbRequest::Step read_step(const YamlView& view) {
  LimbRequest::Step step{.is_step_per_height = view.has("step_per_com_height"),
                         .is_lift_per_height = !view.has("lift_m")};
  if (view.has("lift_m") && view.has("lift_per_com_height")) {
    throw FileError(view["lift_m"].place(), "a step has lift_m or lift_per_com_height, not both");
  }
  step.step = {.foot = view["foot"].text() == "left" ? 0 : 1,
               .unload_s = view["unload_s"].number(),
               .lift_off_s = view["lift_off_s"].number(),
               .touch_down_s = view["touch_down_s"].number(),
               .carry_s = view["carry_s"].number(),
               .step = view[step.is_step_per_height ? "step_per_com_height" : "step_m"].vector3(),
               .lift = view.has("lift_m")                ? view["lift_m"].number()
                       : view.has("lift_per_com_height") ? view["lift_per_com_height"].number()
                                                         : kLift};
  const FootStep& times = step.step;
  if (!(times.unload_s < times.lift_off_s && times.lift_off_s < times.touch_down_s &&
        times.touch_down_s < times.carry_s)) {
    throw FileError(view.place(),
                    "a step's times must rise: unload_s, lift_off_s, touch_down_s, carry_s, each later than the last");
  }
  return step;
}

}  // namespace

Schema hands_schema() {
  return schema::map("hands", "forces of the hands, for controllers that control them",
                     {hand_schema("left"), hand_schema("right")});
}

Schema feet_schema() {
  return schema::list(
      "feet", "steps one after the other, for controllers that make them",
      schema::map("", "one step: the foot is relieved of its load, swings, and is loaded again",
                  {schema::choice("foot", {"left", "right"}, "which one moves").required(),
                   time_schema("unload_s", "when its load begins to go").required(),
                   time_schema("lift_off_s", "when it carries nothing any more, and lifts").required(),
                   time_schema("touch_down_s", "when it is on the ground again").required(),
                   time_schema("carry_s", "when it carries as before").required(),
                   schema::numbers("step_m", 3, "where to, from where it stands").in("m").at_least(-2).at_most(2),
                   schema::numbers("step_per_com_height", 3, "the same over the CoM's height").at_least(-1).at_most(1),
                   schema::number("lift_m", "how high it is lifted").in("m").above(0).at_most(1),
                   schema::number("lift_per_com_height", "the same over the CoM's height")
                       .above(0)
                       .at_most(1)
                       .when_absent("0.06, or lift_m")})
          .exactly_one_of({"step_m", "step_per_com_height"}));
}

LimbRequest read_limbs(const YamlView& reference) {
  LimbRequest request;
  for (std::size_t side : {0u, 1u}) {
    if (!reference["hands"].has(kSides[side])) continue;
    const YamlView hand = reference["hands"][kSides[side]];
    request.hands[side] = HandForce{.force = hand["force_n"].number(),
                                    .start_s = hand["start_s"].number(),
                                    .ramp_s = hand["ramp_s"].number(),
                                    .has_tangents = hand["tangents"].text() == "controlled"};
  }
  for (const YamlView& view : reference["feet"].items()) {
    const LimbRequest::Step step = read_step(view);
    if (!request.steps.empty() && step.step.unload_s < request.steps.back().step.carry_s) {
      throw FileError(view["unload_s"].place(),
                      "reference.feet: a step must not begin (unload_s) before the one before has ended (carry_s)");
    }
    request.steps.push_back(step);
  }
  return request;
}

std::vector<FootStep> steps_of(const LimbRequest& request, int foot, double com_height) {
  std::vector<FootStep> steps;
  for (const LimbRequest::Step& asked : request.steps) {
    if (asked.step.foot != foot) continue;
    steps.push_back(asked.step);
    if (asked.is_step_per_height) steps.back().step *= com_height;
    if (asked.is_lift_per_height) steps.back().lift *= com_height;
  }
  return steps;
}

}  // namespace aplomb

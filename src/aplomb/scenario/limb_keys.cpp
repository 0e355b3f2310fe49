#include "aplomb/scenario/limb_keys.hpp"

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

constexpr const char* kSides[] = {"left", "right"};

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

Schema foot_schema(std::string_view side) {
  return schema::map(
      side, "this foot makes one step",
      {time_schema("unload_s", "when its load begins to go").defaults_to("0"),
       time_schema("lift_off_s", "when it carries nothing any more, and lifts").required(),
       time_schema("touch_down_s", "when it is on the ground again").required(),
       time_schema("carry_s", "when it carries as before").required(),
       schema::numbers("step_m", 3, "where to, from where it stands")
           .in("m")
           .at_least(-2)
           .at_most(2)
           .defaults_to("[0, 0, 0]"),
       schema::number("lift_m", "how high it is lifted").in("m").above(0).at_most(1).defaults_to("0.03")});
}

FootStep read_step(const YamlView& view) {
  FootStep step{.unload_s = view["unload_s"].number(),
                .lift_off_s = view["lift_off_s"].number(),
                .touch_down_s = view["touch_down_s"].number(),
                .carry_s = view["carry_s"].number(),
                .step = view["step_m"].vector3(),
                .lift = view["lift_m"].number()};
  if (!(step.unload_s < step.lift_off_s && step.lift_off_s < step.touch_down_s && step.touch_down_s < step.carry_s)) {
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
  return schema::map("feet", "steps, for controllers that make them", {foot_schema("left"), foot_schema("right")});
}

LimbRequest read_limbs(const YamlView& reference) {
  LimbRequest request;
  for (std::size_t side : {0u, 1u}) {
    if (reference["hands"].has(kSides[side])) {
      const YamlView hand = reference["hands"][kSides[side]];
      request.hands[side] = HandForce{.force = hand["force_n"].number(),
                                      .start_s = hand["start_s"].number(),
                                      .ramp_s = hand["ramp_s"].number(),
                                      .has_tangents = hand["tangents"].text() == "controlled"};
    }
    if (reference["feet"].has(kSides[side])) request.feet[side] = read_step(reference["feet"][kSides[side]]);
  }
  return request;
}

}  // namespace aplomb

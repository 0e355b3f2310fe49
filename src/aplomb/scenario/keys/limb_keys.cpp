#include "aplomb/scenario/keys/limb_keys.hpp"

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

}  // namespace

Schema hands_schema() {
  return schema::map("hands", "forces of the hands, for controllers that control them",
                     {hand_schema("left"), hand_schema("right")});
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
  return request;
}

}  // namespace aplomb

#include "aplomb/scenario/keys/hand_keys.hpp"

#include "aplomb/core/settings/settings_of.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {
namespace {

constexpr const char* kSides[] = {"left", "right"};

const SettingsOf<HandForce>& hand_keys() {
  const auto time = [](std::string_view key, std::string_view about) {
    return schema::number(key, about).in("s").at_least(0).at_most(3600);
  };
  static const auto keys =
      SettingsOf<HandForce>()
          .add(&HandForce::force, schema::number("force_n", "desired force along the wall's normal")
                                      .in("N")
                                      .at_least(0)
                                      .at_most(1e4)
                                      .required())
          .add(&HandForce::has_tangents,
               schema::choice("tangents", {"controlled", "free"},
                              "the tangential force: controlled to zero, or free (for a wall without friction)"),
               {true, false})
          .add(&HandForce::start_s, time("start_s", "when the force begins to rise"))
          .add(&HandForce::ramp_s, time("ramp_s", "time over which it rises"));
  return keys;
}

}  // namespace

Schema hands_schema() {
  constexpr const char* kAbout = "this hand presses against the wall that is nearest to it at the start";
  return schema::map("hands", "contact forces of the hands, for controllers that control them",
                     {hand_keys().schema("left", kAbout), hand_keys().schema("right", kAbout)});
}

HandForces read_hand_forces(const YamlView& reference) {
  HandForces forces;
  const YamlView hands = reference["hands"];
  for (Side side : {kLeft, kRight}) {
    if (hands.has(kSides[side])) forces[side] = hand_keys().read(hands[kSides[side]]);
  }
  return forces;
}

}  // namespace aplomb

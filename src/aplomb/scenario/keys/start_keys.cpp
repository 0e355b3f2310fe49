#include "aplomb/scenario/keys/start_keys.hpp"

#include "aplomb/core/settings/settings_of.hpp"

namespace aplomb {
namespace {

const SettingsOf<StartRequest>& start_keys() {
  static const auto keys =
      SettingsOf<StartRequest>()
          .add(&StartRequest::posture, schema::text("posture", "a posture of the robot's YAML"))
          .add(&StartRequest::standing_side,
               schema::choice("feet", {"both", "left", "right"},
                              "which feet stand; on one, the CoM is brought above it and the other is lifted"),
               {std::nullopt, kLeft, kRight})
          .add(schema::named("joint_offset_rad", "added to the posture, by joint",
                             schema::number("", "offset of this joint").in("rad").at_least(-10).at_most(10)),
               [](const YamlView& view, StartRequest& it) { it.joint_offset_rad = view.named_numbers(); });
  return keys;
}

}  // namespace

Schema start_schema() { return start_keys().schema("start", "posture and stance in which the run begins"); }

StartRequest read_start(const YamlView& view) { return start_keys().read(view); }

}  // namespace aplomb

#include "aplomb/scenario/plant.hpp"

#include <algorithm>

#include "aplomb/core/error.hpp"

namespace aplomb {

Schema plant_schema() {
  const auto scale = [](std::string_view key, std::string_view about) {
    return schema::number(key, about).above(0).at_most(100);
  };
  return schema::map(
      "plant", "what differs in the simulated robot from what is believed",
      {scale("mass_scale", "multiplies every link's mass and inertia").defaults_to("1"),
       schema::named("link_mass_scale", "the same for single links (or roles), on top", scale("", "of this link")),
       scale("torque_limit_scale", "multiplies every joint's torque limit").defaults_to("1"),
       schema::number("drive_delay_s", "from command to drive, rounded to control ticks of 1 ms")
           .in("s")
           .at_least(0)
           .at_most(0.1)
           .defaults_to("0")});
}

Plant read_plant(const YamlView& view) {
  return {.mass_scale = view["mass_scale"].number(),
          .link_mass_scale = view["link_mass_scale"].named_numbers(),
          .torque_limit_scale = view["torque_limit_scale"].number(),
          .drive_delay_s = view["drive_delay_s"].number()};
}

RobotModel make_plant(const RobotModel& believed, const Plant& plant) {
  Urdf urdf = believed.urdf();
  std::vector<std::string> names;
  for (const UrdfLink& link : urdf.links) names.push_back(link.name);
  const auto scale_link = [](UrdfLink& link, double scale) {
    link.inertia.mass *= scale;
    link.inertia.about_com *= scale;
  };
  for (UrdfLink& link : urdf.links) scale_link(link, plant.mass_scale);
  for (const auto& [name, scale] : plant.link_mass_scale) {
    const std::string* role = believed.description().roles.find(name);
    const std::string& wanted = role != nullptr && !role->empty() ? *role : name;
    const auto link = std::ranges::find(urdf.links, wanted, &UrdfLink::name);
    if (link == urdf.links.end()) throw UnknownName("link", wanted, "plant.link_mass_scale", names);
    scale_link(*link, scale);
  }
  for (UrdfJoint& joint : urdf.joints) joint.effort *= plant.torque_limit_scale;
  RobotDescription description = believed.description();
  description.actuation.default_effort *= plant.torque_limit_scale;
  description.frames.clear();  // they are links of the believed robot's tree already
  return RobotModel(urdf, description);
}

}  // namespace aplomb

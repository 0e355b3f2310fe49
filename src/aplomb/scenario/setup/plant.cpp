#include "aplomb/scenario/setup/plant.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/settings/settings_of.hpp"

namespace aplomb {

namespace {

const SettingsOf<Plant>& plant_keys() {
  const auto scale = [](std::string_view key, std::string_view about) {
    return schema::number(key, about).above(0).at_most(100);
  };
  const auto fraction = [](std::string_view key, std::string_view about) {
    return schema::number(key, about).at_least(0).at_most(0.9);
  };
  const auto drive = [](double DriveErrors::*member) {
    return [member](Plant& plant) -> double& { return plant.drive_errors.*member; };
  };
  static const auto keys =
      SettingsOf<Plant>()
          .add(&Plant::mass_scale, scale("mass_scale", "multiplies every link's mass and inertia"))
          .add(schema::named("link_mass_scale", "the same for single links (or roles), on top",
                             scale("", "factor for this link")),
               [](const YamlView& view, Plant& plant) {
                 plant.link_mass_scale = view.named_numbers();
                 plant.link_mass_place = view.place();
               })
          .add(&Plant::torque_limit_scale, scale("torque_limit_scale", "multiplies every joint's torque limit"))
          .add(&Plant::drive_delay_s,
               schema::number("drive_delay_s", "from command to drive, rounded to control ticks of 1 ms")
                   .in("s")
                   .at_least(0)
                   .at_most(0.1))
          .add(schema::choice("profile", {"ideal", "laboratory"},
                              "drives of whatever is not named: ideal, or those of docs/simulation.md")
                   .defaults_to("ideal"),
               [](const YamlView&, Plant&) {})  // read_plant() begins with it
          .add(drive(&DriveErrors::coulomb_friction),
               fraction("coulomb_friction", "friction of a moving joint over its torque limit"))
          .add(drive(&DriveErrors::stiction_ratio),
               schema::number("stiction_ratio", "friction of a joint at rest over that of a moving one")
                   .at_least(1)
                   .at_most(10))
          .add(drive(&DriveErrors::viscous_friction),
               fraction("viscous_friction", "friction at 1 rad/s over the joint's torque limit").in("s/rad"))
          .add(drive(&DriveErrors::torque_bandwidth_hz),
               schema::number("torque_bandwidth_hz", "first-order lag of the commanded torque; 0: none")
                   .in("Hz")
                   .at_least(0)
                   .at_most(1000))
          .add(drive(&DriveErrors::torque_ripple), fraction("torque_ripple", "amplitude over the commanded torque"))
          .add(drive(&DriveErrors::armature_spread),
               fraction("armature_spread", "rotor inertias are off by up to this, drawn for each joint"));
  return keys;
}

}  // namespace

Schema plant_schema() { return plant_keys().schema("plant", "how the simulated robot differs from the believed one"); }

Plant read_plant(const YamlView& view) {
  Plant plant;
  if (view["profile"].text() == "laboratory") {
    plant.drive_errors = DriveErrors::laboratory();
    plant.drive_delay_s = 1e-3;
  }
  return plant_keys().read(view, plant);
}

namespace {

/// Finds the link for the role or link `name`. For a link without mass (a sole, a frame of the robot's YAML) it is the
/// link of the body that it is fixed to.
UrdfLink& link_with_mass(Urdf& urdf, const RobotModel& robot, const std::string& name, const Place& place) {
  const std::string* role = robot.description().roles.find(name);
  const std::string& wanted = role != nullptr && !role->empty() ? *role : name;
  auto link = std::ranges::find(urdf.links, wanted, &UrdfLink::name);
  if (link == urdf.links.end()) {
    std::vector<std::string> names = Roles::names();
    for (const UrdfLink& known : urdf.links) names.push_back(known.name);
    throw FileError(place, fmt::format("plant.link_mass_scale: no role or link named '{}' in robot {}; {}",
                                       shortened(name), robot.name(), suggestion(name, names)));
  }
  if (link->inertia.mass == 0.0) {
    const LinkPlacement& placement = robot.tree().links[static_cast<std::size_t>(robot.frame(wanted))];
    const std::string& moved = robot.tree().bodies[static_cast<std::size_t>(placement.body)].link;
    link = std::ranges::find(urdf.links, moved, &UrdfLink::name);
  }
  if (link->inertia.mass == 0.0) {
    throw FileError(
        place, fmt::format("plant.link_mass_scale: link '{}' of robot {} has no mass to scale", wanted, robot.name()));
  }
  return *link;
}

}  // namespace

RobotModel make_plant(const RobotModel& believed, const Plant& plant) {
  Urdf urdf = believed.urdf();
  const auto scale_link = [](UrdfLink& link, double scale) {
    link.inertia.mass *= scale;
    link.inertia.about_com *= scale;
  };
  for (UrdfLink& link : urdf.links) scale_link(link, plant.mass_scale);
  for (const auto& [name, scale] : plant.link_mass_scale) {
    scale_link(link_with_mass(urdf, believed, name, plant.link_mass_place), scale);
  }
  for (UrdfJoint& joint : urdf.joints) joint.effort *= plant.torque_limit_scale;
  RobotDescription description = believed.description();
  description.actuation.default_effort *= plant.torque_limit_scale;
  description.frames.clear();  // these frames are links of `urdf` already
  return RobotModel(urdf, description);
}

}  // namespace aplomb

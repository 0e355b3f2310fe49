#include "aplomb/robot/robot_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "aplomb/core/error.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/robot/package_path.hpp"

namespace aplomb {
namespace {

using RoleMember = const std::string& (*)(const Roles&);

/// The roles by name; scenarios and YAML files use these words.
constexpr std::pair<std::string_view, RoleMember> kRoles[] = {
    {"pelvis", [](const Roles& roles) -> const std::string& { return roles.pelvis; }},
    {"trunk", [](const Roles& roles) -> const std::string& { return roles.trunk; }},
    {"head", [](const Roles& roles) -> const std::string& { return roles.head; }},
    {"left_foot", [](const Roles& roles) -> const std::string& { return roles.foot[0]; }},
    {"right_foot", [](const Roles& roles) -> const std::string& { return roles.foot[1]; }},
    {"left_hand", [](const Roles& roles) -> const std::string& { return roles.hand[0]; }},
    {"right_hand", [](const Roles& roles) -> const std::string& { return roles.hand[1]; }},
};
constexpr std::string_view kSides[] = {"left", "right"};

Schema sole_schema(std::string_view side) {
  constexpr double kLargest = 10.0;  // [m]
  const auto edges = [](std::string_view key, std::string_view about) {
    return schema::numbers(key, 2, about).in("m").at_least(-kLargest).at_most(kLargest).required();
  };
  return schema::map(side, "rectangle that touches the ground, in the foot link's frame",
                     {edges("x_m", "heel and toe edge"), edges("y_m", "right and left edge"),
                      schema::number("z_m", "height of the sole; negative when it is below the foot's origin")
                          .in("m")
                          .at_least(-kLargest)
                          .at_most(kLargest)
                          .required()});
}

Schema frames_schema() {
  const auto three = [](std::string_view key, std::string_view unit, std::string_view about) {
    return schema::numbers(key, 3, about).in(unit).at_least(-10.0).at_most(10.0).defaults_to("[0, 0, 0]");
  };
  return schema::named("frames", "frames to be used like links in roles, where no link has the right axes",
                       schema::map("", "one frame",
                                   {schema::text("link", "the link that it is fixed to").required(),
                                    three("position_m", "m", "its origin in the link's frame"),
                                    three("rpy_rad", "rad", "roll, pitch, yaw in the link's frame, as in a URDF")}));
}

Schema roles_schema() {
  std::vector<Schema> keys;
  for (const auto& [role, member] : kRoles) {
    keys.push_back(schema::text(role, "link with this role").when_absent("the robot has none"));
  }
  return schema::map("roles", "links by the names that scenarios use", std::move(keys));
}

Schema actuation_schema() {
  const auto property = [](std::string_view key, std::string_view unit, std::string_view about) {
    return schema::number(key, about).in(unit).at_least(0.0).defaults_to("0");
  };
  return schema::map(
      "actuation", "actuation of the joints",
      {schema::choice("kind", {"torque", "servo"}, "reference of a joint's drive: a torque or a position")
           .defaults_to("torque"),
       property("stiffness_nm_per_rad", "N m/rad", "stiffness of a servo, where it must be above 0"),
       property("damping_nm_s_per_rad", "N m s/rad", "damping of a servo"),
       property("armature_kg_m2", "kg m^2", "rotor inertia reflected to the joint"),
       property("default_effort_nm", "N m", "torque limit of joints whose URDF has none or 0; 0: no default")});
}

Schema sensors_schema() {
  const auto cells = [](std::string_view side) {
    const Schema position = schema::numbers("", 2, "x, y").in("m");
    return schema::list(
               side,
               "x, y of each load cell in the foot link's frame: the corners of the sole, in the order of the channels",
               position)
        .in("m");
  };
  return schema::map("sensors", "sensors that scenarios can read",
                     {schema::map("load_cells", "cells that measure vertical force", {cells("left"), cells("right")})});
}

Schema make_robot_schema() {
  return schema::map(
      "", "a robot's YAML",
      {schema::text("robot", "name").required(), schema::text("about", "one sentence").defaults_to("''"),
       schema::text("urdf", "file beside this one or in a folder below, or package://PACKAGE/FILE")
           .when_absent("this file's name with .urdf"),
       schema::text("cad", "the robot whose URDF is this one's CAD").defaults_to("''").when_absent("none"),
       roles_schema(), frames_schema(),
       schema::map("soles", "contact rectangle of each foot", {sole_schema("left"), sole_schema("right")}),
       schema::named("postures", "joint angles by posture; joints that are not named are at 0",
                     schema::named("", "one posture", schema::number("", "joint angle or position").in("rad or m"))),
       actuation_schema(), sensors_schema(),
       schema::choice("inertia", {"as_is", "repair"},
                      "what to do with an inertia that no rigid body can have: refuse "
                      "the robot, or take the nearest possible one and report it")
           .defaults_to("as_is")});
}

std::filesystem::path urdf_of(const YamlView& root, const std::filesystem::path& file) {
  if (!root.has("urdf")) return std::filesystem::path(file).replace_extension(".urdf");
  std::filesystem::path urdf(root["urdf"].text());
  if (is_package_uri(urdf.string())) return urdf;
  const bool leaves_folder = std::ranges::find(urdf, "..") != urdf.end();
  if (urdf.empty() || urdf.is_absolute() || leaves_folder) {
    throw FileError(root["urdf"].place(),
                    "urdf must be a file beside this YAML or in a folder below it, or package://PACKAGE/FILE");
  }
  return file.parent_path() / urdf;
}

Roles read_roles(const YamlView& view) {
  const auto link = [&](std::string_view role) { return view.has(role) ? view[role].text() : std::string(); };
  return {.pelvis = link("pelvis"),
          .trunk = link("trunk"),
          .head = link("head"),
          .foot = {link("left_foot"), link("right_foot")},
          .hand = {link("left_hand"), link("right_hand")}};
}

std::map<std::string, ExtraFrame> read_frames(const YamlView& view) {
  std::map<std::string, ExtraFrame> frames;
  for (const auto& [name, frame] : view.named()) {
    const Eigen::Vector3d rpy = frame["rpy_rad"].vector3();
    Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
    T.translation() = frame["position_m"].vector3();
    T.linear() =
        (Eigen::AngleAxisd(rpy.z(), Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Eigen::Vector3d::UnitY()) *
         Eigen::AngleAxisd(rpy.x(), Eigen::Vector3d::UnitX()))
            .toRotationMatrix();
    frames[name] = {frame["link"].text(), T};
  }
  return frames;
}

std::pair<double, double> read_edges(const YamlView& view) {
  const std::vector<double> edges = view.numbers();
  if (edges[0] >= edges[1]) throw FileError(view.place(), "a sole's first edge must be less than its second");
  return {edges[0], edges[1]};
}

std::optional<Sole> read_sole(const YamlView& soles, std::size_t side, const Roles& roles) {
  if (!soles.has(kSides[side])) return std::nullopt;
  const YamlView view = soles[kSides[side]];
  if (roles.foot[side].empty()) {
    throw FileError(view.place(),
                    fmt::format("soles.{0} needs a link to be fixed to: name it in roles.{0}_foot", kSides[side]));
  }
  const auto [x_min, x_max] = read_edges(view["x_m"]);
  const auto [y_min, y_max] = read_edges(view["y_m"]);
  return Sole{.x_min = x_min, .x_max = x_max, .y_min = y_min, .y_max = y_max, .z = view["z_m"].number()};
}

Actuation read_actuation(const YamlView& view) {
  const Actuation actuation{.kind = view["kind"].text() == "servo" ? Actuation::Kind::servo : Actuation::Kind::torque,
                            .stiffness = view["stiffness_nm_per_rad"].number(),
                            .damping = view["damping_nm_s_per_rad"].number(),
                            .armature = view["armature_kg_m2"].number(),
                            .default_effort = view["default_effort_nm"].number()};
  if (actuation.kind == Actuation::Kind::servo && actuation.stiffness <= 0.0) {
    throw FileError(view.place(), "actuation.kind is servo, which needs stiffness_nm_per_rad above 0");
  }
  return actuation;
}

std::vector<Eigen::Vector2d> read_cells(const YamlView& cells, const std::optional<Sole>& sole) {
  std::vector<Eigen::Vector2d> positions;
  for (const YamlView& cell : cells.items()) {
    const std::vector<double> xy = cell.numbers();
    positions.emplace_back(xy[0], xy[1]);
  }
  if (!positions.empty() && !(sole && sole->corner_order(positions))) {
    throw FileError(cells.place(), "load cells must be at the four corners of their foot's sole, where contacts are");
  }
  return positions;
}

/// "g1.urdf (postures.half_sitting in g1.yaml)"
std::string where(const RobotDescription& description, const Urdf& urdf, const std::string& key) {
  return fmt::format("{} ({} in {})", urdf.file.filename().string(), key, description.file.string());
}

void check_roles(const RobotDescription& description, const Urdf& urdf) {
  std::vector<std::string> links;
  for (const UrdfLink& link : urdf.links) links.push_back(link.name);
  for (const auto& [role, member] : kRoles) {
    const std::string& link = member(description.roles);
    if (link.empty() || std::ranges::find(links, link) != links.end()) continue;
    throw UnknownName("link", link, where(description, urdf, fmt::format("roles.{}", role)), links);
  }
}

void check_posture(const RobotDescription& description, const Urdf& urdf, const std::string& posture,
                   const std::map<std::string, double>& angles) {
  const std::string key = "postures." + posture;
  const auto can_move = [](const UrdfJoint& joint) {
    using Type = UrdfJoint::Type;
    const bool has_one_axis =
        joint.type == Type::revolute || joint.type == Type::continuous || joint.type == Type::prismatic;
    return has_one_axis && !joint.is_mimic();
  };
  std::vector<std::string> names;
  for (const UrdfJoint& joint : urdf.joints) {
    if (can_move(joint)) names.push_back(joint.name);
  }
  for (const auto& [name, angle] : angles) {
    if (std::ranges::find(names, name) == names.end()) {
      throw UnknownName("movable joint", name, where(description, urdf, key), names);
    }
    const UrdfJoint& joint = *std::ranges::find(urdf.joints, name, &UrdfJoint::name);
    constexpr double kRounding = 1e-9;  // limit and posture may be rounded differently in their files
    if (angle < joint.lower - kRounding || angle > joint.upper + kRounding) {
      throw FileError({description.file.string()},
                      fmt::format("{}.{} is {:g}, outside of the joint's limits {:g} to {:g} in {}", key, name, angle,
                                  joint.lower, joint.upper, urdf.file.filename().string()));
    }
  }
}

}  // namespace

const std::string* Roles::find(std::string_view role) const {
  for (const auto& [name, member] : kRoles) {
    if (name == role) return &member(*this);
  }
  return nullptr;
}

std::vector<std::string> Roles::names() {
  std::vector<std::string> names;
  for (const auto& [name, member] : kRoles) names.emplace_back(name);
  return names;
}

const Schema& robot_schema() {
  static const Schema schema = make_robot_schema();
  return schema;
}

RobotDescription read_robot_yaml(const std::filesystem::path& file) {
  const YamlNode node = read_yaml(file);
  require_valid(node, robot_schema());
  const YamlView root(node, robot_schema());
  RobotDescription description;
  description.name = root["robot"].text();
  description.about = root["about"].text();
  description.file = file;
  description.urdf = urdf_of(root, file);
  description.cad = root["cad"].text();
  description.roles = read_roles(root["roles"]);
  description.frames = read_frames(root["frames"]);
  for (std::size_t side = 0; side < 2; ++side) {
    description.soles[side] = read_sole(root["soles"], side, description.roles);
    description.load_cells[side] = read_cells(root["sensors"]["load_cells"][kSides[side]], description.soles[side]);
  }
  for (const auto& [posture, angles] : root["postures"].named()) {
    description.postures[posture] = angles.named_numbers();
  }
  description.actuation = read_actuation(root["actuation"]);
  description.inertia = root["inertia"].text() == "repair" ? InertiaPolicy::repair : InertiaPolicy::refuse;
  return description;
}

Urdf with_frames(Urdf urdf, const RobotDescription& description) {
  for (const auto& [name, frame] : description.frames) {
    const std::string key = "frames." + name;
    const auto joint = std::ranges::find(urdf.joints, name, &UrdfJoint::name);
    const bool is_there = joint != urdf.joints.end() && joint->parent == frame.link && joint->child == name;
    if (is_there) continue;  // the URDF comes from another RobotModel, which has added the frame
    const bool is_taken =
        std::ranges::find(urdf.links, name, &UrdfLink::name) != urdf.links.end() || joint != urdf.joints.end();
    if (is_taken) {
      throw FileError({description.file.string()},
                      fmt::format("{}: {} has a link or joint of this name; choose another", key, urdf.file.string()));
    }
    std::vector<std::string> links;
    for (const UrdfLink& link : urdf.links) links.push_back(link.name);
    if (std::ranges::find(links, frame.link) == links.end()) {
      throw UnknownName("link", frame.link, where(description, urdf, key), links);
    }
    urdf.links.push_back({.name = name});
    urdf.joints.push_back({.name = name, .parent = frame.link, .child = name, .T_parent_joint = frame.T_link_frame});
  }
  return urdf;
}

void check_description(const RobotDescription& description, const Urdf& urdf) {
  check_roles(description, urdf);
  for (const auto& [posture, angles] : description.postures) check_posture(description, urdf, posture, angles);
}

}  // namespace aplomb

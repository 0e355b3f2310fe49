#pragma once

#include <fmt/format.h>

#include <string>

namespace aplomb::test {

/// A box on legs of six joints each, 0.8 m tall, with arms on request; its feet are whatever geometry is given.
struct SmallWalker {
  std::string foot_geometry = "<box size=\"0.2 0.1 0.02\"/>";
  std::string foot_pose = "0.03 0 -0.05";  ///< of that geometry below the ankle
  int num_pairs_of_legs = 1;
  bool has_arms = false;

  std::string urdf() const {
    std::string text = "<robot name=\"walker\">" + link("body", 10, "");
    for (int pair = 0; pair < num_pairs_of_legs; ++pair) {
      for (const double side : {1.0, -1.0})
        text += leg(fmt::format("leg{}{}", pair, side > 0 ? "a" : "b"), -0.4 * pair, 0.1 * side);
    }
    if (has_arms) {
      text += link("chest", 5, "") + joint("waist", "body", "chest", "0 0 0.1", "0 0 1", -1, 1);
      for (const double side : {1.0, -1.0}) text += arm(side > 0 ? "arma" : "armb", 0.2 * side);
    }
    return text + "</robot>";
  }

 private:
  static std::string link(const std::string& name, double mass, const std::string& geometry) {
    return fmt::format(
        "<link name=\"{}\"><inertial><origin xyz=\"0 0 0.05\"/><mass value=\"{}\"/><inertia ixx=\"{m}\" iyy=\"{m}\" "
        "izz=\"{m}\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>{}</link>",
        name, mass, geometry, fmt::arg("m", 0.01 * mass));
  }

  static std::string joint(const std::string& name, const std::string& parent, const std::string& child,
                           const std::string& at, const std::string& axis, double lower, double upper) {
    return fmt::format(
        "<joint name=\"{}\" type=\"revolute\"><parent link=\"{}\"/><child link=\"{}\"/><origin xyz=\"{}\"/><axis "
        "xyz=\"{}\"/><limit lower=\"{}\" upper=\"{}\" effort=\"200\" velocity=\"5\"/></joint>",
        name, parent, child, at, axis, lower, upper);
  }

  std::string leg(const std::string& name, double x, double y) const {
    const std::string foot =
        fmt::format("<collision><origin xyz=\"{}\"/><geometry>{}</geometry></collision>", foot_pose, foot_geometry);
    const bool is_bare = foot_geometry.empty();
    std::string text;
    for (const char* part : {"1", "2", "3", "4", "5"}) text += link(name + part, 1, "");
    text += link(name + "6", 1, is_bare ? "" : foot);
    text += joint(name + "yaw", "body", name + "1", fmt::format("{} {} 0", x, y), "0 0 1", -1, 1);
    text += joint(name + "roll", name + "1", name + "2", "0 0 0", "1 0 0", -1, 1);
    text += joint(name + "pitch", name + "2", name + "3", "0 0 0", "0 1 0", -2, 1);
    text += joint(name + "knee", name + "3", name + "4", "0 0 -0.35", "0 1 0", 0, 2.5);
    text += joint(name + "ankle", name + "4", name + "5", "0 0 -0.35", "0 1 0", -1, 1);
    return text + joint(name + "tilt", name + "5", name + "6", "0 0 0", "1 0 0", -1, 1);
  }

  static std::string arm(const std::string& name, double y) {
    return link(name + "1", 1, "") + link(name + "2", 1, "") +
           joint(name + "shoulder", "chest", name + "1", fmt::format("0 {} 0.4", y), "0 1 0", -2, 2) +
           joint(name + "elbow", name + "1", name + "2", "0 0 -0.25", "0 1 0", -2, 0);
  }
};

}  // namespace aplomb::test

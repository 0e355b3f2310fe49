#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "aplomb/core/settings/yaml.hpp"
#include "aplomb/robot/guess/guess.hpp"
#include "aplomb/robot/package_path.hpp"

namespace aplomb {
namespace {

constexpr std::string_view kSides[] = {"left", "right"};

/// A name as YAML text: quoted, unless it is a plain word that YAML reads as a string.
std::string quoted(const std::string& text) {
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; };
  const auto is_plain = [&](unsigned char c) { return is_letter(c) || std::isdigit(c) != 0 || c == '-' || c == '.'; };
  constexpr std::string_view kWords[] = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"};
  const bool is_word = !text.empty() && is_letter(static_cast<unsigned char>(text.front())) &&
                       std::ranges::all_of(text, is_plain) && std::ranges::find(kWords, text) == std::end(kWords);
  if (is_word) return text;
  YamlNode node;
  node.kind = YamlNode::Kind::scalar;
  node.text = text;
  node.is_quoted = true;
  std::string line = to_yaml(node);
  line.pop_back();  // the line break
  return line;
}

/// A sentence as a one-line YAML comment, whatever characters the names in it have.
std::string comment(const std::string& text) {
  std::string line = text;
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20U || c == 0x7F) c = ' ';
  }
  return "# " + line + "\n";
}

std::string roles_yaml(const Roles& roles) {
  std::string text;
  const auto add = [&](std::string_view role, const std::string& link) {
    if (!link.empty()) text += fmt::format("  {}: {}\n", role, quoted(link));
  };
  add("pelvis", roles.pelvis);
  add("trunk", roles.trunk);
  add("head", roles.head);
  for (std::size_t side = 0; side < 2; ++side) add(fmt::format("{}_foot", kSides[side]), roles.foot[side]);
  for (std::size_t side = 0; side < 2; ++side) add(fmt::format("{}_hand", kSides[side]), roles.hand[side]);
  return text.empty() ? "" : "\nroles:\n" + text;
}

std::string frames_yaml(const RobotDescription& description) {
  std::string text;
  for (const auto& [name, frame] : description.frames) {
    const Eigen::Vector3d at = frame.T_link_frame.translation();
    const Eigen::Vector3d turn = frame.T_link_frame.linear().eulerAngles(2, 1, 0);  // yaw, pitch, roll
    text += fmt::format("  {}: {{link: {}, position_m: [{:.6f}, {:.6f}, {:.6f}], rpy_rad: [{:.6f}, {:.6f}, {:.6f}]}}\n",
                        quoted(name), quoted(frame.link), at.x(), at.y(), at.z(), turn[2], turn[1], turn[0]);
  }
  return text.empty() ? "" : "\nframes:  # x forward, z up; no link of the foot has these axes\n" + text;
}

std::string soles_yaml(const RobotDescription& description) {
  std::string text;
  for (std::size_t side = 0; side < 2; ++side) {
    if (!description.soles[side]) continue;
    const Sole& sole = *description.soles[side];
    text += fmt::format("  {}: {{x_m: [{:.4f}, {:.4f}], y_m: [{:.4f}, {:.4f}], z_m: {:.4f}}}\n", kSides[side],
                        sole.x_min, sole.x_max, sole.y_min, sole.y_max, sole.z);
  }
  return text.empty() ? "" : "\nsoles:  # in the foot's frame\n" + text;
}

std::string postures_yaml(const RobotDescription& description) {
  std::string text;
  for (const auto& [name, angles] : description.postures) {
    text += fmt::format("  {}:{}\n", quoted(name), angles.empty() ? " {}" : "");
    for (const auto& [joint, angle] : angles) text += fmt::format("    {}: {:.6f}\n", quoted(joint), angle);
  }
  return text.empty() ? "" : "\npostures:  # [rad]; joints that are not named are at zero\n" + text;
}

std::string actuation_yaml(const Actuation& actuation) {
  std::string text = fmt::format("\nactuation:\n  kind: torque\n  armature_kg_m2: {:g}\n", actuation.armature);
  if (actuation.default_effort > 0.0) text += fmt::format("  default_effort_nm: {:g}\n", actuation.default_effort);
  return text;
}

}  // namespace

std::string guess_yaml(const Guess& guess) {
  const RobotDescription& description = guess.description;
  std::string text = comment("Written by `aplomb info --write-yaml`. These are guesses, to be looked at:");
  for (const std::string& line : guess.found) text += comment("  " + line);
  if (!guess.missing.empty()) text += comment("Not determined:");
  for (const std::string& line : guess.missing) text += comment("  " + line);
  text += fmt::format("robot: {}\nabout: {}\nurdf: {}\n", quoted(description.name), quoted(description.about),
                      quoted(description.urdf.string()));
  text += roles_yaml(description.roles) + frames_yaml(description) + soles_yaml(description) +
          postures_yaml(description) + actuation_yaml(description.actuation);
  const bool is_repaired = description.inertia == InertiaPolicy::repair;
  return text + fmt::format("\ninertia: {}\n", is_repaired ? "repair" : "as_is");
}

std::filesystem::path urdf_as_named_in(const std::filesystem::path& yaml, const std::filesystem::path& urdf,
                                       std::span<const std::filesystem::path> package_roots) {
  if (std::string uri = package_uri(urdf, package_roots); !uri.empty()) return uri;
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::absolute(yaml, error).lexically_normal().parent_path();
  const std::filesystem::path inside =
      std::filesystem::absolute(urdf, error).lexically_normal().lexically_relative(folder);
  const bool is_below = !inside.empty() && *inside.begin() != "..";
  return is_below ? inside : urdf.filename();
}

}  // namespace aplomb

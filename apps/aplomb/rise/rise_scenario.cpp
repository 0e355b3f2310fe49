#include "rise/rise_scenario.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "aplomb/core/settings/yaml.hpp"

namespace aplomb {
namespace {

YamlNode scalar(std::string text, bool is_quoted) {
  YamlNode node;
  node.kind = YamlNode::Kind::scalar;
  node.text = std::move(text);
  node.is_quoted = is_quoted;
  return node;
}

YamlNode text(std::string value) { return scalar(std::move(value), true); }
YamlNode number(double value) { return scalar(fmt::format("{}", value), false); }  // the shortest text that reads back

YamlNode map(std::vector<std::pair<std::string, YamlNode>> values) {
  YamlNode node;
  node.kind = YamlNode::Kind::map;
  for (auto& [key, value] : values) node.entries.push_back({key, {}, std::move(value)});
  return node;
}

}  // namespace

std::string OwnRise::yaml() const {
  YamlNode seat = map({{"height_m", number(chair.height)}});
  if (chair.has_arm_rests) seat.entries.push_back({"arm_rests", {}, scalar("true", false)});
  YamlNode root = map({{"scenario", text(name)}, {"about", text(about)}, {"robot", text(robot)}});
  const auto add = [&root](const char* key, YamlNode value) { root.entries.push_back({key, {}, std::move(value)}); };
  if (!robot_model.empty()) add("robot_model", text(robot_model));
  add("world", map({{"chair", std::move(seat)}}));
  if (!plan.trajectory.empty()) {
    add("reference", map({{"trajectory", map({{"folder", text(plan.trajectory)}})}}));
  } else {
    YamlNode asked =
        map({{"demonstration", text(plan.demonstration)}, {"rise", scalar(std::to_string(plan.rise), false)}});
    if (plan.force) asked.entries.push_back({"force", {}, scalar("true", false)});
    add("plan", std::move(asked));
  }
  add("controller", map({{"kind", text("inverse_dynamics")}}));
  add("duration_s", number(duration_s));
  YamlNode checks;
  checks.kind = YamlNode::Kind::list;
  checks.items.push_back(map({{"metric", text("stood_up")}, {"equals", scalar("true", false)}}));
  add("checks", std::move(checks));
  return to_yaml(root);
}

Scenario to_scenario(const OwnRise& rise) { return parse_scenario(rise.yaml(), "aplomb rise"); }

std::string as_named_in(const std::filesystem::path& folder, const std::string& name_or_path) {
  std::error_code error;
  if (!std::filesystem::exists(name_or_path, error)) return name_or_path;
  const std::filesystem::path relative =
      std::filesystem::proximate(std::filesystem::absolute(name_or_path), std::filesystem::absolute(folder), error);
  return error ? name_or_path : relative.string();
}

}  // namespace aplomb

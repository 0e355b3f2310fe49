#include "aplomb/scenario/scenario.hpp"

#include <fmt/format.h>

#include <charconv>

#include "aplomb/core/files/data_dir.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/metric_names.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/robot/robot_file.hpp"
#include "aplomb/scenario/checks.hpp"
#include "aplomb/scenario/keys/controller_keys.hpp"
#include "aplomb/scenario/keys/event_keys.hpp"
#include "aplomb/scenario/keys/hand_keys.hpp"
#include "aplomb/scenario/keys/plan_keys.hpp"
#include "aplomb/scenario/keys/reference_keys.hpp"
#include "aplomb/scenario/keys/scenario_schema.hpp"
#include "aplomb/scenario/keys/sensor_keys.hpp"
#include "aplomb/scenario/keys/start_keys.hpp"
#include "aplomb/scenario/keys/world_keys.hpp"
#include "aplomb/scenario/many/search_request.hpp"
#include "aplomb/scenario/many/vary.hpp"
#include "aplomb/scenario/setup/plant.hpp"

namespace aplomb {
namespace {

/// A robot is a name or a path to a URDF or a robot's YAML. A relative path in a file counts from the file's folder
/// when it leads somewhere from there; otherwise, and with --set, from the current one.
std::string robot_text(const YamlView& view, const std::filesystem::path& folder) {
  const std::filesystem::path path(view.text());
  const bool is_path = is_robot_path(view.text());
  const bool is_from_file = view.place().line > 0;
  std::error_code error;
  if (is_path && is_from_file && std::filesystem::exists(folder / path, error)) return (folder / path).string();
  return view.text();
}

bool is_of_many_runs(std::string_view metric) { return is_repeat_metric(metric) || is_search_metric(metric); }

void read_checks(const YamlView& checks, Scenario& scenario) {
  for (const YamlView& view : checks.items()) {
    Check check = read_check(view);
    if (!scenario.search && is_search_metric(check.metric) && !is_repeat_metric(check.metric)) {
      throw FileError(view["metric"].place(),
                      fmt::format("{} is found by a search, and this scenario has no key 'search'", check.metric));
    }
    std::vector<Check>& judged = is_of_many_runs(check.metric) ? scenario.checks_of_all : scenario.checks;
    judged.push_back(std::move(check));
  }
}

/// A map's value or a list's item; nullptr when there is none.
const YamlNode* child_of(const YamlNode& node, std::string_view part) {
  if (node.kind != YamlNode::Kind::list) return node.find(part);
  std::size_t index = node.items.size();
  std::from_chars(part.data(), part.data() + part.size(), index);
  return index < node.items.size() ? &node.items[index] : nullptr;
}

Scenario make_scenario(YamlNode yaml, std::string text, const std::filesystem::path& folder) {
  require_valid(yaml, scenario_schema());
  Scenario scenario;
  scenario.text = std::move(text);
  scenario.yaml = std::move(yaml);
  scenario.folder = folder;
  const YamlView root(scenario.yaml, scenario_schema());
  scenario.name = root["scenario"].text();
  scenario.about = root["about"].text();
  scenario.robot = robot_text(root["robot"], folder);
  if (root.has("robot_model")) scenario.robot_model = robot_text(root["robot_model"], folder);
  scenario.plant = read_plant(root["plant"]);
  scenario.start = read_start(root["start"]);
  scenario.world = read_world(root["world"]);
  scenario.believed_world = scenario.world;
  scenario.com_reference = read_com_reference(root["reference"]);
  scenario.hand_forces = read_hand_forces(root["reference"]);
  scenario.controller = read_controller(root["controller"]);
  scenario.sensors = read_sensors(root["sensors"]);
  scenario.plan = read_plan_request(root, folder);
  if (const YamlView payload = root["estimate"]["payload"]; payload.has("link")) {
    scenario.payload_link = payload["link"].text();
  }
  scenario.duration_s = root["duration_s"].number();
  scenario.seed = root["seed"].integer();
  scenario.plan.seed = scenario.seed;
  read_events(root["events"], scenario);
  scenario.vary = read_vary(scenario.yaml);
  if (root.has("search")) scenario.search = read_search(scenario.yaml);
  read_checks(root["checks"], scenario);
  return scenario;
}

}  // namespace

Place Scenario::place(std::string_view key) const {
  const YamlNode* node = &yaml;
  while (node != nullptr && !key.empty()) {
    const std::size_t dot = std::min(key.find('.'), key.size());
    node = child_of(*node, key.substr(0, dot));
    key.remove_prefix(std::min(dot + 1, key.size()));
  }
  return node == nullptr ? Place{yaml.origin.place().file} : node->origin.place();
}

Scenario parse_scenario(std::string_view text, std::string_view source, std::span<const Override> overrides,
                        const std::filesystem::path& folder) {
  YamlNode yaml = parse_yaml(text, source);
  const YamlNode written = yaml;
  const bool is_valid = find_problems(written, scenario_schema()).empty();
  if (is_valid) require_valid_damage(written, scenario_schema());
  if (overrides.empty()) return make_scenario(std::move(yaml), std::string(text), folder);
  for (const Override& change : overrides) apply_override(yaml, scenario_schema(), change);
  std::string effective = to_yaml(yaml);
  Scenario scenario = make_scenario(std::move(yaml), std::move(effective), folder);
  if (is_valid) scenario.believed_world = read_world(YamlView(written, scenario_schema())["world"]);
  return scenario;
}

Scenario with_values(const Scenario& scenario, std::span<const Override> changes) {
  YamlNode yaml = scenario.yaml;
  std::erase_if(yaml.entries, [](const YamlEntry& entry) { return entry.key == "vary" || entry.key == "search"; });
  if (YamlNode* checks = yaml.find("checks")) {
    std::erase_if(checks->items, [](const YamlNode& check) { return is_of_many_runs(check.find("metric")->text); });
  }
  for (const Override& change : changes) apply_override(yaml, scenario_schema(), change);
  std::string text = to_yaml(yaml);
  Scenario changed = make_scenario(std::move(yaml), std::move(text), scenario.folder);
  changed.believed_world = scenario.believed_world;
  if (changed.plan.plans_as(scenario.plan) && changed.robot == scenario.robot &&
      changed.robot_model == scenario.robot_model) {
    changed.plan.seed = scenario.plan.seed;
  }
  return changed;
}

Scenario load_scenario(std::string_view name_or_path, std::span<const Override> overrides) {
  const std::filesystem::path file = scenario_file(name_or_path);
  require_file(file, scenario_names());
  return parse_scenario(read_file(file, kMaxYamlBytes), file.string(), overrides, file.parent_path());
}

}  // namespace aplomb

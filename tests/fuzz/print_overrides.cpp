// print_overrides FIRST_SEED COUNT: one line of JSON for each seed, the arguments of an `aplomb run` whose `--set`
// options are drawn from the schema of a scenario: any key, items of lists and lists as a whole, most values within
// their range, often at its ends, some of the wrong type. fuzz/overrides_test.py runs them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "aplomb/core/metric_names.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/scenario/keys/scenario_schema.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb::test {
namespace {

using Type = Schema::Type;

// One scenario at least for each controller, robot and kind of ground, wall, chair and reference.
constexpr const char* kScenarios[] = {"stand_coman",          "balance_push_forward", "balance_moving_slopes",
                                      "balance_push_wall",    "coman_wall",           "coman_step_force",
                                      "coman_levels",         "hoap3_tasks",          "hoap3_stand_push",
                                      "hoap3_step",           "identify_payload",     "balance_push_side_single",
                                      "sit_to_stand_natural", "sit_to_stand_coman",   "balance_push_8"};

class OverrideGenerator {
 public:
  explicit OverrideGenerator(std::uint64_t seed) : random_(seed) {
    const std::string scenario = one_of(kScenarios);
    scenario_ = load_scenario(scenario);
    const RobotModel robot = RobotModel::load(scenario_.robot);
    for (const Joint& joint : robot.joints()) joints_.push_back(joint.name);
    for (const UrdfLink& link : robot.urdf().links) links_.push_back(link.name);
    for (const auto& [name, angles] : robot.description().postures) postures_.push_back(name);
  }

  nlohmann::json arguments() {
    std::vector<std::string> given{"run", scenario_.name};
    const auto set = [&given](const std::string& option) { given.insert(given.end(), {"--set", option}); };
    if (scenario_.plan.is_asked && chance(0.9)) set("plan.parameters=true");  // to identify the masses takes seconds
    if (scenario_.search) set("search.directions=[0]");
    const std::size_t count = 1 + below(3);
    for (std::size_t i = 0; i < count; ++i) set(override_below(scenario_schema(), &scenario_.yaml, ""));
    set(fmt::format("duration_s={}", chance(0.8) ? 0.15 : 1.2));  // last: an hour may have been drawn
    if (chance(0.1) && !scenario_.search) given.insert(given.end(), {"--repeat", "2", "--jobs", "1"});
    return given;
  }

 private:
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  bool chance(double probability) { return uniform() < probability; }
  template <typename List>
  std::string one_of(const List& list) {
    return list[below(std::size(list))];
  }

  /// A key of a map; one with many keys below it more often than one with few.
  const Schema& child_of(const Schema& map) {
    std::vector<double> weights;
    for (const Schema& child : map.children) {
      int keys = 1;
      for_each_key(child, [&keys](const std::string&, const Schema&) { ++keys; });
      weights.push_back((weights.empty() ? 0.0 : weights.back()) + std::sqrt(keys));
    }
    const double drawn = uniform() * weights.back();
    return map.children[static_cast<std::size_t>(std::ranges::upper_bound(weights, drawn) - weights.begin())];
  }

  /// "KEY=VALUE" for the key at `path` or one below it.
  std::string override_below(const Schema& schema, const YamlNode* node, const std::string& path) {
    const bool is_inner = schema.type == Type::map || schema.type == Type::named || schema.type == Type::list ||
                          schema.type == Type::choice_or_map;
    if (!is_inner || schema.children.empty() || (!path.empty() && chance(0.25))) {
      return path + "=" + (chance(0.08) ? wrong_value() : value(schema, path));
    }
    if (schema.type == Type::list) {
      const std::size_t size = node != nullptr ? node->items.size() : 0;
      if (size == 0 && !chance(0.1)) return path + "=" + value(schema, path);
      const std::size_t index = below(size + (chance(0.1) ? 2 : 0) + (size == 0 ? 1 : 0));
      return override_below(schema.children[0], index < size ? &node->items[index] : nullptr,
                            fmt::format("{}.{}", path, index));
    }
    const Schema& child = schema.type == Type::named ? schema.children[0] : child_of(schema);
    const std::string key = schema.type == Type::named ? name_in(schema, path) : child.key;
    return override_below(child, node != nullptr ? node->find(key) : nullptr, path.empty() ? key : path + "." + key);
  }

  /// A value as YAML text on one line, which the schema accepts.
  std::string value(const Schema& schema, const std::string& path) {
    switch (schema.type) {
      case Type::text:
        return text(path);
      case Type::number:
        return number(schema);
      case Type::integer:
        return fmt::format("{}", std::llround(std::clamp(std::stod(number(schema)), -1e15, 1e15)));
      case Type::boolean:
        return chance(0.5) ? "true" : "false";
      case Type::choice:
        return one_of(schema.words);
      case Type::numbers:
        return numbers(schema);
      case Type::choice_or_numbers:
        return chance(0.5) ? one_of(schema.words) : numbers(schema);
      case Type::value:
        return chance(0.5) ? "false" : number(schema);
      case Type::map:
        return map(schema, path);
      case Type::choice_or_map:
        return chance(0.3) ? one_of(schema.words) : map(schema, path);
      case Type::named: {
        const std::string key = name_in(schema, path);
        return fmt::format("{{{}: {}}}", key, value(schema.children[0], path + "." + key));
      }
      case Type::list: {
        std::string items;
        const std::size_t count = chance(0.15) ? 0 : 1 + below(3);
        for (std::size_t i = 0; i < count; ++i) {
          items += (i > 0 ? ", " : "") + value(schema.children[0], fmt::format("{}.{}", path, i));
        }
        return "[" + items + "]";
      }
    }
    return {};
  }

  std::string map(const Schema& schema, const std::string& path) {
    std::vector<std::string> entries;
    const std::string chosen = schema.one_of.empty() ? std::string() : one_of(schema.one_of);
    for (const Schema& child : schema.children) {
      const bool is_of_choice = std::ranges::find(schema.one_of, child.key) != schema.one_of.end();
      const bool is_bound = !child.needed_key.empty() && child.needed_key != chosen;
      if (is_of_choice ? child.key != chosen : !child.is_required && (is_bound || chance(0.7))) continue;
      entries.push_back(fmt::format("{}: {}", child.key, value(child, path + "." + child.key)));
    }
    return fmt::format("{{{}}}", fmt::join(entries, ", "));
  }

  /// A number within the range: an end of it, a small one, one of any size, zero.
  std::string number(const Schema& schema) {
    const double low = schema.min.value_or(-1e6), high = schema.max.value_or(1e6);
    const double first = schema.excludes_min ? low + 1e-9 * (1.0 + std::abs(low)) : low;
    switch (below(6)) {
      case 0:
        return fmt::format("{}", first);
      case 1:
        return fmt::format("{}", high);
      case 2:
        return fmt::format("{}", std::clamp(0.0, first, high));
      case 3:
        return fmt::format("{}", low + uniform() * (high - low));
      case 4:
        return fmt::format("{}", std::clamp(std::pow(10.0, 12.0 * uniform() - 9.0), first, high));
      default:
        return fmt::format("{:.3f}", std::clamp(2.0 * uniform(), first, high));
    }
  }

  std::string numbers(const Schema& schema) {
    std::string items;
    const std::size_t count = schema.length > 0 ? schema.length : below(4);
    for (std::size_t i = 0; i < count; ++i) items += (i > 0 ? ", " : "") + number(schema);
    return "[" + items + "]";
  }

  /// A name for a key of a map of names.
  std::string name_in(const Schema& schema, const std::string& path) {
    constexpr const char* kPaths[] = {"world.floor.friction",      "seed",        "duration_s",
                                      "events.0.push.magnitude_n", "plan.speed",  "world.chair.height_m",
                                      "controller.gain_scale",     "plan.start_s"};
    if (!schema.words.empty()) return one_of(schema.words);
    if (schema.has_path_keys) return one_of(kPaths);
    return path.find("mass") != std::string::npos ? one_of(links_) : one_of(joints_);
  }

  std::string text(const std::string& path) {
    constexpr const char* kRobots[] = {"balancer", "coman", "hoap3", "sarcos", "sarcos_real"};
    const std::string key = path.substr(path.rfind('.') + 1);
    if (key == "robot" || key == "robot_model") return one_of(kRobots);
    if (key == "posture") return postures_.empty() ? "seated" : one_of(postures_);
    if (key == "metric") return one_of(metric_names());
    if (key == "link" || key == "frame") return chance(0.5) ? one_of(Roles::names()) : one_of(links_);
    if (key == "key") return chance(0.5) ? "events.0.push.magnitude_n" : "world.floor.friction";
    return chance(0.5) ? "no_such_thing" : one_of(joints_);
  }

  std::string wrong_value() {
    constexpr const char* kValues[] = {"null", "[]",     "{}",    "''",  "-1",          ".nan", ".inf", "true",
                                       "1e30", "1e-300", "[[1]]", "[1]", "{a: {b: c}}", "text", ""};
    return one_of(kValues);
  }

  std::mt19937_64 random_;  // its sequence is fixed by the standard; distributions are not
  Scenario scenario_;
  std::vector<std::string> joints_, links_, postures_;
};

}  // namespace
}  // namespace aplomb::test

int main(int argc, char** argv) try {
  const std::uint64_t first = argc > 1 ? std::stoull(argv[1]) : 1, count = argc > 2 ? std::stoull(argv[2]) : 10;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    std::puts(aplomb::test::OverrideGenerator(seed).arguments().dump().c_str());
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "print_overrides: %s\n", error.what());
  return 2;
}

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "aplomb/core/files/data_dir.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/settings/yaml.hpp"
#include "aplomb/scenario/scenario.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::error_of;
using test::has;

constexpr const char* kPushed =
    "scenario: s\nrobot: coman\nduration_s: 2\nevents: [{push: {force_n: [50, 0, 0], start_s: 1}}]\n";

Scenario parse(const std::string& check, std::span<const Override> overrides = {}) {
  return parse_scenario(kPushed + ("checks:\n  - " + check + "\n"), "f.yaml", overrides);
}
std::string error_with(const std::string& check) {
  return error_of([&] { parse(check); });
}

TEST(CheckKeys, ADamageIsReadAsTheOverridesThatRunIt) {
  const Scenario scenario = parse(
      "{metric: fell, equals: false, fails_with: {events.0.push.force_n: [120.25, 0, 0], controller.kind: joint_pd, "
      "plant.mass_scale: 1.23456}}");
  const std::vector<std::string> expected = {"events.0.push.force_n=[120.25, 0, 0]", "controller.kind=joint_pd",
                                             "plant.mass_scale=1.23456"};
  EXPECT_EQ(scenario.checks.at(0).fails_with, expected);
}

TEST(CheckKeys, ADamageThatDoesNotFitTheFileIsReportedAtItsLine) {
  const auto damaged_by = [](const char* damage) {
    return error_with(fmt::format("{{metric: fell, equals: false, fails_with: {{{}}}}}", damage));
  };
  EXPECT_TRUE(has(damaged_by("plant.mas_scale: 2"), "f.yaml:6:48: unknown key 'mas_scale' in plant"));
  EXPECT_TRUE(has(damaged_by("events.1.push.force_n: [1, 0, 0]"), "events has 1 item (0 to 0), there is no '1'"));
  EXPECT_TRUE(has(damaged_by("plant.mass_scale: -1"), "plant.mass_scale must be"));
  for (const char* key : {"checks.0.equals: true", "search.low: 1", "vary.x: 1", "seed: 2"}) {
    EXPECT_TRUE(has(damaged_by(key), "is no damage: it changes the judgement")) << key;
  }
}

TEST(CheckKeys, ADamageNeedNotFitWhatOverridesMakeOfTheFile) {
  const Override change = parse_override("events=[]");
  EXPECT_NO_THROW(
      parse("{metric: fell, equals: false, fails_with: {events.0.push.force_n: [900, 0, 0]}}", {&change, 1}));
}

// A check that nothing violates judges nothing. The damages themselves are run by scripts/checks-that-can-fail.
TEST(CheckKeys, EveryCheckOfEveryScenarioNamesTheDamageThatViolatesIt) {
  int num_checks = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data_dir() / "scenarios")) {
    if (entry.path().extension() != ".yaml") continue;
    const YamlNode file = parse_yaml(read_file(entry.path(), kMaxYamlBytes), entry.path().filename().string());
    const YamlNode* checks = file.find("checks");
    ASSERT_NE(checks, nullptr) << entry.path().filename() << " has no checks";
    for (const YamlNode& check : checks->items) {
      ++num_checks;
      const YamlNode* damage = check.find("fails_with");
      EXPECT_TRUE(damage != nullptr && !damage->entries.empty())
          << check.origin.place().text() << ": " << check.find("metric")->text
          << " has no fails_with; `scripts/checks-that-can-fail --find` looks for one";
    }
  }
  EXPECT_GT(num_checks, 200);
}

}  // namespace
}  // namespace aplomb

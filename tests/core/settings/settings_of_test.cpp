#include "aplomb/core/settings/settings_of.hpp"

#include <gtest/gtest.h>

#include "aplomb/core/error.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

enum class Gait { walk, run };

struct Inner {
  double ramp_s = 0.02;
};

struct Example {
  double gain = 1.5;
  std::optional<double> damping;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();
  std::optional<Eigen::Vector3d> stiffness;
  bool is_loud = true;
  int count = 3;
  std::string name = "half_sitting";
  Gait gait = Gait::run;
  Inner inner;
  double limit = 0.0;
  std::vector<double> times;
};

const SettingsOf<Example>& declaration() {
  static const SettingsOf<Example> settings =
      SettingsOf<Example>()
          .add(&Example::gain, schema::number("gain_per_s", "of the loop").in("1/s").above(0).at_most(10))
          .add(&Example::damping, schema::number("damping", "of the loop").when_absent("critical"))
          .add(&Example::axis, schema::numbers("axis", 3, "of the turn"))
          .add(&Example::stiffness, schema::numbers("stiffness", 3, "x, y, z").when_absent("by rule"))
          .add(&Example::is_loud, schema::boolean("loud", "makes noise"))
          .add(&Example::count, schema::integer("count", "of steps").at_least(0))
          .add(&Example::name, schema::text("posture", "at the start"))
          .add(&Example::gait, schema::choice("gait", {"run", "walk"}, "how"), {Gait::run, Gait::walk})
          .add([](Example& it) -> double& { return it.inner.ramp_s; }, schema::number("ramp_s", "of it").in("s"))
          .add(&Example::limit, schema::number("limit", "of it").when_absent("none"))
          .add(schema::list("times", "in order", schema::number("", "one")), [](const YamlView& view, Example& it) {
            for (const YamlView& item : view.items()) it.times.push_back(item.number());
          });
  return settings;
}

Example read(const std::string& text) {
  const YamlNode node = parse_yaml_value(text, "f.yaml");
  const Schema schema = declaration().schema("", "an example");
  require_valid(node, schema);
  return declaration().read(YamlView(node, schema));
}

std::string default_of(std::string_view key) {
  const Schema schema = declaration().schema("", "an example");
  const Schema* child = schema.child(key);
  return child->default_value == nullptr ? "none" : to_yaml(*child->default_value);
}

TEST(SettingsOf, AnEmptyBlockKeepsTheDefaultsOfTheStruct) {
  const Example settings = read("{}");
  EXPECT_EQ(settings.gain, 1.5);
  EXPECT_FALSE(settings.damping.has_value());
  EXPECT_FALSE(settings.stiffness.has_value());
  EXPECT_TRUE(settings.is_loud);
  EXPECT_EQ(settings.name, "half_sitting");
  EXPECT_EQ(settings.gait, Gait::run);
  EXPECT_EQ(settings.inner.ramp_s, 0.02);
}

TEST(SettingsOf, EveryWrittenKeyReachesItsMember) {
  const Example settings = read(
      "{gain_per_s: 2, damping: 0.5, axis: [1, 2, 3], stiffness: [4, 5, 6], loud: false, count: 7, posture: seated, "
      "gait: walk, ramp_s: 0.1, limit: 9, times: [1, 2]}");
  EXPECT_EQ(settings.gain, 2.0);
  EXPECT_EQ(settings.damping, 0.5);
  EXPECT_EQ(settings.axis, Eigen::Vector3d(1.0, 2.0, 3.0));
  EXPECT_EQ(settings.stiffness, Eigen::Vector3d(4.0, 5.0, 6.0));
  EXPECT_FALSE(settings.is_loud);
  EXPECT_EQ(settings.count, 7);
  EXPECT_EQ(settings.name, "seated");
  EXPECT_EQ(settings.gait, Gait::walk);
  EXPECT_EQ(settings.inner.ramp_s, 0.1);
  EXPECT_EQ(settings.limit, 9.0);
  EXPECT_EQ(settings.times, (std::vector<double>{1.0, 2.0}));
}

TEST(SettingsOf, TheSchemaShowsTheDefaultsOfTheStruct) {
  EXPECT_EQ(default_of("gain_per_s"), "1.5\n");
  EXPECT_EQ(default_of("axis"), "- 0\n- 0\n- 1\n");
  EXPECT_EQ(default_of("loud"), "true\n");
  EXPECT_EQ(default_of("count"), "3\n");
  EXPECT_EQ(default_of("posture"), "half_sitting\n");
  EXPECT_EQ(default_of("gait"), "run\n");
  EXPECT_EQ(default_of("ramp_s"), "0.02\n");
  EXPECT_EQ(default_of("damping"), "none");
  EXPECT_EQ(default_of("limit"), "none");  // its sentence says more than a number would
}

TEST(SettingsOf, TheSchemaRefusesAValueOutsideOfTheRange) {
  EXPECT_TRUE(test::has(test::error_of([] { read("{gain_per_s: 11}"); }), "gain_per_s must be above 0, at most 10"));
}

}  // namespace
}  // namespace aplomb

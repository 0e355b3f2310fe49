#include "aplomb/scenario/many/vary.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "aplomb/scenario/repeat.hpp"
#include "aplomb/scenario/scenario.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::error_of;
using test::has;

constexpr const char* kPushed =
    "scenario: s\nrobot: coman\nduration_s: 2\nseed: 7\nevents: [{push: {magnitude_n: 50, start_s: 1}}]\n";

Scenario parse(const std::string& lines) { return parse_scenario(kPushed + lines + "\n", "f.yaml"); }
std::string error_with(const std::string& lines) {
  return error_of([&] { parse(lines); });
}

TEST(Vary, AnyNumberOfAScenarioCanBeVaried) {
  const Scenario scenario = parse(
      "vary:\n  world.floor.friction: [0.3, 0.9]\n  events.0.push.magnitude_n: [10, 90]\n"
      "  start.joint_offset_rad.left_knee: [-0.01, 0.01]\n");
  ASSERT_EQ(scenario.vary.size(), 3u);
  EXPECT_EQ(scenario.vary[0].key, "world.floor.friction");
  EXPECT_EQ(scenario.vary[0].low, 0.3);
  EXPECT_EQ(scenario.vary[0].high, 0.9);
  EXPECT_FALSE(scenario.vary[0].is_integer);
  EXPECT_EQ(scenario.vary[1].unit, "N");
  const Scenario of_list = parse_scenario(
      "scenario: s\nrobot: r\nduration_s: 2\nevents: [{push: {force_n: [1, 2, 3]}}]\n"
      "vary: {events.0.push.force_n.1: [-5, 5]}\n",
      "f.yaml");
  EXPECT_EQ(of_list.vary[0].key, "events.0.push.force_n.1");
}

TEST(Vary, WithoutRepeatsItChangesNothing) {
  const Scenario scenario = parse("vary: {events.0.push.magnitude_n: [10, 20]}");
  EXPECT_EQ(scenario.pushes[0].amount.x(), 50.0);
  EXPECT_EQ(scenario.seed, 7);
}

TEST(Vary, AWrongKeyIsReportedAtItsLineWithTheNearestOne) {
  EXPECT_TRUE(has(error_with("vary:\n  world.floor.frction: [0, 1]"),
                  "f.yaml:7:3: unknown key 'frction' in world.floor; closest is 'friction'"));
  EXPECT_TRUE(
      has(error_with("vary: {events.1.push.magnitude_n: [0, 1]}"), "events has 1 item (0 to 0), there is no '1'"));
  EXPECT_TRUE(has(error_with("vary: {events.0.push.direction: [0, 1]}"), "closest is 'direction_deg'"));
  EXPECT_TRUE(
      has(error_with("vary: {robot: [0, 1]}"), "'robot' is not a number but a text: only a number can be varied"));
  EXPECT_TRUE(has(error_with("vary: {world.floor: [0, 1]}"), "'world.floor' is not a number but a map"));
  EXPECT_TRUE(has(error_with("vary: {events.0.push.force_n.0: [0, 1]}"), "events.0.push.force_n has 0 items"));
  for (const char* key : {"seed", "checks.0.below", "search.low", "vary.x"}) {
    EXPECT_TRUE(has(error_with(fmt::format("vary: {{{}: [0, 1]}}", key)), "cannot be varied")) << key;
  }
}

TEST(Vary, ARangeThatTheKeyDoesNotAllowIsRefused) {
  EXPECT_TRUE(has(error_with("vary: {world.floor.friction: [-0.1, 1]}"),
                  "f.yaml:6:31: world.floor.friction must be at least 0, at most 10, not -0.1"));
  EXPECT_TRUE(has(error_with("vary: {world.floor.friction: [0.1, 11]}"), "not 11"));
  EXPECT_TRUE(has(error_with("vary: {world.floor.friction: [0.9, 0.3]}"),
                  "f.yaml:6:30: vary: the range of world.floor.friction goes from 0.9 down to 0.3; give [0.3, 0.9]"));
  EXPECT_TRUE(has(error_with("vary: {world.floor.friction: 0.5}"), "must be a list of 2 numbers, not '0.5'"));
  EXPECT_TRUE(has(error_with("vary: {world.floor.friction: [0.5]}"), "must be a list of 2 numbers"));
  EXPECT_TRUE(has(error_with("vary: {world.floor.friction: [a, b]}"), "must be a number, not 'a'"));
  EXPECT_TRUE(has(error_with("vary: [1, 2]"), "vary must be a map"));
  EXPECT_TRUE(has(error_with("vary: {events.0.push.direction_deg: [0, 361]}"), "not 361"));
}

TEST(Vary, OneLineCanBeSetOnTheCommandLine) {
  const Override change = parse_override("vary.world.floor.friction=[0.4, 0.5]");
  const Scenario scenario = parse_scenario(kPushed, "f.yaml", {&change, 1});
  ASSERT_EQ(scenario.vary.size(), 1u);
  EXPECT_EQ(scenario.vary[0].key, "world.floor.friction");
  EXPECT_EQ(scenario.vary[0].high, 0.5);
  const Override wrong = parse_override("vary.world.floor.frction=[0.4, 0.5]");
  EXPECT_TRUE(has(error_of([&] {
                    parse_scenario(kPushed, "f.yaml", {&wrong, 1});
                  }),
                  "--set vary.world.floor.frction=[0.4, 0.5]: unknown key 'frction'"));
}

TEST(Vary, DrawsDependOnSeedRunAndKeyAndOnNothingElse) {
  const VaryRange friction{.key = "world.floor.friction", .low = 0.0, .high = 1.0};
  VaryRange push{.key = "events.0.push.magnitude_n", .low = 0.0, .high = 1.0};
  EXPECT_EQ(draw(friction, 1, 5), draw(friction, 1, 5));
  EXPECT_NE(draw(friction, 1, 5), draw(friction, 1, 6));
  EXPECT_NE(draw(friction, 1, 5), draw(friction, 2, 5));
  EXPECT_NE(draw(friction, 1, 5), draw(push, 1, 5));
  EXPECT_NE(seed_of_run(1, 5), seed_of_run(1, 6));
  EXPECT_NE(seed_of_run(1, 5), seed_of_run(2, 5));
  // A wider range stretches the same draw.
  push.low = 10.0;
  push.high = 30.0;
  const VaryRange unit{.key = push.key, .low = 0.0, .high = 1.0};
  EXPECT_DOUBLE_EQ(draw(push, 3, 4), 10.0 + 20.0 * draw(unit, 3, 4));
}

TEST(Vary, DrawsAreUniform) {
  const VaryRange range{.key = "world.floor.friction", .low = 2.0, .high = 5.0};
  constexpr int kDraws = 20000, kBins = 20;
  std::vector<int> counts(kBins, 0);
  double sum = 0.0;
  for (int run = 0; run < kDraws; ++run) {
    const double value = draw(range, 1, run);
    ASSERT_GE(value, 2.0);
    ASSERT_LE(value, 5.0);
    sum += value;
    ++counts[static_cast<std::size_t>(kBins * (value - 2.0) / 3.0)];
  }
  // The mean of n uniform numbers over a width w has the deviation w / sqrt(12 n): 0.0061 here; four of them.
  EXPECT_NEAR(sum / kDraws, 3.5, 0.025);
  // Chi-square of 19 degrees of freedom exceeds 43.8 with probability 0.001.
  double chi_square = 0.0;
  for (const int count : counts) chi_square += std::pow(count - kDraws / kBins, 2) / (kDraws / kBins);
  EXPECT_LT(chi_square, 43.8);
}

TEST(Vary, WholeNumbersAreDrawnWithBothEnds) {
  const VaryRange range{.key = "world.count", .low = -1.0, .high = 2.0, .is_integer = true};
  std::set<double> drawn;
  for (int run = 0; run < 200; ++run) drawn.insert(draw(range, 1, run));
  EXPECT_EQ(drawn, (std::set<double>{-1.0, 0.0, 1.0, 2.0}));
}

TEST(Vary, SeedsOfRunsAreWholeNumbersThatEveryReaderKeepsExactly) {
  std::set<std::int64_t> seeds;
  for (int run = 0; run < 1000; ++run) seeds.insert(seed_of_run(1, run));
  EXPECT_EQ(seeds.size(), 1000u);
  EXPECT_GE(*seeds.begin(), 0);
  EXPECT_LT(*seeds.rbegin(), std::int64_t{1} << 53);
}

TEST(Vary, ARunOfManyIsAPlainScenario) {
  const Scenario scenario = parse(
      "vary: {world.floor.friction: [0.3, 0.9]}\nsearch: {key: events.0.push.magnitude_n, low: 0, high: 9, step: 1}\n"
      "checks: [{metric: fell, equals: false}, {metric: success_ratio, above: 0.9}]\n");
  EXPECT_EQ(scenario.checks.size(), 1u);
  EXPECT_EQ(scenario.checks_of_all.size(), 1u);
  const std::vector<Override> values = values_of_run(scenario, 3);
  const Scenario run = with_values(scenario, values);
  EXPECT_TRUE(run.vary.empty());
  EXPECT_FALSE(run.search);
  EXPECT_EQ(run.checks.size(), 1u);
  EXPECT_TRUE(run.checks_of_all.empty());
  EXPECT_EQ(run.seed, seed_of_run(7, 3));
  // The text has all digits: reading it again gives the very same run.
  EXPECT_EQ(with_values(parse_scenario(run.text, "again.yaml"), {}).text, run.text);
  EXPECT_TRUE(has(run.text, "friction: " + values[1].value));
  EXPECT_EQ(std::stod(values[1].value), draw(scenario.vary[0], 7, 3));
}

}  // namespace
}  // namespace aplomb

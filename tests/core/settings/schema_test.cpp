#include "aplomb/core/settings/schema.hpp"

#include <gtest/gtest.h>

#include "aplomb/core/settings/yaml_view.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::error_of;
using test::has;
using Kind = SchemaProblem::Kind;

const Schema& example() {
  static const Schema schema = schema::map(
      "", "an example",
      {schema::text("name", "its name").required(), schema::number("time_s", "how long").in("s").above(0).at_most(10),
       schema::integer("seed", "of the dice").at_least(0).defaults_to("1"),
       schema::boolean("loud", "makes noise").defaults_to("false"),
       schema::choice("shape", {"box", "half_sine"}, "over time").defaults_to("box"),
       schema::numbers("force_n", 3, "x, y, z").in("N").at_most(100).defaults_to("[1, 2, 3]"),
       schema::choice_or_numbers("at", {"com"}, 3, "where").in("m").defaults_to("com"),
       schema::value("equals", "anything"),
       schema::named("offset_rad", "by joint", schema::number("", "angle").in("rad")),
       schema::list("events", "in order",
                    schema::map("", "one",
                                {schema::number("a", "first"), schema::number("b", "second"),
                                 schema::number("c", "needs a").only_with("a")})
                        .exactly_one_of({"a", "b"})),
       schema::map("inner", "a block", {schema::map("deep", "a block", {schema::text("key", "x").defaults_to("y")})})});
  return schema;
}

std::string first_problem(const std::string& text) {
  return error_of([&] { require_valid(parse_yaml(text, "f.yaml"), example()); });
}

/// The error of one more line in a file that is otherwise right.
std::string problem_with(const std::string& line) { return first_problem("name: n\n" + line + "\n"); }

TEST(Schema, AnUnknownKeyIsReportedWithItsPlaceTheNearestKeyAndAllKeys) {
  EXPECT_EQ(problem_with("inner: {deep: {kye: 1}}"),
            "f.yaml:2:16: unknown key 'kye' in inner.deep; closest is 'key'; valid: key");
  const std::string error = problem_with("tme_s: 1");
  EXPECT_TRUE(has(error, "f.yaml:2:1: unknown key 'tme_s'; closest is 'time_s'; valid: name, time_s, seed"));
}

TEST(Schema, AnUnknownKeyAnywhereIsReportedBeforeEverythingElse) {
  // The name is missing, the time is of a wrong type, the seed out of range; the wrong key comes last in the file.
  const std::string text = "time_s: abc\nseed: -1\nevents: [{a: 1, x: 2}]\n";
  EXPECT_TRUE(has(first_problem(text), "f.yaml:3:17: unknown key 'x' in events.0"));
  const std::vector<SchemaProblem> problems = find_problems(parse_yaml(text, "f.yaml"), example());
  ASSERT_EQ(problems.size(), 4u);
  EXPECT_EQ(problems[0].kind, Kind::unknown_key);
  EXPECT_EQ(problems[1].kind, Kind::missing_key);
  EXPECT_EQ(problems[2].kind, Kind::wrong_type);
  EXPECT_EQ(problems[3].kind, Kind::out_of_range);
}

TEST(Schema, AMissingKeyIsReportedWithWhatItIs) {
  EXPECT_EQ(first_problem("seed: 2\n"), "f.yaml:1:1: the key 'name' is missing: text, its name");
}

TEST(Schema, AWrongTypeIsReportedWithWhatIsExpectedAndWhatIsThere) {
  EXPECT_EQ(problem_with("time_s: abc"), "f.yaml:2:9: time_s must be a number [s], not 'abc'");
  EXPECT_EQ(problem_with("time_s: 1.0abc"), "f.yaml:2:9: time_s must be a number [s], not '1.0abc'");
  EXPECT_EQ(problem_with("time_s: '5'"), "f.yaml:2:9: time_s must be a number [s], not the text '5'");
  EXPECT_EQ(problem_with("time_s: [1]"), "f.yaml:2:9: time_s must be a number [s], not a list of 1");
  EXPECT_EQ(problem_with("time_s:"), "f.yaml:2:1: time_s must be a number [s], not nothing");
  EXPECT_EQ(problem_with("seed: 1.5"), "f.yaml:2:7: seed must be a whole number, not '1.5'");
  EXPECT_EQ(problem_with("seed: 99999999999999999999"),
            "f.yaml:2:7: seed must be a whole number, not '99999999999999999999'");
  EXPECT_EQ(problem_with("loud: yes"), "f.yaml:2:7: loud must be true or false, not 'yes'");
  EXPECT_EQ(problem_with("shape: bix"), "f.yaml:2:8: shape must be one of box, half_sine, not 'bix'; closest is 'box'");
  EXPECT_EQ(problem_with("force_n: [1, 2]"), "f.yaml:2:10: force_n must be a list of 3 numbers [N], not a list of 2");
  EXPECT_EQ(problem_with("force_n: 5"), "f.yaml:2:10: force_n must be a list of 3 numbers [N], not '5'");
  EXPECT_EQ(problem_with("force_n: [1, x, 3]"), "f.yaml:2:14: force_n.1 must be a number [N], not 'x'");
  EXPECT_EQ(problem_with("at: elbow"), "f.yaml:2:5: at must be com, or list of 3 numbers, not 'elbow'");
  EXPECT_TRUE(has(problem_with("at: [1]"), "at must be com, or list of 3 numbers [m], not a list of 1"));
  EXPECT_EQ(problem_with("offset_rad: 3"), "f.yaml:2:13: offset_rad must be a map of name: number, not '3'");
  EXPECT_EQ(problem_with("offset_rad: {knee: {}}"), "f.yaml:2:20: offset_rad.knee must be a number [rad], not a map");
  EXPECT_EQ(problem_with("events: {a: 1}"), "f.yaml:2:9: events must be a list of maps, not a map");
  EXPECT_EQ(problem_with("events: [1]"), "f.yaml:2:10: events.0 must be a map, not '1'");
  EXPECT_EQ(problem_with("inner: 1"), "f.yaml:2:8: inner must be a map, not '1'");
  EXPECT_TRUE(has(problem_with("equals: {a: 1}"), "equals must be"));
  EXPECT_EQ(first_problem("name: [a]\n"), "f.yaml:1:7: name must be text, not a list of 1");
  EXPECT_EQ(first_problem("name: ''\n"), "f.yaml:1:7: name must not be an empty text");
  EXPECT_EQ(first_problem("[1, 2]\n"), "f.yaml:1:1: the file must be a map, not a list of 2");
}

TEST(Schema, NumbersThatAreNotFiniteAreRefused) {
  for (const char* text : {".nan", "nan", ".inf", "-.inf", "inf", "1e999", "-1e999"}) {
    EXPECT_EQ(problem_with(std::string("time_s: ") + text),
              std::string("f.yaml:2:9: time_s must be a finite number [s], not '") + text + "'");
    EXPECT_TRUE(has(problem_with(std::string("force_n: [0, ") + text + ", 0]"), "force_n.1 must be a finite number"));
    EXPECT_TRUE(has(problem_with(std::string("equals: ") + text), "equals must be"));
  }
}

TEST(Schema, AValueOutOfRangeIsReportedWithTheRange) {
  EXPECT_EQ(problem_with("time_s: 0"), "f.yaml:2:9: time_s must be above 0, at most 10 [s], not 0");
  EXPECT_EQ(problem_with("time_s: 10.1"), "f.yaml:2:9: time_s must be above 0, at most 10 [s], not 10.1");
  EXPECT_EQ(problem_with("seed: -1"), "f.yaml:2:7: seed must be at least 0, not -1");
  EXPECT_EQ(problem_with("force_n: [0, 0, 101]"), "f.yaml:2:17: force_n.2 must be at most 100 [N], not 101");
  EXPECT_NO_THROW(require_valid(parse_yaml("name: n\ntime_s: 10\nseed: 0\n", "f"), example()));
}

TEST(Schema, ExactlyOneOfSeveralKeysIsDemanded) {
  EXPECT_EQ(problem_with("events: [{}]"), "f.yaml:2:10: events.0 must have exactly one of a, b, not none");
  EXPECT_EQ(problem_with("events: [{a: 1, b: 2}]"),
            "f.yaml:2:17: events.0 must have exactly one of a, b, not a and b at once");
  EXPECT_EQ(problem_with("events: [{b: 1, c: 2}]"),
            "f.yaml:2:17: the key 'a' is missing in events.0: 'c' has no meaning without it");
}

TEST(Schema, ErrorsStayShortAndOnOneLineWhateverTheFileHolds) {
  const std::string wide(50'000, 'k');
  for (const std::string& text :
       {"name: n\n" + wide + ": 1\n", "name: n\ntime_s: " + wide + "\n",
        "name: n\noffset_rad: {" + wide.substr(0, 1000) + ": x}\n", std::string("name: n\n\"a\\nb\": 1\n"),
        std::string("name: n\ntime_s: \"a\\nb\"\n")}) {
    const std::string error = first_problem(text);
    EXPECT_LT(error.size(), 400u);
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
}

TEST(Schema, ManyMistakesAreReportedQuickly) {
  std::string text = "name: n\n";
  for (int i = 0; i < 40'000; ++i) text += "wrong_key_" + std::to_string(i) + ": x\n";
  EXPECT_EQ(find_problems(parse_yaml(text, "f"), example()).size(), 20u);
}

TEST(Schema, EveryKeyIsVisitedWithItsPath) {
  std::vector<std::string> paths;
  for_each_key(example(), [&](const std::string& path, const Schema&) { paths.push_back(path); });
  for (const char* path : {"name", "offset_rad", "offset_rad.NAME", "events[]", "events[].c", "inner.deep.key"}) {
    EXPECT_NE(std::ranges::find(paths, path), paths.end()) << path;
  }
}

TEST(YamlView, GivesWhatIsWritten) {
  const YamlNode node = parse_yaml(
      "name: n\ntime_s: 2\nseed: 7\nloud: true\nforce_n: [4, 5, 6]\nat: [1, 0, 0]\noffset_rad: {knee: 0.5}\n"
      "events: [{a: 1}, {b: 2}]\ninner: {deep: {key: z}}\n",
      "f.yaml");
  require_valid(node, example());
  const YamlView view(node, example());
  EXPECT_EQ(view["name"].text(), "n");
  EXPECT_EQ(view["time_s"].number(), 2.0);
  EXPECT_EQ(view["seed"].integer(), 7);
  EXPECT_TRUE(view["loud"].boolean());
  EXPECT_EQ(view["force_n"].vector3(), Eigen::Vector3d(4, 5, 6));
  EXPECT_TRUE(view["at"].is_list());
  EXPECT_EQ(view["offset_rad"].named_numbers(), (std::map<std::string, double>{{"knee", 0.5}}));
  ASSERT_EQ(view["events"].items().size(), 2u);
  EXPECT_TRUE(view["events"].items()[1].has("b"));
  EXPECT_EQ(view["inner"]["deep"]["key"].text(), "z");
  EXPECT_EQ(view["time_s"].place().text(), "f.yaml:2:9");
}

TEST(YamlView, GivesTheDefaultOfWhatIsAbsent) {
  const YamlNode node = parse_yaml("name: n\n", "f.yaml");
  const YamlView view(node, example());
  EXPECT_EQ(view["seed"].integer(), 1);
  EXPECT_FALSE(view["loud"].boolean());
  EXPECT_EQ(view["force_n"].numbers(), (std::vector<double>{1, 2, 3}));
  EXPECT_FALSE(view["at"].is_list());
  EXPECT_TRUE(view["events"].items().empty());
  EXPECT_TRUE(view["offset_rad"].named_numbers().empty());
  EXPECT_EQ(view["inner"]["deep"]["key"].text(), "y");
  EXPECT_FALSE(view.has("seed"));
  EXPECT_THROW(view["time_s"].number(), std::logic_error);
  EXPECT_THROW(view["not_in_the_schema"], std::logic_error);
}

TEST(YamlView, AValueKeepsItsKind) {
  const auto value_of = [](const std::string& text) {
    const YamlNode node = parse_yaml("name: n\nequals: " + text + "\n", "f");
    require_valid(node, example());
    return YamlView(node, example())["equals"].value();
  };
  EXPECT_EQ(value_of("false"), MetricValue(false));
  EXPECT_EQ(value_of("3"), MetricValue(std::int64_t{3}));
  EXPECT_EQ(value_of("3.5"), MetricValue(3.5));
  EXPECT_EQ(value_of("text"), MetricValue(std::string("text")));
  EXPECT_EQ(value_of("'3'"), MetricValue(std::string("3")));
  EXPECT_EQ(value_of("null"), MetricValue());
  EXPECT_EQ(value_of("[1, 2]"), MetricValue(std::vector<double>{1, 2}));
}

TEST(Schema, AMapOfNamesMayHaveFixedKeysBesideThem) {
  const Schema schema = schema::map(
      "", "a file",
      {schema::named("sensors", "by name", schema::number("", "noise").at_least(0))
           .with_names({"left", "right"})
           .with_keys({schema::choice("profile", {"ideal", "real"}, "of the others").defaults_to("ideal")})});
  const YamlNode file = parse_yaml("sensors: {left: 2, profile: real}", "f.yaml");
  require_valid(file, schema);
  const YamlView sensors = YamlView(file, schema)["sensors"];
  EXPECT_EQ(sensors["profile"].text(), "real");
  EXPECT_EQ(sensors.named_numbers(), (std::map<std::string, double>{{"left", 2.0}}));
  const auto problem = [&](const std::string& text) {
    return error_of([&] { require_valid(parse_yaml(text, "f.yaml"), schema); });
  };
  EXPECT_TRUE(has(problem("sensors: {profile: fake}"), "sensors.profile must be one of ideal, real"));
  EXPECT_TRUE(has(problem("sensors: {profil: real}"), "profile"));
  EXPECT_TRUE(has(problem("sensors: {middle: 1}"), "unknown key 'middle' in sensors"));
  std::vector<std::string> paths;
  for_each_key(schema, [&](const std::string& path, const Schema&) { paths.push_back(path); });
  EXPECT_EQ(paths, (std::vector<std::string>{"sensors", "sensors.NAME", "sensors.profile"}));
}

}  // namespace
}  // namespace aplomb

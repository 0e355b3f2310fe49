#include "aplomb/report/result_json.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/sample_result.hpp"

namespace aplomb {
namespace {

using Json = nlohmann::ordered_json;

TEST(ResultJson, HasTheKeysOfTheContractInTheirOrder) {
  const Json json = Json::parse(to_json(test::failed_sample_run().result));
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"schema", "verb", "scenario", "verdict", "metrics", "checks", "faults",
                                            "provenance"}));
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["verb"], "run");
  EXPECT_EQ(json["verdict"], "fail");
  EXPECT_EQ(json["metrics"]["fell"], false);
  EXPECT_EQ(json["metrics"]["fell_at_s"], nullptr);
  EXPECT_EQ(json["metrics"]["push_limit_n"], (std::vector{182.5, 96.0, 143.0, 97.0}));
  EXPECT_EQ(json["checks"][1].dump(),
            R"({"metric":"com_error_max_m","value":0.00871,"below":0.012,"ok":true,"reason":"the paper's Fig. 8"})");
  EXPECT_EQ(json["checks"][0].dump(), R"({"metric":"fell","value":false,"equals":false,"ok":true})");
  EXPECT_EQ(json["faults"][0]["start_s"], 1.2);
  EXPECT_EQ(json["provenance"]["seed"], 1);
}

TEST(ResultJson, MetricsKeepTheirOrderAndAllTheirDigits) {
  Result result;
  result.metrics.set("z_m", 0.1 + 0.2);
  result.metrics.set("a_m", 1e-300);
  const Json json = Json::parse(to_json(result));
  EXPECT_EQ(json["metrics"].begin().key(), "z_m");
  EXPECT_EQ(json["metrics"]["z_m"].get<double>(), 0.1 + 0.2);
  EXPECT_EQ(json["metrics"]["a_m"].get<double>(), 1e-300);
}

TEST(ResultJson, ANumberThatIsNotFiniteIsNull) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  Result result;
  result.metrics.set("a", nan);
  result.metrics.set("b", -infinity);
  result.metrics.set("c", std::vector{1.0, nan, infinity});
  result.checks = {judge({"a", Check::Rule::below, infinity}, result.metrics)};
  result.faults = {{"f", nan, ""}};
  const Json json = Json::parse(to_json(result));
  EXPECT_TRUE(json["metrics"]["a"].is_null());
  EXPECT_TRUE(json["metrics"]["b"].is_null());
  EXPECT_EQ(json["metrics"]["c"].dump(), "[1.0,null,null]");
  EXPECT_TRUE(json["checks"][0]["below"].is_null());
  EXPECT_TRUE(json["faults"][0]["start_s"].is_null());
}

TEST(ResultJson, AResultWithoutChecksIsNotJudged) {
  EXPECT_EQ(Json::parse(to_json(Result()))["verdict"], "not_judged");
}

TEST(ResultJson, ACheckSaysTheReasonOfItsBound) {
  Result result;
  result.metrics.set("a_m", 1.0);
  result.checks = {
      judge({.metric = "a_m", .rule = Check::Rule::below, .bound = 2.0, .reason = "half the sole"}, result.metrics)};
  EXPECT_EQ(Json::parse(to_json(result))["checks"][0]["reason"], "half the sole");
}

TEST(ResultJson, AnEmptyResultHasEmptyListsAndObjects) {
  const Json json = Json::parse(to_json(Result()));
  EXPECT_EQ(json["metrics"].dump(), "{}");
  EXPECT_EQ(json["checks"].dump(), "[]");
  EXPECT_EQ(json["faults"].dump(), "[]");
  EXPECT_EQ(timing_to_json(Result()), "{}");
}

TEST(ResultJson, TextThatIsNotUtf8IsWrittenWithReplacedBytes) {
  Result result;
  result.scenario = "caf\xe9";
  EXPECT_EQ(Json::parse(to_json(result))["scenario"], "caf\xEF\xBF\xBD");
}

TEST(ResultJson, TimesStayOutOfTheMetrics) {
  Result result;
  result.timing.set("wall_s", 0.5);
  EXPECT_EQ(to_json(result).find("wall_s"), std::string::npos);
  EXPECT_EQ(Json::parse(timing_to_json(result)).dump(), R"({"wall_s":0.5})");
}

}  // namespace
}  // namespace aplomb

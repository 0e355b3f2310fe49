#include "aplomb/core/metric_json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace aplomb {
namespace {

TEST(MetricJson, EveryKindOfValueIsReadBackAsItWasWritten) {
  for (const MetricValue& value : {MetricValue{}, MetricValue{true}, MetricValue{std::int64_t{-3}}, MetricValue{0.1},
                                   MetricValue{std::string("fell")}, MetricValue{std::vector<double>{1.0, 1e-300}}}) {
    const auto text = json_text(metric_json(value));
    EXPECT_EQ(parse_metric(nlohmann::ordered_json::parse(text)), value) << text;
  }
}

TEST(MetricJson, ANumberThatIsNotFiniteIsNull) {
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(metric_json(MetricValue{infinite}).is_null());
  const MetricValue list = parse_metric(metric_json(MetricValue{std::vector<double>{1.0, infinite}}));
  EXPECT_TRUE(std::isnan(std::get<std::vector<double>>(list)[1]));
}

}  // namespace
}  // namespace aplomb

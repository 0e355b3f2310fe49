#include "aplomb/core/metric_names.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "aplomb/core/files/text_file.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

std::string documentation() {
  return read_file(std::filesystem::path(APLOMB_SOURCE_DIR) / "docs/metrics.md", 1'000'000);
}

std::string row_of(const MetricInfo& metric) {
  return fmt::format("| `{}` | {} | {} |\n", metric.name, metric.unit, metric.formula);
}

TEST(MetricNames, EveryKeyIsDocumentedUnderItsSystem) {
  const std::string text = documentation();
  for (const MetricGroup& group : metric_groups()) {
    const std::size_t start = text.find(fmt::format("\n## {}\n", group.title));
    ASSERT_NE(start, std::string::npos) << group.title;
    const std::string section = text.substr(start + 1, text.find("\n## ", start + 1) - start);
    for (const MetricInfo& metric : group.metrics) EXPECT_TRUE(test::has(section, row_of(metric)));
  }
  for (const MetricInfo& metric : timing_metrics()) EXPECT_TRUE(test::has(text, row_of(metric)));
  for (const std::string_view suffix : repeat_suffixes()) EXPECT_TRUE(test::has(text, fmt::format("`{}`", suffix)));
}

TEST(MetricNames, AKeysSuffixIsItsUnit) {
  const std::pair<std::string_view, std::string_view> suffixes[] = {{"_rad_per_s3", "rad/s^3"},
                                                                    {"_rad_per_s2", "rad/s^2"},
                                                                    {"_rad_per_s", "rad/s"},
                                                                    {"_m_per_s2", "m/s^2"},
                                                                    {"_m_per_s", "m/s"},
                                                                    {"_nm", "N m"},
                                                                    {"_hz", "Hz"},
                                                                    {"_rad", "rad"},
                                                                    {"_kg", "kg"},
                                                                    {"_m", "m"},
                                                                    {"_n", "N"},
                                                                    {"_s", "s"}};
  const auto expected = [&](std::string_view name) -> std::string_view {
    for (const auto& [suffix, unit] : suffixes) {
      if (name.ends_with(suffix)) return unit;
    }
    return "-";
  };
  for (const MetricGroup& group : metric_groups()) {
    for (const MetricInfo& metric : group.metrics) EXPECT_EQ(metric.unit, expected(metric.name)) << metric.name;
  }
}

TEST(MetricNames, AreFoundAlsoWithTheSuffixesOfRepeats) {
  ASSERT_NE(find_metric("com_error_max_m"), nullptr);
  EXPECT_EQ(find_metric("com_error_max_m_p90"), find_metric("com_error_max_m"));
  EXPECT_EQ(find_metric("sim_warnings_mean"), find_metric("sim_warnings"));
  for (const char* name : {"", "fell_p90", "law_mean", "push_limit_n_max", "com_error_max", "_p90", "wall_s"}) {
    EXPECT_EQ(find_metric(name), nullptr) << name;
  }
}

TEST(MetricNames, AreListedOnce) {
  const std::vector<std::string> names = metric_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  for (const std::string& name : names) EXPECT_NE(find_metric(name), nullptr);
}

}  // namespace
}  // namespace aplomb

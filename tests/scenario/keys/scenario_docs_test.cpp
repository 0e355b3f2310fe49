#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "aplomb/core/files/text_file.hpp"
#include "aplomb/robot/robot_description.hpp"
#include "aplomb/scenario/keys/scenario_schema.hpp"
#include "aplomb/scenario/scenario.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

std::string documentation() {
  return read_file(std::filesystem::path(APLOMB_SOURCE_DIR) / "docs/scenarios.md", 1'000'000);
}

std::string default_text(const Schema& schema) {
  if (schema.is_required) return "required";
  if (!schema.standard_note.empty()) return schema.standard_note;
  if (schema.standard == nullptr) return "-";
  if (schema.standard->kind == YamlNode::Kind::list) {
    std::string list;
    for (const YamlNode& item : schema.standard->items) list += (list.empty() ? "" : ", ") + item.text;
    return fmt::format("`[{}]`", list);
  }
  std::string text = to_yaml(*schema.standard);
  text.pop_back();  // the line break
  return text == "\"\"" ? "empty" : fmt::format("`{}`", text);
}

/// The line that a key has in the documentation's table.
std::string row_of(const std::string& path, const Schema& schema) {
  const std::string range = schema.range_text();
  return fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", path, schema.type_text(),
                     schema.unit.empty() ? "-" : schema.unit, range.empty() ? "-" : range, default_text(schema),
                     schema.about);
}

void expect_documented(const Schema& schema) {
  const std::string text = documentation();
  for_each_key(schema, [&](const std::string& path, const Schema& key) {
    if (path.ends_with("[]")) return;  // an item is described by its list and its keys
    EXPECT_TRUE(test::has(text, row_of(path, key)));
  });
}

TEST(ScenarioDocs, EveryKeyOfAScenarioIsDocumentedAsTheProgramReadsIt) { expect_documented(scenario_schema()); }

TEST(ScenarioDocs, EveryKeyOfARobotIsDocumentedAsTheProgramReadsIt) { expect_documented(robot_schema()); }

TEST(ScenarioDocs, TheExampleLoads) {
  const std::string text = documentation();
  const std::string open = "```yaml\nscenario:";
  const std::size_t start = text.find(open);
  ASSERT_NE(start, std::string::npos);
  const std::size_t first = start + std::string("```yaml\n").size();
  EXPECT_NO_THROW(parse_scenario(text.substr(first, text.find("```", first) - first), "docs/scenarios.md"));
}

}  // namespace
}  // namespace aplomb

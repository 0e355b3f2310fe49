#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "aplomb/core/files/text_file.hpp"
#include "aplomb/robot/robot_description.hpp"
#include "aplomb/scenario/keys/scenario_schema.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {
namespace {

const std::filesystem::path kDocument = std::filesystem::path(APLOMB_SOURCE_DIR) / "docs/scenarios.md";

std::string documentation() { return read_file(kDocument, 1'000'000); }

std::string default_text(const Schema& schema) {
  if (schema.is_required) return "required";
  if (!schema.default_note.empty()) return schema.default_note;
  if (schema.default_value == nullptr) return "-";
  if (schema.default_value->kind == YamlNode::Kind::list) {
    std::string list;
    for (const YamlNode& item : schema.default_value->items) list += (list.empty() ? "" : ", ") + item.text;
    return fmt::format("`[{}]`", list);
  }
  std::string text = to_yaml(*schema.default_value);
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

std::string table_of(const Schema& schema) {
  std::string table = "| key | type | unit | range | default | meaning |\n|--|--|--|--|--|--|\n";
  for_each_key(schema, [&](const std::string& path, const Schema& key) {
    if (!path.ends_with("[]")) table += row_of(path, key);  // an item is described by its list and its keys
  });
  return table;
}

/// The table after the line `<!-- generated: NAME -->` is the one that follows from the schema. With
/// APLOMB_WRITE_DOCS in the environment it is written instead.
void expect_documented(const std::string& name, const Schema& schema) {
  std::string text = documentation();
  const std::string marker = "<!-- generated: " + name + " -->\n";
  const std::size_t marked = text.find(marker);
  ASSERT_NE(marked, std::string::npos) << "docs/scenarios.md has no line " << marker;
  const std::size_t first = marked + marker.size();
  const std::size_t length = text.find("\n\n", first) + 1 - first;
  if (std::getenv("APLOMB_WRITE_DOCS") != nullptr) {
    std::ofstream(kDocument) << text.replace(first, length, table_of(schema));
    return;
  }
  EXPECT_EQ(text.substr(first, length), table_of(schema))
      << "docs/scenarios.md is not what the program reads. To write its tables anew:\n"
         "  APLOMB_WRITE_DOCS=1 build/tests/scenario/scenario_test --gtest_filter='ScenarioDocs.*'";
}

TEST(ScenarioDocs, TheTableOfAScenariosKeysIsWhatTheProgramReads) {
  expect_documented("keys of a scenario", scenario_schema());
}

TEST(ScenarioDocs, TheTableOfARobotsKeysIsWhatTheProgramReads) { expect_documented("keys of a robot", robot_schema()); }

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

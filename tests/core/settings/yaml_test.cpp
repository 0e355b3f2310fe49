#include "aplomb/core/settings/yaml.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::error_of;
using test::has;

std::string parse_error(const std::string& text) {
  return error_of([&] { parse_yaml(text, "f.yaml"); });
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string list_of_ones(int count) {
  std::string text = "[";
  text += repeated("1,", count);
  return text += ']';
}

YamlNode scalar(const std::string& text) { return *parse_yaml("a: " + text, "f.yaml").find("a"); }

bool equal(const YamlNode& a, const YamlNode& b) {
  if (a.kind != b.kind || a.text != b.text || a.items.size() != b.items.size()) return false;
  // Quotes count only where they decide: a plain text may come back quoted, a quoted number must not come back plain.
  if (a.number() != b.number() || a.boolean() != b.boolean() || a.entries.size() != b.entries.size()) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    if (!equal(a.items[i], b.items[i])) return false;
  }
  for (std::size_t i = 0; i < a.entries.size(); ++i) {
    if (a.entries[i].key != b.entries[i].key || !equal(a.entries[i].value, b.entries[i].value)) return false;
  }
  return true;
}

TEST(ParseYaml, KeepsTheOrderAndThePlaceOfEveryValue) {
  const YamlNode root = parse_yaml("b: 1\na: [x, 'y']\nc: {d: }\n", "f.yaml");
  ASSERT_EQ(root.kind, YamlNode::Kind::map);
  ASSERT_EQ(root.entries.size(), 3u);
  EXPECT_EQ(root.entries[0].key, "b");
  EXPECT_EQ(root.entries[0].value.origin.place().text(), "f.yaml:1:4");
  EXPECT_EQ(root.entries[1].origin.place().text(), "f.yaml:2:1");
  EXPECT_EQ(root.find("a")->items.at(1).origin.place().text(), "f.yaml:2:8");
  EXPECT_TRUE(root.find("a")->items.at(1).is_quoted);
  EXPECT_FALSE(root.find("a")->items.at(0).is_quoted);
  EXPECT_EQ(root.find("c")->find("d")->kind, YamlNode::Kind::null);
  EXPECT_EQ(root.find("missing"), nullptr);
}

TEST(ParseYaml, ANumberIsWhollyANumberAndFinite) {
  EXPECT_EQ(scalar("1").number(), 1.0);
  EXPECT_EQ(scalar("-1.5e-3").number(), -1.5e-3);
  EXPECT_EQ(scalar("+2").number(), 2.0);
  EXPECT_EQ(scalar(".5").number(), 0.5);
  for (const char* text : {"1.0abc", "nan", ".nan", ".inf", "-.Inf", "inf", "infinity", "1e999", "'1'", "0x10", "1_000",
                           "1,0", "+-1", "--1", "1 2", "true", "+"}) {
    EXPECT_EQ(scalar(text).number(), std::nullopt) << text;
  }
}

TEST(ParseYaml, AnIntegerHasNoFractionAndFits) {
  EXPECT_EQ(scalar("7").integer(), 7);
  EXPECT_EQ(scalar("9223372036854775807").integer(), std::numeric_limits<std::int64_t>::max());
  for (const char* text : {"7.0", "1e3", "9223372036854775808", "'7'", "seven"}) {
    EXPECT_EQ(scalar(text).integer(), std::nullopt) << text;
  }
}

TEST(ParseYaml, OnlyTrueAndFalseAreBooleans) {
  EXPECT_EQ(scalar("true").boolean(), true);
  EXPECT_EQ(scalar("False").boolean(), false);
  for (const char* text : {"yes", "no", "on", "1", "'true'"}) EXPECT_EQ(scalar(text).boolean(), std::nullopt) << text;
}

TEST(ParseYaml, RefusesWhatADataFileHasNoNeedFor) {
  EXPECT_TRUE(has(parse_error("a: 1\nb: &x 2\n"), "f.yaml:2:4: an anchor"));
  EXPECT_TRUE(has(parse_error("a: &x {b: 1}\nc: *x\n"), "anchor"));
  EXPECT_TRUE(has(parse_error("a: *x\n"), "f.yaml:1:"));
  EXPECT_TRUE(has(parse_error("a:\n  <<: {b: 1}\n"), "f.yaml:2:3: a merge key"));
  EXPECT_TRUE(has(parse_error("a: !!int 3\n"), "f.yaml:1:4: a tag"));
  EXPECT_TRUE(has(parse_error("a: !mine {b: 1}\n"), "a tag"));
  EXPECT_TRUE(has(parse_error("a: 1\n---\nb: 2\n"), "f.yaml:2:1: a second document"));
  EXPECT_TRUE(has(parse_error("a: 1\nb: 2\na: 3\n"), "f.yaml:3:1: the key 'a' is here twice"));
  EXPECT_TRUE(has(parse_error("x: {a: 1, 'a': 3}\n"), "the key 'a' is here twice"));
  EXPECT_TRUE(has(parse_error("[a, b]: 1\n"), "where a key is expected"));
  EXPECT_TRUE(has(parse_error("{a: 1}: 1\n"), "where a key is expected"));
  EXPECT_TRUE(has(parse_error(": 1\n"), "a key is empty"));
  EXPECT_TRUE(has(parse_error("'': 1\n"), "a key is empty"));
}

TEST(ParseYaml, SaysWhereTextIsNotYaml) {
  EXPECT_TRUE(has(parse_error("a: 1\n\tb: 2\n"), "f.yaml:2:"));
  for (const char* text : {"a: 'never closed\n", "a: 'never closed", "a: \"never\n\n", "a: 'x''\nb: 1\n", "[a, 'b\n"}) {
    EXPECT_TRUE(has(parse_error(text), "a quote is still open at the end")) << text;
  }
  EXPECT_TRUE(has(parse_error("a: [1, 2\nb: 3\n"), "f.yaml:2:"));
  EXPECT_TRUE(has(parse_error("a: 1\n b: 2\n"), "f.yaml:2:"));
  EXPECT_TRUE(has(parse_error("a: }\n"), "f.yaml:1:"));
  EXPECT_TRUE(has(parse_error("%YAML 9.9\n---\na: 1\n"), "f.yaml:"));
}

TEST(ParseYaml, RefusesAnEmptyDocument) {
  for (const char* text : {"", "\n\n", "# only a comment\n", "---\n", "null\n", "~"}) {
    EXPECT_TRUE(has(parse_error(text), "f.yaml: is empty")) << text;
  }
}

TEST(ParseYaml, RefusesWhatIsNotUtf8Text) {
  EXPECT_TRUE(has(parse_error(std::string("a: 1\nb: \0", 9)), "f.yaml:2: not a text file: byte 0x00"));
  EXPECT_TRUE(has(parse_error("a: \x80\n"), "byte 0x80"));
  EXPECT_TRUE(has(parse_error("a: \xC0\xAF\n"), "byte 0xc0"));          // overlong
  EXPECT_TRUE(has(parse_error("a: \xED\xA0\x80\n"), "byte 0xed"));      // surrogate
  EXPECT_TRUE(has(parse_error("a: \xF4\x90\x80\x80\n"), "byte 0xf4"));  // beyond Unicode
  EXPECT_TRUE(has(parse_error("a: \xE2\x82"), "byte 0xe2"));            // cut off
  EXPECT_TRUE(has(parse_error("\x7F"
                              "ELF"),
                  "byte 0x7f"));
  EXPECT_EQ(parse_yaml("a: \xE2\x82\xAC \xF0\x9F\x99\x82\n", "f").find("a")->text, "\xE2\x82\xAC \xF0\x9F\x99\x82");
  EXPECT_EQ(parse_yaml("\xEF\xBB\xBF"
                       "a: 1\n",
                       "f")
                .entries.at(0)
                .key,
            "a");  // a byte order mark is harmless
}

TEST(ParseYaml, StopsAtItsLimits) {
  EXPECT_TRUE(has(parse_error(std::string(kMaxYamlBytes + 1, ' ')), "larger than 1 MB"));
  EXPECT_EQ(parse_yaml(repeated("[", 50) + repeated("]", 50), "f").kind, YamlNode::Kind::list);
  EXPECT_TRUE(has(parse_error(repeated("[", 51) + repeated("]", 51)), "nested more than 50 deep"));
  EXPECT_TRUE(has(parse_error(list_of_ones(100'001)), "more than 100000 values"));
  EXPECT_EQ(parse_yaml(list_of_ones(99'999), "f").items.size(), 99'999u);
}

/// Each would exhaust the stack or the patience of a reader without limits.
TEST(ParseYaml, HostileTextIsRefusedQuickly) {
  for (const char* piece :
       {"[",  "{", "{a: ", "[a, ", "- ",   "? ", "- - ", "a: {b: [", "&a ", "!x ", "!!", "\"", "'", "|",
        "> ", "*", "%",    ": ",   "? - ", "[{", "<<: ", "--- ",     "...", "\t",  ",",  "]",  "}"}) {
    const std::string text = repeated(piece, static_cast<int>(900'000 / std::string(piece).size()));
    try {
      parse_yaml(text, "f.yaml");
    } catch (const Error&) {
    }
  }
}

TEST(ParseYamlValue, AllowsNullAndNamesItsSourceWithoutALine) {
  EXPECT_EQ(parse_yaml_value("", "--set a=").kind, YamlNode::Kind::null);
  const YamlNode node = parse_yaml_value("{a: [1, 2]}", "--set k={a: [1, 2]}");
  EXPECT_EQ(node.find("a")->items[1].origin.place().text(), "--set k={a: [1, 2]}");
  EXPECT_TRUE(has(error_of([] { parse_yaml_value("[1", "--set k=[1"); }), "--set k=[1: a bracket is not closed"));
  EXPECT_TRUE(
      has(error_of([] { parse_yaml_value("a: [1", "--set k=a: [1"); }), "--set k=a: [1: not valid YAML: end of"));
}

TEST(ReadYaml, SaysWhatIsWrongWithTheFile) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "aplomb_read_yaml";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "empty.yaml").close();
  std::ofstream(folder / "good.yaml") << "a: 1\n";
  std::ofstream(folder / "large.yaml") << std::string(kMaxYamlBytes + 1, '#');
  EXPECT_TRUE(has(error_of([&] { read_yaml(folder / "missing.yaml"); }), "missing.yaml: no such file"));
  EXPECT_TRUE(has(error_of([&] { read_yaml(folder); }), "is a folder, not a file"));
  EXPECT_TRUE(has(error_of([&] { read_yaml(folder / "empty.yaml"); }), "empty.yaml: is empty"));
  EXPECT_TRUE(has(error_of([&] { read_yaml(folder / "large.yaml"); }), "larger than 1 MB"));
  EXPECT_TRUE(has(error_of([&] { read_yaml("/dev/zero"); }), "larger than 1 MB"));
  EXPECT_EQ(read_yaml(folder / "good.yaml").find("a")->text, "1");
  std::filesystem::remove_all(folder);
}

TEST(ToYaml, ParsesToTheSameTree) {
  const char* texts[] = {
      "a: 1\nb: {c: [1, 2.5, -3e-2], d: text}\n",
      "a: Lee and Goswami 2010, Fig. 8. A push of {12} N s # comment\nb: 'it''s'\n",
      "e:\n  - push: {force_n: [1, 2, 3], link: trunk}\n  - {metric: fell, equals: false}\n  - []\n  - {}\n",
      "a: '5'\nb: \"true\"\nc: ~\nd: ''\ne: ' x '\nf: |\n  two\n  lines\n",
      "- - 1\n  - [2, {a: b}]\n- -\n- x\n",
      "'a key: with, signs': 1\n'null': 2\n? 3\n: 4\n'-': '-'\n'...': '---'\n",
      "unicode: \xC3\xA9\xE2\x82\xAC\n",
  };
  for (const char* text : texts) {
    const YamlNode node = parse_yaml(text, "f");
    EXPECT_TRUE(equal(node, parse_yaml(to_yaml(node), "f"))) << text << "\nbecame\n" << to_yaml(node);
  }
}

TEST(ToYaml, WrapsLongMapsAndKeepsListsOfMapsOneALine) {
  const std::string wide(120, 'x');
  const YamlNode node = parse_yaml("s: {a: 1}\nlong: {a: " + wide + ", b: {c: 2}}\nl: [{a: 1}, {a: 1, b: 2}]\n", "f");
  EXPECT_EQ(to_yaml(node), "s: {a: 1}\nlong:\n  a: " + wide + "\n  b: {c: 2}\nl:\n  - a: 1\n  - {a: 1, b: 2}\n");
}

TEST(Yaml, ATabInTheIndentationIsNamedWithItsLine) {
  EXPECT_EQ(error_of([] { parse_yaml("world:\n\tfloor: {friction: 1}\nseed: 1\n", "f.yaml"); }),
            "f.yaml:2: not valid YAML: a tab indents this line; YAML is indented with spaces");
  EXPECT_TRUE(has(error_of([] { parse_yaml("a:\n  b: 1\n \tc: 2\n", "f.yaml"); }), "f.yaml:3: "));
  EXPECT_TRUE(has(error_of([] { parse_yaml("a: 1\n\t\n", "f.yaml"); }), "f.yaml:2: "));
  EXPECT_NO_THROW(parse_yaml("a: \t1\n", "f.yaml"));  // between key and value it is harmless
}

}  // namespace
}  // namespace aplomb

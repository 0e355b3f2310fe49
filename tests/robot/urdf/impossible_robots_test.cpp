#include "robot/impossible_robots.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "robot/impossible_files.hpp"

namespace aplomb::test {
namespace {

class ImpossibleRobot : public testing::TestWithParam<Impossible> {};

TEST_P(ImpossibleRobot, IsRefusedWithItsLineAndReason) {
  const auto [text, line] = robot_of(GetParam());
  const std::string said = complaint(text);
  EXPECT_NE(said.find(GetParam().fragment), std::string::npos) << "said: " << said;
  if (line > 0) {
    EXPECT_EQ(said.substr(0, said.find(": ")), "test.urdf:" + std::to_string(line)) << "said: " << said;
  }
  EXPECT_LT(said.size(), 600u);
  EXPECT_EQ(said.find('\n'), std::string::npos);
}

std::string name_of(const testing::TestParamInfo<Impossible>& info) { return std::string(info.param.name); }
INSTANTIATE_TEST_SUITE_P(Parts, ImpossibleRobot, testing::ValuesIn(kImpossibleParts), name_of);
INSTANTIATE_TEST_SUITE_P(Files, ImpossibleRobot, testing::ValuesIn(kImpossibleFiles), name_of);

TEST(ImpossibleRobots, AreManyAndStartFromAPossibleOne) {
  EXPECT_GE(std::size(kImpossibleParts) + std::size(kImpossibleFiles), 50u);
  EXPECT_EQ(complaint(kWalker), "");
}

TEST(ImpossibleRobots, ARepairNeverExcusesAMass) {
  const std::string negative = walker_with(R"(<mass value="2"/>)", R"(<mass value="-2"/>)");
  EXPECT_NE(complaint(negative, InertiaPolicy::repair).find("must not be negative"), std::string::npos);
  const std::string empty_root = walker_with(R"(<mass value="5"/>)", R"(<mass value="0"/>)");
  const std::string no_tip = changed(empty_root, R"(<mass value="0.1"/>)", R"(<mass value="0"/>)");
  EXPECT_NE(complaint(no_tip, InertiaPolicy::repair).find("the root has no mass"), std::string::npos);
}

TEST(HostileFile, NestedAHundredThousandDeepIsRefused) {
  std::string text = "<robot name=\"deep\">";
  for (int i = 0; i < 100'000; ++i) text += "<a>";
  EXPECT_NE(complaint(text).find("nested more than 200 deep"), std::string::npos);
}

TEST(HostileFile, NestedTwoHundredDeepIsRead) {
  std::string open, close;
  for (int i = 1; i < 200; ++i) {
    open += "<a>";
    close += "</a>";
  }
  EXPECT_EQ(complaint(walker_with("</robot>", open + close + "</robot>")), "");
  EXPECT_NE(complaint(walker_with("</robot>", "<a>" + open + close + "</a></robot>")), "");
}

TEST(HostileFile, Of51MegabytesIsRefused) {
  const ScratchFolder folder;
  const std::filesystem::path file = folder.path() / "large.urdf";
  write_text(file, walker_with("</robot>", "</robot>" + std::string(51'000'000, ' ')));
  try {
    read_urdf(file);
    FAIL() << "it was read";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("larger than 50 MB"), std::string::npos) << error.what();
  }
}

TEST(HostileFile, OfAMillionPartsOrOneTagOfManyAttributesIsRefused) {
  std::string crowd, attributes;
  for (int i = 0; i < 1'000'001; ++i) crowd += "<a/>";
  for (int i = 0; i < 65; ++i) attributes += fmt::format(" a{}=''", i);
  EXPECT_NE(complaint(walker_with("</robot>", crowd + "</robot>")).find("more than 1000000 elements and attributes"),
            std::string::npos);
  EXPECT_NE(complaint(walker_with("<gazebo", "<gazebo" + attributes)).find("more than 64 attributes"),
            std::string::npos);
}

TEST(HostileFile, WithAChainOfManyLinksNeedsNoStack) {
  for (const char* type : {"fixed", "revolute"}) {
    std::string text = R"(<robot name="chain"><link name="l0">)" + ball(1.0) + "</link>";
    for (int i = 1; i < 20'000; ++i) {
      text += fmt::format(
          R"(<link name="l{1}">{2}</link><joint name="j{1}" type="{3}"><parent link="l{0}"/><child link="l{1}"/>)"
          R"(<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>)",
          i - 1, i, ball(1.0), type);
    }
    EXPECT_EQ(complaint(text + "</robot>"), "");
  }
}

/// One random change: a byte, a piece cut out, doubled or moved, a poisonous word put in.
std::string mutated(std::string text, std::mt19937_64& engine) {
  static const std::vector<std::string> kPoison = {
      "<", ">",   "\"",     "&",   "nan",  "-",   "1e999", "</link>",   "/>",    "<!--",   "<robot", "&#0;",
      "0", "<a>", "\0\x01", "inf", "\xFF", "]]>", "<?",    "<![CDATA[", " x=''", "-1e308", "<link/>"};
  const auto below = [&engine](std::size_t bound) { return static_cast<std::size_t>(engine() % bound); };
  const std::size_t at = below(text.size()), length = std::min(1 + below(60), text.size() - at);
  switch (below(5)) {
    case 0:
      text[at] = static_cast<char>(engine());
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2:
      text.insert(at, text.substr(at, length));
      break;
    case 3:
      text.insert(below(text.size()), text.substr(at, length));
      break;
    default:
      text.insert(at, kPoison[below(kPoison.size())]);
  }
  return text;
}

TEST(HostileFile, MutatedAtRandomIsReadOrRefusedButNeverCrashes) {
  std::mt19937_64 engine(20240607);
  int num_read = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string text(kWalker);
    for (std::size_t changes = 1 + engine() % 3; changes > 0; --changes) text = mutated(std::move(text), engine);
    for (const InertiaPolicy policy : {InertiaPolicy::refuse, InertiaPolicy::repair}) {
      try {
        const BodyTree tree = body_tree(text, policy);
        for (const RigidBody& body : tree.bodies) {
          ASSERT_TRUE(body.inertia.mass == 0.0 || impossibility(body.inertia).empty()) << text;
        }
        ++num_read;
      } catch (const Error& error) {
        ASSERT_LT(std::string_view(error.what()).size(), 1000u);
      }
    }
  }
  EXPECT_GT(num_read, 100);   // many changes hit a comment or a digit,
  EXPECT_LT(num_read, 3000);  // and many break the robot
}

}  // namespace
}  // namespace aplomb::test

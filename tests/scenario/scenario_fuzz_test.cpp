#include <gtest/gtest.h>

#include <random>

#include "aplomb/scenario/scenario.hpp"
#include "scenario/example_scenario.hpp"

namespace aplomb {
namespace {

/// Damages texts as careless people, broken editors and hostile senders do; the same seed gives the same damage.
class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string mutate(std::string text) {
    const int times = 1 + below(2);
    for (int i = 0; i < times && !text.empty(); ++i) mutate_once(text);
    return text;
  }
  int below(std::size_t limit) { return static_cast<int>(random_() % limit); }

 private:
  void mutate_once(std::string& text) {
    const auto at = static_cast<std::size_t>(below(text.size()));
    const auto length = static_cast<std::size_t>(1 + below(12));
    switch (below(7)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(static_cast<std::size_t>(below(text.size())), length));
        break;
      case 3:
        text.insert(at, kPieces[static_cast<std::size_t>(below(std::size(kPieces)))]);
        break;
      case 4:
        text.resize(at);
        break;
      case 5:
        text.insert(at, std::string(length, kSigns[static_cast<std::size_t>(below(std::size(kSigns) - 1))]));
        break;
      default:
        replace_word(text, at);
        break;
    }
  }

  void replace_word(std::string& text, std::size_t at) {
    const std::size_t start = text.find_first_of("0123456789abcdefghijklmnopqrstuvwxyz", at);
    if (start == std::string::npos) return;
    const std::size_t end = text.find_first_of(" ,:]}\n", start);
    text.replace(start, end - start, kPieces[static_cast<std::size_t>(below(std::size(kPieces)))]);
  }

  static constexpr const char* kPieces[] = {
      ".nan", "-.inf", "1e999",  "-1",   "0x1F",         "1.0abc",    "null",  "~",       "true",
      "&a ",  "*a",    "!!str ", "<<: ", "---\n",        "...\n",     "%YAML", "\t",      "\r\n",
      "\"",   "'",     "|\n",    ">-\n", "? ",           "- ",        ": ",    "# ",      "[[[[",
      "}}}}", "{a: ",  "\\x",    "\xC3", "\xEF\xBB\xBF", "force_n: ", "push",  "seed: 9", "999999999999999999999"};
  static constexpr char kSigns[] = "[]{}:,-?!&*|>'\"%@`# \n\t";
  std::mt19937 random_;  // its sequence is fixed by the standard; distributions are not
};

TEST(ScenarioFuzz, ADamagedScenarioLoadsOrIsRefusedAndNeverCrashes) {
  Mutator mutator(/*seed=*/20'241);
  int loaded = 0;
  int refused = 0;
  for (int i = 0; i < 2'000; ++i) {
    const std::string text = mutator.mutate(test::kExampleScenario);
    try {
      const Scenario scenario = parse_scenario(text, "f.yaml");
      ++loaded;
      // What loads can be written and read again.
      EXPECT_NO_THROW(parse_scenario(to_yaml(scenario.yaml), "again.yaml")) << text;
    } catch (const Error& error) {
      ++refused;
      EXPECT_EQ(std::string(error.what()).rfind("f.yaml", 0), 0u) << error.what();
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    }
  }
  // Both happen often, so that the test means something.
  EXPECT_GT(loaded, 100);
  EXPECT_GT(refused, 1'000);
}

TEST(ScenarioFuzz, ADamagedOverrideIsAppliedOrRefused) {
  Mutator mutator(/*seed=*/7);
  const char* options[] = {"events.0.push.force_n=[0,100,0]", "duration_s=2", "world={floor: {friction: 0.5}}",
                           "checks.1.below=0.02", "start.joint_offset_rad.left_knee=0.1"};
  int refused = 0;
  for (int i = 0; i < 2'000; ++i) {
    try {
      const Override change = parse_override(mutator.mutate(options[mutator.below(std::size(options))]));
      parse_scenario(test::kExampleScenario, "f.yaml", {&change, 1});
    } catch (const Error& error) {
      ++refused;
      EXPECT_EQ(std::string(error.what()).rfind("--set ", 0), 0u) << error.what();
    }
  }
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace aplomb

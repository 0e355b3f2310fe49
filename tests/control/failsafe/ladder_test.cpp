#include "aplomb/control/failsafe/ladder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace aplomb {
namespace {

constexpr std::uint32_t kAll = 1u << kNumConditions;
constexpr int kLevels = static_cast<int>(kSafetyLevelNames.size());

/// Calls `use(level, conditions, next)` for every level under every combination of conditions: 3.1 million transitions.
template <typename Use>
void for_each_transition(Use use) {
  for (int level = 0; level < kLevels; ++level) {
    for (std::uint32_t bits = 0; bits < kAll; ++bits) {
      const auto now = static_cast<SafetyLevel>(level);
      use(now, Conditions(bits), next_level(now, Conditions(bits)));
    }
  }
}

TEST(FailsafeLadder, IsEnumeratedInFull) {
  std::int64_t count = 0;
  for_each_transition([&](SafetyLevel, Conditions, SafetyLevel) { ++count; });
  EXPECT_GE(count, 1'000'000);
}

TEST(FailsafeLadder, NeverGoesBackUp) {
  for_each_transition(
      [](SafetyLevel now, Conditions conditions, SafetyLevel next) { ASSERT_GE(next, now) << conditions.bits(); });
}

TEST(FailsafeLadder, StaysWhereItIsWithoutAnyCondition) {
  for (int level = 0; level < kLevels; ++level) {
    EXPECT_EQ(next_level(static_cast<SafetyLevel>(level), {}), static_cast<SafetyLevel>(level));
  }
}

TEST(FailsafeLadder, ObeysTheConditionThatDemandsMost) {
  for_each_transition([](SafetyLevel now, Conditions conditions, SafetyLevel next) {
    for (const LadderRow& row : kLadder) {
      const bool counts = conditions.has(row.condition) && (!row.only_from || *row.only_from == now);
      ASSERT_TRUE(!counts || next >= row.enters) << row.name;
    }
    const bool is_demanded = std::ranges::any_of(kLadder, [&](const LadderRow& row) {
      return conditions.has(row.condition) && row.enters == next && (!row.only_from || *row.only_from == now);
    });
    ASSERT_TRUE(next == now || is_demanded) << "nobody demands " << name_of(next);
  });
}

TEST(FailsafeLadder, DoesNotOscillateUnderConditionsThatComeAndGo) {
  // The level after a and b in turn is settled after at most one pass down the ladder.
  for (std::uint32_t bits = 0; bits < kAll; bits += 7) {
    const Conditions one(bits), other(kAll - 1 - bits);
    SafetyLevel level = SafetyLevel::nominal;
    int changes = 0;
    for (int i = 0; i < 20; ++i) {
      const SafetyLevel next = next_level(level, i % 2 == 0 ? one : other);
      changes += next != level;
      level = next;
    }
    ASSERT_LT(changes, kLevels);
  }
}

TEST(FailsafeLadder, HasNoDeadEndAboveOff) {
  for (int level = 0; level < kLevels - 1; ++level) {
    SafetyLevel now = static_cast<SafetyLevel>(level);
    for (int i = 0; i < kLevels; ++i) now = next_level(now, Conditions(kAll - 1));
    EXPECT_EQ(now, SafetyLevel::off) << "from " << kSafetyLevelNames[static_cast<std::size_t>(level)];
    // Each level can be left by a single condition.
    const bool has_exit = std::ranges::any_of(kLadder, [&](const LadderRow& row) {
      Conditions only;
      only.set(row.condition);
      return next_level(static_cast<SafetyLevel>(level), only) != static_cast<SafetyLevel>(level);
    });
    EXPECT_TRUE(has_exit) << "from " << kSafetyLevelNames[static_cast<std::size_t>(level)];
  }
}

TEST(FailsafeLadder, ReachesEveryLevelAndUsesEveryRow) {
  std::set<SafetyLevel> reached;
  for (const LadderRow& row : kLadder) {
    Conditions only;
    only.set(row.condition);
    const SafetyLevel from = row.only_from.value_or(SafetyLevel::nominal);
    EXPECT_EQ(next_level(from, only), row.enters) << row.name;
    reached.insert(row.enters);
  }
  EXPECT_EQ(reached.size(), static_cast<std::size_t>(kLevels - 1));  // nominal by a reset only
}

TEST(FailsafeLadder, ListsConditionsInTheOrderOfTheirNumbers) {
  for (std::size_t i = 0; i < kNumConditions; ++i) EXPECT_EQ(static_cast<std::size_t>(kLadder[i].condition), i);
}

TEST(FailsafeLadder, IsTheTableOfTheDocuments) {
  std::ifstream file(std::filesystem::path(APLOMB_SOURCE_DIR) / "docs" / "failsafe.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for (const LadderRow& row : kLadder) {
    std::ostringstream line;
    line << "| `" << row.name << "` | " << row.meaning << " | " << (row.only_from ? name_of(*row.only_from) : "any")
         << " | `" << name_of(row.enters) << "` |\n";
    EXPECT_NE(text.find(line.str()), std::string::npos) << "docs/failsafe.md lacks the line\n" << line.str();
  }
}

}  // namespace
}  // namespace aplomb

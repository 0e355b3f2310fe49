#include "aplomb/pipeline/plan_cache.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/pipeline/cache/plan_members.hpp"
#include "aplomb/pipeline/rise_planner.hpp"
#include "support/temporary_folder.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(Retargeted plan) {
  ByteWriter bytes;
  bytes(plan);
  return bytes.bytes();
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  return files;
}

/// A rise of the demonstrator, planned once for all tests.
class PlanCacheTest : public testing::Test {
 protected:
  static std::shared_ptr<const RisePlan> plan(RisePlanner& planner) {
    return planner.plan({.plan = {.is_asked = true, .parameters = PlanRequest::Parameters::actual},
                         .robot = "sarcos_real",
                         .base = planner.load("sarcos_real"),
                         .chair = Chair{.height = 0.45}});
  }
  static const RisePlan& planned() {
    static RisePlanner planner;
    static const std::shared_ptr<const RisePlan> made = plan(planner);
    return *made;
  }

  /// What the cache gives for this key, and the plan that it was given, are the same to the last bit.
  static bool finds(const PlanCache& cache) {
    const std::optional<Retargeted> found = cache.find_plan("plan-a");
    return found && bytes_of(*found) == bytes_of(*planned().retargeted);
  }

  test::TemporaryFolder folder_;
  fs::path place_ = folder_.path() / "cache" / "aplomb";
};

TEST_F(PlanCacheTest, GivesAPlanBackToTheLastBit) {
  const PlanCache cache(place_);
  EXPECT_FALSE(finds(cache));
  cache.keep("plan-a", *planned().retargeted);
  EXPECT_TRUE(finds(cache));
  EXPECT_TRUE(finds(PlanCache(place_))) << "another process";
  EXPECT_FALSE(cache.find_plan("plan-b"));
  Log postures({"a", "b"});
  postures.append(std::vector{1.0 / 3.0, -0.0});
  postures.append(std::vector{1e-300, std::nan("")});
  cache.keep("postures-a", postures);
  const std::optional<Log> found = cache.find_postures("postures-a");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->columns(), postures.columns());
  ASSERT_EQ(found->values().size(), postures.values().size());
  EXPECT_EQ(std::memcmp(found->values().data(), postures.values().data(), found->values().size_bytes()), 0);
}

TEST_F(PlanCacheTest, ASecondPlannerFindsThePlanAndTheSamePlan) {
  const auto cache = std::make_shared<const PlanCache>(place_);
  const auto plan_counting = [&](std::set<std::string>& steps) {
    RisePlanner planner;
    planner.use_cache(cache);
    planner.report_steps([&](std::string_view step, double) { steps.emplace(step); });
    return plan(planner);
  };
  std::set<std::string> first, second;
  const auto made = plan_counting(first), found = plan_counting(second);
  EXPECT_TRUE(first.contains("plan of the robot's motion"));
  EXPECT_FALSE(second.contains("plan of the robot's motion"));
  EXPECT_EQ(bytes_of(*made->retargeted), bytes_of(*found->retargeted));
  EXPECT_EQ(bytes_of(*planned().retargeted), bytes_of(*found->retargeted)) << "without a cache";
  EXPECT_EQ(made->notes, found->notes);
}

TEST_F(PlanCacheTest, ADamagedEntryIsIgnoredAndReplaced) {
  const PlanCache cache(place_);
  cache.keep("plan-a", *planned().retargeted);
  ASSERT_EQ(entries(place_).size(), 1u);
  const fs::path file = entries(place_).front();
  const std::string whole = text_of(file);
  std::vector<std::string> damaged = {"", "nonsense", whole.substr(0, whole.size() / 2), whole + "x"};
  for (const std::size_t at : {std::size_t{3}, std::size_t{40}, whole.size() / 3, whole.size() - 1}) {
    damaged.push_back(whole);
    damaged.back()[at] = static_cast<char>(damaged.back()[at] ^ 1);
  }
  for (const std::string& text : damaged) {
    write(file, text);
    EXPECT_FALSE(cache.find_plan("plan-a")) << text.size();
    cache.keep("plan-a", *planned().retargeted);
    EXPECT_EQ(text_of(file), whole);
  }
  EXPECT_TRUE(finds(cache));
}

TEST_F(PlanCacheTest, BytesThatAreNoPlanAreRefusedWhateverTheySay) {
  const std::string whole = bytes_of(*planned().retargeted);
  for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 97) {
    ByteReader reader(std::string_view(whole).substr(0, size));
    Retargeted value;
    EXPECT_THROW(reader(value), InvalidValue) << size;
  }
  for (std::size_t at = 0; at + 8 < whole.size(); at += 8 + whole.size() / 211 / 8 * 8) {
    std::string wrong = whole;
    wrong.replace(at, 8, 8, '\xff');  // a size that no machine has
    ByteReader reader(wrong);
    Retargeted value;
    try {
      reader(value);
    } catch (const InvalidValue&) {
    }
  }
}

TEST_F(PlanCacheTest, IsPrivateAndUsesNoFolderOfOthers) {
  const PlanCache cache(place_);
  struct stat status {};
  ASSERT_EQ(::stat(place_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  cache.keep("plan-a", *planned().retargeted);
  fs::permissions(place_, fs::perms::others_write, fs::perm_options::add);
  EXPECT_FALSE(PlanCache(place_).find_plan("plan-a")) << "anyone may have written there";
  fs::permissions(place_, fs::perms::others_write, fs::perm_options::remove);
  EXPECT_TRUE(finds(PlanCache(place_)));
  fs::create_directory_symlink(place_, folder_.path() / "link");
  EXPECT_FALSE(PlanCache(folder_.path() / "link").find_plan("plan-a")) << "a link";
  const fs::path file = entries(place_).front(), elsewhere = folder_.path() / "elsewhere";
  fs::rename(file, elsewhere);
  fs::create_symlink(elsewhere, file);
  EXPECT_FALSE(PlanCache(place_).find_plan("plan-a")) << "an entry that is a link";
}

TEST_F(PlanCacheTest, TheEntriesNotUsedForLongestGo) {
  const std::size_t size = bytes_of(*planned().retargeted).size();
  const PlanCache cache(place_, /*most_bytes=*/4 * size + size / 2);
  for (const char* key : {"plan-a", "plan-b", "plan-c", "plan-d"}) {
    cache.keep(key, *planned().retargeted);
    fs::last_write_time(place_ / (std::string(key) + ".cached"),
                        fs::file_time_type::clock::now() - std::chrono::hours(10 - entries(place_).size()));
  }
  EXPECT_TRUE(cache.find_plan("plan-a"));  // used now
  cache.keep("plan-e", *planned().retargeted);
  EXPECT_EQ(entries(place_).size(), 4u);
  EXPECT_FALSE(cache.find_plan("plan-b"));
  EXPECT_TRUE(cache.find_plan("plan-a"));
  EXPECT_TRUE(cache.find_plan("plan-e"));
}

TEST_F(PlanCacheTest, TheKeyIsTheContentOfPersonRobotAndOptions) {
  const HumanTrial& person = *planned().trial;
  const RobotModel robot = RobotModel::load("sarcos_real");
  const std::string key = PlanCache::plan_key(person, robot, {});
  EXPECT_EQ(PlanCache::plan_key(person, RobotModel::load("sarcos_real"), {}), key);
  std::set<std::string> keys = {key};
  HumanTrial moved = person;
  moved.motion.q(5, 0) += 1e-9;
  keys.insert(PlanCache::plan_key(moved, robot, {}));
  HumanTrial later = person;
  later.rises.front().seat_off_s += 0.01;
  keys.insert(PlanCache::plan_key(later, robot, {}));
  keys.insert(PlanCache::plan_key(person, RobotModel::load("sarcos_heavy"), {}));
  keys.insert(PlanCache::plan_key(person, robot.cad(), {}));
  keys.insert(PlanCache::plan_key(person, robot, {.chair_height = 0.45}));
  keys.insert(PlanCache::plan_key(person, robot, {.mode = RetargetMode::hard}));
  keys.insert(PlanCache::plan_key(person, robot, {.has_arm_rests = false}));
  EXPECT_EQ(keys.size(), 8u);
  EXPECT_NE(PlanCache::postures_key(robot, {}), PlanCache::postures_key(robot, {.seed = 2}));
}

TEST_F(PlanCacheTest, IsWhereTheUserHasCachesOrOff) {
  ::setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
  ::unsetenv("APLOMB_NO_CACHE");
  ASSERT_NE(PlanCache::of_user(), nullptr);
  EXPECT_EQ(PlanCache::of_user()->folder(), folder_.path() / "aplomb");
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  ::setenv("HOME", folder_.path().c_str(), 1);
  EXPECT_EQ(PlanCache::of_user()->folder(), folder_.path() / ".cache" / "aplomb");
  ::setenv("APLOMB_NO_CACHE", "1", 1);
  EXPECT_EQ(PlanCache::of_user(), nullptr);
}

}  // namespace
}  // namespace aplomb

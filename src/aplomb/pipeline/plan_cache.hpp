#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "aplomb/core/table/log.hpp"
#include "aplomb/human/human_trial.hpp"
#include "aplomb/pipeline/measure_postures.hpp"
#include "aplomb/retarget/retarget.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Plans and posture experiments of earlier runs, found again by content: the same person, robot and options give the
/// same key wherever their files are, and another build of aplomb gives another one. What is read back has every bit of
/// what was computed, so a run with the cache writes the bytes of a run without it.
///
/// A folder of the user (mode 0700) with one file an entry, each with its own digest: a damaged entry counts as absent,
/// and is written again. The entries that were not used for longest go when all together exceed the limit. Nothing here
/// throws: what cannot be cached is computed.
class PlanCache {
 public:
  static constexpr std::uintmax_t kMostBytes = 200'000'000;

  /// $XDG_CACHE_HOME/aplomb, else ~/.cache/aplomb; nullptr with APLOMB_NO_CACHE set, or without such a place.
  static std::shared_ptr<PlanCache> of_user();

  /// The folder is made when it is missing. One that is a link, another user's or open to others is not used.
  explicit PlanCache(std::filesystem::path folder, std::uintmax_t most_bytes = kMostBytes);

  static std::string plan_key(const HumanTrial& person, const RobotModel& robot, const RetargetOptions& options);
  static std::string postures_key(const RobotModel& robot, const PostureExperiment& experiment);

  std::optional<Retargeted> find_plan(const std::string& key) const;
  void keep(const std::string& key, const Retargeted& plan) const;
  std::optional<Log> find_postures(const std::string& key) const;
  void keep(const std::string& key, const Log& postures) const;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::optional<std::string> read(const std::string& key) const;
  void write(const std::string& key, const std::string& content) const;
  void make_room() const;

  std::filesystem::path folder_;
  std::uintmax_t most_bytes_;
  bool is_usable_ = false;
};

}  // namespace aplomb

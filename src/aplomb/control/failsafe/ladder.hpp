#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace aplomb {

/// Levels of the failsafe ladder, each safer and less capable than the one before it.
enum class SafetyLevel : int {
  nominal,       ///< the controller acts on its sensors
  degraded,      ///< the controller acts; a sensor is replaced by a stated substitute, or a tick was not solved
  stop_moving,   ///< the posture is held by joint springs; the controller is out
  sit_or_kneel,  ///< the held posture is lowered onto bent legs
  damp,          ///< joint dampers only
  off,           ///< no torque
};
inline constexpr std::array<std::string_view, 6> kSafetyLevelNames = {"nominal",      "degraded", "stop_moving",
                                                                      "sit_or_kneel", "damp",     "off"};
inline std::string_view name_of(SafetyLevel level) { return kSafetyLevelNames[static_cast<std::size_t>(level)]; }

/// Who commands the joints on each level.
inline constexpr std::array<std::string_view, 6> kSafetyLevelActions = {
    "the controller, on its sensors",
    "the controller; failed state sensors are substituted",
    "joint springs and dampers hold the posture",
    "joint springs and dampers, while the posture is lowered onto bent legs",
    "joint dampers only",
    "nobody: no torque"};

/// Conditions that the ladder knows, in the order of its table.
enum class Condition : int {
  sensor_lost,
  sensor_not_finite,
  sensor_out_of_range,
  sensor_frozen,
  sensor_jumped,
  reading_late,
  solve_failed,
  deadline_missed,
  state_unknown,
  state_lost_for_good,
  command_not_finite,
  solver_failing,
  deadline_failing,
  torque_saturated,
  held_for_long,
  lowered,
  capture_point_lost,
  tilted,
  at_rest,
};
inline constexpr std::size_t kNumConditions = 19;

/// A set of conditions.
class Conditions {
 public:
  constexpr Conditions() = default;
  constexpr explicit Conditions(std::uint32_t bits) : bits_(bits) {}
  constexpr void set(Condition condition, bool holds = true) {
    if (holds) bits_ |= bit(condition);
  }
  constexpr bool has(Condition condition) const { return (bits_ & bit(condition)) != 0; }
  constexpr bool has_any() const { return bits_ != 0; }
  constexpr std::uint32_t bits() const { return bits_; }

 private:
  static constexpr std::uint32_t bit(Condition condition) { return 1u << static_cast<unsigned>(condition); }
  std::uint32_t bits_ = 0;
};

/// One row of the ladder: a condition, and the level that it demands.
struct LadderRow {
  Condition condition{};
  std::string_view name;
  SafetyLevel enters{};
  std::optional<SafetyLevel> only_from;  ///< the one level in which it counts; absent: all, levels between are skipped
  std::string_view meaning;              ///< when it holds
};

/// The ladder. docs/failsafe.md prints this table; a test compares both.
inline constexpr std::array<LadderRow, kNumConditions> kLadder = {{
    {Condition::sensor_lost, "sensor_lost", SafetyLevel::degraded, {}, "a sensor that has answered is reported lost"},
    {Condition::sensor_not_finite, "sensor_not_finite", SafetyLevel::degraded, {}, "a reading is NaN or infinite"},
    {Condition::sensor_out_of_range,
     "sensor_out_of_range",
     SafetyLevel::degraded,
     {},
     "a reading is beyond what the robot can do"},
    {Condition::sensor_frozen,
     "sensor_frozen",
     SafetyLevel::degraded,
     {},
     "a reading repeats itself exactly for 10 ticks while the robot moves"},
    {Condition::sensor_jumped,
     "sensor_jumped",
     SafetyLevel::degraded,
     {},
     "a position contradicts its own velocity, or a velocity its own position"},
    {Condition::reading_late,
     "reading_late",
     SafetyLevel::degraded,
     {},
     "the time between two readings is not the control period within a half"},
    {Condition::solve_failed, "solve_failed", SafetyLevel::degraded, {}, "a solve of the controller failed in a tick"},
    {Condition::deadline_missed,
     "deadline_missed",
     SafetyLevel::degraded,
     {},
     "a solve of the controller was ended by its budget of operations in a tick"},
    {Condition::state_unknown,
     "state_unknown",
     SafetyLevel::stop_moving,
     {},
     "for 0.1 s the state was neither measured nor could it be substituted"},
    {Condition::state_lost_for_good,
     "state_lost_for_good",
     SafetyLevel::stop_moving,
     {},
     "a position of the state has a substitute, which drifts, for 1 s and the robot is slow, or for 3 s"},
    {Condition::command_not_finite,
     "command_not_finite",
     SafetyLevel::stop_moving,
     {},
     "the controller's command is NaN or infinite"},
    {Condition::solver_failing,
     "solver_failing",
     SafetyLevel::stop_moving,
     {},
     "no solve succeeded for 50 ticks in a row"},
    {Condition::deadline_failing,
     "deadline_failing",
     SafetyLevel::stop_moving,
     {},
     "the deadline was missed for 200 ticks in a row"},
    {Condition::torque_saturated,
     "torque_saturated",
     SafetyLevel::stop_moving,
     {},
     "the commanded torque of a joint is at its limit for 5 s without a break"},
    {Condition::held_for_long, "held_for_long", SafetyLevel::sit_or_kneel, SafetyLevel::stop_moving,
     "a standing posture was held for 30 s, and the robot can be lowered"},
    {Condition::lowered, "lowered", SafetyLevel::damp, SafetyLevel::sit_or_kneel,
     "the robot was lowered, and kept so for 2 s"},
    {Condition::capture_point_lost,
     "capture_point_lost",
     SafetyLevel::damp,
     {},
     "the capture point is outside the support by 0.2 of the CoM's height for 0.1 s"},
    {Condition::tilted, "tilted", SafetyLevel::damp, {}, "the base leans 60 degrees more than at the start for 20 ms"},
    {Condition::at_rest, "at_rest", SafetyLevel::off, SafetyLevel::damp,
     "damped for 1 s and the joints are at rest, or damped for 10 s"},
}};

inline constexpr std::string_view name_of(Condition condition) {
  return kLadder[static_cast<std::size_t>(condition)].name;
}

/// The level after a tick: the highest that a row demands, and never lower than before. Only a reset leads back.
SafetyLevel next_level(SafetyLevel now, Conditions conditions);

}  // namespace aplomb

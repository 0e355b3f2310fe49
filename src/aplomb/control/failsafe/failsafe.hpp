#pragma once

#include <memory>
#include <span>

#include "aplomb/control/controller.hpp"
#include "aplomb/control/failsafe/ladder.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// The failsafe ladder around a controller, one's own or a built-in one. While nothing is wrong it hands readings and
/// commands through unchanged; a sensor that fails is found and substituted (level `degraded`); when the state is lost
/// for good, or the controller fails, the robot holds its posture by joint springs (`stop_moving`), is lowered
/// (`sit_or_kneel`), damped, switched off. docs/failsafe.md has the ladder, the substitutes and their limits.
///
///   Failsafe failsafe(model, start, controller);
///   while (...) drives.write(failsafe.step(readings));   // in place of controller.step(readings)
///
/// Its commands are always finite. `step` never throws and never allocates.
class Failsafe final : public Controller {
 public:
  /// How much later a velocity may be read than its position, its filter included, without contradicting it.
  static constexpr double kRateLag_s = 2e-3;

  /// `standing` is the posture in which the robot stands, at the end of a motion; its base is taken to be upright at
  /// the start. `model` and `controller` must outlive this object.
  Failsafe(const RobotModel& model, const RobotState& start, const RobotState& standing, Controller& controller,
           double rate_lag_s = kRateLag_s);
  Failsafe(const RobotModel& model, const RobotState& start, Controller& controller)
      : Failsafe(model, start, start, controller) {}
  ~Failsafe() override;

  const Command& step(const SensorReadings& readings) override;
  /// The same where an estimator writes parts of `readings`: `raw` is what the sensors read.
  const Command& step(const SensorReadings& raw, const SensorReadings& readings);
  void correct(const ModelCorrection& correction) override;
  std::span<const Fallback> fallbacks() const override;
  std::span<const Signal> signals() const override;  ///< those of the controller
  /// That of the controller, the metrics `failsafe_*`, `nonfinite_values` when the controller's command
  /// was not finite, and a fault for each level entered.
  ControllerReport report() const override;

  SafetyLevel level() const;
  Conditions conditions() const;  ///< those that held in the last tick
  /// Back to `nominal`, by a person's decision. Throws InvalidValue while a condition still holds.
  void reset();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aplomb

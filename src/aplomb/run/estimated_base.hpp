#pragma once

#include <span>
#include <vector>

#include "aplomb/control/controller.hpp"
#include "aplomb/control/fallbacks.hpp"
#include "aplomb/estimate/base_estimator.hpp"
#include "aplomb/run/metrics/estimate_metrics.hpp"
#include "aplomb/run/observer.hpp"
#include "aplomb/sim/body_sensors.hpp"
#include "aplomb/sim/sensors.hpp"

namespace aplomb {

/// The part of a run whose robot does not measure its base: sensors of pelvis and feet, the estimator in the loop, and
/// its comparison with the simulator's truth.
class EstimatedBase {
 public:
  /// Whether a robot with these sensors needs an estimate: one of base pose and twist is not fitted.
  static bool is_needed(const SensorSuite::Settings& sensors);

  /// `robot` is simulated, `believed` is known to the estimator; both outlive this. `placed` is the state in which the
  /// robot was placed; of the world it is known whether there is a seat, or something for the hands. Throws
  /// InvalidValue for a robot that BaseEstimator refuses.
  EstimatedBase(const RobotModel& robot, const RobotModel& believed, const World& world,
                const SensorSuite::Settings& sensors, const RobotState& placed);

  /// Lets the estimator watch the robot at rest for a second before the run begins.
  void watch_rest(const Simulation& simulation, SensorSuite& sensors);
  void measure(const RobotState& truth, SensorReadings& readings) { body_sensors_.measure(truth, readings); }
  /// What the controller gets: the readings, and the estimate of the base.
  const SensorReadings& estimate(const SensorReadings& measured);
  void judge(const Observation& now, const RobotState& truth) { metrics_.add(estimator_, readings_, now, truth); }

  /// Sensors that the estimator could not use in the last tick.
  std::span<const Fallback> fallbacks() const { return fallbacks_.taken(); }
  /// The estimate, its errors, and the readings of inertial units and ankle sensors, by the columns of `estimate_log`.
  std::span<const Signal> signals();
  void add_metrics(Metrics& metrics) const { metrics_.finish(metrics); }

 private:
  BodySensors body_sensors_;
  BaseEstimator estimator_;
  EstimateMetrics metrics_;
  Fallbacks fallbacks_;
  SensorReadings readings_;
  std::vector<Signal> signals_;
};

}  // namespace aplomb

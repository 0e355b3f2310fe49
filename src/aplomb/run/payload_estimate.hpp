#pragma once

#include <array>
#include <optional>
#include <vector>

#include "aplomb/control/controller.hpp"
#include "aplomb/identify/payload_filter.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/run/observer.hpp"

namespace aplomb {

/// Finds out what a link carries while the robot works, from its sensors, and tells the controller. Ten ticks make a
/// reading: mean wrenches, and the acceleration as the change of the measured rates. How far the CoM that is believed
/// is from the simulator's is kept for the metrics; nobody else gets to see it.
class PayloadEstimate {
 public:
  /// `believed` must outlive this object; `handed_over_s` is when the last payload comes.
  PayloadEstimate(const RobotModel& believed, FrameId link, double handed_over_s);

  /// One control tick; true every tenth, when `correction` is new. A tick with a broken reading is left out.
  bool update(const SensorReadings& readings);
  ModelCorrection correction() const { return filter_.correction(); }

  void judge(const Observation& truth, const RobotState& true_state);  ///< after an update that was new
  std::array<Signal, 2> signals() const;
  void add_metrics(Metrics& metrics) const;

 private:
  void clear();

  PayloadFilter filter_;
  RobotTerms terms_;  ///< of the robot as it is believed by now
  SensorReadings mean_;
  Eigen::VectorXd first_rate_, acceleration_;
  int num_ticks_ = 0;
  double handed_over_s_, com_error_;
  std::optional<double> right_since_s_;  ///< the CoM has been within kNear since then
};

}  // namespace aplomb

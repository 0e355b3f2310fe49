#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/motion/plan_player.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/shapes/seat_shapes.hpp"
#include "aplomb/run/observer.hpp"

namespace aplomb {

/// How a robot takes a seat: when, how fast, and how hard (docs/metrics.md, "Sit to stand").
class SeatTouches {
 public:
  SeatTouches(const RobotModel& robot, const PlanPlayer& plan);

  bool are_planned() const { return planned_s_.has_value(); }  ///< the plan takes a seat
  void add(const Observation& now, const RobotState& state);
  void finish(Metrics& metrics) const;

 private:
  double lowest_point(const RobotState& state);

  TreeKinematics kinematics_;
  std::vector<SeatShape> shapes_;
  std::optional<double> planned_s_;  ///< last planned touch, in the run's time [s]
  bool is_on_seat_;
  double off_since_s_ = 0.0;                  ///< since when the seat has carried nothing [s]
  std::optional<double> height_;              ///< of the lowest point at the tick before [m]
  double speed_ = 0.0;                        ///< downwards, at the tick before [m/s]
  std::optional<double> touch_s_, velocity_;  ///< last touch [s]; fastest one [m/s]
  std::vector<double> forces_;                ///< of the seat, from the first touch on [N]
  double planned_force_ = NAN;                ///< at the last tick [N]
};

}  // namespace aplomb

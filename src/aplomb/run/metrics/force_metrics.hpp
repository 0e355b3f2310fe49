#pragma once

#include <array>
#include <optional>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/motion/com_request.hpp"
#include "aplomb/motion/hand_force.hpp"
#include "aplomb/run/observer.hpp"

namespace aplomb {

/// Metrics of a run with hand forces or steps, for any controller: error of the hand force, and jumps of torque, foot
/// force and ZMP at lift-off, at touch-down and at the end of loading. Computed from the simulator's true values.
class ForceMetrics {
 public:
  ForceMetrics(const HandForces& hand_forces, const std::vector<StepRequest>& steps)
      : hand_forces_(hand_forces), steps_(steps), touch_down_s_(steps.size()) {}

  /// Finds the wall that each hand presses against; called before the first tick.
  void place(const RobotModel& robot, const Simulation& simulation);
  void add(const Observation& now);
  void add_metrics(Metrics& metrics) const;  ///< adds none without hand forces and steps

 private:
  struct Hand {
    Eigen::Vector3d normal = Eigen::Vector3d::UnitX();
    std::optional<Eigen::Vector3d> touched_at;  ///< position of the hand when contact began [m]
  };
  struct Jumps {
    double time_s = 0.0, torque = 0.0, foot_force = 0.0, zmp = 0.0;
    void take(const Jumps& other);  ///< takes the larger of each jump
  };
  void add_hand(int side, const Observation& now);
  void add_jumps(const Observation& now);
  Jumps worst_near(double event_s) const;

  HandForces hand_forces_;
  std::vector<StepRequest> steps_;
  std::array<std::optional<Hand>, 2> hands_;
  double force_squares_ = 0.0, force_error_max_ = 0.0, slip_max_ = 0.0, speed_max_ = 0.0;
  std::int64_t num_forces_ = 0;
  std::vector<Jumps> jumps_;  ///< one per tick, in runs with steps
  std::optional<Observation> last_;
  std::vector<std::optional<double>> touch_down_s_;  ///< measured touch-down of each step
};

}  // namespace aplomb

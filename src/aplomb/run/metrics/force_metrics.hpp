#pragma once

#include <array>
#include <optional>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/motion/com_request.hpp"
#include "aplomb/motion/hand_force.hpp"
#include "aplomb/run/observer.hpp"

namespace aplomb {

/// Metrics of a run that asks for hand forces or steps, whatever the controller: how well a hand's force is held, and
/// how much jumps where a foot leaves the ground, comes back, and becomes a rigid contact again. From the truth.
class ForceMetrics {
 public:
  ForceMetrics(const HandForces& hand_forces, const std::vector<StepRequest>& steps)
      : hand_forces_(hand_forces), steps_(steps), touch_down_s_(steps.size()) {}

  /// Before the first tick: which wall each hand presses against.
  void place(const RobotModel& robot, const Simulation& simulation);
  void add(const Observation& now);
  void add_metrics(Metrics& metrics) const;  ///< nothing when nothing was asked for

 private:
  struct Hand {
    Eigen::Vector3d normal = Eigen::Vector3d::UnitX();
    std::optional<Eigen::Vector3d> touched_at;  ///< where the hand came to the wall [m]
  };
  struct Jumps {
    double time_s = 0.0, torque = 0.0, foot_force = 0.0, zmp = 0.0;
    void take(const Jumps& other);  ///< the larger of each
  };
  void add_hand(int side, const Observation& now);
  void add_jumps(const Observation& now);
  Jumps worst_near(double event_s) const;

  HandForces hand_forces_;
  std::vector<StepRequest> steps_;
  std::array<std::optional<Hand>, 2> hands_;
  double force_squares_ = 0.0, force_error_max_ = 0.0, slip_max_ = 0.0, speed_max_ = 0.0;
  std::int64_t num_forces_ = 0;
  std::vector<Jumps> jumps_;  ///< one a tick, where a step is asked for
  std::optional<Observation> last_;
  std::vector<std::optional<double>> touch_down_s_;  ///< of each step
};

}  // namespace aplomb

#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/core/math/filter.hpp"
#include "aplomb/core/result.hpp"
#include "aplomb/motion/plan_player.hpp"
#include "aplomb/run/metrics/rise_loads.hpp"
#include "aplomb/run/metrics/seat_touches.hpp"
#include "aplomb/run/observer.hpp"

namespace aplomb {

/// Collects the metrics of a rise from a chair, and of the way back onto it (docs/metrics.md, "Sit to stand").
class RiseMetrics {
 public:
  RiseMetrics(const RobotModel& robot, const PlanPlayer& plan);

  /// `torque`: as applied by the drives [N m].
  void add(const Observation& now, const RobotState& state, const Eigen::VectorXd& torque);
  /// After the robot has fallen: only the impact counts.
  void add_fall(const Observation& now);
  void finish(Metrics& metrics) const;

  /// Time of the final seat-off; absent while the seat is loaded [s].
  std::optional<double> seat_off_s() const;
  /// One sentence with the reason why the robot did not end as planned, standing or on the seat; empty when it did.
  std::string reason() const;

 private:
  struct Tick {
    double time_s, heel, toe;       ///< CoP margins of the worse foot; NaN when no foot or the seat is loaded [m]
    double com_x_error, cop_error;  ///< [m]; cop_error is NaN during contacts other than the soles
    Eigen::Vector2d com;
    double seat_force;  ///< [N]
  };
  /// Time without load on the seat that ended with load on it again.
  struct Bounce {
    double off_s = 0.0, on_s = 0.0;
  };
  void add_seat(const Observation& now);
  void add_force_errors(const Observation& now);
  std::string seat_failure() const;
  bool is_judged() const { return !ticks_.empty() && ticks_.back().time_s >= judged_s_ - 2e-3; }
  /// Hips near the plan, and at rest, when the result is judged.
  bool is_in_place(double most_forward) const;
  bool has_stood_up() const;
  bool has_sat_down() const;
  bool is_at_rest() const;
  std::string outcome() const;
  double seat_force_end() const;  ///< mean over the window of the CoM sway [N]

  const RobotModel* robot_;
  double size_;  ///< leg length relative to that of sarcos_real
  double start_s_, end_s_, judged_s_, planned_seat_off_s_;
  bool ends_seated_;
  double planned_seat_force_ = 0.0;  ///< latest one, up to judged_s_ [N]
  std::vector<Tick> ticks_;
  std::optional<double> last_on_seat_s_, fell_at_s_;
  double last_seat_force_ = 0.0;
  std::optional<Bounce> bounce_;  ///< the longest one
  RiseLoads loads_;
  SeatTouches touches_;
  bool has_hands_;         ///< the plan has hand contacts on arm rests
  LowPass<1> hand_force_;  ///< upward force on both hands together [N]
  double hand_force_max_ = 0.0;
  LowPass<1> planned_hand_force_;
  double planned_hand_force_max_ = 0.0;
  LowPass<3> impact_;                        ///< force of the world on the robot, from its motion [N]
  std::optional<Eigen::Vector3d> velocity_;  ///< of the CoM at the tick before, since the fall [m/s]
  std::optional<double> impact_peak_;
  /// Low-passed difference of measured and planned forces, with the sum of its squares over the plan.
  struct ForceError {
    LowPass<3> filter{kCopCutoff, Simulation::kControlPeriod};
    double squares = 0.0;
    std::size_t count = 0;
  };
  ForceError seat_error_;
  std::array<ForceError, 2> hand_errors_;
  Eigen::Vector3d hip_error_ = Eigen::Vector3d::Zero();  ///< latest pelvis position error up to judged_s_ [m]
};

}  // namespace aplomb

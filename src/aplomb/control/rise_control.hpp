#pragma once

#include <vector>

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/control/momentum_balance.hpp"

namespace aplomb {

/// Stands up from a chair by a plan (`controller.kind: inverse_dynamics`). On the seat, where what the seat pushes with
/// is not the controller's to choose, the joints follow the plan with its own torques (JointPd); so do arms until their
/// hands are off their rests. When seat-off has come and the seat carries no more, the momentum balance takes over
/// within kTakeOver: it keeps the centre of mass on its way with what the feet can do, and the robot on its feet
/// afterwards.
class RiseControl final : public Controller {
 public:
  static constexpr double kTakeOver = 0.1;  ///< [s]

  /// Both must be given the same plan. `model` must outlive this object.
  RiseControl(const RobotModel& model, const RobotState& start, const JointPd::Settings& on_seat,
              const MomentumBalance::Settings& on_feet);

  const Command& step(const SensorReadings& readings) override;
  std::string_view fallback(Sensor sensor) const override { return on_feet_.fallback(sensor); }
  std::span<const Signal> signals() const override { return on_feet_.signals(); }
  ControllerReport report() const override { return on_feet_.report(); }

  double weight() const { return weight_; }  ///< of the momentum balance, 0 to 1

 private:
  bool is_off_seat(const SensorReadings& readings);
  void blend(const Command& on_seat, const Command& on_feet);

  JointPd on_seat_;
  MomentumBalance on_feet_;
  PlanPlayer plan_;
  LowPass<1> seat_;
  double carries_n_ = 0.0;  ///< what it last said
  double carried_n_;        ///< less than this on the seat counts as nothing
  bool has_left_ = false;
  double weight_ = 0.0, arm_weight_ = 0.0;
  std::vector<bool> is_of_arm_;  ///< by joint: of an arm whose hand pushes off an arm rest
  Command command_;
};

}  // namespace aplomb

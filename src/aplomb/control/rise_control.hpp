#pragma once

#include <memory>

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/control/momentum_balance.hpp"

namespace aplomb {

struct ControllerKind;

/// Follows a plan to stand up from a chair (`controller.kind: inverse_dynamics`). On the seat, whose force the
/// controller cannot choose, the joints follow the plan with its inverse-dynamics torques as feed-forward (JointPd);
/// the arms do so until their hands have left the arm rests. From the planned seat-off on, once the seat is unloaded,
/// the momentum balance takes over within kTakeOver: it keeps the CoM on its path with admissible foot forces, and the
/// robot on its feet afterwards.
class RiseControl final : public Controller {
 public:
  static constexpr double kTakeOver = 0.1;  ///< time over which the command is blended [s]; tuned

  /// `on_seat` and `on_feet` must have the same plan. `model` must outlive this object.
  RiseControl(const RobotModel& model, const RobotState& start, const JointPd::Settings& on_seat,
              const MomentumBalance::Settings& on_feet);
  ~RiseControl() override;

  static ControllerKind kind();  ///< `controller.kind: inverse_dynamics`

  const Command& step(const SensorReadings& readings) override;
  std::span<const Fallback> fallbacks() const override;
  std::span<const Signal> signals() const override;
  ControllerReport report() const override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aplomb

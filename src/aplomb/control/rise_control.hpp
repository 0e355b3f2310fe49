#pragma once

#include <memory>

#include "aplomb/control/momentum_balance.hpp"
#include "aplomb/motion/plan_player.hpp"

namespace aplomb {

struct ControllerKind;

/// Follows a plan from the seat to standing and back (`controller.kind: inverse_dynamics`, docs/sit_to_stand.md) with
/// one law for all of its contacts. Each tick:
///   desired rates of linear and angular momentum → loads of feet, seat and hands, as near to the planned ones as these
///   rates allow → joint accelerations that keep the contacts in place and follow the plan's posture → torques.
/// Nothing is switched at seat-off: the load that the plan wants from the seat goes to zero, and with it its share in
/// everything else. The seat is not measured: what it bears is estimated from the motion and the forces of the feet.
class RiseControl final : public Controller {
 public:
  /// `settings`: gains and contacts, as of a momentum balance; its references are not used. `model` must outlive this
  /// object. Throws InvalidValue on a robot without soles or with position-controlled joints.
  RiseControl(const RobotModel& model, const RobotState& start, const MomentumBalance::Settings& settings,
              const PlanReference& plan);
  ~RiseControl() override;

  static ControllerKind kind();  ///< `controller.kind: inverse_dynamics`

  const Command& step(const SensorReadings& readings) override;
  void correct(const ModelCorrection& correction) override;
  std::span<const Fallback> fallbacks() const override;
  std::span<const Signal> signals() const override;
  ControllerReport report() const override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aplomb

#pragma once

#include <array>
#include <optional>
#include <vector>

#include "aplomb/control/contact/firm_velocity.hpp"
#include "aplomb/control/contact/foot_contact.hpp"
#include "aplomb/control/contact/hand_contact.hpp"
#include "aplomb/control/controller.hpp"
#include "aplomb/control/momentum_balance/support_limits.hpp"
#include "aplomb/control/partial_force/holdable_force.hpp"
#include "aplomb/control/partial_force/level_ramp.hpp"
#include "aplomb/control/partial_force/partial_force_report.hpp"
#include "aplomb/motion/com_reference.hpp"

namespace aplomb {

/// Controls the motion and a part of the contact forces of a torque-controlled robot, in strict order
/// (Del Prete et al. 2014): rigid contacts and forces, limbs that move freely, the CoM, the posture.
/// docs/partial_force.md has the equations and what differs from the paper.
class PartialForce final : public Controller {
 public:
  enum class Law {
    closed_form,  ///< as published: no limit is looked at
    bounded,      ///< the same, and where that breaks a limit, the hierarchy with the limits in it
  };
  struct Settings {
    Law law = Law::bounded;
    MotionGains gains;          ///< of the CoM and of limbs that move freely
    MotionGains posture_gains;  ///< of the posture
    double gain_scale = 1.0;
    ComReference com_reference;  ///< where its height is not prescribed, the CoM's is left to the posture
    std::vector<LevelRamp::Change> level_changes;  ///< of the levels below
    LevelRamp::Settings level_ramp;
    std::array<FootContact::Settings, 2> feet;
    std::array<std::optional<HandContact::Settings>, 2> hands;
  };
  /// The levels of motion as they begin, the highest first.
  enum Level : std::size_t { kLimbs, kCom, kPosture };

  /// Holds the posture `start` as far as all else leaves it free. `model` must outlive this object. Throws InvalidValue
  /// on a robot without soles or with position-controlled joints.
  PartialForce(const RobotModel& model, const RobotState& start, const Settings& settings);

  const Command& step(const SensorReadings& readings) override;
  std::string_view fallback(Sensor sensor) const override;
  std::span<const Signal> signals() const override { return report_.signals(); }
  ControllerReport report() const override;

  const ForceProblem& problem() const { return problem_; }     ///< of the last tick
  const ForceSolution& solution() const { return solution_; }  ///< of the last tick
  ForceHierarchy::Law law_in_use() const { return tick_.law; }

 private:
  void update_contacts(const SensorReadings& readings);
  std::array<double, 2> loads() const;
  std::span<const ForceContact> hands() const { return std::span(problem_.contacts).subspan(feet_.size()); }
  void begin(const SensorReadings& readings);
  void hold_back_hands();
  std::string limit_name(int limit) const;
  void write_limbs(double time_s, const Eigen::VectorXd& v);
  void write_com(double time_s, const Eigen::VectorXd& v);
  void write_posture(const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  bool solve(const SensorReadings& readings);
  void record_tick(double time_s);

  const RobotModel* model_;
  Settings settings_;
  MotionGains gains_, posture_gains_;
  std::vector<Side> foot_side_;
  std::vector<FootContact> feet_;   ///< contacts 0 … of the problem; made after foot_side_, which they fill
  std::vector<HandContact> hands_;  ///< the contacts after them
  RobotTerms terms_;
  ForceProblem problem_;
  ForceSolution solution_;
  FirmVelocity firm_velocity_;
  LevelRamp laws_;
  HoldableForce holdable_;
  SupportLimits support_;
  bool has_begun_ = false;
  Eigen::VectorXd posture_;
  double stop_rate_ = 0.0;                         ///< [1/s]
  Eigen::VectorXd held_stiffness_, held_damping_;  ///< of the drives while the state is not known
  Command command_;
  PartialForceReport report_;
  PartialForceReport::Tick tick_;
};

}  // namespace aplomb

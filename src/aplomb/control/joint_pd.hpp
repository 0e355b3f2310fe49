#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

#include "aplomb/control/controller.hpp"
#include "aplomb/control/rise/chair_shift.hpp"
#include "aplomb/core/math/filter.hpp"
#include "aplomb/motion/plan_player.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// Holds a posture with a spring and a damper at each joint, and carries the weight with a feed-forward:
///   τ = k (q* − q) − d q̇ + τ_static(q, measured share of each foot; a seat carries the rest)
/// Spring and damper act in the drives (see Command). A position-controlled robot has its own; there the
/// feed-forward becomes an offset of the commanded angle, τ_static / k.
///
/// With a plan q*(t) moves and the damper acts on the difference of rates, without any feed-forward, as in Mistry et
/// al. 2010, or with the torques of the plan's inverse dynamics.
///
/// The gains come from the robot's size. With m its mass and h its CoM's height:
///   a joint between base and sole carries the body:  k = 2.5 m g h,  d = 0.27 √(h/g) k;
///   any other joint moves its own branch:            k = ω² M_jj,    d = 2 ω M_jj,  ω = 5 √(g/h);
///   one between base and a hand that a plan has push off an arm rest: at least that hand's largest share of the first.
class JointPd final : public Controller {
 public:
  struct Settings {
    double gain_scale = 1.0;     ///< multiplies springs and dampers
    bool finds_chair = false;    ///< the plan is changed to a chair of another height
    PlanReference plan;          ///< to follow instead of a posture
    bool feeds_forward = false;  ///< the plan's torques
  };
  /// Holds the posture `hold` (its joint angles count). `model` must outlive this object. Throws InvalidValue on a
  /// gain_scale that is not positive.
  JointPd(const RobotModel& model, const RobotState& hold, const Settings& settings);

  const Command& step(const SensorReadings& readings) override;
  void correct(const ModelCorrection& correction) override { terms_.correct(correction); }
  std::string_view fallback(Sensor sensor) const override;

 private:
  void set_gains(const RobotState& hold, double gain_scale, const MotionPlan* plan);
  const Command& follow(const SensorReadings& readings);
  void update_shares(const SensorReadings& readings);

  const RobotModel* model_;
  RobotTerms terms_;
  StaticTorque static_torque_;
  Command command_;
  std::optional<PlanPlayer> player_;
  std::optional<ChairShift> chair_;
  Eigen::MatrixXd planned_torque_;            ///< empty: none is fed forward
  Eigen::VectorXd hold_;                      ///< q*, joints only
  LowPass<1> left_of_feet_;                   ///< the left foot's share of what the feet carry, slow
  LowPass<1> seat_of_all_;                    ///< the seat's share of what feet and seat carry, as slow
  double left_part_ = 0.5, seat_part_ = 0.0;  ///< what they last said
};

}  // namespace aplomb

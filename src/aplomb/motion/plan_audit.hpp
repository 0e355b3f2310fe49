#pragma once

#include <limits>
#include <string>

#include "aplomb/core/result.hpp"
#include "aplomb/motion/trajectory.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Independent examination of a written plan: its motion and its contact wrenches against the robot's dynamics and
/// limits. "Samples" are those of the trajectory; in between, its interpolant (motion/interpolation.hpp) and linear
/// wrenches are examined.
struct PlanAudit {
  /// Worst value of a quantity, with its time in the plan and the contact or joint; NaN where there is none.
  struct Extreme {
    double value = std::numeric_limits<double>::quiet_NaN();
    double time_s = std::numeric_limits<double>::quiet_NaN();
    std::string where{};
    bool exists() const { return value == value; }
  };

  bool has_wrenches = false;  ///< the plan brings its wrenches; otherwise those of planned_dynamics were examined

  // Feet in contact, at and between samples. The CoP of a foot that carries less than 0.1 % of the weight is not
  // examined: its force is.
  Extreme cop_margin_length_min_m;  ///< signed distance of a foot's CoP to the nearer of heel and toe, positive inside
  Extreme cop_margin_width_min_m;   ///< likewise to the nearer of the sole's sides
  Extreme foot_force_min_per_weight;     ///< smallest force normal to a sole in contact
  Extreme support_force_min_per_weight;  ///< smallest vertical force of a seat or hand in contact; negative: it pulls
  Extreme friction_ratio_max;            ///< tangential over normal force of a foot in contact
  Extreme contact_drift_max_m;  ///< largest distance of a contact's point from its place at the interval's first sample

  // All contacts together.
  Extreme force_min_per_weight, force_max_per_weight;  ///< vertical

  // Joints.
  Extreme torque_ratio_max;        ///< |torque| over the joint's limit, by inverse dynamics under the plan's wrenches
  Extreme torque_error_max_nm;     ///< difference of the written torques, at the samples
  Extreme speed_ratio_max;         ///< |rate| over the joint's speed limit
  Extreme range_margin_min_rad;    ///< distance to the joint's nearer limit, negative beyond it
  double jerk_rms_rad_per_s3 = 0;  ///< over joints and intervals; change of acceleration per interval times the rate

  // Equation of motion of the base: norm of the force and of the moment (about the base's origin) that are missing.
  Extreme base_residual_max_n, base_residual_max_nm;        ///< at the samples
  Extreme between_residual_max_n, between_residual_max_nm;  ///< between them, 20 ms or more from contact changes
  Extreme change_residual_max_n, change_residual_max_nm;    ///< between them, less than 20 ms from a contact change

  // Consistency of the written motion.
  Extreme com_error_max_m;  ///< written CoM against that of the written posture, at the samples
  /// Contradiction of the written joint positions, rates and accelerations (CubicPiece::contradiction): zero for a
  /// cubic spline sampled at its knots, large where v and a are not the derivatives of q.
  Extreme spline_error_max_rad_per_s2;
};

/// Examines a plan at its samples and at `points_between` instants between each two. Throws InvalidValue when the plan
/// does not fit the robot (number of joints, sizes of its tables) and UnknownName on a contact's unknown link.
PlanAudit audit_plan(const RobotModel& model, const MotionPlan& plan, int points_between);

/// Sets the metrics `plan_...` (docs/metrics.md, "Retarget").
void set_metrics(const PlanAudit& audit, Metrics& metrics);

}  // namespace aplomb

#pragma once

#include <optional>
#include <vector>

#include "aplomb/control/contact/contact_watch.hpp"
#include "aplomb/control/contact/limb_motion.hpp"
#include "aplomb/control/fallbacks.hpp"
#include "aplomb/motion/foot_step.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// A foot under partial force control: a rigid contact, a contact that is being loaded or unloaded, or a swing foot.
/// A stepping foot is unloaded before lift-off and loaded after touch-down, as scheduled by its step. A foot that loses
/// contact unexpectedly is unloaded, and loaded again when it regains contact, over `ramp_s`. Its share never changes
/// faster than that.
class FootContact {
 public:
  using Shape = PartialForce::FootShape;
  using Settings = PartialForce::FootSettings;
  /// `start`: initial state, with the sole on the ground. `model` must outlive this object.
  FootContact(const RobotModel& model, Side side, const RobotState& start, const Settings& settings);

  FrameId frame() const { return frame_; }
  Side side() const { return side_; }
  ForceContact make_contact() const;  ///< a contact of the right size; allocates

  /// Writes role, rows and limits of this tick to `contact`. `commanded_n`: its normal force in the previous tick [N];
  /// `load`: its part of the robot's weight by the lever rule, for the weights of eq. 6 [N]. Never allocates.
  void update(const RobotTerms& terms, const SensorReadings& readings, double commanded_n, double load,
              ForceContact& contact, Fallbacks& fallbacks);
  /// Writes the six rows of its motion task, with damping of the velocity `v`, while it is free; zeros otherwise. The
  /// task starts from the foot's acceleration in the previous tick and reaches its reference after `ramp_s`.
  void write_motion(const RobotTerms& terms, const Eigen::VectorXd& v, const Eigen::VectorXd& last_acceleration,
                    double time_s, const MotionGains& gains, Eigen::Ref<Eigen::MatrixXd> A,
                    Eigen::Ref<Eigen::VectorXd> b);

  Eigen::Vector3d centre(const RobotTerms& terms) const;  ///< centre of its sole, world frame [m]
  /// Whether its sensor measures a load.
  bool is_loaded(const SensorReadings& readings) const;
  /// Sets it in contact, whatever its sensor measures. Call before the first tick.
  void begin_standing() { watch_.update(weight_, 0.0); }
  double share() const { return share_; }

 private:
  Sensor sensor() const { return side_ == kLeft ? Sensor::left_foot_wrench : Sensor::right_foot_wrench; }
  std::optional<double> measured(const SensorReadings& readings) const;
  void take_next_step(const Eigen::Isometry3d& pose, double time_s);
  void move_share(double wanted);
  void estimate_load(double commanded_n);
  bool has_force_by_hand() const { return step_ && step_->load_to_per_weight.has_value(); }
  Vector6d wanted_acceleration(const FrameTerms& foot, const Vector6d& velocity, double time_s,
                               const MotionGains& gains) const;
  void follow_step(double time_s, std::optional<double> measured_n, Fallbacks& fallbacks);
  void choose_role(double time_s, std::optional<double> measured_n, double commanded_n, Fallbacks& fallbacks);

  const RobotModel* model_;
  Side side_;
  Settings settings_;
  FrameId frame_;
  double weight_;
  ContactWatch watch_;
  ContactRole role_ = ContactRole::supporting;
  double share_ = 1.0;
  double load_;  ///< load that it would have as a rigid contact [N]
  bool has_begun_ = false;
  std::size_t next_step_ = 0;
  std::optional<FootStep> step_;  ///< present or last step
  bool has_landed_ = false;
  double carried_n_ = 0.0;                 ///< normal force when its step began, for a profile by hand [N]
  Eigen::Isometry3d stood_;                ///< pose at which its step begins, sole on the ground
  std::optional<Eigen::Isometry3d> left_;  ///< pose at which it became free
  double left_s_ = 0.0;                    ///< time at which it became free [s]
  std::optional<Vector6d> kept_;           ///< foot acceleration minus the task's when it became free [m/s², rad/s²]
  PointRows rows_;
};

}  // namespace aplomb

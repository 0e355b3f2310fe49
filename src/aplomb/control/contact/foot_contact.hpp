#pragma once

#include <optional>
#include <vector>

#include "aplomb/control/contact/contact_watch.hpp"
#include "aplomb/control/contact/limb_motion.hpp"
#include "aplomb/motion/foot_step.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// A foot under partial force control: a rigid contact, one that is loaded or unloaded, or a swing foot.
/// A stepping foot is unloaded before lift-off and loaded after touch-down, by the time line of its step; a foot that
/// loses contact unexpectedly, and regains it, over `ramp_s`. Its share never changes faster than that.
class FootContact {
 public:
  using Shape = PartialForce::FootShape;
  using Settings = PartialForce::FootSettings;
  /// `start`: where the robot begins, its sole on the ground. `model` must outlive this object.
  FootContact(const RobotModel& model, Side side, const RobotState& start, const Settings& settings);

  FrameId frame() const { return frame_; }
  Side side() const { return side_; }
  ForceContact make_contact() const;  ///< of the right size; allocates

  /// Role, rows and limits for this tick. `commanded_n`: its normal force in the tick before; `load`: its part of the
  /// robot's weight by the lever rule, for the weights of (6) [N]. Never allocates.
  void update(const RobotTerms& terms, const SensorReadings& readings, double commanded_n, double load,
              ForceContact& contact);
  /// Six rows of its motion while it is free, damped by `v`; else zeros. The task begins with the foot's acceleration
  /// in the tick before, and reaches its reference after `ramp_s`.
  void write_motion(const RobotTerms& terms, const Eigen::VectorXd& v, const Eigen::VectorXd& last_acceleration,
                    double time_s, const MotionGains& gains, Eigen::Ref<Eigen::MatrixXd> A,
                    Eigen::Ref<Eigen::VectorXd> b);

  Eigen::Vector3d centre(const RobotTerms& terms) const;  ///< of its sole, in the world [m]
  /// Whether its sensor measures a load.
  bool is_loaded(const SensorReadings& readings) const;
  /// Before the first tick: it is in contact, whatever its sensor measures.
  void begin_standing() { watch_.update(weight_, 0.0); }
  double share() const { return share_; }

 private:
  std::optional<double> measured(const SensorReadings& readings) const;
  void take_next_step(const Eigen::Isometry3d& pose, double time_s);
  void move_share(double wanted);
  void estimate_load(double commanded_n);
  Vector6d wanted_acceleration(const FrameTerms& foot, const Vector6d& velocity, double time_s,
                               const MotionGains& gains) const;
  void follow_step(double time_s, std::optional<double> measured_n);
  void choose_role(double time_s, std::optional<double> measured_n, double commanded_n);

  const RobotModel* model_;
  Side side_;
  Settings settings_;
  FrameId frame_;
  double weight_;
  ContactWatch watch_;
  ContactRole role_ = ContactRole::supporting;
  double share_ = 1.0;
  double load_;  ///< its load as a rigid contact, at a share of one [N]
  bool has_begun_ = false;
  std::size_t next_step_ = 0;
  std::optional<FootStep> step_;  ///< the present or last one
  bool has_landed_ = false;
  Eigen::Isometry3d stood_;                ///< pose at which its step begins, sole on the ground
  std::optional<Eigen::Isometry3d> left_;  ///< pose at which it became free
  double left_s_ = 0.0;                    ///< and when
  std::optional<Vector6d> kept_;           ///< its acceleration then, less that of the task [m/s², rad/s²]
  PointRows rows_;
};

}  // namespace aplomb

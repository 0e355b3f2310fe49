#pragma once

#include <optional>
#include <vector>

#include "aplomb/control/contact/contact_watch.hpp"
#include "aplomb/control/contact/limb_motion.hpp"
#include "aplomb/motion/foot_step.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// A foot under partial force control: a rigid contact, one whose force goes or comes, or a limb that moves.
/// A foot that steps has its force taken off before it lifts and put on after it landed, as the time line of the step
/// says; one that loses the ground unasked, and finds it again, does so over `ramp_s`. A share never changes faster.
class FootContact {
 public:
  using Shape = PartialForce::FootShape;
  using Settings = PartialForce::FootSettings;
  /// `start`: where the robot begins, its sole on the ground. `model` must outlive this object.
  FootContact(const RobotModel& model, Side side, const RobotState& start, const Settings& settings);

  FrameId frame() const { return frame_; }
  Side side() const { return side_; }
  ForceContact make_contact() const;  ///< of the right size; allocates

  /// Role, rows and limits for this tick. `commanded_n`: its normal force in the tick before; `load`: the part of the
  /// weight that it is reckoned to carry, for the weights of (6). Never allocates.
  void update(const RobotTerms& terms, const SensorReadings& readings, double commanded_n, double load,
              ForceContact& contact);
  /// Six rows that move it while it is free, damped by `v`; else zeros. It begins with what it did before, by the
  /// robot's acceleration in the tick before, and does what it is asked for after `ramp_s`.
  void write_motion(const RobotTerms& terms, const Eigen::VectorXd& v, const Eigen::VectorXd& last_acceleration,
                    double time_s, const MotionGains& gains, Eigen::Ref<Eigen::MatrixXd> A,
                    Eigen::Ref<Eigen::VectorXd> b);

  Eigen::Vector3d centre(const RobotTerms& terms) const;  ///< of its sole, in the world [m]
  /// Whether its sensor says that it carries something.
  bool is_loaded(const SensorReadings& readings) const;
  /// Before the first tick: it stands, whatever its sensor says.
  void begin_standing() { watch_.update(weight_, 0.0); }
  double share() const { return share_; }

 private:
  std::optional<double> measured(const SensorReadings& readings) const;
  void take_next_step(const Eigen::Isometry3d& pose, double time_s);
  void move_share(double wanted);
  void reckon_load(double commanded_n);
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
  double load_;  ///< what it carries, or would carry, as any other foot [N]
  bool has_begun_ = false;
  std::size_t next_step_ = 0;
  std::optional<FootStep> step_;  ///< the present or last one
  bool has_landed_ = false;
  Eigen::Isometry3d stood_;                ///< where its step begins, its sole on the ground
  std::optional<Eigen::Isometry3d> left_;  ///< where it was when it became free
  double left_s_ = 0.0;                    ///< and when
  std::optional<Vector6d> kept_;           ///< of its acceleration then, what nobody asks for [m/s², rad/s²]
  PointRows rows_;
};

}  // namespace aplomb

#pragma once

#include <optional>

#include "aplomb/control/contact/change_detector.hpp"
#include "aplomb/control/contact/limb_motion.hpp"
#include "aplomb/control/fallbacks.hpp"
#include "aplomb/motion/hand_force.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// A hand that presses against a wall with a controlled force. Without contact it approaches the wall at a bounded
/// speed. Contact and its loss are detected from its motion, with as much delay as the noise of the measured velocity
/// demands (ChangeDetector); contact also from its force sensor, so that a failed sensor only delays the detection.
class HandContact {
 public:
  using Settings = PartialForce::HandSettings;
  HandContact(const RobotModel& model, Side side, const Settings& settings);  ///< `model` must outlive this object

  FrameId frame() const { return frame_; }
  ForceContact make_contact() const;  ///< a contact of the right size; allocates

  /// Never allocates.
  void update(const RobotTerms& terms, const SensorReadings& readings, ForceContact& contact, Fallbacks& fallbacks);
  /// Writes the three rows of its motion task, with damping of the velocity `v`, while it approaches the wall; zeros
  /// otherwise.
  void write_motion(const Eigen::VectorXd& v, Eigen::Ref<Eigen::MatrixXd> A, Eigen::Ref<Eigen::VectorXd> b);

  /// Tells whether its force is clamped (HoldableForce, SupportLimits): the integral of the feedback is then held.
  void set_clamped(bool is_clamped) { is_clamped_ = is_clamped; }

  bool is_touching() const { return is_touching_; }
  bool is_without_wall() const { return is_without_wall_; }  ///< a force is desired and cannot be exerted
  double wanted_force() const { return wanted_; }            ///< normal force before feedback [N]

 private:
  std::optional<Eigen::Vector3d> measured(const RobotTerms& terms, const SensorReadings& readings,
                                          Fallbacks& fallbacks);
  void watch(double time_s, const std::optional<Eigen::Vector3d>& force);
  void correct(const std::optional<Eigen::Vector3d>& force, ForceContact& contact);

  const RobotModel* model_;
  Side side_;
  Settings settings_;
  FrameId frame_;
  Eigen::Matrix3d R_world_wall_;
  bool has_begun_ = false;
  bool is_touching_ = true;
  bool is_clamped_ = false;
  double phase_since_s_ = 0.0;  ///< start time of the contact or of the approach [s]
  ChangeDetector motion_;       ///< of its speed into the wall
  double wanted_ = 0.0;
  bool is_without_wall_ = false;
  Eigen::Vector3d last_reading_ = Eigen::Vector3d::Zero();  ///< last force reading, in the sensor's axes [N]
  int repeated_ticks_ = 0;                                  ///< ticks for which the reading has not changed
  Eigen::Vector3d correction_ = Eigen::Vector3d::Zero();    ///< integral of the feedback, wall axes [N]
  Eigen::Vector3d position_ = Eigen::Vector3d::Zero();      ///< wall axes [m]
  Eigen::Vector3d anchor_ = Eigen::Vector3d::Zero();        ///< where the approach began, wall axes [m]
  PointRows rows_;
};

}  // namespace aplomb

#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "aplomb/control/contact/contact.hpp"
#include "aplomb/control/contact/contact_watch.hpp"
#include "aplomb/motion/com_reference.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// How the ground under the standing feet moves, horizontally, as the feet tell.
struct GroundMotion {
  Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();  ///< [m/s²]
  Eigen::Vector3d jerk = Eigen::Vector3d::Zero();          ///< [m/s³]
};

/// The contacts that a balance controller may count on: the soles, and the hands where there is something to lean on.
/// The ground under a foot is taken to be what its sole lies on, so that slopes and moving supports need no telling.
class BalanceContacts {
 public:
  /// A wall or rail that the controller knows of.
  struct Plane {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< a point of it [m]
    Eigen::Vector3d normal = Eigen::Vector3d::UnitX();   ///< unit length, towards the robot
    double friction = 0.8;
  };
  struct Settings {
    std::array<double, 2> friction{0.8, 0.8};  ///< of the ground under the left and the right foot
    std::vector<Plane> planes;                 ///< without any, hands are no contacts
    double ramp_s = 0.02;                      ///< over which a contact is taken up or given up
    bool is_reckoned_at_ankle = false;         ///< forces act at the foot's origin, not at the sole's centre
  };
  struct Site {
    FrameId frame{};
    Side side = kLeft;
    bool is_hand = false;
  };

  BalanceContacts(const RobotModel& model, const Settings& settings);  ///< `model` must outlive this object

  const std::vector<Site>& sites() const { return sites_; }
  std::vector<FrameId> frames() const;

  /// `loads` are those of the tick before. `terms` must hold `frames()`. Never allocates.
  void update(const RobotTerms& terms, const SensorReadings& readings, std::span<const ContactLoad> loads);

  std::span<const Contact> contacts() const { return contacts_; }
  const StandingFeet& standing_feet() const { return standing_feet_; }  ///< each as far as it is available

  const GroundMotion& ground_motion() const { return ground_motion_; }

  /// Signed distance of a point, seen from above, to the edge of the area that the available soles span; positive
  /// inside. Outside it is the distance to the nearest edge's line. [m]
  double support_margin(const Eigen::Vector2d& point) const;

 private:
  std::optional<double> measured_normal_force(std::size_t index, const RobotTerms& terms,
                                              const SensorReadings& readings) const;
  void place_foot(std::size_t index, const RobotTerms& terms);
  void place_hand(std::size_t index, const RobotTerms& terms, const Wrench& measured);
  void estimate_ground_motion();

  const RobotModel* model_;
  Settings settings_;
  std::vector<Site> sites_;
  std::vector<ContactWatch> watches_;
  std::vector<Contact> contacts_;
  StandingFeet standing_feet_;
  GroundMotion ground_motion_;
  std::optional<Eigen::Vector3d> slow_velocity_;  ///< of the ground, low-pass [m/s]
  std::array<Eigen::Vector2d, 8> corners_;        ///< of the available soles, seen from above
  std::size_t num_corners_ = 0;
};

}  // namespace aplomb

#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "aplomb/control/contact/contact.hpp"
#include "aplomb/control/contact/contact_watch.hpp"
#include "aplomb/control/fallbacks.hpp"
#include "aplomb/control/momentum_balance.hpp"
#include "aplomb/motion/com_reference.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/robot/sensor_readings.hpp"
#include "aplomb/robot/support_region.hpp"

namespace aplomb {

/// Horizontal motion of the ground under the standing feet, estimated from the feet.
struct GroundMotion {
  Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();  ///< [m/s²]
  Eigen::Vector3d jerk = Eigen::Vector3d::Zero();          ///< [m/s³]
};

/// The contacts of a balance controller: the soles, and the hands where there is a plane to lean on. The ground under a
/// foot is assumed to be the plane of its sole, so that slopes and moving supports need not be known.
class BalanceContacts {
 public:
  using Plane = MomentumBalance::Plane;
  using Settings = MomentumBalance::ContactSettings;
  struct Site {
    FrameId frame{};
    Side side = kLeft;
    bool is_point = false;  ///< a hand or a part that sits: without moments; otherwise a sole
  };

  /// `has_force_at_ankle`: a foot's force acts at the ankle, the last joint of the leg, instead of at the sole's
  /// centre. `model` must outlive this object.
  BalanceContacts(const RobotModel& model, const Settings& settings, bool has_force_at_ankle = false);

  const std::vector<Site>& sites() const { return sites_; }
  std::vector<FrameId> frames() const;

  /// `loads`: contact loads of the previous tick. `terms` must hold `frames()`. Never allocates.
  void update(const RobotTerms& terms, const SensorReadings& readings, std::span<const ContactLoad> loads,
              Fallbacks& fallbacks);

  /// A foot that steps is unloaded, and no contact, whatever its sensor measures; absent: none does.
  void lift(std::optional<Side> side) { lifted_ = side; }
  /// Normal force of a foot in the last update [N]; absent when its sensor does not answer.
  const std::optional<double>& normal_force(Side side) const { return normal_force_[static_cast<std::size_t>(side)]; }

  /// Sets all feet in contact, whatever their sensors measure. Call before the first tick.
  void begin_standing();

  std::span<const Contact> contacts() const { return contacts_; }
  const StandingFeet& standing_feet() const { return standing_feet_; }  ///< each weighted by its availability

  const GroundMotion& ground_motion() const { return ground_motion_; }

  /// Signed distance of a point, seen from above, to the edge of the area that the available soles span; positive
  /// inside. Outside it is the distance to the nearest edge's line. [m]
  double support_margin(const Eigen::Vector2d& point) const;
  const SupportRegion& support() const { return support_; }  ///< of the available soles

 private:
  std::optional<double> measured_normal_force(std::size_t index, const RobotTerms& terms,
                                              const SensorReadings& readings, Fallbacks& fallbacks) const;
  void place_foot(std::size_t index, const RobotTerms& terms);
  void place_hand(std::size_t index, const RobotTerms& terms, const Wrench& measured);
  void estimate_ground_motion(const std::optional<Eigen::Vector3d>& measured);

  const RobotModel* model_;
  Settings settings_;
  std::array<std::optional<Eigen::Vector3d>, 2> ankles_;  ///< where forces act there, in the foot's frame [m]
  std::vector<Site> sites_;
  std::vector<ContactWatch> watches_;
  std::vector<Contact> contacts_;
  StandingFeet standing_feet_;
  GroundMotion ground_motion_;
  std::optional<Eigen::Vector3d> slow_;  ///< low-pass velocity [m/s] or, where that is measured, acceleration [m/s²]
  std::optional<Side> lifted_;
  std::array<std::optional<double>, 2> normal_force_;
  SupportRegion support_;  ///< support region of the available soles
};

}  // namespace aplomb

#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// Part of a robot that makes a contact.
enum class ContactSite { left_foot, right_foot, left_hand, right_hand, seat };
inline constexpr std::array<std::string_view, 5> kContactSiteNames = {"left_foot", "right_foot", "left_hand",
                                                                      "right_hand", "seat"};
std::string_view to_string(ContactSite site);
bool is_hand(ContactSite site);
Side side_of(ContactSite site);  ///< `site` must be a foot or a hand

/// A planned motion of a robot: one column per sample, sampled at `rate_hz`.
struct Trajectory {
  std::string robot;         ///< name of the robot
  std::string robot_sha256;  ///< checksum of the URDF that was used for planning; empty when unknown
  std::vector<std::string> joints;
  double rate_hz = 0.0;
  double start_s = 0.0;
  Eigen::MatrixXd q;     ///< as RobotState::q: base position [m], quaternion (x, y, z, w), angles [rad]
  Eigen::MatrixXd v, a;  ///< as RobotState::v, and its derivative
  Eigen::Matrix3Xd com;  ///< planned CoM [m]
  Eigen::Matrix3Xd com_velocity, com_acceleration;
  Eigen::Matrix2Xd zmp;         ///< planned ZMP on the floor [m]
  Eigen::Matrix3Xd force;       ///< resultant of all contact forces [N]
  Eigen::Matrix3Xd com_person;  ///< CoM of the demonstrator, mapped to the robot [m]; empty when unknown
  Eigen::VectorXd seat_share;   ///< fraction of the vertical force that the seat carries, 0 to 1
  Eigen::Matrix2Xd hand_share;  ///< fraction that the left and the right hand carry; empty: no hand contact

  Eigen::MatrixXd torque;  ///< planned joint torques, one row per joint [N m]; empty when unknown
  /// Wrench of one contact on the robot: force, then moment, in world axes about the contact's point as the plan has it
  /// at that sample (ContactPlan::Contact::point; of a foot the centre of its sole) [N, N m]. Zero while the contact is
  /// not active.
  struct ContactWrenches {
    ContactSite site = ContactSite::left_foot;
    Eigen::Matrix<double, 6, Eigen::Dynamic> wrench;
  };
  std::vector<ContactWrenches> wrenches;  ///< one for each site of the contact schedule; empty when unknown

  Eigen::Index num_samples() const { return q.cols(); }
  double time_s(Eigen::Index sample) const { return start_s + static_cast<double>(sample) / rate_hz; }
  double end_s() const { return time_s(num_samples() - 1); }
};

/// Fraction of the vertical contact force that the seat carries, one value per sample: from the planned wrenches where
/// the plan has them, else Trajectory::seat_share.
Eigen::VectorXd seat_share_of(const Trajectory& trajectory);
/// Likewise for the left and the right hand, one row each; empty: no hand contact.
Eigen::Matrix2Xd hand_share_of(const Trajectory& trajectory);

/// Contact schedule of a plan. A site may have several intervals: a seat that is left and taken again, a foot that
/// steps. Intervals of one site do not overlap.
struct ContactPlan {
  struct Contact {
    ContactSite site = ContactSite::left_foot;
    std::string link;
    Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< contact point in the link's frame [m]
    double start_s = 0.0, end_s = 0.0;                ///< in the trajectory's time

    /// start_s <= time_s < end_s, to a microsecond, so that the rounding of times in files does not matter.
    bool holds(double time_s) const { return time_s >= start_s - 1e-6 && time_s < end_s - 1e-6; }
  };
  std::vector<Contact> contacts;
  double chair_height_m = 0.0;  ///< 0: no chair

  bool has(ContactSite site) const;                       ///< in any interval
  bool is_active(ContactSite site, double time_s) const;  ///< one of its intervals holds
  /// Interval of a site that holds at a time, or else the one nearest in time; nullptr when the site has none.
  const Contact* nearest(ContactSite site, double time_s) const;
  std::vector<ContactSite> sites() const;  ///< each site once, in the order of their first intervals in `contacts`
};

/// A planned motion with its contact schedule.
struct MotionPlan {
  Trajectory trajectory;
  ContactPlan contacts;
};

}  // namespace aplomb

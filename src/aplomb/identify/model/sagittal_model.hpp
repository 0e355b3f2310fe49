#pragma once

#include <Eigen/Core>
#include <map>
#include <string>
#include <vector>

#include "aplomb/identify/model.hpp"
#include "aplomb/identify/model/body_motion.hpp"

namespace aplomb {

/// Planar model of Mistry et al. 2010: foot, shank, thigh, pelvis and torso, left and right merged, each with m, hx and
/// hz in its own frame. Any humanoid has one: its links are the parts between the joints about the lateral axis, from
/// ankle to hip and in the waist (without a waist joint the torso belongs to the pelvis).
class SagittalModel {
 public:
  /// A merged link. Its frame is at its joint (pelvis: at the base), parallel to the world when all joints are at zero.
  struct Link {
    std::string name;               ///< "thigh"
    std::vector<int> frame_bodies;  ///< bodies whose origin and pitch define the frame, one per side
    std::vector<int> bodies;        ///< all bodies that move with the link
    std::vector<int> bearers;       ///< heaviest body of each side: takes the correction of the CAD
    double mass = 0.0;              ///< of the CAD [kg]
    Eigen::Vector2d com;            ///< x, z in its frame [m]
    Eigen::Matrix2d second_moment;  ///< of the mass about its CoM [kg m²]
  };
  /// Joints outside the plane (arms, head) are held at `reference`. Throws InvalidValue when the robot has no legs
  /// with three pitch joints each.
  SagittalModel(const RobotModel& cad, const RobotState& reference);

  const std::vector<Link>& links() const { return links_; }
  /// Row of the moment m c_x = row φ in a posture; `feet_are_level` makes the feet exactly level.
  Eigen::RowVectorXd moment_row(const BodyMotions& motions, bool feet_are_level) const;
  Eigen::RowVectorXd mass_row() const;
  /// Joints whose torques, all of them measured, give one more equation for a link: its joint's on each side. Empty for
  /// the pelvis, when a torque is missing, and for joints that are canted by more than 5 degrees in `motions`, since
  /// those also carry lateral moments.
  std::vector<int> torque_joints(const BodyMotions& motions, std::size_t link, const std::vector<int>& measured) const;
  std::size_t link_of(int body) const;  ///< the link that a body of the robot moves with
  /// Whether a link is on the side of `joint_link`'s joint that does not stand on the ground.
  static bool is_above(std::size_t link, std::size_t joint_link);
  /// Row of the gravity moment about a link's joint, of everything above it:  Σ τ = g row φ, about the lateral axis.
  Eigen::RowVectorXd torque_row(const BodyMotions& motions, std::size_t link, bool feet_are_level) const;
  /// Where that joint is: x and z of the mid-point of both sides [m].
  Eigen::Vector2d joint_position(const BodyMotions& motions, std::size_t link) const;
  Eigen::VectorXd cad_parameters() const;
  /// Body inertias of the robot for these parameters of the planar links. The difference from the CAD goes to the
  /// bearers, half to each side; where a bearer would keep less than a tenth of its CAD mass, all bodies of the link
  /// share the difference. Their moments of inertia follow the mass (with_moved_mass).
  std::map<int, Inertia> body_inertias(const Eigen::VectorXd& phi) const;

 private:
  struct Frame {
    Eigen::Vector3d origin;
    double pitch;
  };
  Frame frame_of(const BodyMotions& motions, const Link& link, std::size_t side) const;
  void find_links();
  void find_cad_parameters();

  const RobotModel* cad_;
  BodyMotions reference_;
  std::vector<Eigen::Matrix3d> R_zero_;  ///< orientation of each body with all joints at zero, base upright
  std::vector<Link> links_;
};

}  // namespace aplomb

#pragma once

#include <Eigen/Geometry>
#include <span>
#include <vector>

#include "aplomb/motion/trajectory.hpp"
#include "aplomb/robot/dynamics/inverse_dynamics.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// Inverse dynamics of a robot under the wrenches of a contact schedule, at one instant.
class ContactDynamics {
 public:
  /// `model` must outlive this object. Throws UnknownName when a contact names a link that the robot does not have.
  ContactDynamics(const RobotModel& model, const ContactPlan& plan);

  void update(const RobotState& state, const Eigen::VectorXd& a);

  const ContactPlan& plan() const { return plan_; }
  std::size_t num_contacts() const { return plan_.contacts.size(); }
  /// Pose of the link of contact (an index into ContactPlan::contacts).
  const Eigen::Isometry3d& T_world_link(std::size_t contact) const;
  Eigen::Vector3d point(std::size_t contact) const;            ///< contact point in the world [m]
  const Eigen::Vector3d& com() const { return terms_.com(); }  ///< [m]

  /// Wrench of a contact (world axes, about its point) in the axes of its link and about the link's origin.
  Wrench in_link(std::size_t contact, const Vector6d& wrench) const;

  /// M v̇ + h − Σ Jᵀ f, with `wrenches` by contact, each in world axes about its contact's point: the residual on the
  /// base (in base axes, about its origin) and the joint torques [N, N m].
  const Eigen::VectorXd& torque(std::span<const Vector6d> wrenches);
  /// Wrench of all contacts together that the motion needs, about the world's origin [N, N m].
  Vector6d total_wrench();

 private:
  ContactPlan plan_;
  std::vector<FrameId> links_;
  RobotTerms terms_;
  InverseDynamics dynamics_;
  RobotState state_;
  Eigen::VectorXd a_;
  std::vector<Wrench> wrenches_;  ///< about the world's origin
};

}  // namespace aplomb

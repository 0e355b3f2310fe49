#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Motion of one rigid body in world axes, at the origin of its frame.
struct BodyMotion {
  Eigen::Isometry3d T_world_body = Eigen::Isometry3d::Identity();
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();              ///< axis of the joint to its parent; zero for the base
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  ///< ω [rad/s]
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();          ///< of the origin [m/s]
  Eigen::Vector3d angular_acceleration = Eigen::Vector3d::Zero();  ///< ω̇ [rad/s²]
  Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();          ///< of the origin, without gravity [m/s²]
};

/// Poses and motions of all bodies of a robot, from its body tree.
class BodyMotions {
 public:
  explicit BodyMotions(const RobotModel& model);  ///< `model` must outlive this object

  void place(const Eigen::VectorXd& q);  ///< sets the poses, with all bodies at rest
  /// Sets poses and motions; `a` is the time derivative of RobotState::v (base part: that of the twist in base axes).
  void update(const RobotState& state, const Eigen::VectorXd& a);

  const RobotModel& model() const { return *model_; }
  const std::vector<BodyMotion>& bodies() const { return bodies_; }
  const BodyMotion& body(int index) const { return bodies_[static_cast<std::size_t>(index)]; }
  int parent(int body) const { return model_->tree().bodies[static_cast<std::size_t>(body)].parent; }
  bool is_prismatic(int body) const { return model_->joints()[static_cast<std::size_t>(body - 1)].is_prismatic; }
  /// One past the last body of the subtree that starts at `body`: bodies are in depth-first order.
  int subtree_end(int body) const { return subtree_end_[static_cast<std::size_t>(body)]; }
  Eigen::Isometry3d link_pose(FrameId link) const;

 private:
  const RobotModel* model_;
  std::vector<BodyMotion> bodies_;
  std::vector<int> subtree_end_;
};

}  // namespace aplomb

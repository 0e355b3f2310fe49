#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Forward kinematics of a robot's bodies without its dynamics, for marker fitting and inverse kinematics. Body 0 is
/// the base; body i + 1 is moved by joint i.
///
/// A step is the translation of the base's origin and its rotation vector, both in world axes, then one number for each
/// joint; integrate_in_world() of robot/configuration.hpp applies it.
class TreeKinematics {
 public:
  explicit TreeKinematics(const RobotModel& model);  ///< copies the tree

  int num_bodies() const { return static_cast<int>(bodies_.size()); }
  int num_joints() const { return num_bodies() - 1; }
  int nv() const { return num_joints() + 6; }
  int parent(int body) const { return bodies_[index(body)].parent; }
  double mass(int body) const { return bodies_[index(body)].mass; }
  const Eigen::Vector3d& body_com(int body) const { return bodies_[index(body)].com; }  ///< in the body's frame [m]
  bool is_prismatic(int joint) const { return bodies_[index(joint + 1)].is_prismatic; }
  /// Whether `ancestor` is the body itself or above it.
  bool carries(int ancestor, int body) const;

  const Eigen::Vector3d& joint_origin(int joint) const { return bodies_[index(joint + 1)].T_parent_joint_translation; }
  void set_joint_origin(int joint, const Eigen::Vector3d& in_parent);  ///< rescales the robot [m]

  void update(const Eigen::VectorXd& q);  ///< never allocates
  const Eigen::Matrix3d& rotation(int body) const { return rotations_[index(body)]; }
  const Eigen::Vector3d& origin(int body) const { return origins_[index(body)]; }
  const Eigen::Vector3d& axis(int joint) const { return axes_[index(joint + 1)]; }  ///< in world axes
  Eigen::Vector3d point(int body, const Eigen::Vector3d& offset) const {
    return origins_[index(body)] + rotations_[index(body)] * offset;
  }
  Eigen::Vector3d com() const;  ///< [m]

  /// Jacobian of the velocity of a point of a body, in world axes: three rows, nv columns.
  void point_jacobian(int body, const Eigen::Vector3d& point_in_world, Eigen::Ref<Eigen::MatrixXd> rows) const;

 private:
  struct Body {
    int parent = -1;
    bool is_prismatic = false;
    Eigen::Matrix3d R_parent_joint = Eigen::Matrix3d::Identity();
    Eigen::Vector3d T_parent_joint_translation = Eigen::Vector3d::Zero();
    Eigen::Vector3d axis = Eigen::Vector3d::UnitX();
    double mass = 0.0;
    Eigen::Vector3d com = Eigen::Vector3d::Zero();
    int last_below = 0;  ///< bodies are in depth-first order: index of the last descendant
  };
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  std::vector<Body> bodies_;
  std::vector<Eigen::Matrix3d> rotations_;
  std::vector<Eigen::Vector3d> origins_, axes_;
};

}  // namespace aplomb

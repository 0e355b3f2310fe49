#include "aplomb/robot/kinematics/tree_kinematics.hpp"

#include <cmath>

namespace aplomb {

TreeKinematics::TreeKinematics(const RobotModel& model) {
  const BodyTree& tree = model.tree();
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const RigidBody& body = tree.bodies[i];
    Body made{.parent = body.parent, .mass = body.inertia.mass, .com = body.inertia.com};
    made.R_parent_joint = body.T_parent_joint.linear();
    made.T_parent_joint_translation = body.T_parent_joint.translation();
    if (i > 0) {
      made.is_prismatic = model.joints()[i - 1].is_prismatic;
      made.axis = model.joints()[i - 1].axis;
    }
    made.last_below = static_cast<int>(i);
    bodies_.push_back(made);
  }
  for (int i = num_bodies() - 1; i > 0; --i) {
    Body& above = bodies_[index(bodies_[index(i)].parent)];
    above.last_below = std::max(above.last_below, bodies_[index(i)].last_below);
  }
  rotations_.assign(bodies_.size(), Eigen::Matrix3d::Identity());
  origins_.assign(bodies_.size(), Eigen::Vector3d::Zero());
  axes_.assign(bodies_.size(), Eigen::Vector3d::UnitX());
}

bool TreeKinematics::carries(int ancestor, int body) const {
  return body >= ancestor && body <= bodies_[index(ancestor)].last_below;
}

void TreeKinematics::set_joint_origin(int joint, const Eigen::Vector3d& in_parent) {
  bodies_[index(joint + 1)].T_parent_joint_translation = in_parent;
}

void TreeKinematics::update(const Eigen::VectorXd& q) {
  const Eigen::Map<const Eigen::Quaterniond> base(q.data() + 3);
  rotations_[0] = base.toRotationMatrix();
  origins_[0] = q.head<3>();
  for (std::size_t i = 1; i < bodies_.size(); ++i) {
    const Body& body = bodies_[i];
    const std::size_t above = index(body.parent);
    const double angle = q[6 + static_cast<Eigen::Index>(i)];
    origins_[i] = origins_[above] + rotations_[above] * body.T_parent_joint_translation;
    const Eigen::Matrix3d R_world_joint = rotations_[above] * body.R_parent_joint;
    axes_[i] = R_world_joint * body.axis;
    if (body.is_prismatic) {
      origins_[i] += angle * axes_[i];
      rotations_[i] = R_world_joint;
      continue;
    }
    // Rodrigues' formula, column by column: R = R₀ (1 + sin θ [a]× + (1 − cos θ) [a]×²).
    const double s = std::sin(angle), c = std::cos(angle);
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d column = R_world_joint.col(k);
      const Eigen::Vector3d& a = axes_[i];
      rotations_[i].col(k) = c * column + s * a.cross(column) + (1.0 - c) * a.dot(column) * a;
    }
  }
}

Eigen::Vector3d TreeKinematics::com() const {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  double mass = 0.0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    sum += bodies_[i].mass * (origins_[i] + rotations_[i] * bodies_[i].com);
    mass += bodies_[i].mass;
  }
  return sum / mass;
}

void TreeKinematics::point_jacobian(int body, const Eigen::Vector3d& point, Eigen::Ref<Eigen::MatrixXd> rows) const {
  rows.setZero();
  rows.block<3, 3>(0, 0).setIdentity();
  const Eigen::Vector3d r = point - origins_[0];
  rows.block<3, 3>(0, 3) << 0.0, r.z(), -r.y(), -r.z(), 0.0, r.x(), r.y(), -r.x(), 0.0;  // −[r]×
  for (int i = body; i > 0; i = bodies_[index(i)].parent) {
    const Eigen::Vector3d& a = axes_[index(i)];
    rows.block<3, 1>(0, 5 + i) =
        bodies_[index(i)].is_prismatic ? a : Eigen::Vector3d(a.cross(point - origins_[index(i)]));
  }
}

}  // namespace aplomb

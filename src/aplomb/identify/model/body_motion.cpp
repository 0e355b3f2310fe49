#include "aplomb/identify/model/body_motion.hpp"

namespace aplomb {

BodyMotions::BodyMotions(const RobotModel& model)
    : model_(&model), bodies_(model.tree().bodies.size()), subtree_end_(model.tree().bodies.size()) {
  for (int body = static_cast<int>(bodies_.size()) - 1; body >= 0; --body) {
    int& end = subtree_end_[static_cast<std::size_t>(body)];
    end = std::max(end, body + 1);
    if (parent(body) >= 0) {
      int& above = subtree_end_[static_cast<std::size_t>(parent(body))];
      above = std::max(above, end);
    }
  }
}

void BodyMotions::place(const Eigen::VectorXd& q) {
  RobotState state{q, Eigen::VectorXd::Zero(model_->nv())};
  update(state, Eigen::VectorXd::Zero(model_->nv()));
}

void BodyMotions::update(const RobotState& state, const Eigen::VectorXd& a) {
  BodyMotion& base = bodies_.front();
  const Eigen::Quaterniond R(state.q.segment<4>(3));
  base.T_world_body = Eigen::Translation3d(state.q.head<3>()) * R;
  base.velocity = R * state.v.head<3>();
  base.angular_velocity = R * state.v.segment<3>(3);
  base.angular_acceleration = R * a.segment<3>(3);
  // The twist turns with the base: the origin's acceleration is R (v̇ + ω × v).
  base.acceleration = R * a.head<3>() + base.angular_velocity.cross(base.velocity);
  for (std::size_t i = 1; i < bodies_.size(); ++i) {
    const RigidBody& rigid = model_->tree().bodies[i];
    const BodyMotion& parent = bodies_[static_cast<std::size_t>(rigid.parent)];
    const Joint& joint = model_->joints()[i - 1];
    const auto k = static_cast<Eigen::Index>(i - 1);
    const double position = state.q[7 + k], rate = state.v[6 + k], rate_change = a[6 + k];
    BodyMotion& body = bodies_[i];
    body.T_world_body = parent.T_world_body * rigid.T_parent_joint;
    body.axis = body.T_world_body.linear() * joint.axis;
    if (joint.is_prismatic) {
      body.T_world_body.translate(position * joint.axis);
    } else {
      body.T_world_body.rotate(Eigen::AngleAxisd(position, joint.axis));
    }
    const Eigen::Vector3d r = body.T_world_body.translation() - parent.T_world_body.translation();
    const Eigen::Vector3d& w = parent.angular_velocity;
    body.velocity = parent.velocity + w.cross(r);
    body.acceleration = parent.acceleration + parent.angular_acceleration.cross(r) + w.cross(w.cross(r));
    body.angular_velocity = w;
    body.angular_acceleration = parent.angular_acceleration;
    if (joint.is_prismatic) {
      body.velocity += rate * body.axis;
      body.acceleration += rate_change * body.axis + 2.0 * rate * w.cross(body.axis);
    } else {
      body.angular_velocity += rate * body.axis;
      body.angular_acceleration += rate_change * body.axis + rate * w.cross(body.axis);
    }
  }
}

Eigen::Isometry3d BodyMotions::link_pose(FrameId link) const {
  const LinkPlacement& placement = model_->tree().links[static_cast<std::size_t>(link)];
  return body(placement.body).T_world_body * placement.T_body_link;
}

}  // namespace aplomb

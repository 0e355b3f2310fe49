#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <random>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb::test {

/// Joints inside their limits (or ±2 rad where they have none), any base pose, velocities of order 1.
inline RobotState random_state(const RobotModel& model, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  RobotState state = model.neutral_state();
  for (int i = 0; i < 3; ++i) state.q[i] = unit(engine);
  Eigen::Vector4d quaternion;
  for (int i = 0; i < 4; ++i) quaternion[i] = unit(engine);
  state.q.segment<4>(3) = quaternion.normalized();
  for (int i = 0; i < model.num_joints(); ++i) {
    const Joint& joint = model.joints()[static_cast<std::size_t>(i)];
    const double lower = std::max(joint.lower, -2.0);
    const double upper = std::min(joint.upper, 2.0);
    state.q[7 + i] = 0.5 * (lower + upper) + 0.5 * (upper - lower) * unit(engine);
  }
  for (int i = 0; i < model.nv(); ++i) state.v[i] = unit(engine);
  return state;
}

/// The state after moving with the velocity v (base twist in base axes) for a time dt; v itself changes by a dt.
inline RobotState moved(const RobotState& state, const Eigen::VectorXd& v, double dt, const Eigen::VectorXd& a) {
  RobotState next = state;
  const Eigen::Quaterniond R_world_base(state.q.segment<4>(3));
  // Second order in dt, which central differences need: the mean velocity over the step.
  const Eigen::VectorXd mean = v + 0.5 * dt * a;
  const Eigen::Vector3d angle = dt * mean.segment<3>(3);
  const double norm = angle.norm();
  const Eigen::Quaterniond turn =
      norm > 0.0 ? Eigen::Quaterniond(Eigen::AngleAxisd(norm, angle / norm)) : Eigen::Quaterniond::Identity();
  const Eigen::Quaterniond half_turn = Eigen::Quaterniond::Identity().slerp(0.5, turn);
  next.q.head<3>() += R_world_base * (half_turn * (dt * mean.head<3>()));
  next.q.segment<4>(3) = (R_world_base * turn).coeffs();
  next.q.tail(state.q.size() - 7) += dt * mean.tail(v.size() - 6);
  next.v = v + dt * a;
  return next;
}

}  // namespace aplomb::test

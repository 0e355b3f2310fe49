#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace aplomb {

// Arithmetic of configurations q and velocities v, both laid out as in RobotState: the base (7 and 6 numbers), then
// one number for each joint.

inline constexpr int kBaseQ = 7;  ///< entries of q before the joints: base position and quaternion (x, y, z, w)
inline constexpr int kBaseV = 6;  ///< entries of v before the joints: linear and angular velocity of the base

/// Joint positions of a configuration, as a view [rad] or [m].
inline auto joint_positions(const Eigen::VectorXd& q) { return q.tail(q.size() - kBaseQ); }
inline auto joint_positions(Eigen::VectorXd& q) { return q.tail(q.size() - kBaseQ); }
/// Joint velocities, or joint accelerations or torques, of a vector of nv entries, as a view.
inline auto joint_velocities(const Eigen::VectorXd& v) { return v.tail(v.size() - kBaseV); }
inline auto joint_velocities(Eigen::VectorXd& v) { return v.tail(v.size() - kBaseV); }

/// Orientation of the base in the world.
inline Eigen::Quaterniond base_orientation(const Eigen::VectorXd& q) {
  return Eigen::Quaterniond(Eigen::Vector4d(q.segment<4>(3)));
}

/// q ← q ⊕ step with step = v dt; the base's translation and rotation are in base axes, as in RobotState::v.
void integrate(const Eigen::VectorXd& step, Eigen::VectorXd& q);
/// q ← q ⊕ step; the base's translation and rotation are in world axes, as in TreeKinematics. Never allocates.
void integrate_in_world(const Eigen::VectorXd& step, Eigen::VectorXd& q);

/// Base frame in which the linear part of a difference is expressed.
enum class DifferenceFrame {
  first,    ///< base frame of `from`
  midpoint  ///< halfway between both orientations: second-order accurate as a velocity
};
/// to ⊖ from: the constant velocity that leads from one configuration to the other in 1 s. Allocates.
Eigen::VectorXd difference(const Eigen::VectorXd& from, const Eigen::VectorXd& to, DifferenceFrame frame);

/// Flips quaternions of a sequence of configurations (one column per sample) so that neighbours have the same sign.
void make_quaternions_continuous(Eigen::MatrixXd& q);

}  // namespace aplomb

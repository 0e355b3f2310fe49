#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/limbs.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/shapes/shape.hpp"

namespace aplomb {

/// A contact shape for sitting.
struct SeatShape {
  int body = 0;  ///< index in BodyTree::bodies
  Shape shape;   ///< `T_link_shape` is its pose in the body's frame
};

/// Shapes of a robot that touch a seat, for planner and simulation alike: the lateral capsules of pelvis and thighs
/// where the URDF has any. Other robots get three massless spheres: one at each hip axis, as thick as the lowest
/// collision shape of pelvis and level thighs (a tenth of the leg length when there are only meshes), and one on the
/// pelvis behind them against tipping backwards. Those at the hips turn with the thighs, which rest on a seat while the
/// pelvis leans forward; flat shapes would pivot on their edges.
std::vector<SeatShape> seat_shapes(const RobotModel& robot, const Limbs& limbs);

/// The same for any robot. One without two legs has no hips: all its collision shapes are seat shapes.
std::vector<SeatShape> seat_shapes(const RobotModel& robot);

/// Height of the hips above the lowest of the shapes: above the seat while sitting [m].
double seat_clearance(const std::vector<SeatShape>& shapes, const Limbs& limbs, const TreeKinematics& tree);

}  // namespace aplomb

#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/limbs.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/shapes/shape.hpp"

namespace aplomb {

/// A shape that a robot sits on.
struct SeatShape {
  int body = 0;  ///< as numbered in the robot's tree
  Shape shape;   ///< `T_link_shape` is its pose in the body's frame
};

/// All of a robot that touches a seat; the planner and the simulation both ask here. The capsules across pelvis and
/// thighs, where the URDF has any: they are there to sit on. Other robots get pads without mass, three spheres: one at
/// each hip's axis, as thick as the lowest collision shape of pelvis and level thighs needs (a tenth of the legs when
/// there are only meshes), and one of the pelvis behind them, so that the robot does not tip over backwards. Those at
/// the hips turn with the thighs, which rest on a seat while the pelvis leans forward; flat shapes would pivot on their
/// edges.
std::vector<SeatShape> seat_shapes(const RobotModel& robot, const Limbs& limbs);

/// The same for any robot. One without two legs has no hips: it sits on all the shapes that it has.
std::vector<SeatShape> seat_shapes(const RobotModel& robot);

/// How far the lowest of the shapes is below the hips: the height of the hips above a seat that carries them. [m]
double seat_clearance(const std::vector<SeatShape>& shapes, const Limbs& limbs, const TreeKinematics& tree);

}  // namespace aplomb

#pragma once

#include <Eigen/Geometry>
#include <array>
#include <optional>
#include <vector>

#include "aplomb/motion/grade/foot_tracks.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// A sole at one knot of a motion: on the floor at a place, or in the air. It may turn about one axis of the sole: z on
/// the spot, x or y about an edge that stays on the floor.
struct KnotContact {
  bool is_on = false;
  std::optional<int> free_axis;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();                 ///< of the sole that stays where it is; on the axis
  Eigen::Isometry3d T_world_sole = Eigen::Isometry3d::Identity();  ///< when it is level; origin at the sole's centre
};

/// A motion that shall stay near a reference and keep contacts that change from knot to knot, on a level floor at z =
/// 0.
struct ContactMotionTask {
  double step_s = 0.02;       ///< time between two knots
  Eigen::MatrixXd reference;  ///< flat coordinates (robot/dynamics/motion_derivatives.hpp), one column per knot
  std::vector<int> active;    ///< coordinates that may change; the six of the base first

  struct Foot {
    int body = 0;
    Eigen::Isometry3d T_body_sole = Eigen::Isometry3d::Identity();  ///< origin at the sole's centre, z along its normal
    Eigen::Vector2d half_size = Eigen::Vector2d::Zero();
    std::vector<KnotContact> at;  ///< by knot
  };
  std::array<Foot, 2> feet;

  double friction = 0.6;
  double inset_m = 0.0;         ///< of the ZMP from the edges of the soles on the floor
  double slide_m_per_s = 0.06;  ///< largest speed, by axis, of a sole that the rule takes for standing
  StanceRule rule;
};

/// The motion that was found. What remains violated is summed by kind, in the units of the limits.
struct ContactMotion {
  Eigen::MatrixXd knots;  ///< flat coordinates
  int iterations = 0;
  double merit = 0.0, cost = 0.0, violation = 0.0;
  double sole_error_m = 0.0;  ///< largest distance of a sole on the floor from its place
};

/// Minimises, over all knots at once,
///   Σ h [ mean squared change of the bodies' positions / (3 cm)² + the same of joints and base orientation / (0.3
///   rad)²
///         + weight · (second derivative of the change)² ]
/// subject to: soles on the floor at their places; the ZMP, by the full dynamics between neighbouring knots, within the
/// soles on the floor, and friction there; joints within range and speed; soles in the air above the floor, and moving
/// either too fast or too high to be taken for standing, or as slowly as a standing one.
///
/// Sequential quadratic programming: contacts are eliminated knot by knot, the rest are elastic rows of one banded
/// program (solvers/banded_qp.hpp), so the time is proportional to the number of knots.
ContactMotion solve_contact_motion(const RobotModel& robot, const ContactMotionTask& task, int max_iterations = 20);

}  // namespace aplomb

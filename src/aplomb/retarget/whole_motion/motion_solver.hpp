#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "aplomb/retarget/whole_motion/motion_spline.hpp"
#include "aplomb/retarget/whole_motion/motion_task.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// A solved whole motion.
struct WholeMotion {
  Eigen::MatrixXd controls;           ///< control points of the motion's spline, flat coordinates
  std::vector<Eigen::VectorXd> free;  ///< by frame: variables n and s of MotionForces
  Eigen::MatrixXd forces;             ///< by frame: force vector of MotionForces [N, N m]
  struct Iteration {
    double merit = 0.0, cost = 0.0, violation = 0.0, equations = 0.0;  ///< before the step
    double step = 0.0;                                                 ///< largest change of a control point [m, rad]
    double length = 0.0;                                               ///< accepted fraction of the step
    double damping = 0.0;
    int qp_iterations = 0;
    double ratio = 0.0;
    Eigen::Index worst_row = 0, worst_frame = 0;
  };
  std::vector<Iteration> iterations;
  bool converged = false;
};

/// Sequential quadratic programming over a whole motion (docs/retargeting.md): Gauss-Newton steps of the costs, all
/// equations and limits linearised, one banded quadratic program per step, steps accepted by an exact penalty function.
class MotionSolver {
 public:
  struct Settings {
    int max_iterations = 30;
    double tolerance = 1e-3;    ///< relative decrease of the merit at which the motion counts as settled
    double longest_step = 0.5;  ///< [m, rad]
  };
  MotionSolver(const RobotModel& robot, const MotionTask& task);  ///< both must outlive this object
  ~MotionSolver();

  WholeMotion solve(const Settings& settings);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aplomb

#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "aplomb/retarget/whole_motion/motion_spline.hpp"
#include "aplomb/retarget/whole_motion/motion_task.hpp"
#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// A limit at which a knot of a motion lies, or that it violates.
struct ReachedLimit {
  enum class Kind { contact, torque, speed, range, distance, equation };
  Kind kind = Kind::contact;
  std::string name;     ///< of the joint, of contact and limit, or of the equation
  double excess = 0.0;  ///< violation, scaled: forces by a tenth of the weight, torques and speeds by their limits,
                        ///< ranges by 0.1 rad, distances and equations by 1 cm (1/100 rad)
};

/// A solved whole motion.
struct WholeMotion {
  Eigen::MatrixXd knots;                          ///< flat coordinates, one column per knot
  Eigen::MatrixXd forces;                         ///< by knot: force vector of MotionForces [N, N m]
  std::vector<std::vector<ReachedLimit>> limits;  ///< by knot
  double violation = 0.0;                         ///< sum of all scaled violations
  struct Iteration {
    double merit = 0.0, cost = 0.0, violation = 0.0, equations = 0.0;  ///< before the step
    double step = 0.0;                                                 ///< largest change of a knot [m, rad]
    double length = 0.0;                                               ///< accepted fraction of the step
    double damping = 0.0;
    double ratio = 0.0;  ///< actual decrease of the merit over the predicted one
    int qp_iterations = 0;
  };
  std::vector<Iteration> iterations;
  /// The equations are met, and no step is left that lowers costs and priced violations by more than the tolerance. A
  /// motion that violates limits may have converged, too: it is then the nearest one.
  bool converged = false;
};

/// Sequential quadratic programming over a whole motion (docs/retargeting.md): Gauss-Newton steps of the costs, all
/// equations and limits linearised, one banded quadratic program per step, steps accepted by an exact penalty function.
class MotionSolver {
 public:
  struct Settings {
    int max_iterations = 30;
    int max_programs = 60;      ///< quadratic programs of all iterations
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

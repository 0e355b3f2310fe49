#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/retarget/whole_motion/motion_forces.hpp"
#include "aplomb/retarget/whole_motion/motion_task.hpp"
#include "aplomb/robot/dynamics/motion_derivatives.hpp"

namespace aplomb {

/// One frame of a whole motion: values of its costs, equations and limits at a configuration x with its derivatives,
/// and their gradients with respect to (x, ẋ, ẍ) and to the contact forces.
class MotionFrame {
 public:
  /// All must outlive this object.
  MotionFrame(const MotionTask& task, const MotionForces& forces, MotionDerivatives& derivatives)
      : task_(task), forces_(forces), derivatives_(derivatives) {}

  /// Values only.
  struct Values {
    double cost = 0.0;              ///< of markers, CoM and posture, times the frame's duration
    Vector6d wrench;                ///< contact wrench that the motion needs, about the world's origin [N, N m]
    Eigen::VectorXd free_torque;    ///< generalised forces without contacts [N, N m]
    Eigen::VectorXd equations;      ///< residuals of soles, points and CoM [m, rad]
    Eigen::VectorXd bounds;         ///< shortfall of points and pairs, negative when they are kept [m]
    std::vector<int> bound_source;  ///< index in MotionTask::bounds, then in pairs
  };
  /// Gradients. Products with the stencil's weights are formed by the caller.
  struct Gradients {
    Eigen::MatrixXd wrench_by_position, wrench_by_rate, wrench_by_acceleration;  ///< 6 × n
    Eigen::MatrixXd equation_rows;                                               ///< by x
    Eigen::MatrixXd bound_rows;                                                  ///< by x, of `bounds`
    Eigen::MatrixXd hessian;                                                     ///< of the cost, Gauss-Newton
    Eigen::VectorXd gradient;
    // Torques of some joints.
    Eigen::MatrixXd torque_by_position, torque_by_rate, torque_by_acceleration, torque_by_force;
  };

  void evaluate(Eigen::Index frame, const Eigen::VectorXd& x, const Eigen::VectorXd& rate,
                const Eigen::VectorXd& acceleration);
  /// With gradients.
  void linearise(Eigen::Index frame, const Eigen::VectorXd& x, const Eigen::VectorXd& rate,
                 const Eigen::VectorXd& acceleration);
  /// Residuals of the equations alone.
  const Eigen::VectorXd& equations(Eigen::Index frame, const Eigen::VectorXd& x);
  const Values& values() const { return values_; }
  const Gradients& gradients() const { return gradients_; }
  /// Joint torques under the contact forces f; after evaluate() or linearise() [N m].
  Eigen::VectorXd torques(const Eigen::VectorXd& f) const;
  /// Gradients of the torques of `joints` at the contact forces f; after linearise().
  void linearise_torques(const std::vector<int>& joints, const Eigen::VectorXd& f);
  Eigen::Vector3d com() const { return derivatives_.com(); }

 private:
  Eigen::RowVectorXd point_row(int body, const Eigen::Vector3d& x, const Eigen::Vector3d& direction) const;
  void write_values(Eigen::Index frame, const Eigen::VectorXd& x, bool with_gradients);
  void write_wrench(bool with_gradients);
  void write_equations(Eigen::Index frame, bool with_gradients);
  void write_costs(Eigen::Index frame, const Eigen::VectorXd& x, bool with_gradients);
  void add_marker_curvature();
  void write_bounds(Eigen::Index frame, bool with_gradients);

  const MotionTask& task_;
  const MotionForces& forces_;
  MotionDerivatives& derivatives_;
  Eigen::Index frame_ = 0;  ///< of the values
  Values values_;
  Gradients gradients_;
  std::vector<Eigen::Matrix<double, 6, 6>> marker_inertia_;
  std::vector<Vector6d> marker_pull_;
  std::vector<Eigen::Matrix3d> marker_moment_;
};

}  // namespace aplomb

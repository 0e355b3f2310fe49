#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/robot/kinematics/tree_kinematics.hpp"

namespace aplomb {

/// Coupled joints: the rate of joint i is `ratio` times that of free column `column`. The base's six columns
/// come first and are always free.
struct JointCouplings {
  int num_free = 6;
  std::vector<int> column;    ///< one per joint
  std::vector<double> ratio;  ///< one per joint

  static JointCouplings none(int num_joints);
  void expand(const Eigen::VectorXd& free_step, Eigen::VectorXd& step) const;  ///< both must have their size already
};

/// The normal equations of least squares on points of a tree,  min Σ w |x + J step − x*|²:
///   H = Σ w JᵀJ,   g = Σ w Jᵀ(x − x*)
/// H is the mass matrix that the tree would have with masses w at the points and nothing else; it is summed up from the
/// leaves, as in the composite-rigid-body method, without forming a Jacobian. With Curvature::exact it includes
/// second derivatives, H = Σ w (JᵀJ + (x − x*)·∂²x): Newton instead of Gauss-Newton; H may then be indefinite.
class PointEquations {
 public:
  enum class Curvature { gauss_newton, exact };

  PointEquations(const TreeKinematics& tree, JointCouplings couplings);  ///< `tree` must outlive this object

  void clear();
  /// Adds a point of `body` at x in the world, with its target at x − error.
  void add(int body, const Eigen::Vector3d& x, const Eigen::Vector3d& error, double weight);
  /// Adds the linear term force · x for a point of `body` at x: it contributes to the gradient, and to H with
  /// Curvature::exact only.
  void add_force(int body, const Eigen::Vector3d& x, const Eigen::Vector3d& force);
  /// Fills `hessian` (lower triangle) and `gradient`, over the free columns. Never allocates.
  void sum_up(Eigen::MatrixXd& hessian, Eigen::VectorXd& gradient, Curvature curvature = Curvature::gauss_newton);

  const JointCouplings& couplings() const { return couplings_; }

 private:
  /// Sums over the points at and below a body, about the base's origin.
  struct Sums {
    double weight = 0.0;
    Eigen::Vector3d first = Eigen::Vector3d::Zero();   ///< Σ w x
    Eigen::Matrix3d second = Eigen::Matrix3d::Zero();  ///< Σ w x xᵀ
    Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< Σ w e
    Eigen::Matrix3d twist = Eigen::Matrix3d::Zero();   ///< Σ w x eᵀ

    Eigen::Vector3d moment() const {  ///< Σ w x × e
      return {twist(1, 2) - twist(2, 1), twist(2, 0) - twist(0, 2), twist(0, 1) - twist(1, 0)};
    }
  };
  void add_joint(int body, Curvature curvature, Eigen::MatrixXd& hessian, Eigen::VectorXd& gradient) const;
  Eigen::Vector3d bend(int body) const;

  const TreeKinematics& tree_;
  JointCouplings couplings_;
  std::vector<Sums> sums_;
};

}  // namespace aplomb

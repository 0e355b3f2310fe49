#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "aplomb/retarget/frames/tree_problem.hpp"
#include "aplomb/retarget/mapping.hpp"
#include "aplomb/robot/kinematics/point_equations.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/shapes/capsule.hpp"

namespace aplomb {

/// One equation of a posture:  direction · x = value  (or ≥) for a point x of a body, or for the centre of mass.
struct PointRow {
  static constexpr int kCentreOfMass = -1;
  RowKind kind = RowKind::equal;
  int body = 0;
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< in the body's frame [m]
  Eigen::Vector3d direction = Eigen::Vector3d::UnitX();
  double value = 0.0;       ///< [m]
  double softness = 1e-12;  ///< see TreeProblem: when rows contradict each other, the softer one is violated
};

/// Two capsules that must not overlap.
struct CapsulePair {
  Capsule first, second;
  double gap = 0.0;  ///< smallest distance between them [m]
};

/// The posture whose markers are closest to their targets,
///   min ½ Σ w |x(q) − x*|² + ½ Σ r (angle − pull)²    subject to rows, pairs and lower ≤ angle ≤ upper,
/// by Newton's method on the Lagrangian. Markers, rows and the centre of mass are all points of bodies, and a row's
/// multiplier is a force at its point: at the solution these forces balance the springs of the markers. Second
/// derivatives are exact, so that a warm start needs three or four steps; where they are not positive definite, a
/// Gauss-Newton step is taken. When the rows contradict each other, the soft ones (softness 1e-9 and more) are met as
/// nearly as the hard ones allow. Never allocates after construction.
class PostureSolver {
 public:
  struct Settings {
    double tolerance = 1e-8;    ///< largest component of the last step [m, rad]
    double longest_step = 0.3;  ///< [m, rad]
    int newton_steps = 80;      ///< step limit with all rows hard, and again after the relaxed steps
    int near_steps = 60;        ///< step limit with the soft rows relaxed to springs
  };
  struct Outcome {
    int iterations = 0;
    int linear_systems = 0;  ///< one or more for each iteration: one for each set of active limits that is tried
    bool converged = false;
  };

  /// `robot` must outlive this object.
  PostureSolver(const RobotModel& robot, std::vector<RobotMarker> markers, std::vector<PointRow> rows,
                std::vector<CapsulePair> pairs, const Settings& settings);

  // The problem of one frame; sizes must not change.
  std::vector<Eigen::Vector3d> targets;  ///< x* of each marker; NaN: the marker is not used [m]
  std::vector<PointRow> rows;            ///< kind, direction and value may change
  Eigen::VectorXd pull, pull_weight;     ///< preferred angle of each joint and its weight [rad], [m²/rad²]
  Eigen::VectorXd lower, upper;          ///< limits of each joint's angle [rad]
  bool keeps_apart = true;               ///< whether the pairs are constraints

  Outcome solve(Eigen::VectorXd& q);  ///< `q` is the start and the solution
  void forget() {
    problem_.forget();
    multipliers_.setZero();
  }

  // Results of the last solve.
  const TreeKinematics& tree() const { return tree_; }
  Eigen::Vector3d com() const { return tree_.com(); }
  double marker_square_sum() const;  ///< Σ |x − x*|² over the markers in use [m²]
  int num_seen() const;
  double row_error(std::size_t row) const;                             ///< direction · x − value [m]
  const Eigen::VectorXd& multipliers() const { return multipliers_; }  ///< of rows, then of pairs
  const std::vector<char>& held() const { return problem_.held(); }    ///< by column: −1 lower, 1 upper limit
  const std::vector<RobotMarker>& markers() const { return markers_; }
  /// Largest component of the Lagrangian's gradient over the columns that are not at a limit: zero at the solution.
  double stationarity(const Eigen::VectorXd& q);

 private:
  /// Treatment of the soft rows.
  enum class SoftRows { constraints, springs, off };

  void follow_newton(Eigen::VectorXd& q, Outcome& outcome);
  void relax(Eigen::VectorXd& q, Outcome& outcome);
  bool are_hard_rows_met() const;
  double largest_spring() const;
  double move(Eigen::VectorXd& q);
  void write_equations(const Eigen::VectorXd& q, PointEquations::Curvature curvature);
  void add_row_forces();
  void write_rows();
  void write_point_row(const PointRow& row, Eigen::Index index);
  void write_com_rows();
  void write_pair(const CapsulePair& pair, Eigen::Index index);
  void add_along(int body, const Eigen::Vector3d& x, const Eigen::Vector3d& direction, Eigen::Index index);
  bool take_step(Eigen::VectorXd& q, PointEquations::Curvature curvature, Outcome& outcome);

  Settings settings_;
  TreeKinematics tree_;
  TreeColumns columns_;
  std::vector<RobotMarker> markers_;
  std::vector<CapsulePair> pairs_;
  PointEquations equations_;
  TreeProblem problem_;
  double mass_ = 0.0;
  double reach_ = 0.0;  ///< current limit of a joint's step [rad]
  double damping_ = 0.0;
  SoftRows soft_rows_ = SoftRows::constraints;
  Eigen::MatrixXd hessian_;
  Eigen::VectorXd gradient_, step_, multipliers_, start_;
  std::vector<double> mass_below_;
  std::vector<Eigen::Vector3d> moment_below_;  ///< Σ m x of each body and the bodies below it
};

}  // namespace aplomb

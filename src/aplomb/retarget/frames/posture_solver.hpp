#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "aplomb/retarget/frames/tree_problem.hpp"
#include "aplomb/retarget/mapping.hpp"
#include "aplomb/retarget/mapping/capsule.hpp"
#include "aplomb/robot/kinematics/point_equations.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"

namespace aplomb {

/// One equation of a posture:  direction · x = value  (or ≥) for a point x of a body, or for the centre of mass.
struct PointRow {
  static constexpr int kCentreOfMass = -1;
  RowKind kind = RowKind::equal;
  int body = 0;
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< in the body's frame [m]
  Eigen::Vector3d direction = Eigen::Vector3d::UnitX();
  double value = 0.0;       ///< [m]
  double softness = 1e-12;  ///< see TreeProblem; the larger one gives way
};

/// Two capsules that must not meet.
struct CapsulePair {
  Capsule first, second;
  double gap = 0.0;  ///< that stays between them [m]
};

/// The posture that is closest to where markers should be,
///   min ½ Σ w |x(q) − x*|² + ½ Σ r (angle − pull)²    subject to rows, pairs and lower ≤ angle ≤ upper,
/// by Newton's method on the Lagrangian. Markers, rows and the centre of mass are all points of bodies, and a row's
/// multiplier is a force at its point: what holds at the answer is that the springs of the markers and these forces
/// balance. Second derivatives are exact, so a warm start needs three or four steps; where they are not positive, a
/// step is Gauss-Newton's. When rows cannot be met, the softer ones (softness 1e-9 and more) give way: they come as
/// near as they can while the firm ones hold. Never allocates after construction.
class PostureSolver {
 public:
  struct Settings {
    double tolerance = 1e-8;    ///< largest component of the last step [m, rad]
    double longest_step = 0.3;  ///< [m, rad]
    int newton_steps = 80;      ///< before rows give way, and again after it
    int near_steps = 60;        ///< in which they do
  };
  struct Outcome {
    int iterations = 0;
    bool converged = false;
  };

  /// `robot` must outlive this object.
  PostureSolver(const RobotModel& robot, std::vector<RobotMarker> markers, std::vector<PointRow> rows,
                std::vector<CapsulePair> pairs, const Settings& settings);

  // What a frame asks for; sizes stay.
  std::vector<Eigen::Vector3d> targets;  ///< x* of each marker, NaN: not seen [m]
  std::vector<PointRow> rows;            ///< kind, direction and value may change
  Eigen::VectorXd pull, pull_weight;     ///< of each joint [rad], [m²/rad²]
  Eigen::VectorXd lower, upper;          ///< of each joint's angle [rad]
  bool keeps_apart = true;               ///< whether the pairs count

  Outcome solve(Eigen::VectorXd& q);  ///< `q` is the start and the answer
  void forget() {
    problem_.forget();
    multipliers_.setZero();
  }

  // Of the last answer.
  const TreeKinematics& tree() const { return tree_; }
  Eigen::Vector3d com() const { return tree_.com(); }
  double marker_square_sum() const;  ///< Σ |x − x*|² over the markers that were seen [m²]
  int num_seen() const;
  double row_error(std::size_t row) const;                             ///< direction · x − value [m]
  const Eigen::VectorXd& multipliers() const { return multipliers_; }  ///< of rows, then of pairs
  const std::vector<char>& held() const { return problem_.held(); }    ///< by column: −1 lower, 1 upper limit
  const std::vector<RobotMarker>& markers() const { return markers_; }
  /// |gradient of the Lagrangian| over the columns that no limit holds: zero at the answer.
  double stationarity(const Eigen::VectorXd& q);

 private:
  /// What becomes of the rows that may give way.
  enum class Yielding { rows, springs, off };

  void follow_newton(Eigen::VectorXd& q, Outcome& outcome);
  void come_near(Eigen::VectorXd& q, Outcome& outcome);
  bool are_firm_rows_met() const;
  double largest_spring() const;
  double move(Eigen::VectorXd& q);
  void write_equations(const Eigen::VectorXd& q, PointEquations::Curvature curvature);
  void add_row_forces();
  void write_rows();
  void write_point_row(const PointRow& row, Eigen::Index index);
  void write_com_rows();
  void write_pair(const CapsulePair& pair, Eigen::Index index);
  void add_along(int body, const Eigen::Vector3d& x, const Eigen::Vector3d& direction, Eigen::Index index);
  bool take_step(Eigen::VectorXd& q, PointEquations::Curvature curvature);

  Settings settings_;
  TreeKinematics tree_;
  TreeColumns columns_;
  std::vector<RobotMarker> markers_;
  std::vector<CapsulePair> pairs_;
  PointEquations equations_;
  TreeProblem problem_;
  double mass_ = 0.0;
  double reach_ = 0.0;  ///< longest step of a joint at present [rad]
  double damping_ = 0.0;
  Yielding yielding_ = Yielding::rows;
  Eigen::MatrixXd hessian_;
  Eigen::VectorXd gradient_, step_, multipliers_, start_;
  std::vector<double> mass_below_;
  std::vector<Eigen::Vector3d> moment_below_;  ///< Σ m x of the bodies at and below
};

}  // namespace aplomb

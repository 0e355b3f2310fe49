#pragma once

#include <Eigen/Cholesky>
#include <span>
#include <vector>

#include "aplomb/human/subject/generic_subject.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"

namespace aplomb {

/// Fits the posture of one frame to its markers,
///   min  Σ w ρ(|x(q) − x*|) + Σ r (angle − neutral)² + Σ r' (angle − previous)²,   lower ≤ angle ≤ upper
/// by damped Gauss-Newton steps from a nearby initial guess. ρ is Cauchy's loss: a residual of 3 cm halves the weight,
/// and swapped labels hardly count. The regularisation r is small [m²/rad²]: it only determines unobserved angles.
class MarkerFit {
 public:
  struct Settings {
    double outlier_m = 0.03;         ///< residual that halves a marker's weight: the skin's motion over the bone
    double observed_pull = 1e-6;     ///< r' of observed joints, to the initial angle
    double neutral_pull = 3e-7;      ///< r of observed joints, to neutral
    double spine_pull = 3e-5;        ///< r of lumbar and thorax, to neutral
    double spine_difference = 1e-2;  ///< r of the difference of thorax and lumbar angles
    double minor_pull = 1e-4;  ///< r of the knee's minor angles, the shoulder girdle's roll and the midfoot, to neutral
    double unobserved_pull = 1e-2;  ///< r of joints with no marker distal to them, to neutral
    double tolerance = 1e-6;        ///< largest step at convergence [m, rad]
    int most_iterations = 60;
  };
  struct Outcome {
    int iterations = 0;
    bool converged = false;
    double cost = 0.0;  ///< [m²]
  };

  /// `robot` must outlive this object.
  MarkerFit(const SubjectModel& subject, const RobotModel& robot, const Settings& settings);

  /// Adopts the joint positions and marker offsets of `subject`, which is the same body in another size. Never
  /// allocates.
  void resize(const SubjectModel& subject);

  void set_offset(std::size_t marker, const Eigen::Vector3d& offset) { offsets_[marker] = offset; }

  /// `seen[i]` is the measured position of marker i, NaN in a gap; `q` is the initial guess and the solution. `trust`
  /// scales the markers' weights; empty: 1. Never allocates.
  Outcome fit(std::span<const Eigen::Vector3d> seen, Eigen::VectorXd& q, std::span<const float> trust = {});
  /// As `fit`, but without the robust loss, for an initial guess that may be far off.
  Outcome fit_plain(std::span<const Eigen::Vector3d> seen, Eigen::VectorXd& q);

  /// Model markers in the last posture, and their distances from the measured ones (NaN in a gap) [m].
  const std::vector<Eigen::Vector3d>& positions() const { return positions_; }
  const std::vector<double>& residuals() const { return residuals_; }

  /// Gauss-Newton Hessian over the free columns at the last posture (lower triangle; outliers weigh less).
  const Eigen::MatrixXd& curvature(std::span<const Eigen::Vector3d> seen, const Eigen::VectorXd& q);
  const JointCouplings& couplings() const { return equations_.couplings(); }
  double outlier_weight(double residual) const;  ///< weight factor for this residual

  int joint(const std::string& name) const;  ///< index of a joint of the robot; throws UnknownName
  bool sees_head() const { return sees_head_; }
  const TreeKinematics& tree() const { return tree_; }

 private:
  struct Pull {  ///< cost r (Σ factor · angle)² over one or two free columns
    int first = 0, second = -1;
    double first_factor = 1.0, second_factor = 0.0;
    double weight = 0.0;
  };
  Outcome solve(std::span<const Eigen::Vector3d> seen, Eigen::VectorXd& q, double outlier_m);
  double measure(std::span<const Eigen::Vector3d> seen, const Eigen::VectorXd& q, double outlier_m);
  void write_equations(std::span<const Eigen::Vector3d> seen, const Eigen::VectorXd& q, double outlier_m);
  bool step_from(const Eigen::VectorXd& q, double damping);
  void set_pulls(const Skeleton& skeleton, const RobotModel& robot);
  double pull_cost(const Eigen::VectorXd& q) const;
  double angle(const Eigen::VectorXd& q, int column) const {
    return q[7 + joint_of_column_[static_cast<std::size_t>(column - 6)]];
  }

  const RobotModel* robot_;  ///< for the names of its joints
  Settings settings_;
  TreeKinematics tree_;
  PointEquations equations_;
  std::vector<int> first_joints_;  ///< first joint of each segment, -1 for the root
  std::vector<int> bodies_;        ///< body of each marker
  std::vector<Eigen::Vector3d> offsets_;
  std::vector<double> weights_;        ///< weight of each marker
  std::vector<double> frame_weights_;  ///< weight of each marker in the current frame
  std::vector<Eigen::Vector3d> positions_;
  std::vector<double> residuals_;
  std::vector<int> joint_of_column_;  ///< joint whose angle is the free column
  Eigen::VectorXd lower_, upper_;     ///< limits of the free columns
  Eigen::VectorXd previous_pull_;     ///< r' of the free columns
  std::vector<Pull> pulls_;
  bool sees_head_ = false;

  Eigen::MatrixXd hessian_, damped_;
  Eigen::VectorXd gradient_, free_step_, step_, start_, trial_;
  std::vector<char> is_held_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

}  // namespace aplomb

#pragma once

#include <Eigen/Cholesky>
#include <span>
#include <vector>

#include "aplomb/human/subject/generic_subject.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"

namespace aplomb {

/// The posture of one frame from its markers,
///   min  Σ w ρ(|x(q) − x*|) + Σ r (angle − neutral)² + Σ r' (angle − previous)²,   lower ≤ angle ≤ upper
/// by damped Gauss-Newton steps from a start nearby. ρ is Cauchy's loss: a marker 3 cm off counts half, a swapped one
/// hardly. The pulls r are small [m²/rad²]: they decide only what no marker sees.
class MarkerFit {
 public:
  struct Settings {
    double outlier_m = 0.03;         ///< residual at which a marker counts half
    double observed_pull = 1e-6;     ///< to the start's angle
    double neutral_pull = 3e-7;      ///< of observed joints, to neutral
    double spine_pull = 3e-5;        ///< of lumbar and thorax, to neutral
    double spine_difference = 1e-2;  ///< of thorax and lumbar from each other
    double minor_pull = 1e-4;        ///< of the knee's side angles, the girdle's roll and the midfoot, to neutral
    double unobserved_pull = 1e-2;   ///< of joints below which there is no marker, to neutral
    double tolerance = 1e-6;         ///< largest step at the end [m, rad]
    int most_iterations = 60;
  };
  struct Outcome {
    int iterations = 0;
    bool converged = false;
    double cost = 0.0;  ///< [m²]
  };

  MarkerFit(const SubjectModel& subject, const RobotModel& robot, const Settings& settings);  ///< `robot` must outlive

  /// The same body in another size: joints and markers' offsets are taken anew. Never allocates.
  void resize(const SubjectModel& subject);

  void set_offset(std::size_t marker, const Eigen::Vector3d& offset) { offsets_[marker] = offset; }

  /// `seen[i]` is where marker i was, NaN in a gap; `q` is the start and the answer. `trust` are factors of the
  /// markers' weights; empty: 1. Never allocates.
  Outcome fit(std::span<const Eigen::Vector3d> seen, Eigen::VectorXd& q, std::span<const float> trust = {});
  /// The same without the outliers' loss: every marker counts in full. For a start that may be far off.
  Outcome fit_plain(std::span<const Eigen::Vector3d> seen, Eigen::VectorXd& q);

  /// Where the markers are in the last posture, and how far from where they were seen (NaN in a gap). [m]
  const std::vector<Eigen::Vector3d>& positions() const { return positions_; }
  const std::vector<double>& residuals() const { return residuals_; }

  /// Second derivatives of the cost over the free columns at the last posture (lower triangle; outliers weigh less).
  const Eigen::MatrixXd& curvature(std::span<const Eigen::Vector3d> seen, const Eigen::VectorXd& q);
  const JointCouplings& couplings() const { return equations_.couplings(); }
  double outlier_weight(double residual) const;  ///< of a marker so far off

  int joint(const std::string& name) const;  ///< index of a joint of the robot; throws UnknownName
  bool sees_head() const { return sees_head_; }
  const TreeKinematics& tree() const { return tree_; }

 private:
  struct Pull {  ///< r (Σ factor · angle)² over one or two free columns
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

  const RobotModel* robot_;  ///< for its names
  Settings settings_;
  TreeKinematics tree_;
  PointEquations equations_;
  std::vector<int> first_joints_;  ///< of each segment, -1 for the root
  std::vector<int> bodies_;        ///< of each marker
  std::vector<Eigen::Vector3d> offsets_;
  std::vector<double> weights_;        ///< of each marker
  std::vector<double> frame_weights_;  ///< the same in the present frame
  std::vector<Eigen::Vector3d> positions_;
  std::vector<double> residuals_;
  std::vector<int> joint_of_column_;  ///< the joint that has the free column's own angle
  Eigen::VectorXd lower_, upper_;     ///< of the free columns
  Eigen::VectorXd previous_pull_;     ///< of the free columns
  std::vector<Pull> pulls_;
  bool sees_head_ = false;

  Eigen::MatrixXd hessian_, damped_;
  Eigen::VectorXd gradient_, free_step_, step_, start_, trial_;
  std::vector<char> is_held_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

}  // namespace aplomb

#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <vector>

#include "aplomb/retarget/frame_verdict.hpp"
#include "aplomb/retarget/frames/posture_solver.hpp"
#include "aplomb/retarget/frames/solver_budget.hpp"
#include "aplomb/retarget/mapping.hpp"
#include "aplomb/retarget/mapping/foot_paths.hpp"
#include "aplomb/retarget/mapping/planted.hpp"

namespace aplomb {

/// Solves the frames of one clip, one after the other. Constraints: feet where they stand, in the air near the
/// person's path; the hips fixed on the seat until
/// seat-off and clear of it afterwards; hands fixed on arm rests until their release; the CoM in x and y always, in z
/// from seat-off on, because hips on the seat and a prescribed height would contradict each other.
class RiseSolver {
 public:
  static constexpr double kFeasible = 1e-6;  ///< [m] residual below which a constraint is met

  struct Frame {
    PostureSolver::Outcome outcome;
    Eigen::Vector3d com_missing = Eigen::Vector3d::Zero();  ///< actual minus reference, of the constrained axes [m]
    double com_residual = 0.0;                              ///< norm of com_missing [m]
    double rows_residual = 0.0;                             ///< largest residual of feet, seat and hands [m]
    double marker_rms = 0.0;                                ///< [m]
    std::vector<ActiveLimit> limits;                        ///< active limits of a frame whose constraints are not met

    bool is_met() const { return com_residual < kFeasible && rows_residual < kFeasible; }
  };

  /// All must outlive this object. Its functions throw InvalidValue once `budget` is spent.
  RiseSolver(const RobotModel& robot, const Limbs& limbs, const SeatedRobot& seated, const HumanPath& human,
             const Overlay& overlay, SolverBudget& budget);

  /// Constraint of the CoM. Soft: an error of a tenth of a millimetre is accepted where avoiding it takes a contortion.
  enum class Com { free, soft, hard };

  /// Fits the markers in least squares, with the CoM on `path` (unless it is free). `q` gets one column per frame.
  std::vector<Frame> follow_markers(const Eigen::Matrix3Xd& path, Com com, Eigen::MatrixXd& q);

  /// CoM reference of the last call, with its height blended after seat-off from that on the seat. [m]
  const Eigen::Matrix3Xd& asked() const { return asked_; }
  double heel_x() const { return heel_x_; }
  double toe_x() const { return toe_x_; }
  const std::array<FootPath, 2>& feet() const { return feet_; }

 private:
  void keep_limit_margin(const Eigen::VectorXd& seated);
  void find_posture_pull(const Limbs& limbs);
  void blend_height(Eigen::Index frame);
  void ask_rows(Eigen::Index frame, Com com);
  void ask_feet(Eigen::Index frame);
  void ask_hands(Eigen::Index frame);
  bool is_hard(std::size_t row, Eigen::Index frame) const;
  std::vector<ActiveLimit> active_limits(const Eigen::VectorXd& q) const;
  void limit_speed(const Eigen::Ref<const Eigen::VectorXd>& before);
  Frame judge(const Eigen::VectorXd& q, const PostureSolver::Outcome& outcome, Eigen::Index frame);
  void aim(Eigen::Index frame);
  PostureSolver::Outcome solve(Eigen::VectorXd& q, Eigen::Index frame);

  const RobotModel& robot_;
  const SeatedRobot& seated_;
  const HumanPath& human_;
  const Overlay& overlay_;
  SolverBudget& budget_;
  std::unique_ptr<PostureSolver> solver_;
  TreeKinematics tree_;
  Eigen::Matrix3Xd asked_;  ///< CoM reference [m]
  Eigen::Matrix3Xd lag_;    ///< CoM height above the path on the seat, blended to 0 after seat-off [m]
  std::array<FootPath, 2> feet_;
  std::array<std::vector<Eigen::Vector3d>, 2> foot_points_;  ///< of the rows of each foot, in the sole's frame [m]
  std::size_t hip_x_ = 0, hip_z_ = 0, hands_ = 0, com_ = 0;  ///< first rows; each hand has kRowsOfHand
  Eigen::VectorXd lower_, upper_, speed_;                    ///< angle and speed limits of the joints
  Eigen::VectorXd posture_pull_;                             ///< weight of each joint's seated angle [m²/rad²]
  Eigen::VectorXd free_pull_;   ///< weight of `of_markers_` for arms and head, zero for other joints
  Eigen::MatrixXd of_markers_;  ///< postures of the fit without the CoM, once they are known
  double heel_x_ = 0.0, toe_x_ = 0.0, seated_hip_z_ = 0.0;
};

}  // namespace aplomb

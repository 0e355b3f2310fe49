#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "aplomb/retarget/frame_verdict.hpp"
#include "aplomb/retarget/frames/posture_solver.hpp"
#include "aplomb/retarget/mapping.hpp"
#include "aplomb/retarget/mapping/planted.hpp"

namespace aplomb {

/// Solves the frames of one rise, one after the other. Always equal: both feet where they are. Until seat-off: the hips
/// where they sit, and hands on arm rests where they are until they let go. From it on: the hips clear of the seat.
/// With the centre of mass: its x and y always, its z from seat-off on, because hips on the seat and a height would
/// contradict each other.
class RiseSolver {
 public:
  static constexpr double kFeasible = 1e-6;  ///< [m]

  struct Frame {
    PostureSolver::Outcome outcome;
    Eigen::Vector3d com_missing = Eigen::Vector3d::Zero();  ///< reached less asked, of the axes asked for [m]
    double com_residual = 0.0;                              ///< its length [m]
    double rows_residual = 0.0;                             ///< of feet and seat [m]
    double marker_rms = 0.0;                                ///< [m]
    std::vector<ActiveLimit> limits;                        ///< of a frame whose equations are not met

    bool is_met() const { return com_residual < kFeasible && rows_residual < kFeasible; }
  };

  /// All must outlive this object.
  RiseSolver(const RobotModel& robot, const Limbs& limbs, const SeatedRobot& seated, const HumanPath& human,
             const Overlay& overlay);

  /// How the path of the centre of mass is asked for. Gently: a tenth of a millimetre is given up for what would take a
  /// contortion.
  enum class Com { free, gently, exactly };

  /// Markers in least squares, `path` of the centre of mass (unless it is free). `q` gets one column a frame.
  std::vector<Frame> follow_markers(const Eigen::Matrix3Xd& path, Com com, Eigen::MatrixXd& q);
  /// Puts smooth postures back on the equations, each as near as it can be. Also `q` in and out.
  std::vector<Frame> put_back(const Eigen::Matrix3Xd& com, Eigen::MatrixXd& q);
  /// The standing posture with its centre of mass over (x, y), its height free; from the posture `q`.
  Eigen::Vector3d stand(const Eigen::Vector2d& com_xy, Eigen::VectorXd q);

  /// The path of the last call, with its height after seat-off as it was taken up from where the seat left it. [m]
  const Eigen::Matrix3Xd& asked() const { return asked_; }
  double heel_x() const { return heel_x_; }
  double toe_x() const { return toe_x_; }

 private:
  enum class Pass { frames, clip };

  void keep_off_stops(const Eigen::VectorXd& seated);
  void find_posture_pull(const Limbs& limbs);
  void take_up_height(Eigen::Index frame);
  void ask_rows(Eigen::Index frame, Com com, Pass pass);
  void ask_hands(Eigen::Index frame, Pass pass);
  bool is_firm(std::size_t row, Eigen::Index frame) const;
  std::vector<ActiveLimit> active_limits(const Eigen::VectorXd& q) const;
  void limit_speed(const Eigen::Ref<const Eigen::VectorXd>& before);
  Frame judge(const Eigen::VectorXd& q, const PostureSolver::Outcome& outcome, Eigen::Index frame);
  void aim(Eigen::Index frame);

  const RobotModel& robot_;
  const SeatedRobot& seated_;
  const HumanPath& human_;
  const Overlay& overlay_;
  std::unique_ptr<PostureSolver> solver_;
  TreeKinematics tree_;
  Eigen::Matrix3Xd asked_;  ///< [m]
  Eigen::Matrix3Xd lag_;    ///< of the height: reached on the seat less asked, and the way to 0 [m]
  std::size_t hip_x_ = 0, hip_z_ = 0, hands_ = 0, com_ = 0;  ///< rows; of each hand kRowsOfHand
  Eigen::VectorXd lower_, upper_, speed_;                    ///< of the joints
  Eigen::VectorXd posture_pull_;                             ///< of each joint to its angle when seated [m²/rad²]
  Eigen::VectorXd free_pull_;   ///< of arms and head to `of_markers_`, of other joints zero
  Eigen::MatrixXd of_markers_;  ///< the postures without the centre of mass, once they are known
  double heel_x_ = 0.0, toe_x_ = 0.0, seated_hip_z_ = 0.0;
};

}  // namespace aplomb

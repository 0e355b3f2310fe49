#include "aplomb/robot/kinematics/stance.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

Eigen::Vector3d rotation_vector(const Eigen::Matrix3d& R) {
  const Eigen::AngleAxisd turn(R);
  return turn.angle() * turn.axis();
}

/// Linear system J v = e of one Newton step, over the degrees of freedom that may move.
class StanceProblem {
 public:
  StanceProblem(const RobotModel& robot, const Stance& stance, const RobotState& start)
      : robot_(robot),
        stance_(stance),
        terms_(robot, sole_frames(robot)),
        may_move_(Eigen::VectorXd::Zero(robot.nv())) {
    may_move_.head<6>().setOnes();
    for (FrameId foot : sole_frames(robot)) {
      for (int joint : robot.joint_chain(foot)) may_move_[6 + joint] = 1.0;
    }
    R_start_ = base_orientation(start.q).toRotationMatrix();
    base_start_ = start.q.head<3>();
  }

  void linearise(const RobotState& state) {
    terms_.update(state);
    rows_ = 0;
    R_world_base_ = base_orientation(state.q).toRotationMatrix();
    base_ = state.q.head<3>();
    for (int side : {kLeft, kRight}) {
      if (stance_.feet[side]) add_foot(side);
    }
    if (stance_.com) add(terms_.com_jacobian().topRows<2>(), *stance_.com - terms_.com().head<2>());
    Eigen::MatrixXd base = Eigen::MatrixXd::Zero(4, robot_.nv());
    base.block<3, 3>(0, 3) = R_world_base_;
    base.block<1, 3>(3, 0) = R_world_base_.row(2);
    Eigen::Vector4d error;
    error << rotation_vector(R_start_ * R_world_base_.transpose()), base_start_.z() - base_.z();
    add(base, error);
  }

  Eigen::VectorXd step() const {
    const Eigen::MatrixXd J = J_.topRows(rows_) * may_move_.asDiagonal();
    return may_move_.cwiseProduct(J.completeOrthogonalDecomposition().solve(error_.head(rows_)));
  }
  double error() const { return error_.head(rows_).cwiseAbs().maxCoeff(); }

 private:
  void add_foot(int side) {
    const FrameTerms& foot = terms_.frame(robot_.frame(robot_.description().roles.foot[side]));
    const Eigen::Isometry3d& wanted = stance_.feet[side]->T_world_sole;
    const Eigen::Vector3d arm = foot.T_world_frame.linear() * robot_.description().soles[side]->centre();
    // Shift the Jacobian from the foot's origin to the sole's centre.
    Matrix6Xd J = foot.jacobian;
    for (Eigen::Index i = 0; i < J.cols(); ++i) J.col(i).head<3>() += J.col(i).tail<3>().cross(arm);
    Vector6d error;
    error << wanted.translation() - (foot.T_world_frame.translation() + arm),
        rotation_vector(wanted.linear() * foot.T_world_frame.linear().transpose());
    if (stance_.feet[side]->is_lifted) {
      // Relative to the pelvis, which moves with the CoM.
      J.topLeftCorner<2, 3>() -= R_world_base_.topRows<2>();
      error.head<2>() += base_.head<2>() - base_start_.head<2>();
    }
    const int rows = stance_.feet[side]->is_lifted ? 3 : 6;
    add(J.topRows(rows), error.head(rows));
  }

  void add(const Eigen::Ref<const Eigen::MatrixXd>& J, const Eigen::Ref<const Eigen::VectorXd>& error) {
    J_.middleRows(rows_, J.rows()) = J;
    error_.segment(rows_, J.rows()) = error;
    rows_ += J.rows();
  }

  const RobotModel& robot_;
  const Stance& stance_;
  RobotTerms terms_;
  Eigen::VectorXd may_move_;
  Eigen::Matrix3d R_start_;
  Eigen::Vector3d base_start_ = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R_world_base_ = Eigen::Matrix3d::Identity();
  Eigen::Vector3d base_ = Eigen::Vector3d::Zero();
  Eigen::MatrixXd J_ = Eigen::MatrixXd::Zero(18, robot_.nv());
  Eigen::VectorXd error_ = Eigen::VectorXd::Zero(18);
  Eigen::Index rows_ = 0;
};

void move(const RobotModel& robot, RobotState& state, const Eigen::VectorXd& step) {
  integrate(step, state.q);
  for (int i = 0; i < robot.num_joints(); ++i) {
    const Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
    state.q[7 + i] = std::clamp(state.q[7 + i], joint.lower, joint.upper);
  }
}

}  // namespace

void take_stance(const RobotModel& robot, const Stance& stance, RobotState& state) {
  StanceProblem problem(robot, stance, state);
  problem.linearise(state);
  for (int iteration = 0; iteration < 100 && problem.error() > 1e-10; ++iteration) {
    Eigen::VectorXd step = problem.step();
    // A nearly straight leg is almost singular: limit the step to 0.2 rad.
    if (const double largest = step.cwiseAbs().maxCoeff(); largest > 0.2) step *= 0.2 / largest;
    move(robot, state, step);
    problem.linearise(state);
  }
  if (!(problem.error() < 1e-6)) {
    throw InvalidValue(
        fmt::format("robot {} cannot take this stance: its soles miss the ground by "
                    "{:.1f} mm; try smaller tilts, or a posture with more bent knees",
                    robot.name(), 1e3 * problem.error()));
  }
}

}  // namespace aplomb

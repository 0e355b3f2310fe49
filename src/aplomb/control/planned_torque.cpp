#include "aplomb/control/planned_torque.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

#include "aplomb/robot/dynamics/inverse_dynamics.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

constexpr double kLever =
    0.1;  // [m] half a sole's length: a newton metre of a foot costs as much as 1 / kLever newtons

/// Matrix that maps a wrench at a point to the equivalent wrench about the world's origin.
Eigen::Matrix<double, 6, 6> at_origin(const Eigen::Vector3d& point) {
  Eigen::Matrix<double, 6, 6> map = Eigen::Matrix<double, 6, 6>::Identity();
  map.bottomLeftCorner<3, 3>() << 0.0, -point.z(), point.y(), point.z(), 0.0, -point.x(), -point.y(), point.x(), 0.0;
  return map;
}

/// Total contact wrench about the world's origin, from the base's rows of the inverse dynamics.
Vector6d all_contacts(const RobotState& state, const Vector6d& base) {
  const Eigen::Matrix3d R = Eigen::Quaterniond(state.q.segment<4>(3).data()).toRotationMatrix();
  const Eigen::Vector3d force = R * base.head<3>(), at = state.q.head<3>();
  Vector6d wrench;
  wrench << force, R * base.tail<3>() + at.cross(force);
  return wrench;
}

/// A contact that exerts a share of the total contact force at its point.
struct Carrier {
  std::size_t link = 0;  ///< index into the links
  Eigen::Vector3d point;
  Eigen::RowVectorXd share;
};

/// Seat and hands of the plan. Adds their links to `links`.
std::vector<Carrier> carriers_of(const RobotModel& model, const MotionPlan& plan, std::vector<FrameId>& links) {
  std::vector<Carrier> carriers;
  for (const ContactPlan::Contact& contact : plan.contacts.contacts) {
    const bool is_seat = contact.site == ContactSite::seat;
    if (!is_seat && (!is_hand(contact.site) || plan.trajectory.hand_share.cols() == 0)) continue;
    carriers.push_back({links.size(), contact.point,
                        is_seat ? Eigen::RowVectorXd(plan.trajectory.seat_share.transpose())
                                : Eigen::RowVectorXd(plan.trajectory.hand_share.row(side_of(contact.site)))});
    links.push_back(model.frame(contact.link));
  }
  return carriers;
}

Wrench wrench_of(const Vector6d& rows) { return {.force = rows.head<3>(), .moment = rows.tail<3>()}; }

}  // namespace

Eigen::MatrixXd planned_torque(const RobotModel& model, const MotionPlan& plan, double speed) {
  const Trajectory& trajectory = plan.trajectory;
  std::vector<FrameId> links = sole_frames(model);
  const std::size_t num_feet = links.size();
  const std::vector<Carrier> carriers = carriers_of(model, plan, links);
  InverseDynamics dynamics(model, links);
  RobotTerms terms(model, links);
  const Vector6d compliance = (Vector6d() << 1.0, 1.0, 1.0, Eigen::Vector3d::Constant(kLever * kLever)).finished();

  Eigen::MatrixXd torque(model.num_joints(), trajectory.num_samples());
  std::vector<Wrench> wrenches(links.size());
  RobotState state{trajectory.q.col(0), trajectory.v.col(0)};
  for (Eigen::Index i = 0; i < trajectory.num_samples(); ++i) {
    state.q = trajectory.q.col(i);
    state.v = speed * trajectory.v.col(i);
    const Eigen::VectorXd a = speed * speed * trajectory.a.col(i);
    terms.update(state);
    std::ranges::fill(wrenches, Wrench{});
    Vector6d left = all_contacts(state, dynamics.compute(state, a, wrenches).head<6>());
    const Eigen::Vector3d all = left.head<3>();
    for (const Carrier& carrier : carriers) {
      Vector6d pushed = Vector6d::Zero();
      pushed.head<3>() = carrier.share[i] * all;
      pushed = at_origin(terms.frame(links[carrier.link]).T_world_frame * carrier.point) * pushed;
      wrenches[carrier.link] = wrench_of(pushed);
      left -= pushed;
    }
    // Foot wrenches with the smallest weighted squares whose sum is the rest: w_i = C A_iᵀ λ.
    Eigen::Matrix<double, 6, 6> sum = Eigen::Matrix<double, 6, 6>::Zero();
    std::vector<Eigen::Matrix<double, 6, 6>> maps;
    for (std::size_t foot = 0; foot < num_feet; ++foot) {
      const Sole& sole = *model.description().soles[foot];
      maps.push_back(at_origin(terms.frame(links[foot]).T_world_frame * sole.centre()));
      sum += maps.back() * compliance.asDiagonal() * maps.back().transpose();
    }
    const Vector6d lambda = sum.ldlt().solve(left);
    for (std::size_t foot = 0; foot < num_feet; ++foot) {
      const Vector6d own = compliance.asDiagonal() * (maps[foot].transpose() * lambda);
      wrenches[foot] = wrench_of(maps[foot] * own);
    }
    torque.col(i) = dynamics.compute(state, a, wrenches).tail(model.num_joints());
  }
  return torque;
}

PeakTorque peak_torque(const RobotModel& model, const Eigen::MatrixXd& torque) {
  PeakTorque peak;
  for (int i = 0; i < model.num_joints(); ++i) {
    const double limit = model.joints()[static_cast<std::size_t>(i)].effort;
    if (!std::isfinite(limit) || !(limit > 0.0)) continue;
    const double ratio = torque.row(i).cwiseAbs().maxCoeff() / limit;
    if (ratio > peak.ratio) peak = {ratio, i};
  }
  return peak;
}

}  // namespace aplomb

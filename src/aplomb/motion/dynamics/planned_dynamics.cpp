#include "aplomb/motion/dynamics/planned_dynamics.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

#include "aplomb/motion/dynamics/contact_dynamics.hpp"

namespace aplomb {
namespace {

// [m] half a sole's length: a newton metre of a foot costs as much as 1 / kLever newtons
constexpr double kLever = 0.1;

using Matrix6d = Eigen::Matrix<double, 6, 6>;

bool is_foot(ContactSite site) { return site == ContactSite::left_foot || site == ContactSite::right_foot; }

/// Matrix that maps a wrench about a point to the equivalent wrench about the world's origin.
Matrix6d at_origin(const Eigen::Vector3d& point) {
  Matrix6d map = Matrix6d::Identity();
  map.bottomLeftCorner<3, 3>() << 0.0, -point.z(), point.y(), point.z(), 0.0, -point.x(), -point.y(), point.x(), 0.0;
  return map;
}

/// The plan's schedule; with all soles in contact where it has no feet.
ContactPlan schedule_of(const RobotModel& model, const MotionPlan& plan) {
  ContactPlan schedule = plan.contacts;
  if (plan.contacts.has(ContactSite::left_foot) || plan.contacts.has(ContactSite::right_foot)) return schedule;
  const RobotDescription& description = model.description();
  for (std::size_t side = 0; side < 2; ++side) {
    if (!description.soles[side]) continue;
    schedule.contacts.push_back({.site = side == 0 ? ContactSite::left_foot : ContactSite::right_foot,
                                 .link = description.roles.foot[side],
                                 .point = description.soles[side]->centre(),
                                 .start_s = plan.trajectory.start_s,
                                 .end_s = plan.trajectory.end_s() + 1.0 / plan.trajectory.rate_hz});
  }
  return schedule;
}

class WrenchPlanner {
 public:
  WrenchPlanner(const RobotModel& model, const MotionPlan& plan)
      : trajectory_(plan.trajectory),
        dynamics_(model, schedule_of(model, plan)),
        seat_share_(seat_share_of(trajectory_)),
        hand_share_(hand_share_of(trajectory_)),
        wrenches_(dynamics_.num_contacts()) {}

  PlannedDynamics compute(double speed) {
    const ContactPlan& schedule = dynamics_.plan();
    PlannedDynamics result;
    for (const ContactSite site : schedule.sites()) {
      result.wrenches.push_back({site, Eigen::MatrixXd::Zero(6, trajectory_.num_samples())});
    }
    result.torque.resize(trajectory_.v.rows() - 6, trajectory_.num_samples());
    RobotState state;
    for (Eigen::Index i = 0; i < trajectory_.num_samples(); ++i) {
      state.q = trajectory_.q.col(i);
      state.v = speed * trajectory_.v.col(i);
      dynamics_.update(state, speed * speed * trajectory_.a.col(i));
      set_planned(i);
      complete(trajectory_.time_s(i));
      for (std::size_t k = 0; k < wrenches_.size(); ++k) {
        const ContactSite site = schedule.contacts[k].site;
        std::ranges::find(result.wrenches, site, &Trajectory::ContactWrenches::site)->wrench.col(i) += wrenches_[k];
      }
      result.torque.col(i) = dynamics_.torque(wrenches_).tail(result.torque.rows());
    }
    return result;
  }

 private:
  /// Wrenches that the plan prescribes at a sample.
  void set_planned(Eigen::Index sample) {
    std::ranges::fill(wrenches_, Vector6d::Zero());
    const ContactPlan& schedule = dynamics_.plan();
    const double time_s = trajectory_.time_s(sample);
    for (const Trajectory::ContactWrenches& contact : trajectory_.wrenches) {
      const ContactPlan::Contact* const interval = schedule.nearest(contact.site, time_s);
      if (interval != nullptr) wrenches_[index_of(interval)] = contact.wrench.col(sample);
    }
    if (!trajectory_.wrenches.empty()) return;
    const Eigen::Vector3d force = dynamics_.total_wrench().head<3>();
    for (const ContactSite site : schedule.sites()) {
      if (is_foot(site) || (is_hand(site) && hand_share_.cols() == 0)) continue;
      const double share = is_hand(site) ? hand_share_(side_of(site), sample) : seat_share_[sample];
      wrenches_[index_of(schedule.nearest(site, time_s))].head<3>() = share * force;
    }
  }

  /// Adds to the feet in contact what is missing to the wrench that the motion needs: w_i = C A_iᵀ λ.
  void complete(double time_s) {
    const Vector6d compliance = (Vector6d() << 1.0, 1.0, 1.0, Eigen::Vector3d::Constant(kLever * kLever)).finished();
    const ContactPlan& schedule = dynamics_.plan();
    Vector6d missing = dynamics_.total_wrench();
    Matrix6d sum = Matrix6d::Zero();
    std::vector<std::pair<std::size_t, Matrix6d>> feet;
    for (std::size_t k = 0; k < wrenches_.size(); ++k) {
      const Matrix6d map = at_origin(dynamics_.point(k));
      missing -= map * wrenches_[k];
      if (!is_foot(schedule.contacts[k].site) || !schedule.contacts[k].holds(time_s)) continue;
      sum += map * compliance.asDiagonal() * map.transpose();
      feet.emplace_back(k, map);
    }
    if (feet.empty()) return;
    const Vector6d lambda = sum.ldlt().solve(missing);
    for (const auto& [k, map] : feet) wrenches_[k] += compliance.asDiagonal() * (map.transpose() * lambda);
  }

  std::size_t index_of(const ContactPlan::Contact* contact) const {
    return static_cast<std::size_t>(contact - dynamics_.plan().contacts.data());
  }

  const Trajectory& trajectory_;
  ContactDynamics dynamics_;
  Eigen::VectorXd seat_share_;
  Eigen::Matrix2Xd hand_share_;
  std::vector<Vector6d> wrenches_;  ///< by contact, about its point
};

}  // namespace

PlannedDynamics planned_dynamics(const RobotModel& model, const MotionPlan& plan, double speed) {
  return WrenchPlanner(model, plan).compute(speed);
}

}  // namespace aplomb

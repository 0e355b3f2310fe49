#include <algorithm>
#include <limits>

#include "aplomb/control/momentum_balance.hpp"

// The second half of a tick: from admitted rates of momentum to joint accelerations and torques.
namespace aplomb {
namespace {

constexpr double kPeriod = 1e-3;     // [s] between two ticks
constexpr double kLeak = 10.0;       // [1/s] of the integrals of eq. 17
constexpr double kStopRate = 7.0;    // of ω: how fast a joint may approach its stop, a foot the other
constexpr double kFeetApart = 1.25;  // soles' widths between the soles' centres, at least

}  // namespace

bool MomentumBalance::accelerate(const RobotState& state) {
  const auto angle = state.q.tail(model_->num_joints());
  const auto rate = state.v.tail(model_->num_joints());
  if (follower_) {
    posture_request_.wanted = follower_->acceleration() + gains_.posture_stiffness * (follower_->angle() - angle) +
                              gains_.posture_damping * (follower_->rate() - rate);
  } else {
    posture_request_.wanted = gains_.posture_stiffness * (posture_ - angle) - gains_.posture_damping * rate;
  }
  // What goes to its stop is slowed down so that it would come to rest there, critically damped.
  const double stop = kStopRate * omega_;
  for (int i = 0; i < model_->num_joints(); ++i) {
    const Joint& joint = model_->joints()[static_cast<std::size_t>(i)];
    posture_request_.lowest[i] = stop * stop * std::min(joint.lower - angle[i], 0.0) - 2.0 * stop * rate[i];
    posture_request_.highest[i] = stop * stop * std::max(joint.upper - angle[i], 0.0) - 2.0 * stop * rate[i];
  }
  apart_ = {};
  const auto& sites = contacts_.sites();
  if (sites.size() >= 2 && !sites[1].is_hand) {
    const auto contacts = contacts_.contacts();
    const auto& soles = model_->description().soles;
    const std::size_t stance = contacts[kLeft].availability >= contacts[kRight].availability ? kLeft : kRight;
    apart_.direction = contacts[stance].R_world_ground.col(1);
    const double width =
        0.5 * (soles[kLeft]->y_max - soles[kLeft]->y_min + soles[kRight]->y_max - soles[kRight]->y_min);
    const Eigen::Vector3d speed =
        (terms_.frame(sites[kLeft].frame).velocity - terms_.frame(sites[kRight].frame).velocity).head<3>();
    const double distance = apart_.direction.dot(contacts[kLeft].centre - contacts[kRight].centre);
    apart_.lowest = stop * stop * (kFeetApart * width - distance) - 2.0 * stop * apart_.direction.dot(speed);
  }
  return solve_accelerations();
}

bool MomentumBalance::solve_accelerations() {
  return accelerations_.solve(terms_, tick_.admitted, contacts_.contacts(), apart_, posture_request_);
}

bool MomentumBalance::respect_torque_limits() {
  if (torque_limits_.is_swinging_exceeded(command_.torque)) {
    torque_limits_.slow_down(terms_, command_.torque, accelerations_.joints(), posture_request_);
    if (!solve_accelerations()) return false;
    write_torque();
  }
  if (!torque_limits_.is_carrying_exceeded(command_.torque)) return true;
  const MomentumRate of_seat = seat_rate();
  const MomentumRate of_feet{tick_.wanted.linear - of_seat.linear, tick_.wanted.angular - of_seat.angular};
  const bool are_kept = torque_limits_.solve(terms_, contacts_.contacts(), accelerations_.sensitivity(), of_feet,
                                             command_.torque, loads_);
  if (!are_kept) return true;  // `clamp` then cuts what is too much
  tick_.admitted = rate_of_loads();
  if (!solve_accelerations()) return false;
  write_torque();
  return true;
}

void MomentumBalance::write_torque() {
  reaction_.setZero();
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    const FrameTerms& frame = terms_.frame(contacts_.sites()[i].frame);
    const Eigen::Vector3d arm = contacts_.contacts()[i].point - frame.T_world_frame.translation();
    Vector6d wrench;
    wrench << loads_[i].force, loads_[i].moment + arm.cross(loads_[i].force);
    reaction_.noalias() += frame.jacobian.transpose() * wrench;
  }
  const auto push = [this](FrameId at, const Eigen::Vector3d& point, const Eigen::Vector3d& force) {
    const FrameTerms& frame = terms_.frame(at);
    const Eigen::Vector3d arm = point - frame.T_world_frame.translation();
    Vector6d wrench;
    wrench << force, arm.cross(force);
    reaction_.noalias() += frame.jacobian.transpose() * wrench;
  };
  if (follower_) {
    push(follower_->seat_frame(), follower_->seat_point(), follower_->seat_force());
    for (const PlanFollower::Hand& hand : follower_->hands()) push(hand.frame, hand.point, hand.force);
  }
  // The base rows give the base's acceleration, M_bb v̇_b = Σ J_bᵀ w − h_b − M_bj θ̈: then nothing is left for it to
  // push.
  const auto& M = terms_.mass_matrix();
  const Eigen::VectorXd& h = terms_.bias();
  const int num_joints = model_->num_joints();
  const Eigen::VectorXd& joints = accelerations_.joints();
  Vector6d side = reaction_.head<6>() - h.head<6>();
  side.noalias() -= M.topRightCorner(6, num_joints) * joints;
  const Eigen::Matrix<double, 6, 6> base_inertia = M.topLeftCorner<6, 6>();
  const Vector6d base = base_inertia.ldlt().solve(side);
  base_residual_ = side;
  base_residual_.noalias() -= base_inertia * base;
  command_.torque = h.tail(num_joints) - reaction_.tail(num_joints);
  command_.torque.noalias() += M.bottomLeftCorner(num_joints, 6) * base;
  command_.torque.noalias() += M.bottomRightCorner(num_joints, num_joints) * joints;
}

void MomentumBalance::integrate(const RobotState& state) {
  const auto angle = state.q.tail(model_->num_joints());
  const auto rate = state.v.tail(model_->num_joints());
  // (eq. 17) Both integrals leak towards what is measured, so that they cannot drift away.
  integrated_rate_ += kPeriod * (accelerations_.joints() - kLeak * (integrated_rate_ - rate));
  integrated_angle_ += kPeriod * (integrated_rate_ - kLeak * (integrated_angle_ - angle));
  command_.position = integrated_angle_;
  command_.velocity = integrated_rate_;
}

void MomentumBalance::record_tick() {
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    const BalanceContacts::Site& site = contacts_.sites()[i];
    if (site.is_hand) continue;
    const Contact& contact = contacts_.contacts()[i];
    const Sole& sole = *model_->description().soles[site.side];
    const bool is_loaded = contact.R_world_ground.col(2).dot(loads_[i].force) > 0.0;
    tick_.cop[site.side] = is_loaded ? Eigen::Vector2d(sole.centre().head<2>() + loads_[i].cop)
                                     : Eigen::Vector2d::Constant(std::numeric_limits<double>::quiet_NaN());
    tick_.availability[site.side] = contact.availability;
  }
  command_.foot_cop = tick_.cop;
  report_.add(tick_);
}

}  // namespace aplomb

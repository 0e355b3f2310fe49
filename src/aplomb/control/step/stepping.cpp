#include "aplomb/control/step/stepping.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/control/controller.hpp"

namespace aplomb {
namespace {

// Rotation of trunk and arms that can make up for a capture point outside the support, before a step is better [rad];
// tuned: larger ones leave less for the moments that the swing leg needs.
constexpr double kLungeAngle = 0.6;
constexpr int kTicks = 3;             // for so many ticks the capture point must be beyond that, against noise
constexpr double kTouchShare = 0.01;  // [m g] a larger measured force means touch-down, as in ContactWatch

// Times of a step, over 1/ω: 0.28, 0.31, 0.48 s at ω = 3.57/s; and those of a step that puts the feet side by side,
// which needs no haste. Tuned.
constexpr double kLeastTime = 1.0, kPreferredTime = 1.1, kMostTime = 1.7;
constexpr double kClosingTime = 1.7, kMostClosingTime = 2.5;
constexpr double kFrozenTime = 0.1;  // [1/ω] before landing, place and time are kept
constexpr double kApart = 0.2;       // [h] by which a foot is out of its place before it is put beside the other; tuned

constexpr double kSwingSpeed = 1.0;      // [√(g h)] largest mean speed of a swing foot; tuned
constexpr double kTouchVelocity = 0.05;  // [√(g h)] with which it lands
constexpr double kClearance = 0.06;      // [h] of a swing foot
constexpr double kLowering = 0.13;       // [h] largest lowering of the CoM for a long step; tuned
constexpr double kEarliest = 0.5;        // fraction of the swing after which contact means touch-down
constexpr double kLanded = 0.9;          // availability of the new foot at which its landing is over

/// Axes of a foot, seen from above.
Eigen::Matrix2d heading(const Contact& contact) {
  const Eigen::Vector2d forward = contact.R_world_contact.col(0).head<2>().normalized();
  Eigen::Matrix2d axes;
  axes << forward.x(), -forward.y(), forward.y(), forward.x();
  return axes;
}

Side other(Side side) { return side == kLeft ? kRight : kLeft; }

}  // namespace

Stepping::Stepping(const RobotModel& model, const RobotState& start)
    : model_(&model), reach_(model, start), weight_(model.mass() * kGravity), foot_({}) {
  RobotState standing = start;
  model.stand_on_soles(standing);
  const auto& roles = model.description().roles;
  const std::vector<FrameId> feet = {model.frame(roles.foot[kLeft]), model.frame(roles.foot[kRight])};
  RobotTerms terms(model, feet);
  terms.update(standing);
  start_height_ = com_height_ = std::max(terms.com().z(), 1e-2);
  const Eigen::Matrix3d left = terms.frame(feet[0]).T_world_frame.linear();
  const Eigen::Matrix3d right = terms.frame(feet[1]).T_world_frame.linear();
  R_stance_swing_ = {right.transpose() * left, left.transpose() * right};
  const double speed = std::sqrt(kGravity * start_height_);
  foot_ = SwingFoot({.clearance = kClearance * start_height_, .touch_velocity = kTouchVelocity * speed});
}

void Stepping::see(const RobotTerms& terms, const Measured& measured) {
  // The ground is that of the foot that carries more; both where they carry alike.
  const double left = measured.contacts[kLeft].availability, right = measured.contacts[kRight].availability;
  const double sum = std::max(left + right, 1e-9);
  ground_ = sum > 1e-6
                ? (left * measured.contacts[kLeft].centre.z() + right * measured.contacts[kRight].centre.z()) / sum
                : ground_;
  const Eigen::Vector3d slip = sum > 1e-6
                                   ? Eigen::Vector3d((left * terms.frame(measured.frames[0]).velocity.head<3>() +
                                                      right * terms.frame(measured.frames[1]).velocity.head<3>()) /
                                                     sum)
                                   : Eigen::Vector3d::Zero();
  omega_ = std::sqrt(kGravity / std::max(terms.com().z() - ground_, 0.3 * start_height_));
  com_ = terms.com().head<2>();
  com_velocity_ = (terms.com_velocity() - slip).head<2>();
  capture_point_ = com_ + com_velocity_ / omega_;
  capture_margin_ = measured.support->is_empty() ? 0.0 : measured.support->signed_distance(capture_point_);
  lunge_ = 0.0;
  if (measured.support->is_empty()) return;
  // A push along x is held by a rotation about y.
  const Eigen::Vector2d out = capture_point_ - measured.support->nearest(capture_point_);
  if (out.norm() < 1e-9) return;
  const Eigen::Vector2d direction = heading(measured.contacts[kLeft]).transpose() * out.normalized();
  lunge_ = kLungeAngle * (std::abs(direction.x()) * reach_.lunge().y() + std::abs(direction.y()) * reach_.lunge().x());
}

bool Stepping::is_apart(const Measured& measured) const {
  const Eigen::Vector2d between = heading(measured.contacts[kRight]).transpose() *
                                  (measured.contacts[kLeft].centre - measured.contacts[kRight].centre).head<2>();
  const double most = kApart * start_height_;
  return std::abs(between.x()) > most || between.y() > reach_.start_width() + most;
}

bool Stepping::needs_step() const { return capture_margin_ < -lunge_; }

StepPlanner::Request Stepping::request(const Measured& measured, Side swing) const {
  const Contact& stance = measured.contacts[static_cast<std::size_t>(other(swing))];
  const Contact& moving = measured.contacts[static_cast<std::size_t>(swing)];
  const Eigen::Matrix2d axes = heading(stance);
  const Eigen::Vector2d origin = stance.centre.head<2>();
  const auto local = [&](const Eigen::Vector2d& place) { return Eigen::Vector2d(axes.transpose() * (place - origin)); };
  StepPlanner::Request request;
  request.omega = omega_;
  request.length = start_height_;
  request.capture_point = local(capture_point_);
  request.cop_upper = Eigen::Vector2d(stance.half_length, stance.half_width);
  request.cop_lower = -request.cop_upper;

  const StepPlanner::Plan& last = planners_[static_cast<std::size_t>(swing)].plan();
  const bool is_swinging = phase_ == Phase::swing && side_ == swing;
  const double elapsed = is_swinging ? foot_.elapsed_s() : 0.0;
  const double sign = swing == kLeft ? 1.0 : -1.0;
  const Eigen::Vector2d present = local(moving.centre.head<2>());

  // Reach: a foot is at most this far from where it would be under its hip.
  const double reach = reach_.radius((1.0 - kLowering) * start_height_);
  const Eigen::Vector2d com = local(com_), velocity = axes.transpose() * com_velocity_;
  const Eigen::Vector2d cop =
      is_swinging ? last.cop : request.capture_point.cwiseMin(request.cop_upper).cwiseMax(request.cop_lower);
  const auto com_at = [&](double time_s) {
    const double growth = std::exp(omega_ * time_s);
    return Eigen::Vector2d(cop + 0.5 * (growth + 1.0 / growth) * (com - cop) +
                           0.5 * (growth - 1.0 / growth) / omega_ * velocity);
  };
  const Eigen::Vector2d stance_neutral = reach_.neutral(other(swing)), swing_neutral = reach_.neutral(swing);
  // The stance leg limits the time: it must still reach its foot.
  request.least_s = std::max(kLeastTime / omega_ - elapsed, 0.0);
  request.preferred_s = std::max(kPreferredTime / omega_ - elapsed, request.least_s);
  request.most_s = std::max(kMostTime / omega_ - elapsed, request.least_s);
  constexpr int kTimes = 8;
  for (int i = 1; i <= kTimes; ++i) {
    const double time_s = request.least_s + (request.most_s - request.least_s) * i / kTimes;
    if ((com_at(time_s) + stance_neutral).norm() <= reach) continue;
    request.most_s = request.least_s + (request.most_s - request.least_s) * (i - 1) / kTimes;
    break;
  }
  request.preferred_s = std::clamp(request.preferred_s, request.least_s, request.most_s);
  const double planned = is_swinging ? std::clamp(left_s_, request.least_s, request.most_s) : request.preferred_s;
  const Eigen::Vector2d under = com_at(planned) + swing_neutral;
  request.foot_lower = under - Eigen::Vector2d::Constant(reach);
  request.foot_upper = under + Eigen::Vector2d::Constant(reach);
  // The swing foot's speed limits its way.
  const double speed = kSwingSpeed * std::sqrt(kGravity * start_height_);
  const Eigen::Vector2d far = Eigen::Vector2d::Constant(speed * request.most_s);
  request.foot_lower = request.foot_lower.cwiseMax(present - far).cwiseMin(present + far);
  request.foot_upper = request.foot_upper.cwiseMax(present - far).cwiseMin(present + far);
  // The legs do not cross.
  if (sign > 0.0)
    request.foot_lower.y() = std::max(request.foot_lower.y(), reach_.least_width());
  else
    request.foot_upper.y() = std::min(request.foot_upper.y(), -reach_.least_width());
  request.foot_upper = request.foot_upper.cwiseMax(request.foot_lower);
  if (sign < 0.0) request.foot_lower = request.foot_lower.cwiseMin(request.foot_upper);
  request.foot_preferred = Eigen::Vector2d(0.0, sign * reach_.start_width());
  if (is_closing_) {  // without haste, and to a stance whose middle is below the CoM
    request.most_s = std::max(kMostClosingTime / omega_ - elapsed, 0.0);
    request.least_s = std::min(std::max(kClosingTime / omega_ - elapsed, 0.0), request.most_s);
    request.preferred_s = request.least_s;
    request.offset_preferred.y() = -0.5 * sign * reach_.start_width();
  }
  // A long way takes its time.
  const double way = ((is_swinging ? last.foot : request.foot_preferred) - present).norm();
  request.least_s = std::min(std::max(request.least_s, way / speed), request.most_s);
  request.preferred_s = std::clamp(request.preferred_s, request.least_s, request.most_s);
  return request;
}

void Stepping::begin(const RobotTerms& terms, const Measured& measured, std::optional<Side> side) {
  double best = 0.0;
  std::optional<Side> chosen;
  for (Side candidate : {kLeft, kRight}) {
    if (side && *side != candidate) continue;
    StepPlanner& planner = planners_[static_cast<std::size_t>(candidate)];
    planner.restart();
    if (!planner.solve(request(measured, candidate), 4)) continue;
    // Where both are as good, to the last digits, the choice must not depend on rounding.
    if (chosen && planner.plan().cost >= (1.0 - 1e-6) * best) continue;
    chosen = candidate;
    best = planner.plan().cost;
  }
  if (!chosen) return;
  side_ = *chosen;
  const auto index = static_cast<std::size_t>(side_);
  phase_ = Phase::swing;
  phase_begin_s_ = measured.time_s;
  left_s_ = planners_[index].plan().time_s;
  const FrameTerms& foot = terms.frame(measured.frames[index]);
  const Contact& moving = measured.contacts[index];
  const Eigen::Vector3d arm = moving.centre - foot.T_world_frame.translation();
  foot_.begin(moving.centre, foot.velocity.head<3>() + Eigen::Vector3d(foot.velocity.tail<3>()).cross(arm));
  R_target_ = measured.contacts[static_cast<std::size_t>(other(side_))].R_world_contact * R_stance_swing_[index];
  if (num_steps_ < kMostSteps) {
    steps_[num_steps_] = {.side = side_,
                          .begin_s = measured.time_s,
                          .land_s = {},
                          .from = moving.centre.head<2>(),
                          .to = moving.centre.head<2>(),
                          .beyond = -capture_margin_,
                          .is_closing = is_closing_,
                          .lunge = lunge_};
  }
  ++num_steps_;
}

void Stepping::follow_swing(const Measured& measured) {
  const auto index = static_cast<std::size_t>(side_);
  const Contact& stance = measured.contacts[static_cast<std::size_t>(other(side_))];
  StepPlanner& planner = planners_[index];
  left_s_ -= kControlPeriod;
  if (left_s_ > kFrozenTime / omega_) {
    if (planner.solve(request(measured, side_))) left_s_ = planner.plan().time_s;
    target_.head<2>() = stance.centre.head<2>() + heading(stance) * planner.plan().foot;
  }
  target_.z() = ground_;
  foot_.update(target_, left_s_, kControlPeriod);
  cop_ = stance.centre.head<2>() + heading(stance) * planner.plan().cop;
  Swing motion;
  motion.side = side_;
  motion.pose.linear() = R_target_;
  motion.pose.translation() = foot_.position() - R_target_ * model_->description().soles[index]->centre();
  motion.velocity = foot_.velocity();
  motion.acceleration = foot_.acceleration();
  swing_motion_ = motion;

  const double elapsed = foot_.elapsed_s();
  const bool is_late = elapsed > kEarliest * (elapsed + std::max(left_s_, 0.0));
  const std::optional<double>& force = measured.normal_force[index];
  const bool is_down = force ? *force > kTouchShare * weight_ : left_s_ <= 0.0;
  if (is_late && is_down) land(measured);
}

void Stepping::land(const Measured& measured) {
  phase_ = Phase::landing;
  phase_begin_s_ = measured.time_s;
  if (num_steps_ > 0 && num_steps_ <= kMostSteps) {
    Step& step = steps_[num_steps_ - 1];
    step.land_s = measured.time_s;
    step.to = measured.contacts[static_cast<std::size_t>(side_)].centre.head<2>();
  }
  swing_motion_.reset();
}

void Stepping::set_landing_cop(const Measured& measured) {
  if (!measured.support->is_empty()) cop_ = measured.support->nearest(capture_point_);
}

void Stepping::update(const RobotTerms& terms, const Measured& measured) {
  see(terms, measured);
  beyond_ticks_ = needs_step() ? beyond_ticks_ + 1 : 0;
  switch (phase_) {
    case Phase::standing:
      cop_.reset();
      is_closing_ = false;
      if (beyond_ticks_ >= kTicks) begin(terms, measured, {});
      break;
    case Phase::swing:
      break;
    case Phase::landing:
      set_landing_cop(measured);
      if (measured.contacts[static_cast<std::size_t>(side_)].availability < kLanded) break;
      is_closing_ = beyond_ticks_ < kTicks;
      if (!is_closing_ || (is_apart(measured) && num_steps_ < kMostSteps))
        begin(terms, measured, other(side_));
      else
        phase_ = Phase::standing;
      break;
  }
  if (phase_ == Phase::swing) follow_swing(measured);
  // Height at which both legs reach: the feet are where they are, or where the swing foot will be.
  double wanted = start_height_;
  if (has_stepped()) {
    for (Side side : {kLeft, kRight}) {
      const Contact& contact = measured.contacts[static_cast<std::size_t>(side)];
      const bool is_moving = phase_ == Phase::swing && side == side_;
      const Eigen::Matrix2d axes = heading(contact);
      const Eigen::Vector2d place =
          is_moving ? Eigen::Vector2d(target_.head<2>()) : Eigen::Vector2d(contact.centre.head<2>());
      const Eigen::Vector2d com = is_moving ? Eigen::Vector2d(com_ + std::max(left_s_, 0.0) * com_velocity_) : com_;
      const double radius = (place - com - axes * reach_.neutral(side)).norm();
      wanted = std::min(wanted, reach_.com_height(radius));
    }
  }
  com_height_ = std::max(wanted, (1.0 - kLowering) * start_height_);
}

}  // namespace aplomb

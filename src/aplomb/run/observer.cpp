#include "aplomb/run/observer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/dynamics/statics.hpp"

namespace aplomb {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kLoadedShare = 0.05;                          // of the weight
constexpr double kFallTilt = 60.0 * std::numbers::pi / 180.0;  // [rad]

/// The link of a role, or the robot's root where the role is absent.
FrameId role_or_root(const RobotModel& robot, const std::string& link) {
  return robot.frame(link.empty() ? robot.tree().bodies.front().link : link);
}

std::vector<FrameId> observed_frames(const RobotModel& robot, const std::vector<Payload>& payloads) {
  const Roles& roles = robot.description().roles;
  std::vector<FrameId> frames = {role_or_root(robot, roles.pelvis),
                                 role_or_root(robot, roles.trunk.empty() ? roles.pelvis : roles.trunk)};
  if (!roles.head.empty()) frames.push_back(robot.frame(roles.head));
  for (FrameId foot : sole_frames(robot)) frames.push_back(foot);
  for (const std::string& hand : roles.hand) {
    if (!hand.empty()) frames.push_back(robot.frame(hand));
  }
  for (const Payload& payload : payloads) frames.push_back(robot.frame(payload.link));
  std::ranges::sort(frames);
  frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  return frames;
}

}  // namespace

Observer::Observer(const RobotModel& robot, const Simulation& simulation, const ComReference& com_reference,
                   std::vector<Payload> payloads, std::optional<PlanPlayer> plan)
    : robot_(&robot),
      simulation_(&simulation),
      pelvis_(role_or_root(robot, robot.description().roles.pelvis)),
      trunk_(role_or_root(robot, robot.description().roles.trunk.empty() ? robot.description().roles.pelvis
                                                                         : robot.description().roles.trunk)),
      terms_(robot, observed_frames(robot, payloads)),
      com_reference_(com_reference),
      payloads_(std::move(payloads)),
      plan_(std::move(plan)),
      wrench_filter_{LowPass<6>(kCopCutoff, Simulation::kControlPeriod),
                     LowPass<6>(kCopCutoff, Simulation::kControlPeriod)} {
  const RobotDescription& description = robot.description();
  if (!description.roles.head.empty()) head_ = robot.frame(description.roles.head);
  for (int side : {kLeft, kRight}) {
    if (description.soles[side]) feet_[side] = robot.frame(description.roles.foot[side]);
    if (!description.roles.hand[side].empty()) hands_[side] = robot.frame(description.roles.hand[side]);
  }
  terms_.update(simulation.state());
  planned_pelvis_height_ = terms_.frame(pelvis_).T_world_frame.translation().z();
  if (head_) planned_head_height_ = terms_.frame(*head_).T_world_frame.translation().z();
  planned_trunk_ = terms_.frame(trunk_).T_world_frame.linear();
  now_.commanded_torque = Eigen::VectorXd::Zero(robot.num_joints());
  support_.reserve(8);  // the corners of two soles
  if (plan_) planned_terms_.emplace(robot, observed_frames(robot, {}));
}

void Observer::plan_now() {
  if (!plan_) return;
  const PlanSample& sample = plan_->at(now_.time_s);
  planned_.q = sample.q;
  planned_.v = sample.v;
  planned_terms_->update(planned_);
  now_.planned_pelvis = planned_terms_->frame(pelvis_).T_world_frame.translation();
  now_.com_person = sample.com_person;
  now_.planned_zmp = sample.zmp;
  const auto planned_force = [&](ContactSite site) -> Eigen::Vector3d {
    const PlanSample::ContactWrench* const contact = sample.wrench_of(site);
    return contact != nullptr ? Eigen::Vector3d(contact->wrench.head<3>()) : Eigen::Vector3d(kNan, kNan, kNan);
  };
  now_.planned_seat_force = planned_force(ContactSite::seat).z();
  now_.planned_foot_force = {planned_force(ContactSite::left_foot).z(), planned_force(ContactSite::right_foot).z()};
  now_.planned_hand_force[kLeft] = planned_force(ContactSite::left_hand);
  now_.planned_hand_force[kRight] = planned_force(ContactSite::right_hand);
  planned_pelvis_height_ = now_.planned_pelvis.z();
  if (head_) planned_head_height_ = planned_terms_->frame(*head_).T_world_frame.translation().z();
  planned_trunk_ = planned_terms_->frame(trunk_).T_world_frame.linear();
}

const Observation& Observer::observe(const Command& command) {
  const RobotState& state = simulation_->state();
  terms_.update(state);
  now_.time_s = simulation_->time_s();
  plan_now();
  observe_com();
  now_.pelvis = terms_.frame(pelvis_).T_world_frame.translation();
  now_.seat_force = simulation_->seat_wrench().force.z();
  now_.foot_wrench = simulation_->foot_wrench();
  now_.push = simulation_->push_force();
  const int num_joints = robot_->num_joints();
  now_.commanded_torque = command.torque + command.stiffness.cwiseProduct(command.position - joint_positions(state.q)) +
                          command.damping.cwiseProduct(command.velocity - joint_velocities(state.v));
  for (int i = 0; i < num_joints; ++i) {
    const double limit = robot_->joints()[static_cast<std::size_t>(i)].effort;
    now_.commanded_torque[i] = std::clamp(now_.commanded_torque[i], -limit, limit);
  }
  now_.commanded_cop = command.foot_cop;
  const Eigen::Matrix3d off = planned_trunk_.transpose() * terms_.frame(trunk_).T_world_frame.linear();
  now_.trunk_tilt = Eigen::AngleAxisd(off).angle();
  observe_feet();
  observe_hands();
  observe_com_error();
  observe_zmp();
  now_.has_fallen = has_fallen();
  return now_;
}

void Observer::observe_com() {
  double mass = robot_->mass();
  Eigen::Vector3d moment = mass * terms_.com(), momentum = mass * terms_.com_velocity();
  for (const Payload& payload : payloads_) {
    if (now_.time_s < payload.start_s) continue;
    const FrameTerms& link = terms_.frame(robot_->frame(payload.link));
    const Eigen::Vector3d arm = link.T_world_frame.linear() * payload.point_in_link;
    mass += payload.mass;
    moment += payload.mass * (link.T_world_frame.translation() + arm);
    momentum += payload.mass * (link.velocity.head<3>() + link.velocity.tail<3>().cross(arm));
  }
  now_.com = moment / mass;
  now_.com_velocity = momentum / mass;
}

void Observer::observe_feet() {
  for (int side : {kLeft, kRight}) {
    now_.is_loaded[side] = false;
    now_.cop[side].setConstant(kNan);
    now_.cop_margin[side] = kNan;
    now_.sole_in_ground[side].setConstant(kNan);
    if (!feet_[side]) continue;
    const Sole& sole = *robot_->description().soles[side];
    now_.T_world_foot[side] = terms_.frame(*feet_[side]).T_world_frame;
    now_.sole_in_ground[side] = simulation_->world().ground_at(side, now_.time_s).inverse() *
                                (terms_.frame(*feet_[side]).T_world_frame * sole.centre());
    Vector6d wrench;
    wrench << now_.foot_wrench[side].force, now_.foot_wrench[side].moment;
    wrench = wrench_filter_[side].update(wrench);
    if (wrench[2] < kLoadedShare * robot_->mass() * kGravity) continue;
    now_.is_loaded[side] = true;
    now_.cop[side] = centre_of_pressure({.force = wrench.head<3>(), .moment = wrench.tail<3>()}, sole.z);
    now_.cop_margin[side] = sole.margin(now_.cop[side].x(), now_.cop[side].y());
  }
}

void Observer::observe_hands() {
  for (int side : {kLeft, kRight}) {
    now_.hand[side].setConstant(kNan);
    now_.hand_velocity[side].setConstant(kNan);
    now_.hand_force[side].setConstant(kNan);
    if (!hands_[side]) continue;
    const FrameTerms& hand = terms_.frame(*hands_[side]);
    now_.hand[side] = hand.T_world_frame.translation();
    now_.hand_velocity[side] = hand.velocity.head<3>();
    now_.hand_force[side] = hand.T_world_frame.linear() * simulation_->hand_wrench()[side].force;
  }
}

void Observer::observe_com_error() {
  StandingFeet feet;
  int num_standing = 0;
  const bool is_any_loaded = now_.is_loaded[kLeft] || now_.is_loaded[kRight];
  for (int side : {kLeft, kRight}) {
    if (!feet_[side] || (is_any_loaded && !now_.is_loaded[side])) continue;
    const FrameTerms& foot = terms_.frame(*feet_[side]);
    feet.midpoint += foot.T_world_frame * robot_->description().soles[side]->centre();
    feet.velocity += foot.velocity.head<3>();
    ++num_standing;
  }
  if (num_standing > 0) {
    feet.midpoint /= num_standing;
    feet.velocity /= num_standing;
  }
  if (plan_) {
    const PlanSample& sample = plan_->at(now_.time_s);
    now_.com_reference = sample.com.position;
    const Eigen::Vector3d error = now_.com - now_.com_reference;
    // Hips on a seat and a height of the CoM would contradict each other: it is planned from seat-off on.
    now_.com_error = sample.seat_share > 0.0 ? error.head<2>().norm() : error.norm();
    return;
  }
  now_.com_reference = com_reference_.at(now_.time_s, feet).position;
  const Eigen::Vector3d error = now_.com - now_.com_reference;
  now_.com_error = com_reference_.prescribes_height() ? error.norm() : error.head<2>().norm();
}

void Observer::observe_zmp() {
  now_.zmp.setConstant(kNan);
  now_.raw_zmp = centre_of_pressure(wrench_on_feet(*robot_, terms_, now_.foot_wrench), 0.0);
  now_.zmp_margin = kNan;
  if (!simulation_->touches_only_with_soles() || !simulation_->world().is_level()) return;
  std::array<Wrench, 2> filtered;
  std::array<Eigen::Vector2d, 8> corners;
  std::size_t num_corners = 0;
  for (int side : {kLeft, kRight}) {
    if (!now_.is_loaded[side]) continue;
    const Eigen::Isometry3d& T_world_foot = terms_.frame(*feet_[side]).T_world_frame;
    const Vector6d& wrench = wrench_filter_[side].value();
    filtered[side] = {.force = wrench.head<3>(), .moment = wrench.tail<3>()};
    const Sole& sole = *robot_->description().soles[side];
    for (const Eigen::Vector2d& corner : ground_corners(sole, T_world_foot)) corners[num_corners++] = corner;
  }
  if (num_corners == 0) return;
  now_.zmp = centre_of_pressure(wrench_on_feet(*robot_, terms_, filtered), 0.0);
  support_.update(std::span(corners).first(num_corners), 0.0);
  now_.zmp_margin = support_.signed_distance(now_.zmp);
}

bool Observer::has_fallen() const {
  const double pelvis = terms_.frame(pelvis_).T_world_frame.translation().z();
  if (pelvis < 0.5 * planned_pelvis_height_) return true;
  if (head_ && terms_.frame(*head_).T_world_frame.translation().z() < 0.5 * planned_head_height_) return true;
  return now_.trunk_tilt > kFallTilt;
}

}  // namespace aplomb

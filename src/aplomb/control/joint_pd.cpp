#include "aplomb/control/joint_pd.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "aplomb/control/controller_registry.hpp"
#include "aplomb/control/joints/leg_springs.hpp"
#include "aplomb/control/planned_torque.hpp"
#include "aplomb/control/rise/chair_shift.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/core/math/filter.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

/// Fraction of the body weight that each joint may have to carry: 1 between base and soles; between the base and a hand
/// that pushes in the plan, the largest fraction on that hand.
Eigen::VectorXd carried_share(const RobotModel& model, const MotionPlan* plan) {
  const std::vector<bool> carries = carries_body(model);
  Eigen::VectorXd carried(model.num_joints());
  for (int i = 0; i < model.num_joints(); ++i) carried[i] = carries[static_cast<std::size_t>(i)] ? 1.0 : 0.0;
  if (plan == nullptr) return carried;
  const Eigen::Matrix2Xd hand_share = hand_share_of(plan->trajectory);
  if (hand_share.cols() == 0) return carried;
  for (const ContactPlan::Contact& contact : plan->contacts.contacts) {
    if (!is_hand(contact.site)) continue;
    const double share = hand_share.row(side_of(contact.site)).maxCoeff();
    for (int joint : model.joint_chain(model.frame(contact.link))) carried[joint] = std::max(carried[joint], share);
  }
  return carried;
}

/// Height of the CoM when the robot stands in a posture.
double standing_height(const RobotModel& model, const RobotState& posture) {
  RobotState standing = posture;
  model.stand_on_soles(standing);
  RobotTerms terms(model, {});
  terms.update(standing);
  return std::max(terms.com().z(), 1e-2);
}

/// Final state of a plan: a robot that stands up needs the gains for standing.
RobotState end_of(const MotionPlan& plan) {
  const Trajectory& trajectory = plan.trajectory;
  return {trajectory.q.rightCols<1>(), Eigen::VectorXd::Zero(trajectory.v.rows())};
}

// Cutoff of the load shares' low-pass over ω0 = √(g/h). A feed-forward that follows the measured load at once makes
// that load larger still, and a small push grows: it must be slow against ω0. Tuned.
constexpr double kShareCutoff = 0.25;
constexpr double kLeastLoad = 0.05;  // fraction of the weight below which a ratio of loads is noise: the last is kept

double share_cutoff_hz(double height) { return kShareCutoff * std::sqrt(kGravity / height) / (2.0 * std::numbers::pi); }

}  // namespace

struct JointPd::Impl {
  Impl(const RobotModel& robot, const RobotState& hold, const Settings& settings);

  const Command& step(const SensorReadings& readings);
  const Command& follow(const SensorReadings& readings);
  void set_gains(const RobotState& hold, const Settings& settings);
  void update_shares(const SensorReadings& readings);

  const RobotModel* model;
  RobotTerms terms;
  StaticTorque static_torque;
  Command command;
  Fallbacks fallbacks;
  std::optional<PlanPlayer> player;
  std::optional<ChairShift> chair;
  Eigen::MatrixXd planned_torque;             ///< one column per sample of the plan [N m]; empty: no feed-forward
  Eigen::VectorXd posture;                    ///< q*, joints only [rad]
  LowPass<1> left_filter;                     ///< filters the left foot's fraction of the load of both feet
  LowPass<1> seat_filter;                     ///< filters the seat's fraction of the load of feet and seat
  double left_share = 0.5, seat_share = 0.0;  ///< their last outputs
};

JointPd::Impl::Impl(const RobotModel& robot, const RobotState& hold, const Settings& settings)
    : model(&robot),
      terms(robot, sole_frames(robot)),
      static_torque(robot),
      command(robot.num_joints()),
      posture(joint_positions(hold.q)),
      left_filter(share_cutoff_hz(standing_height(robot, hold)), kControlPeriod),
      seat_filter(share_cutoff_hz(standing_height(robot, hold)), kControlPeriod) {
  if (!(settings.gain_scale > 0.0)) throw InvalidValue("joint_pd: gain_scale must be positive");
  command.position = posture;
  const PlanReference& plan = settings.plan;
  set_gains(plan.plan ? end_of(*plan.plan) : hold, settings);
  if (!plan.plan) return;
  player.emplace(plan.plan, plan.speed, plan.start_s);
  if (settings.finds_chair) chair.emplace(robot, *plan.plan, plan.start_s);
  if (settings.feeds_forward) planned_torque = aplomb::planned_torque(robot, *plan.plan, plan.speed);
}

void JointPd::Impl::set_gains(const RobotState& hold, const Settings& settings) {
  const Actuation& actuation = model->description().actuation;
  if (actuation.kind == Actuation::Kind::servo) {
    command.stiffness.setConstant(actuation.stiffness);
    command.damping.setConstant(actuation.damping);
    return;
  }
  const double height = standing_height(*model, hold);
  terms.update(hold);
  const double body = leg_stiffness(settings.leg_stiffness, terms.mass(), height);
  const double omega0 = std::sqrt(kGravity / height);
  const double omega = settings.branch_frequency * omega0;
  const Eigen::VectorXd carried = carried_share(*model, settings.plan.plan.get());
  for (int i = 0; i < model->num_joints(); ++i) {
    const double inertia = terms.mass_matrix()(6 + i, 6 + i);
    const double carrying = carried[i] * body, damping = leg_damping(settings.leg_damping, carrying, omega0);
    const bool is_leg = carried[i] == 1.0;
    command.stiffness[i] = settings.gain_scale * (is_leg ? carrying : std::max(carrying, omega * omega * inertia));
    command.damping[i] = settings.gain_scale * (is_leg ? damping : std::max(damping, 2.0 * omega * inertia));
  }
}

void JointPd::Impl::update_shares(const SensorReadings& readings) {
  using Number = Eigen::Matrix<double, 1, 1>;
  const auto is_known = [&](Sensor sensor, const Wrench& wrench) {
    return !readings.lost(sensor) && wrench.force.allFinite();
  };
  bool are_feet_known = true;
  for (Side side : {kLeft, kRight}) {
    const Sensor sensor = side == kLeft ? Sensor::left_foot_wrench : Sensor::right_foot_wrench;
    if (is_known(sensor, readings.foot_wrench[side])) continue;
    are_feet_known = false;
    fallbacks.take(sensor, "keeps the last known fractions of the weight on the feet and on the seat");
  }
  const bool is_seat_known = is_known(Sensor::seat_wrench, readings.seat_wrench);
  if (!is_seat_known) {
    fallbacks.take(Sensor::seat_wrench, "keeps the last known fraction of the weight on the seat");
  }
  if (!are_feet_known) return;
  const double left = std::max(readings.foot_wrench[kLeft].force.z(), 0.0);
  const double right = std::max(readings.foot_wrench[kRight].force.z(), 0.0);
  const double seat = readings.seat_wrench.force.z();
  const double least = kLeastLoad * model->mass() * kGravity;
  if (left + right >= least) left_share = left_filter.update(Number(left / (left + right)))[0];
  if (is_seat_known && left + right + seat >= least) {
    seat_share = seat_filter.update(Number(seat / (left + right + seat)))[0];
  }
}

const Command& JointPd::Impl::follow(const SensorReadings& readings) {
  const double time_s = readings.time_s;
  const PlanSample& now = player->at(time_s);
  command.position = joint_positions(now.q);
  command.velocity = joint_velocities(now.v);
  if (chair) {
    chair->update(readings, (time_s - player->start_s()) * player->speed());
    command.position += chair->angle();
  }
  if (planned_torque.size() > 0) {
    const double at = std::clamp((time_s - player->start_s()) * player->speed() * player->plan().trajectory.rate_hz,
                                 0.0, static_cast<double>(planned_torque.cols() - 1));
    const auto i = std::min(static_cast<Eigen::Index>(at), planned_torque.cols() - 2);
    const double u = at - static_cast<double>(i);
    command.torque = (1.0 - u) * planned_torque.col(i) + u * planned_torque.col(i + 1);
  }
  if (model->description().actuation.kind == Actuation::Kind::servo) {
    command.position += command.torque.cwiseQuotient(command.stiffness);
  }
  command.status = CommandStatus::solved;
  return command;
}

const Command& JointPd::Impl::step(const SensorReadings& readings) {
  fallbacks.clear();
  if (!readings.has_state()) {
    fallbacks.take_without_state(readings, "holds the last command; the drives' springs and dampers remain active");
    command.status = CommandStatus::reading_missing;
    return command;
  }
  if (player) return follow(readings);
  update_shares(readings);
  terms.update(readings.state);
  // Clamped after the filter, so that noise about zero does not average to a load on the seat.
  const double on_feet = 1.0 - std::clamp(seat_share, 0.0, 1.0);
  const Eigen::VectorXd& torque = static_torque.compute(terms, {on_feet * left_share, on_feet * (1.0 - left_share)});
  if (model->description().actuation.kind == Actuation::Kind::servo) {
    command.position = posture + torque.cwiseQuotient(command.stiffness);
  } else {
    command.torque = torque;
  }
  command.status = CommandStatus::solved;
  return command;
}

JointPd::JointPd(const RobotModel& model, const RobotState& hold, const Settings& settings)
    : impl_(std::make_unique<Impl>(model, hold, settings)) {}

JointPd::~JointPd() = default;

const Command& JointPd::step(const SensorReadings& readings) { return impl_->step(readings); }

void JointPd::correct(const ModelCorrection& correction) { impl_->terms.correct(correction); }

std::span<const Fallback> JointPd::fallbacks() const { return impl_->fallbacks.taken(); }

void JointPd::hold(const Eigen::VectorXd& angle) {
  impl_->posture = angle;
  impl_->command.position = angle;
}

const Eigen::VectorXd& JointPd::damping() const { return impl_->command.damping; }

JointPd::Settings JointPd::settings_from(const ControllerContext& context) {
  JointPd::Settings settings = context.settings_of<JointPd::Settings>("joint_pd");
  settings.gain_scale = context.gain_scale;
  settings.plan = context.plan;
  return settings;
}

ControllerKind JointPd::kind() {
  return ControllerKind::of(
      "joint_pd", "a spring and a damper at each joint, with the static torque as feed-forward",
      SettingsOf<Settings>()
          .add(
              &Settings::feeds_forward,
              schema::boolean("feed_forward",
                              "whether the inverse-dynamics torques of a plan are fed forward; false: as in the paper"))
          .add(&Settings::leg_stiffness,
               schema::number("leg_stiffness", "stiffness of the leg joints, over m g h").above(0).at_most(100))
          .add(&Settings::leg_damping,
               schema::number("leg_damping", "damping of the leg joints, over their stiffness times sqrt(h / g)")
                   .at_least(0)
                   .at_most(100))
          .add(&Settings::branch_frequency,
               schema::number("branch_frequency", "natural frequency of all other joints, over sqrt(g / h)")
                   .above(0)
                   .at_most(100)),
      [](const ControllerContext& context, const Settings&) {
        return std::make_unique<JointPd>(context.model, context.start, settings_from(context));
      });
}

}  // namespace aplomb

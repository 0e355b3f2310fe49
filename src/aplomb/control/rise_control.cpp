#include "aplomb/control/rise_control.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/control/controller_registry.hpp"
#include "aplomb/control/joint_pd.hpp"
#include "aplomb/control/momentum_balance/balance_gains.hpp"
#include "aplomb/control/momentum_balance/momentum_report.hpp"
#include "aplomb/control/momentum_balance/momentum_torques.hpp"
#include "aplomb/control/rise/contact_loads.hpp"
#include "aplomb/control/rise/fall.hpp"
#include "aplomb/control/rise/give_up.hpp"
#include "aplomb/control/rise/hand_reach.hpp"
#include "aplomb/control/rise/plan_follower.hpp"
#include "aplomb/control/rise/rise_contacts.hpp"
#include "aplomb/control/rise/seat_approach.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/limbs.hpp"

namespace aplomb {
namespace {

/// Height of the CoM at which the robot stands: the largest of the plan [m].
double standing_height(const MotionPlan& plan) { return std::max(plan.trajectory.com.row(2).maxCoeff(), 1e-2); }

constexpr double kMostCaptureError = 0.08;  // [m] of the capture point per metre of leg: 6 cm of a person's; tuned
constexpr double kBesideSeat = 0.2;         // [m] per metre of leg, half of a seat's width: 15 cm of a person's
constexpr double kBears = 0.5;              // availability of a foot below which it has no contact
constexpr double kToBear = 0.1;             // [m g] planned load of a foot that has to bear

/// Thigh and shank [m]; the CoM's height of a robot without two legs.
double leg_length(const RobotModel& model, double height) {
  const std::optional<Limbs> limbs = limbs_if_any(model);
  return limbs ? limbs->leg_length() : height;
}

}  // namespace

struct RiseControl::Impl {
  Impl(const RobotModel& model, const RobotState& start, const MomentumBalance::Settings& settings,
       const PlanReference& plan);

  CommandStatus step(const SensorReadings& readings);  ///< not `solved`: the last command is kept, or clamped
  void set_desired_rates();
  void set_posture(const RobotState& state);
  Eigen::Vector3d capture_point() const;
  void take_seat_or_give_up(const SensorReadings& readings);
  void watch_fall(const RobotState& state, const GiveUp::Tick& tick, double beside_seat);
  void record_tick(double time_s);

  const RobotModel* model_;
  double height_, omega_, leg_length_;
  BalanceGains gains_;
  PlanFollower plan_;
  RiseContacts contacts_;
  SeatApproach seat_;
  GiveUp give_up_;
  Fall fall_;
  std::vector<HandReach> reaches_;
  RobotTerms terms_;
  std::vector<ContactLoad> loads_;
  ContactLoads wrenches_;
  MomentumTorques torques_;
  MomentumRate desired_;
  Eigen::VectorXd angle_, rate_;  ///< wanted of the joints, with the reach of the hands [rad], [rad/s]
  Eigen::VectorXd posture_;       ///< desired joint accelerations [rad/s²]
  Command command_;
  Fallbacks fallbacks_;
  MomentumTick tick_;
  MomentumReport report_;
};

RiseControl::Impl::Impl(const RobotModel& model, const RobotState& start, const MomentumBalance::Settings& settings,
                        const PlanReference& plan)
    : model_(&model),
      height_(standing_height(*plan.plan)),
      omega_(std::sqrt(kGravity / height_)),
      leg_length_(leg_length(model, height_)),
      gains_(BalanceGains::for_settings(settings, model.mass(), height_)),
      plan_(model, plan, omega_),
      contacts_(model, settings.contacts, plan_.plan(), plan_.sample()),
      seat_(model.mass() * kGravity, leg_length_, plan_.phase().is_seated),
      give_up_(kMostCaptureError * leg_length_),
      fall_(model, DriveGains::for_robot(model, start, height_), height_),
      terms_(model, contacts_.frames()),
      loads_(contacts_.sites().size()),
      wrenches_(contacts_.sites(), height_),
      torques_(model, start, contacts_.sites(), height_, Eigen::VectorXd::Ones(model.num_joints()),
               {.integral_leak = settings.integral_leak}),
      angle_(Eigen::VectorXd::Zero(model.num_joints())),
      rate_(angle_),
      posture_(angle_),
      command_(torques_.command()) {
  if (contacts_.sites().empty() || contacts_.sites()[0].is_point) {
    throw InvalidValue("inverse_dynamics: robot " + model.name() + " has no soles to stand on");
  }
  if (settings.as_printed) {
    throw InvalidValue("inverse_dynamics: momentum_balance.as_printed is of kind momentum_balance alone");
  }
  for (std::size_t i = 0; i < contacts_.num_hands(); ++i) {
    reaches_.emplace_back(model, contacts_.hand_frame(i), leg_length_);
  }
  if (!(settings.gain_scale > 0.0)) throw InvalidValue("inverse_dynamics: gain_scale must be positive");
}

CommandStatus RiseControl::Impl::step(const SensorReadings& readings) {
  fallbacks_.clear();
  if (!readings.has_state()) {
    fallbacks_.take_without_state(readings, "holds the last command; the drives' springs and dampers go on");
    give_up_.update({.time_s = readings.time_s, .is_state_lost = true});
    fall_.update({.is_state_lost = true, .is_seat_below = seat_.is_touched(), .before = &command_});
    if (fall_.is_falling()) command_ = fall_.command();
    return CommandStatus::reading_missing;
  }
  terms_.update(readings.state);
  plan_.update(readings);
  contacts_.update(terms_, readings, plan_.sample(), loads_, fallbacks_);
  take_seat_or_give_up(readings);
  if (fall_.is_falling()) {
    command_ = fall_.command();
    return CommandStatus::solved;
  }
  set_desired_rates();
  const SolveStatus solved = wrenches_.solve(contacts_.contacts(), contacts_.planned(), terms_.com(),
                                             terms_.mass() * kGravity, desired_, loads_);
  if (solved != SolveStatus::solved) return CommandStatus::solve_failed;
  set_posture(readings.state);
  const CommandStatus status =
      torques_.solve(terms_, readings.state, contacts_.contacts(), desired_, plan_.reference(), posture_, loads_);
  command_ = torques_.command();
  if (!torques_.is_held()) record_tick(readings.time_s);
  return status;
}

void RiseControl::Impl::set_desired_rates() {
  const BalanceReference& reference = plan_.reference();
  Eigen::Vector3d stiffness = gains_.com_stiffness;
  // While the seat carries weight, the height of the CoM follows from the posture.
  stiffness.z() *= 1.0 - std::min(contacts_.seat_share(), 1.0);
  const ComTarget& target = reference.com;
  desired_.linear =
      terms_.mass() * (target.acceleration + gains_.com_damping.cwiseProduct(target.velocity - terms_.com_velocity()) +
                       stiffness.cwiseProduct(target.position - terms_.com()));
  desired_.angular = reference.angular_momentum_rate +
                     gains_.angular_damping * (reference.angular_momentum - terms_.momentum().tail<3>());
}

void RiseControl::Impl::set_posture(const RobotState& state) {
  const BalanceReference& reference = plan_.reference();
  angle_ = reference.angle;
  rate_ = reference.rate;
  for (std::size_t i = 0; i < reaches_.size(); ++i) {
    reaches_[i].update(terms_, contacts_.is_hand_wanted(i), contacts_.does_hand_bear(i));
    reaches_[i].add_to(angle_, rate_);
  }
  posture_ = reference.acceleration + gains_.posture_stiffness * (angle_ - joint_positions(state.q)) +
             gains_.posture_damping * (rate_ - joint_velocities(state.v));
}

Eigen::Vector3d RiseControl::Impl::capture_point() const {
  return terms_.com() + (terms_.com_velocity() - contacts_.feet().standing_feet().velocity) / omega_;
}

void RiseControl::Impl::take_seat_or_give_up(const SensorReadings& readings) {
  const BalanceContacts& feet = contacts_.feet();
  const ComTarget& target = plan_.reference().com;
  const Eigen::Vector2d capture = capture_point().head<2>();
  const Eigen::Vector2d planned = (target.position + target.velocity / omega_).head<2>();
  const PlanFollower::Phase& phase = plan_.phase();
  const PlanFollower::Phase* const before = plan_.phase_before();
  const PlanFollower::Phase* const after = plan_.phase_after();
  GiveUp::Tick tick{.time_s = readings.time_s};
  tick.is_seat_borne = seat_.is_touched();
  tick.is_seat_out_of_reach = seat_.is_out_of_reach() && feet.support_margin(capture) > 0.0;
  tick.capture_margin = feet.support_margin(capture);
  tick.capture_error = (capture - planned).norm();
  // The seat is where the hips are behind the feet.
  const Eigen::Vector2d middle = feet.standing_feet().midpoint.head<2>();
  const Eigen::Vector2d forward = (middle - plan_.seat_place()).normalized();
  tick.capture_ahead = (capture - middle).dot(forward);
  for (std::size_t i = 0; i < feet.sites().size(); ++i) {
    const Sensor sensor = feet.sites()[i].side == kLeft ? Sensor::left_foot_wrench : Sensor::right_foot_wrench;
    tick.is_foot_unmeasured = tick.is_foot_unmeasured || readings.lost(sensor) ||
                              !readings.foot_wrench[feet.sites()[i].side].force.allFinite();
    const bool has_to_bear = contacts_.planned()[i].force.z() > kToBear * terms_.mass() * kGravity;
    tick.is_foot_lost = tick.is_foot_lost || (has_to_bear && contacts_.contacts()[i].availability < kBears);
  }
  const bool has_risen = before != nullptr && before->is_seated;
  const bool comes_down = after != nullptr && plan_.plan_s() >= phase.highest_s;
  tick.is_rising = phase.is_seated ? after != nullptr : has_risen && !comes_down;
  // Before the plan begins there is nothing to give up: the robot may still come to rest, its legs reach for the floor.
  tick.is_rising = tick.is_rising && plan_.plan_s() > 0.0;
  tick.since_seat_s = plan_.plan_s() - (phase.is_seated ? phase.end_s : phase.start_s);
  tick.to_standing_s = (phase.is_seated && after != nullptr ? after->end_s : phase.end_s) - plan_.plan_s();
  give_up_.update(tick);
  if (give_up_.has_given_up()) plan_.turn_back();
  watch_fall(readings.state, tick, std::abs((capture - middle).dot(Eigen::Vector2d(-forward.y(), forward.x()))));
  seat_.update(plan_.has_turned_back() ? -1.0 : 1.0, tick.capture_margin, plan_, contacts_);
}

void RiseControl::Impl::watch_fall(const RobotState& state, const GiveUp::Tick& tick, double beside_seat) {
  const auto up_of = [](const Eigen::VectorXd& q) -> Eigen::Vector3d {
    return base_orientation(q).normalized() * Eigen::Vector3d::UnitZ();
  };
  const double cosine = up_of(state.q).dot(up_of(plan_.sample().q));
  const bool has_seat = plan_.phase().is_seated || plan_.is_seat_ahead(plan_.has_turned_back() ? -1.0 : 1.0);
  const bool comes_down_on_seat = has_seat && tick.capture_ahead < 0.0 && beside_seat < kBesideSeat * leg_length_;
  fall_.update({.is_seat_below = tick.is_seat_borne || comes_down_on_seat,
                .capture_margin = tick.capture_margin,
                .lean = std::acos(std::clamp(cosine, -1.0, 1.0)),
                .before = &command_});
}

void RiseControl::Impl::record_tick(double time_s) {
  const BalanceContacts& feet = contacts_.feet();
  tick_.time_s = time_s;
  tick_.desired = desired_;
  tick_.within_contacts = torques_.within_contacts();
  tick_.admissible = torques_.admissible();
  tick_.pulls = desired_.linear.z() + terms_.mass() * kGravity < 0.0;
  tick_.capture_margin = feet.support_margin(capture_point().head<2>());
  for (std::size_t i = 0; i < feet.sites().size(); ++i) {
    const BalanceContacts::Site& site = feet.sites()[i];
    const Contact& contact = contacts_.contacts()[i];
    const bool is_loaded = contact.R_world_contact.col(2).dot(loads_[i].force) > 0.0;
    tick_.cop[site.side] =
        is_loaded ? Eigen::Vector2d(model_->description().soles[site.side]->centre().head<2>() + loads_[i].cop)
                  : Eigen::Vector2d::Constant(std::numeric_limits<double>::quiet_NaN());
    tick_.availability[site.side] = contact.availability;
  }
  command_.foot_cop = tick_.cop;
  report_.add(tick_);
}

RiseControl::RiseControl(const RobotModel& model, const RobotState& start, const MomentumBalance::Settings& settings,
                         const PlanReference& plan)
    : impl_(std::make_unique<Impl>(model, start, settings, plan)) {}

RiseControl::~RiseControl() = default;

const Command& RiseControl::step(const SensorReadings& readings) {
  impl_->command_.status = impl_->step(readings);
  return impl_->command_;
}

void RiseControl::correct(const ModelCorrection& correction) { impl_->terms_.correct(correction); }
std::span<const Fallback> RiseControl::fallbacks() const { return impl_->fallbacks_.taken(); }
std::span<const Signal> RiseControl::signals() const { return impl_->report_.signals(); }
ControllerReport RiseControl::report() const {
  ControllerReport report{.metrics = impl_->report_.metrics()};
  const GiveUp& give_up = impl_->give_up_;
  const bool has = give_up.has_given_up();
  report.metrics.set("gave_up_s", has ? MetricValue(give_up.time_s()) : MetricValue{});
  report.metrics.set("gave_up_reason", has ? MetricValue(std::string(give_up.reason())) : MetricValue{});
  return report;
}

ControllerKind RiseControl::kind() {
  struct NoSettings {};
  return ControllerKind::of(
      "inverse_dynamics",
      "follows a plan from the seat to standing and back; has no keys of its own and uses those of momentum_balance",
      SettingsOf<NoSettings>(), [](const ControllerContext& context, const NoSettings&) -> std::unique_ptr<Controller> {
        const MomentumBalance::Settings settings = MomentumBalance::settings_from(context);
        if (!context.plan.plan) return std::make_unique<MomentumBalance>(context.model, context.start, settings);
        if (context.model.description().actuation.kind == Actuation::Kind::servo) {
          JointPd::Settings joints = JointPd::settings_from(context);
          joints.feeds_forward = joints.finds_chair = true;
          context.notes.push_back("inverse_dynamics: the joints of robot " + context.model.name() +
                                  " are position-controlled; they follow the plan by joint_pd with the plan's torques, "
                                  "without control of momentum, which needs torques");
          return std::make_unique<JointPd>(context.model, context.start, joints);
        }
        return std::make_unique<RiseControl>(context.model, context.start, settings, context.plan);
      });
}

}  // namespace aplomb

#include "aplomb/control/partial_force.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aplomb/control/momentum_balance/balance_gains.hpp"
#include "aplomb/control/partial_force_setup.hpp"
#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

constexpr double kLeastLoad = 0.02;  // of the weight, for the weights of (6)
constexpr double kReported = 1e-6;   // [N], [m/s²]: smaller residuals are rounding, and not reported
constexpr double kStopRate = 7.0;    // of √(g / CoM height): how fast a joint may approach its stop

const RobotTerms& updated(RobotTerms& terms, const RobotState& state) {
  terms.update(state);
  return terms;
}

MotionGains scaled(const MotionGains& gains, double scale) {
  return {.kp = scale * gains.kp, .kd = std::sqrt(scale) * gains.kd};
}

}  // namespace

PartialForce::PartialForce(const RobotModel& model, const RobotState& start, const Settings& settings)
    : model_(&model),
      settings_(settings),
      gains_(scaled(settings.gains, settings.gain_scale)),
      posture_gains_(scaled(settings.posture_gains, settings.gain_scale)),
      feet_(make_feet(model, start, settings, foot_side_)),
      hands_(make_hands(model, settings)),
      terms_(model, frames_of(feet_, hands_)),
      problem_(force_problem_for(model, feet_, hands_)),
      solution_(problem_, model.nv()),
      firm_velocity_(problem_, model.nv()),
      laws_(model, problem_, settings.level_changes, kCom, settings.law == Law::bounded, settings.level_ramp),
      holdable_(model, updated(terms_, start), frames_of(feet_, {})),
      posture_(start.q.tail(model.num_joints())),
      command_(model.num_joints()),
      report_(settings.law == Law::bounded, laws_.limits().num_rows(problem_) + 1) {
  if (model.description().actuation.kind == Actuation::Kind::servo) {
    throw InvalidValue("partial_force commands torques, and the joints of robot " + model.name() +
                       " are position-controlled (actuation: servo)");
  }
  if (!(settings.gain_scale > 0.0)) throw InvalidValue("partial_force: gain_scale must be positive");
  const double height = std::max(terms_.com().z(), 1e-2);
  stop_rate_ = kStopRate * std::sqrt(kGravity / height);
  const DriveGains drives = DriveGains::for_robot(model, start, height);
  held_stiffness_ = drives.stiffness;
  held_damping_ = drives.damping;
  command_.position = posture_;
}

std::string_view PartialForce::fallback(Sensor sensor) const {
  switch (sensor) {
    case Sensor::left_foot_wrench:
    case Sensor::right_foot_wrench:
      return "counts on that foot as before; a step's touch-down is taken from its time line";
    case Sensor::left_hand_wrench:
    case Sensor::right_hand_wrench:
      return "keeps the last correction of the force; the hand's motion tells whether it touches";
    case Sensor::joint_position:
    case Sensor::joint_velocity:
    case Sensor::base_position:
    case Sensor::base_orientation:
    case Sensor::base_velocity:
    case Sensor::base_angular_velocity:
      return "holds the last torques, with the drives' springs and dampers about the last known angles";
    default:
      return "not needed: partial_force does not use this sensor";
  }
}

const Command& PartialForce::step(const SensorReadings& readings) {
  command_.status = CommandStatus::held_last_command;
  if (!readings.has_state()) {
    command_.stiffness = held_stiffness_;
    command_.damping = held_damping_;
    return command_;
  }
  command_.stiffness.setZero();
  command_.damping.setZero();
  command_.position = readings.state.q.tail(model_->num_joints());
  terms_.update(readings.state);
  update_contacts(readings);
  const Eigen::VectorXd& v = firm_velocity_.update(terms_, readings.state.v, problem_);
  write_limbs(readings.time_s, v);
  write_com(readings.time_s, v);
  write_posture(readings.state.q, v);
  if (!solve(readings)) return command_;
  command_.torque = solution_.torque;
  record_tick(readings.time_s);
  command_.status = CommandStatus::solved;
  return command_;
}

std::array<double, 2> PartialForce::loads() const {
  // The lever rule: the CoM between the soles' centres, seen from above.
  const double weight = terms_.mass() * kGravity;
  if (feet_.size() < 2) return {weight, weight};
  const Eigen::Vector2d left = feet_[0].centre(terms_).head<2>(), right = feet_[1].centre(terms_).head<2>();
  const Eigen::Vector2d way = right - left;
  const double lever = way.dot(terms_.com().head<2>() - left) / std::max(way.squaredNorm(), 1e-9);
  const double on_right = std::clamp(lever, kLeastLoad, 1.0 - kLeastLoad);
  return {weight * (1.0 - on_right), weight * on_right};
}

void PartialForce::update_contacts(const SensorReadings& readings) {
  begin(readings);
  const std::array<double, 2> load = loads();
  for (std::size_t i = 0; i < feet_.size(); ++i) {
    ForceContact& contact = problem_.contacts[i];
    feet_[i].update(terms_, readings, solution_.force[i][contact.normal()], load[i], contact);
  }
  for (std::size_t i = 0; i < hands_.size(); ++i) {
    hands_[i].update(terms_, readings, problem_.contacts[feet_.size() + i]);
  }
  tick_.force_given_up = tick_.com_given_up = 0.0;
  tick_.limit = -1;
  support_.update(std::span(problem_.contacts).first(feet_.size()));
  if (settings_.law == Law::bounded) hold_back_hands();
}

void PartialForce::begin(const SensorReadings& readings) {
  // A robot that begins just above ground that gives way stands on it all the same.
  const auto is_loaded = [&](const FootContact& foot) { return foot.is_loaded(readings); };
  if (!has_begun_ && std::ranges::none_of(feet_, is_loaded)) {
    for (FootContact& foot : feet_) foot.begin_standing();
  }
  has_begun_ = true;
}

void PartialForce::hold_back_hands() {
  const HoldableForce::Limit held = holdable_.find(terms_, hands());
  const double borne = support_.force_share(terms_, hands());
  const double share = std::min(held.share, borne);
  for (HandContact& hand : hands_) hand.hold_back(share < 1.0);
  if (share >= 1.0) return;
  for (std::size_t i = feet_.size(); i < problem_.contacts.size(); ++i) {
    tick_.force_given_up = std::max(tick_.force_given_up, (1.0 - share) * problem_.contacts[i].force.norm());
    problem_.contacts[i].force *= share;
  }
  tick_.limit =
      held.share < borne ? laws_.limits().torque_row(problem_, held.joint) : laws_.limits().num_rows(problem_);
}

void PartialForce::write_limbs(double time_s, const Eigen::VectorXd& v) {
  MotionLevel& level = problem_.levels[kLimbs];
  Eigen::Index row = 0;
  for (FootContact& foot : feet_) {
    foot.write_motion(terms_, v, solution_.acceleration, time_s, gains_, level.A.middleRows<6>(row),
                      level.b.segment<6>(row));
    row += 6;
  }
  for (HandContact& hand : hands_) {
    hand.write_motion(v, level.A.middleRows<3>(row), level.b.segment<3>(row));
    row += 3;
  }
}

void PartialForce::write_com(double time_s, const Eigen::VectorXd& v) {
  StandingFeet standing;
  double count = 0.0;
  for (std::size_t i = 0; i < feet_.size(); ++i) {
    const double share = std::max(feet_[i].share(), 1e-9);
    standing.midpoint += share * feet_[i].centre(terms_);
    standing.velocity += share * terms_.frame(feet_[i].frame()).velocity.head<3>();
    count += share;
  }
  standing.midpoint /= count;
  standing.velocity /= count;
  const ComTarget target = settings_.com_reference.at(time_s, standing);
  MotionLevel& level = problem_.levels[kCom];
  level.A = terms_.com_jacobian();
  const Eigen::Vector3d velocity = terms_.com_jacobian() * v;
  Eigen::Vector3d acceleration =
      target.acceleration + gains_.kd * (target.velocity - velocity) + gains_.kp * (target.position - terms_.com());
  if (settings_.law == Law::bounded) {
    const Eigen::Vector3d wanted = acceleration;
    acceleration = support_.nearest(wanted, terms_, hands());
    tick_.com_given_up = (acceleration - wanted).norm();
    if (tick_.com_given_up > 0.0) tick_.limit = laws_.limits().num_rows(problem_);
  }
  level.b = acceleration - terms_.com_bias();
  if (settings_.com_reference.prescribes_height()) return;
  level.A.row(2).setZero();
  level.b[2] = 0.0;
}

void PartialForce::write_posture(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  MotionLevel& level = problem_.levels[kPosture];
  const int num_joints = model_->num_joints();
  level.A.rightCols(num_joints).setIdentity();
  level.b = posture_gains_.kp * (posture_ - q.tail(num_joints)) - posture_gains_.kd * v.tail(num_joints);
  // What goes to its stop is slowed down so that it would come to rest there, critically damped.
  for (int i = 0; i < num_joints; ++i) {
    const Joint& joint = model_->joints()[static_cast<std::size_t>(i)];
    const double angle = q[7 + i], damped = 2.0 * stop_rate_ * v[6 + i];
    problem_.lowest[i] = stop_rate_ * stop_rate_ * std::min(joint.lower - angle, 0.0) - damped;
    problem_.highest[i] = stop_rate_ * stop_rate_ * std::max(joint.upper - angle, 0.0) - damped;
  }
}

bool PartialForce::solve(const SensorReadings& readings) {
  if (!laws_.solve(readings.time_s, readings.state, terms_, problem_, solution_)) return false;
  const ForceHierarchy::Outcome& outcome = laws_.outcome();
  tick_.law = outcome.law;
  tick_.force_given_up += outcome.force_unmet;
  tick_.com_given_up += outcome.com_unmet;
  if (outcome.limit >= 0) tick_.limit = outcome.limit;
  return true;
}

void PartialForce::record_tick(double time_s) {
  tick_.time_s = time_s;
  for (std::size_t i = 0; i < feet_.size(); ++i) {
    const Side side = foot_side_[i];
    const Eigen::VectorXd& force = solution_.force[i];
    tick_.foot_force[side] = force[2];
    tick_.foot_share[side] = feet_[i].share();
    tick_.cop[side].setConstant(std::numeric_limits<double>::quiet_NaN());
    if (force.size() == 6 && force[2] > 0.0) {
      tick_.cop[side] =
          model_->description().soles[side]->centre().head<2>() + Eigen::Vector2d(-force[4], force[3]) / force[2];
    }
  }
  std::size_t index = feet_.size();
  for (Side side : {kLeft, kRight}) {
    if (!settings_.hands[side]) continue;
    tick_.hand_force[side] = solution_.force[index][problem_.contacts[index].normal()];
    ++index;
  }
  command_.foot_cop = tick_.cop;
  report_.add(tick_);
}

std::string PartialForce::limit_name(int limit) const {
  const FullForceLaw& limits = laws_.limits();
  return limit < limits.num_rows(problem_) ? limits.name(problem_, limit)
                                           : "CoP of all feet at the edge of their support";
}

ControllerReport PartialForce::report() const {
  ControllerReport report{.metrics = report_.metrics()};
  const auto add_unmet = [&](const char* what, double amount, const char* unit, const PartialForceReport::Tick& worst) {
    if (amount < kReported || worst.limit < 0) return;
    report.notes.push_back(fmt::format("{} could not be met at {:.3f} s, by {:.3g} {}: {}", what, worst.time_s, amount,
                                       unit, limit_name(worst.limit)));
  };
  add_unmet("the CoM's level", report_.worst_com().com_given_up, "m/s^2", report_.worst_com());
  add_unmet("the forces' level", report_.worst_force().force_given_up, "N", report_.worst_force());
  for (std::size_t i = 0; i < report_.limit_s().size(); ++i) {
    const double active_s = report_.limit_s()[i];
    if (active_s == 0.0) continue;
    report.notes.push_back(fmt::format("limit reached for {:.3f} s: {}", active_s, limit_name(static_cast<int>(i))));
  }
  return report;
}

}  // namespace aplomb

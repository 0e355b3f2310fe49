#include "aplomb/control/partial_force.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "aplomb/control/contact/contact_consistent_velocity.hpp"
#include "aplomb/control/contact/foot_contact.hpp"
#include "aplomb/control/contact/hand_contact.hpp"
#include "aplomb/control/controller_registry.hpp"
#include "aplomb/control/momentum_balance/balance_gains.hpp"
#include "aplomb/control/partial_force/holdable_force.hpp"
#include "aplomb/control/partial_force/level_ramp.hpp"
#include "aplomb/control/partial_force/partial_force_report.hpp"
#include "aplomb/control/partial_force/support_limits.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

constexpr double kLeastLoad = 0.02;  // least load of a foot, over body weight: keeps the weights of eq. 6 finite
constexpr double kReported = 1e-6;   // [N], [m/s²]: smaller residuals are rounding, and not reported
constexpr double kStopRate = 7.0;  // rate of approach to a joint's stop, over √(g / CoM height), as in MomentumBalance

const RobotTerms& updated(RobotTerms& terms, const RobotState& state) {
  terms.update(state);
  return terms;
}

MotionGains scaled(const MotionGains& gains, double scale) {
  return {.kp = scale * gains.kp, .kd = std::sqrt(scale) * gains.kd};
}

MotionLevel level_of(std::size_t rows, int nv) {
  const auto count = static_cast<Eigen::Index>(rows);
  return {Eigen::MatrixXd::Zero(count, nv), Eigen::VectorXd::Zero(count)};
}

/// Throws InvalidValue on a robot without soles.
std::vector<FootContact> make_feet(const RobotModel& model, const RobotState& start,
                                   const PartialForce::Settings& settings) {
  std::vector<FootContact> feet;
  for (Side side : {kLeft, kRight}) {
    if (!model.description().soles[side]) continue;
    feet.emplace_back(model, side, start, settings.feet[side]);
  }
  if (feet.empty()) throw InvalidValue("partial_force: robot " + model.name() + " has no soles to stand on");
  return feet;
}

/// Throws InvalidValue if the settings have a hand that the robot does not have.
std::vector<HandContact> make_hands(const RobotModel& model, const PartialForce::Settings& settings) {
  std::vector<HandContact> hands;
  for (Side side : {kLeft, kRight}) {
    if (!settings.hands[side]) continue;
    if (model.description().roles.hand[side].empty()) {
      throw InvalidValue(fmt::format("partial_force: robot {} has no {} hand to press with (roles in its YAML)",
                                     model.name(), side == kLeft ? "left" : "right"));
    }
    hands.emplace_back(model, side, *settings.hands[side]);
  }
  return hands;
}

std::vector<FrameId> frames_of(const std::vector<FootContact>& feet, const std::vector<HandContact>& hands) {
  std::vector<FrameId> frames;
  for (const FootContact& foot : feet) frames.push_back(foot.frame());
  for (const HandContact& hand : hands) frames.push_back(hand.frame());
  return frames;
}

/// Problem with all contacts and the levels limbs, CoM and posture, in their final sizes, filled with zeros.
ForceProblem force_problem_for(const RobotModel& model, const std::vector<FootContact>& feet,
                               const std::vector<HandContact>& hands) {
  ForceProblem problem;
  for (const FootContact& foot : feet) problem.contacts.push_back(foot.make_contact());
  for (const HandContact& hand : hands) problem.contacts.push_back(hand.make_contact());
  problem.levels = {level_of(6 * feet.size() + 3 * hands.size(), model.nv()), level_of(3, model.nv()),
                    level_of(static_cast<std::size_t>(model.num_joints()), model.nv())};
  problem.lowest = problem.highest = Eigen::VectorXd::Zero(model.num_joints());
  return problem;
}

}  // namespace

struct PartialForce::Impl {
  Impl(const RobotModel& model, const RobotState& start, const Settings& settings);

  bool step(const SensorReadings& readings);  ///< false: the last torques are kept
  ControllerReport report() const;
  void update_contacts(const SensorReadings& readings);
  std::array<double, 2> loads() const;
  std::span<const ForceContact> hands() const { return std::span(problem_.contacts).subspan(feet_.size()); }
  void begin(const SensorReadings& readings);
  void clamp_hand_forces();
  std::string limit_name(int limit) const;
  void write_limbs(double time_s, const Eigen::VectorXd& v);
  void write_com(double time_s, const Eigen::VectorXd& v);
  void write_posture(const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  bool solve(const SensorReadings& readings);
  void record_tick(double time_s);

  const RobotModel* model_;
  Settings settings_;
  MotionGains gains_, posture_gains_;
  std::vector<FootContact> feet_;   ///< the first contacts of the problem
  std::vector<HandContact> hands_;  ///< the contacts after them
  RobotTerms terms_;
  ForceProblem problem_;
  ForceSolution solution_;
  ContactConsistentVelocity contact_velocity_;
  LevelRamp laws_;
  HoldableForce holdable_;
  SupportLimits support_;
  bool has_begun_ = false;
  Eigen::VectorXd posture_;
  double stop_rate_ = 0.0;                         ///< [1/s]
  Eigen::VectorXd held_stiffness_, held_damping_;  ///< drive gains while the state is unknown
  double force_unmet_ = 0.0, com_unmet_ = 0.0;     ///< residuals of this tick, as in PartialForceTick
  int limit_ = -1;                                 ///< as in PartialForceTick
  Command command_;
  Fallbacks fallbacks_;
  PartialForceTick tick_;
  PartialForceReport report_;
};

PartialForce::Impl::Impl(const RobotModel& model, const RobotState& start, const Settings& settings)
    : model_(&model),
      settings_(settings),
      gains_(scaled(settings.gains, settings.gain_scale)),
      posture_gains_(scaled(settings.posture_gains, settings.gain_scale)),
      feet_(make_feet(model, start, settings)),
      hands_(make_hands(model, settings)),
      terms_(model, frames_of(feet_, hands_)),
      problem_(force_problem_for(model, feet_, hands_)),
      solution_(problem_, model.nv()),
      contact_velocity_(problem_, model.nv()),
      laws_(model, problem_, settings.level_changes, kCom, settings.law == Law::bounded, settings.level_ramp,
            settings.solve_budget),
      holdable_(model, updated(terms_, start), frames_of(feet_, {})),
      posture_(joint_positions(start.q)),
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

bool PartialForce::Impl::step(const SensorReadings& readings) {
  fallbacks_.clear();
  if (!readings.has_state()) {
    fallbacks_.take_without_state(
        readings, "holds the last torques, with the drives' springs and dampers about the last known angles");
    command_.stiffness = held_stiffness_;
    command_.damping = held_damping_;
    return false;
  }
  command_.stiffness.setZero();
  command_.damping.setZero();
  command_.position = joint_positions(readings.state.q);
  terms_.update(readings.state);
  update_contacts(readings);
  const Eigen::VectorXd& v = contact_velocity_.update(terms_, readings.state.v, problem_);
  write_limbs(readings.time_s, v);
  write_com(readings.time_s, v);
  write_posture(readings.state.q, v);
  if (!solve(readings)) return false;
  command_.torque = solution_.torque;
  record_tick(readings.time_s);
  return true;
}

std::array<double, 2> PartialForce::Impl::loads() const {
  // Lever rule, by the position of the CoM between the sole centres, seen from above.
  const double weight = terms_.mass() * kGravity;
  if (feet_.size() < 2) return {weight, weight};
  const Eigen::Vector2d left = feet_[0].centre(terms_).head<2>(), right = feet_[1].centre(terms_).head<2>();
  const Eigen::Vector2d way = right - left;
  const double lever = way.dot(terms_.com().head<2>() - left) / std::max(way.squaredNorm(), 1e-9);
  const double on_right = std::clamp(lever, kLeastLoad, 1.0 - kLeastLoad);
  return {weight * (1.0 - on_right), weight * on_right};
}

void PartialForce::Impl::update_contacts(const SensorReadings& readings) {
  begin(readings);
  const std::array<double, 2> load = loads();
  for (std::size_t i = 0; i < feet_.size(); ++i) {
    ForceContact& contact = problem_.contacts[i];
    feet_[i].update(terms_, readings, solution_.force[i][contact.normal()], load[i], contact, fallbacks_);
  }
  for (std::size_t i = 0; i < hands_.size(); ++i) {
    hands_[i].update(terms_, readings, problem_.contacts[feet_.size() + i], fallbacks_);
  }
  force_unmet_ = com_unmet_ = 0.0;
  limit_ = -1;
  support_.update(std::span(problem_.contacts).first(feet_.size()));
  if (settings_.law == PartialForce::Law::bounded) clamp_hand_forces();
}

void PartialForce::Impl::begin(const SensorReadings& readings) {
  // A robot that begins just above compliant ground counts as standing on it.
  const auto is_loaded = [&](const FootContact& foot) { return foot.is_loaded(readings); };
  if (!has_begun_ && std::ranges::none_of(feet_, is_loaded)) {
    for (FootContact& foot : feet_) foot.begin_standing();
  }
  has_begun_ = true;
}

void PartialForce::Impl::clamp_hand_forces() {
  const HoldableForce::Limit held = holdable_.find(terms_, hands());
  const double borne = support_.force_share(terms_, hands());
  const double share = std::min(held.share, borne);
  for (HandContact& hand : hands_) hand.set_clamped(share < 1.0);
  if (share >= 1.0) return;
  for (std::size_t i = feet_.size(); i < problem_.contacts.size(); ++i) {
    force_unmet_ = std::max(force_unmet_, (1.0 - share) * problem_.contacts[i].force.norm());
    problem_.contacts[i].force *= share;
  }
  limit_ = held.share < borne ? laws_.limits().torque_row(problem_, held.joint) : laws_.limits().num_rows(problem_);
}

void PartialForce::Impl::write_limbs(double time_s, const Eigen::VectorXd& v) {
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

void PartialForce::Impl::write_com(double time_s, const Eigen::VectorXd& v) {
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
  if (settings_.law == PartialForce::Law::bounded) {
    const Eigen::Vector3d desired = acceleration;
    acceleration = support_.nearest(desired, terms_, hands());
    com_unmet_ = (acceleration - desired).norm();
    if (com_unmet_ > 0.0) limit_ = laws_.limits().num_rows(problem_);
  }
  level.b = acceleration - terms_.com_bias();
  if (settings_.com_reference.prescribes_height()) return;
  level.A.row(2).setZero();
  level.b[2] = 0.0;
}

void PartialForce::Impl::write_posture(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  MotionLevel& level = problem_.levels[kPosture];
  const int num_joints = model_->num_joints();
  level.A.rightCols(num_joints).setIdentity();
  level.b = posture_gains_.kp * (posture_ - q.tail(num_joints)) - posture_gains_.kd * v.tail(num_joints);
  // A joint near its stop is slowed down so that it comes to rest there, critically damped.
  for (int i = 0; i < num_joints; ++i) {
    const Joint& joint = model_->joints()[static_cast<std::size_t>(i)];
    const double angle = q[7 + i], damped = 2.0 * stop_rate_ * v[6 + i];
    problem_.lowest[i] = stop_rate_ * stop_rate_ * std::min(joint.lower - angle, 0.0) - damped;
    problem_.highest[i] = stop_rate_ * stop_rate_ * std::max(joint.upper - angle, 0.0) - damped;
  }
}

bool PartialForce::Impl::solve(const SensorReadings& readings) {
  if (!laws_.solve(readings.time_s, readings.state, terms_, problem_, solution_)) return false;
  const ForceHierarchy::Outcome& outcome = laws_.outcome();
  force_unmet_ += outcome.force_unmet;
  com_unmet_ += outcome.com_unmet;
  if (outcome.limit >= 0) limit_ = outcome.limit;
  return true;
}

void PartialForce::Impl::record_tick(double time_s) {
  tick_.time_s = time_s;
  tick_.law = laws_.outcome().law;
  tick_.force_given_up = force_unmet_;
  tick_.com_given_up = com_unmet_;
  tick_.limit = limit_;
  for (std::size_t i = 0; i < feet_.size(); ++i) {
    const Side side = feet_[i].side();
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
    tick_.is_hand_without_wall[side] = hands_[index - feet_.size()].is_without_wall();
    ++index;
  }
  command_.foot_cop = tick_.cop;
  report_.add(tick_);
}

std::string PartialForce::Impl::limit_name(int limit) const {
  const FullForceLaw& limits = laws_.limits();
  return limit < limits.num_rows(problem_) ? limits.name(problem_, limit)
                                           : "CoP of all feet at the edge of their support";
}

ControllerReport PartialForce::Impl::report() const {
  ControllerReport report{.metrics = report_.metrics()};
  for (Side side : {kLeft, kRight}) {
    const std::optional<double> since_s = report_.without_wall_since_s(side);
    if (!since_s) continue;
    report.faults.push_back({.name = side == kLeft ? "left_hand_without_wall" : "right_hand_without_wall",
                             .start_s = *since_s,
                             .fallback = fmt::format("detected: exerts no force and approaches the wall at {:.3g} m/s",
                                                     settings_.hands[side]->seek_speed)});
  }
  const auto add_unmet = [&](const char* what, double amount, const char* unit, const PartialForceTick& worst) {
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

PartialForce::PartialForce(const RobotModel& model, const RobotState& start, const Settings& settings)
    : impl_(std::make_unique<Impl>(model, start, settings)) {}

PartialForce::PartialForce(PartialForce&&) noexcept = default;
PartialForce::~PartialForce() = default;

const Command& PartialForce::step(const SensorReadings& readings) {
  const bool is_solved = impl_->step(readings);
  impl_->command_.status = is_solved
                               ? (impl_->laws_.is_cut_short() ? CommandStatus::deadline_missed : CommandStatus::solved)
                           : readings.has_state() ? CommandStatus::solve_failed
                                                  : CommandStatus::reading_missing;
  return impl_->command_;
}

std::span<const Fallback> PartialForce::fallbacks() const { return impl_->fallbacks_.taken(); }

std::span<const Signal> PartialForce::signals() const { return impl_->report_.signals(); }
ControllerReport PartialForce::report() const { return impl_->report(); }
const ForceProblem& PartialForce::problem() const { return impl_->problem_; }
const ForceSolution& PartialForce::solution() const { return impl_->solution_; }
const PartialForceTick& PartialForce::tick() const { return impl_->tick_; }

namespace {

/// The keys of partial_force: its settings, and those of each hand that presses against a wall in the scenario.
struct PartialForceKeys : PartialForce::Settings {
  PartialForce::HandSettings hand;
};

constexpr const char* kLevels[] = {"limbs", "com", "posture"};  // in the order of PartialForce::Level

Schema level_changes_schema() {
  return schema::list(
      "level_changes", "changes of the order of the levels; at the start: free limbs, CoM, posture",
      schema::map("", "an order of the levels from a time on",
                  {schema::number("start_s", "when the change begins").in("s").at_least(0).at_most(3600).required(),
                   schema::choice("first", {"limbs", "com", "posture"}, "the highest level below contacts and forces")
                       .required(),
                   schema::choice("second", {"limbs", "com", "posture"}, "the next level").required()}));
}

PartialForce::LevelChange read_level_change(const YamlView& view) {
  const auto level = [](const YamlView& word) {
    return static_cast<std::size_t>(std::ranges::find(kLevels, word.text()) - std::begin(kLevels));
  };
  const std::size_t first = level(view["first"]), second = level(view["second"]);
  if (first == second) {
    throw FileError(view["second"].place(),
                    "level_changes: first and second must be different levels; the third is the last");
  }
  return {.start_s = view["start_s"].number(), .order = {first, second, 3 - first - second}};
}

void read_level_changes(const YamlView& view, PartialForceKeys& keys) {
  for (const YamlView& item : view.items()) {
    keys.level_changes.push_back(read_level_change(item));
    const auto count = keys.level_changes.size();
    if (count > 1 && keys.level_changes[count - 2].start_s > keys.level_changes.back().start_s) {
      throw FileError(item["start_s"].place(), "level_changes: start_s must not decrease from one change to the next");
    }
  }
}

SettingsOf<PartialForceKeys> partial_force_keys() {
  using Keys = PartialForceKeys;
  const auto stiffness = [](std::string_view key, std::string_view about) {
    return schema::number(key, about).in("1/s^2").at_least(0).at_most(1e5);
  };
  const auto damping = [](std::string_view key, std::string_view about) {
    return schema::number(key, about).in("1/s").at_least(0).at_most(1000);
  };
  return SettingsOf<Keys>()
      .add(&Keys::law,
           schema::choice("law", {"bounded", "closed_form"},
                          "with the limits of contacts and torques, or the paper's law, which has none"),
           {PartialForce::Law::bounded, PartialForce::Law::closed_form})
      .add([](Keys& keys) -> double& { return keys.gains.kp; },
           stiffness("stiffness_per_s2", "Kp of the CoM and of free limbs: desired acceleration over position error"))
      .add([](Keys& keys) -> double& { return keys.gains.kd; },
           damping("damping_per_s", "Kd of the same: desired acceleration over velocity error"))
      .add([](Keys& keys) -> double& { return keys.posture_gains.kp; },
           stiffness("posture_stiffness_per_s2", "Kp of the posture"))
      .add([](Keys& keys) -> double& { return keys.posture_gains.kd; },
           damping("posture_damping_per_s", "Kd of the posture"))
      .add([](Keys& keys) -> bool& { return keys.hand.has_feedback; },
           schema::boolean("force_feedback", "whether the measured force of a hand is fed back"))
      .add([](Keys& keys) -> double& { return keys.hand.force_gain; },
           schema::number("hand_force_gain_per_s", "gain of the integral of a hand's force error, with force_feedback")
               .in("1/s")
               .at_least(0)
               .at_most(1000))
      .add([](Keys& keys) -> double& { return keys.hand.seek_speed; },
           schema::number("hand_seek_speed_m_per_s", "speed at which a hand without contact approaches its wall")
               .in("m/s")
               .above(0)
               .at_most(1))
      .add([](Keys& keys) -> double& { return keys.feet[kLeft].cop_margin; },
           schema::number("cop_margin", "part of the sole's length and width kept free of the CoP at each edge")
               .at_least(0)
               .at_most(0.45))
      .add([](Keys& keys) -> double& { return keys.feet[kLeft].ramp_s; },
           schema::number("contact_ramp_s",
                          "shortest time in which a foot is loaded or unloaded; 0: it becomes rigid or free at once")
               .in("s")
               .at_least(0)
               .at_most(10))
      .add([](Keys& keys) -> double& { return keys.feet[kLeft].load_rate; },
           schema::number("contact_load_rate_per_s", "largest rate of a foot's load, over the robot's weight")
               .in("1/s")
               .above(0)
               .at_most(1000))
      .add(level_changes_schema(), read_level_changes)
      .add([](Keys& keys) -> double& { return keys.level_ramp.ramp_s; },
           schema::number("level_ramp_s", "shortest time in which levels change their order; 0: at once")
               .in("s")
               .at_least(0)
               .at_most(10))
      .add([](Keys& keys) -> double& { return keys.level_ramp.torque_rate; },
           schema::number("level_torque_rate_m_per_s",
                          "largest rate of a torque by that change, over the robot's weight")
               .in("m/s")
               .above(0)
               .at_most(1000))
      .add(&Keys::solve_budget,
           schema::number(
               "solve_budget",
               "budget of a solve with limits, in factorisations of all its rows; where it is spent the command is "
               "the closed-form law with clamped torques, which may fall where limits hold the robot up; 0: none")
               .at_least(0)
               .at_most(1000))
      .add([](Keys& keys) -> PartialForce::FootShape& { return keys.feet[kLeft].shape; },
           schema::choice("foot_contact", {"flat", "edge", "point"},
                          "constraint of a foot on the ground: all six directions, all but rotation about its lateral "
                          "axis, or a point"),
           {PartialForce::FootShape::flat, PartialForce::FootShape::edge, PartialForce::FootShape::point});
}

/// The wall nearest to a hand at the start.
const BelievedWall* wall_at_hand(const ControllerContext& context, Side side) {
  const std::string& hand = context.model.description().roles.hand[side];
  if (hand.empty() || context.walls.empty()) return nullptr;
  RobotTerms terms(context.model, std::vector<FrameId>{context.model.frame(hand)});
  terms.update(context.start);
  const Eigen::Vector3d at = terms.frame(context.model.frame(hand)).T_world_frame.translation();
  const auto distance = [&](const BelievedWall& wall) { return std::abs(wall.normal.dot(at - wall.position)); };
  return &*std::ranges::min_element(context.walls, {}, distance);
}

std::unique_ptr<PartialForce> make_partial_force(const ControllerContext& context, const PartialForceKeys& keys) {
  PartialForce::Settings settings = keys;
  settings.gain_scale = context.gain_scale;
  settings.com_reference = context.com_reference;
  settings.feet[kRight] = settings.feet[kLeft];
  for (Side side : {kLeft, kRight}) {
    settings.feet[side].friction = context.ground_friction[side];
    std::ranges::copy_if(context.steps, std::back_inserter(settings.feet[side].steps),
                         [side](const FootStep& step) { return step.foot == side; });
    if (!context.hands[side]) continue;
    const BelievedWall* wall = wall_at_hand(context, side);
    if (wall == nullptr) {
      throw FileError(context.place("reference.hands"),
                      "reference.hands: the world has no wall (world.walls), or the robot has no such hand");
    }
    settings.hands[side] = keys.hand;
    settings.hands[side]->wall_point = wall->position;
    settings.hands[side]->normal = wall->normal;
    settings.hands[side]->friction = wall->friction;
    settings.hands[side]->force = *context.hands[side];
  }
  return std::make_unique<PartialForce>(context.model, context.start, settings);
}

}  // namespace

ControllerKind PartialForce::kind() {
  return ControllerKind::of("partial_force",
                            "controls motion and a part of the contact forces in strict order (Del Prete et al. 2014)",
                            partial_force_keys(), make_partial_force);
}

}  // namespace aplomb

#include "aplomb/control/momentum_balance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "aplomb/control/controller_registry.hpp"
#include "aplomb/control/momentum_balance/balance_contacts.hpp"
#include "aplomb/control/momentum_balance/balance_gains.hpp"
#include "aplomb/control/momentum_balance/contact_cops.hpp"
#include "aplomb/control/momentum_balance/contact_forces.hpp"
#include "aplomb/control/momentum_balance/foot_poses.hpp"
#include "aplomb/control/momentum_balance/momentum_report.hpp"
#include "aplomb/control/momentum_balance/momentum_torques.hpp"
#include "aplomb/control/momentum_balance/standing_reference.hpp"
#include "aplomb/control/step/stepping.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/core/math/rotation.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

// Distance of the capture point outside the support, over the CoM's height, beyond which only a step helps; tuned.
constexpr double kCaptureMargin = 0.05;
constexpr double kLowered = 0.15;           // fraction of its height by which the CoM is then lowered; tuned
constexpr double kRisingRate = 0.2;         // speed of raising it again, over that of lowering it; tuned
constexpr double kUprightStiffness = 16.0;  // of the base's orientation once the robot has stepped, over ω²; tuned
// Where the robot may step: distance of the CoP of a desired rate outside the support, over that of the capture point;
// tuned.
constexpr double kCopBeyond = 1.0;
// [over the distance of the capture point from its reference] by which the CoP is ahead of the capture point, once the
// robot has stepped: it returns at 0.3 ω. Tuned.
constexpr double kCaptureGain = 0.3;
constexpr double kMostVertical = 0.4;        // largest vertical acceleration of a step, over g; tuned
constexpr double kCopRegularisation = 0.01;  // ε of eq. 13, with the paper's value, applied to moments

// kp of eq. 15, where a file states none: the paper does not either. The pose of a foot in the air is restored at
// 10/s, twice as fast as the posture. kd damps critically where the file states none.
constexpr double kFootStiffness = 100.0;

/// The settings that the paper's own law amounts to.
MomentumBalance::Settings effective(MomentumBalance::Settings settings) {
  if (settings.as_printed) {
    settings.mode = MomentumBalance::Mode::weighted;
    settings.arms = MomentumBalance::Arms::excluded;
    if (!settings.foot_stiffness) settings.foot_stiffness = kFootStiffness;
  }
  if (settings.foot_stiffness && !settings.foot_damping) {
    settings.foot_damping = 2.0 * std::sqrt(*settings.foot_stiffness);
  }
  return settings;
}

double standing_height(const RobotModel& model, const RobotState& start) {
  RobotState standing = start;
  model.stand_on_soles(standing);
  RobotTerms terms(model, {});
  terms.update(standing);
  return std::max(terms.com().z(), 1e-2);
}

}  // namespace

struct MomentumBalance::Impl {
  /// `settings`: effective ones.
  Impl(const RobotModel& model, const RobotState& start, const Settings& settings);

  CommandStatus step(const SensorReadings& readings);  ///< not `solved`: the last command is kept, or clamped
  void update_capture_point();
  void set_desired_rates();
  bool distribute();
  void update_steps(const SensorReadings& readings);
  void set_stepping_rates(const RobotState& state);
  void set_posture(const RobotState& state);
  void record_tick(double time_s);

  const RobotModel* model_;
  bool as_printed_;
  double height_, omega_;
  BalanceGains gains_;
  BalanceContacts contacts_;
  StandingReference references_;
  RobotTerms terms_;
  std::vector<ContactLoad> loads_;
  ContactForces forces_;
  ContactCops cops_;
  FootPoses feet_;
  MomentumTorques torques_;
  std::optional<Stepping> stepping_;
  Eigen::Quaterniond start_orientation_;
  Eigen::Vector2d com_from_feet_ = Eigen::Vector2d::Zero();  ///< of the reference before the first step [m]
  Eigen::Vector3d angular_momentum_reference_ = Eigen::Vector3d::Zero();  ///< k*
  double lowered_ = 0.0;  ///< how far the CoM's reference is lowered because only a step would help [m]
  double capture_margin_ = 0.0;
  bool is_capture_point_lost_ = false;
  MomentumRate desired_;     ///< as in MomentumTick
  Eigen::VectorXd posture_;  ///< desired joint accelerations [rad/s²]
  Command command_;
  Fallbacks fallbacks_;
  MomentumTick tick_;
  MomentumReport report_;
};

MomentumBalance::Impl::Impl(const RobotModel& model, const RobotState& start, const Settings& settings)
    : model_(&model),
      as_printed_(settings.as_printed),
      height_(standing_height(model, start)),
      omega_(std::sqrt(kGravity / height_)),
      gains_(BalanceGains::for_settings(settings, model.mass(), height_)),
      contacts_(model, settings.contacts, /*has_force_at_ankle=*/settings.mode == Mode::weighted),
      references_(start, settings.com_reference, contacts_, height_, settings.as_printed),
      terms_(model, contacts_.frames()),
      loads_(contacts_.sites().size()),
      forces_(settings.mode, {}, static_cast<int>(loads_.size())),
      cops_(settings.mode, kCopRegularisation, static_cast<int>(loads_.size())),
      feet_(contacts_.sites(), settings.foot_stiffness, settings.foot_damping.value_or(0.0)),
      torques_(
          model, start, contacts_.sites(), height_,
          settings.as_printed ? printed_posture_weight(model) : posture_weight(model, settings.arms == Arms::excluded),
          {.as_printed = settings.as_printed,
           .has_upright = settings.stepping,
           .integral_leak = settings.integral_leak}),
      posture_(Eigen::VectorXd::Zero(model.num_joints())),
      command_(torques_.command()) {
  start_orientation_ = base_orientation(start.q);
  if (contacts_.sites().empty() || contacts_.sites()[0].is_point) {
    throw InvalidValue("momentum_balance: robot " + model.name() + " has no soles to stand on");
  }
  if (settings.foot_damping && !settings.foot_stiffness) {
    throw InvalidValue("momentum_balance: foot_damping_per_s does nothing without foot_stiffness_per_s2");
  }
  if (!(settings.gain_scale > 0.0)) throw InvalidValue("momentum_balance: gain_scale must be positive");
  if (!settings.stepping) return;
  stepping_.emplace(model, start);
  report_ = MomentumReport(&*stepping_);
}

CommandStatus MomentumBalance::Impl::step(const SensorReadings& readings) {
  fallbacks_.clear();
  if (!readings.has_state()) {
    fallbacks_.take_without_state(readings, "holds the last command; the drives' springs and dampers go on");
    return CommandStatus::reading_missing;
  }
  terms_.update(readings.state);
  contacts_.update(terms_, readings, loads_, fallbacks_);
  references_.update(readings.time_s);
  update_capture_point();
  if (stepping_) update_steps(readings);
  set_desired_rates();
  set_posture(readings.state);
  feet_.update(terms_, contacts_.contacts(), contacts_.standing_feet());
  if (stepping_) set_stepping_rates(readings.state);
  if (!distribute()) return CommandStatus::solve_failed;
  const CommandStatus status = torques_.solve(terms_, readings.state, contacts_.contacts(), desired_,
                                              references_.reference(), posture_, loads_, feet_.prescribed());
  command_ = torques_.command();
  if (!torques_.is_held()) record_tick(readings.time_s);
  return status;
}

void MomentumBalance::Impl::update_capture_point() {
  const Eigen::Vector3d from_ground = terms_.com_velocity() - contacts_.standing_feet().velocity;
  const Eigen::Vector3d capture_point = terms_.com() + from_ground / omega_;
  capture_margin_ = contacts_.support_margin(capture_point.head<2>());
  is_capture_point_lost_ = capture_margin_ < -kCaptureMargin * height_;
}

void MomentumBalance::Impl::update_steps(const SensorReadings& readings) {
  const bool had_stepped = stepping_->has_stepped();
  stepping_->update(terms_, {.time_s = readings.time_s,
                             .frames = {contacts_.sites()[kLeft].frame, contacts_.sites()[kRight].frame},
                             .contacts = contacts_.contacts(),
                             .normal_force = {contacts_.normal_force(kLeft), contacts_.normal_force(kRight)},
                             .support = &contacts_.support()});
  if (!had_stepped) {
    com_from_feet_ = (references_.reference().com.position - contacts_.standing_feet().midpoint).head<2>();
  }
  const auto& swing = stepping_->swing();
  contacts_.lift(swing ? std::optional<Side>(swing->side) : std::nullopt);
  feet_.step(swing);
}

/// What changes where the robot may step. The CoM accelerates as that of the linear inverted pendulum on a CoP p,
/// c̈ = (g + z̈) / z (c − p): while it steps, p is the step's; while it stands, p is where the desired rate puts it, but
/// outside the support at most as far as the capture point is, so that trunk and arms do not rotate, and
/// have to be stopped, where the CoP or a step does without. Once it has stepped, the CoM's reference is above the
/// feet, and the angular momentum has the rate with which the base stays upright.
void MomentumBalance::Impl::set_stepping_rates(const RobotState& state) {
  const Stepping& steps = *stepping_;
  const Eigen::Vector3d away = terms_.com() - Eigen::Vector3d(0.0, 0.0, steps.ground());
  const Eigen::Vector3d& velocity = terms_.com_velocity();
  Eigen::Vector3d rate = desired_.linear / terms_.mass();
  if (steps.has_stepped()) {
    rate.z() = gains_.com_stiffness.z() * (steps.com_height() - away.z()) - gains_.com_damping.z() * velocity.z();
    rate.z() = std::clamp(rate.z(), -kMostVertical * kGravity, kMostVertical * kGravity);
  }
  const Eigen::Vector2d target = contacts_.standing_feet().midpoint.head<2>() + com_from_feet_;
  const double pendulum = (kGravity + std::max(rate.z(), -0.5 * kGravity)) / std::max(away.z(), 0.3 * height_);
  if (steps.cop()) {
    rate.head<2>() = pendulum * (away.head<2>() - *steps.cop());
  } else if (!contacts_.support().is_empty()) {
    Eigen::Vector2d cop = away.head<2>() - rate.head<2>() / pendulum;
    if (steps.has_stepped()) cop = steps.capture_point() + kCaptureGain * (steps.capture_point() - target);
    const Eigen::Vector2d nearest = contacts_.support().nearest(cop);
    const double most = kCopBeyond * std::max(-steps.capture_margin(), 0.0);
    const Eigen::Vector2d beyond = cop - nearest;
    if (beyond.norm() > most) cop = nearest + most * beyond.normalized();
    if (steps.has_stepped() || beyond.norm() > most) rate.head<2>() = pendulum * (away.head<2>() - cop);
  }
  desired_.linear = terms_.mass() * rate;
  if (!steps.has_stepped()) return;
  const Eigen::Quaterniond error = base_orientation(state.q).conjugate() * start_orientation_;
  const Eigen::Vector3d turn = rotation_vector(error.toRotationMatrix());
  const double stiffness = kUprightStiffness * omega_ * omega_;
  const Eigen::Vector3d wanted = stiffness * turn - 2.0 * std::sqrt(stiffness) * state.v.segment<3>(3);
  desired_.angular = torques_.keep_upright(terms_, state, contacts_.contacts(), desired_.linear, wanted,
                                           references_.reference(), posture_, feet_.prescribed());
}

void MomentumBalance::Impl::set_desired_rates() {
  const BalanceReference& reference = references_.reference();
  ComTarget target = reference.com;
  // Where only a step would bring the CoM back, it is lowered, which softens the fall, and its horizontal motion is
  // only damped.
  const bool is_lowered = is_capture_point_lost_ && !as_printed_;
  const double rate = kLowered * height_ * omega_ * kControlPeriod;
  lowered_ = std::clamp(lowered_ + (is_lowered ? rate : -kRisingRate * rate), 0.0, kLowered * height_);
  target.position.z() -= lowered_;
  Eigen::Vector3d stiffness = gains_.com_stiffness;
  if (is_lowered) stiffness.head<2>().setZero();

  // (Lee & Goswami 2010, eq. 3, 4), plus, unlike in the paper, the acceleration of the reference.
  desired_.linear =
      terms_.mass() * (target.acceleration + gains_.com_damping.cwiseProduct(target.velocity - terms_.com_velocity()) +
                       stiffness.cwiseProduct(target.position - terms_.com()));
  desired_.angular = gains_.angular_damping * (angular_momentum_reference_ - terms_.momentum().tail<3>());
}

bool MomentumBalance::Impl::distribute() {
  const double weight = terms_.mass() * kGravity;
  const auto contacts = contacts_.contacts();
  if (forces_.solve(contacts, terms_.com(), weight, desired_, loads_) != SolveStatus::solved) return false;
  return cops_.solve(contacts, terms_.com(), desired_.angular, loads_) == SolveStatus::solved;
}

void MomentumBalance::Impl::set_posture(const RobotState& state) {
  const BalanceReference& reference = references_.reference();
  posture_ = reference.acceleration + gains_.posture_stiffness * (reference.angle - joint_positions(state.q)) +
             gains_.posture_damping * (reference.rate - joint_velocities(state.v));
}

void MomentumBalance::Impl::record_tick(double time_s) {
  tick_.time_s = time_s;
  tick_.desired = desired_;
  tick_.within_contacts = torques_.within_contacts();
  tick_.admissible = torques_.admissible();
  tick_.pulls = desired_.linear.z() + terms_.mass() * kGravity < 0.0;
  tick_.swing_position_error = feet_.position_error();
  tick_.swing_rotation_error = feet_.rotation_error();
  tick_.capture_margin = capture_margin_;
  tick_.is_capture_point_lost = is_capture_point_lost_;
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    const BalanceContacts::Site& site = contacts_.sites()[i];
    if (site.is_point) continue;
    const Contact& contact = contacts_.contacts()[i];
    const Sole& sole = *model_->description().soles[site.side];
    const bool is_loaded = contact.R_world_contact.col(2).dot(loads_[i].force) > 0.0;
    tick_.cop[site.side] = is_loaded ? Eigen::Vector2d(sole.centre().head<2>() + loads_[i].cop)
                                     : Eigen::Vector2d::Constant(std::numeric_limits<double>::quiet_NaN());
    tick_.availability[site.side] = contact.availability;
  }
  command_.foot_cop = tick_.cop;
  report_.add(tick_);
}

MomentumBalance::MomentumBalance(const RobotModel& model, const RobotState& start, const Settings& settings)
    : impl_(std::make_unique<Impl>(model, start, effective(settings))) {}

MomentumBalance::MomentumBalance(MomentumBalance&&) noexcept = default;
MomentumBalance::~MomentumBalance() = default;

const Command& MomentumBalance::step(const SensorReadings& readings) {
  impl_->command_.status = impl_->step(readings);
  return impl_->command_;
}

void MomentumBalance::correct(const ModelCorrection& correction) { impl_->terms_.correct(correction); }

std::span<const Fallback> MomentumBalance::fallbacks() const { return impl_->fallbacks_.taken(); }

std::span<const Signal> MomentumBalance::signals() const { return impl_->report_.signals(); }

ControllerReport MomentumBalance::report() const {
  return {.metrics = impl_->report_.metrics(), .notes = impl_->report_.notes()};
}

void MomentumBalance::track_angular_momentum(const Eigen::Vector3d& reference) {
  impl_->angular_momentum_reference_ = reference;
}

const MomentumTick& MomentumBalance::tick() const { return impl_->tick_; }
std::span<const ContactLoad> MomentumBalance::loads() const { return impl_->loads_; }
std::span<const Contact> MomentumBalance::contacts() const { return impl_->contacts_.contacts(); }
const Vector6d& MomentumBalance::base_residual() const { return impl_->torques_.base_residual(); }

MomentumBalance::Settings MomentumBalance::settings_from(const ControllerContext& context) {
  auto settings = context.settings_of<MomentumBalance::Settings>("momentum_balance");
  settings.gain_scale = context.gain_scale;
  settings.com_reference = context.com_reference;
  settings.contacts.friction = context.ground_friction;
  for (const BelievedWall& wall : context.walls) {
    settings.contacts.planes.push_back({wall.position, wall.normal, wall.friction});
  }
  return settings;
}

ControllerKind MomentumBalance::kind() {
  constexpr const char* kByRule = "from the CoM's height (docs/momentum_balance.md)";
  return ControllerKind::of(
      "momentum_balance", "balances by its linear and angular momentum (Lee & Goswami 2010)",
      SettingsOf<Settings>()
          .add(&Settings::as_printed,
               schema::boolean("as_printed",
                               "the paper's own law: mode weighted, arms excluded, printed gains where no others are "
                               "stated, no limits of joints and torques beyond clamping"))
          .add(&Settings::mode,
               schema::choice("mode", {"lexicographic", "weighted"},
                              "how forces are found: linear rate strictly first, or the paper's weighted sum"),
               {Mode::lexicographic, Mode::weighted})
          .add(&Settings::arms,
               schema::choice("arms", {"used", "excluded"},
                              "whether the arms swing to keep the balance, or keep to their posture as in the paper"),
               {Arms::used, Arms::excluded})
          .add(&Settings::foot_stiffness,
               schema::number("foot_stiffness_per_s2",
                              "kp of eq. 15: acceleration of a foot in the air over the error of its pose")
                   .in("1/s^2")
                   .at_least(0)
                   .at_most(1e5)
                   .when_absent("the foot is free; 100 as printed"))
          .add(&Settings::foot_damping,
               schema::number("foot_damping_per_s", "kd of eq. 15: the same over the error of its velocity")
                   .in("1/s")
                   .at_least(0)
                   .at_most(1000)
                   .when_absent("critically damped"))
          .add(&Settings::com_damping,
               schema::numbers("com_damping_per_s", 3, "G11: desired CoM acceleration over velocity error, x, y, z")
                   .in("1/s")
                   .at_least(0)
                   .at_most(1000)
                   .when_absent(kByRule))
          .add(&Settings::com_stiffness,
               schema::numbers("com_stiffness_per_s2", 3, "G12: desired CoM acceleration over position error, x, y, z")
                   .in("1/s^2")
                   .at_least(0)
                   .at_most(1e5)
                   .when_absent(kByRule))
          .add(&Settings::angular_damping,
               schema::number("angular_damping_per_s", "G21: desired rate of angular momentum over its error")
                   .in("1/s")
                   .at_least(0)
                   .at_most(1000)
                   .when_absent(kByRule))
          .add(&Settings::posture_stiffness,
               schema::number("posture_stiffness_per_s2", "desired joint acceleration over the error of its angle")
                   .in("1/s^2")
                   .at_least(0)
                   .at_most(1e5)
                   .when_absent(kByRule))
          .add(&Settings::posture_damping,
               schema::number("posture_damping_per_s", "desired joint acceleration over the error of its velocity")
                   .in("1/s")
                   .at_least(0)
                   .at_most(1000)
                   .when_absent(kByRule))
          .add(&Settings::integral_leak,
               schema::number("integral_leak_per_s",
                              "rate at which the integrated joint accelerations of the drives return to the measured "
                              "state; 0: never, they drift")
                   .in("1/s")
                   .at_least(0)
                   .at_most(1000))
          .add(&Settings::stepping,
               schema::boolean("stepping",
                               "takes steps where nothing else keeps the balance (docs/momentum_balance.md)"))
          .add([](Settings& settings) -> double& { return settings.contacts.cop_margin_length; },
               schema::number("cop_margin_length", "part of the sole's length kept free of the CoP at each edge")
                   .at_least(0)
                   .at_most(0.45))
          .add([](Settings& settings) -> double& { return settings.contacts.cop_margin_width; },
               schema::number("cop_margin_width", "part of the sole's width kept free of the CoP at each edge")
                   .at_least(0)
                   .at_most(0.45))
          .add([](Settings& settings) -> double& { return settings.contacts.ramp_s; },
               schema::number("contact_ramp_s",
                              "time over which a foot's load limit rises after contact, and falls "
                              "after contact is lost")
                   .in("s")
                   .at_least(0.001)
                   .at_most(1)),
      [](const ControllerContext& context, const Settings&) {
        return std::make_unique<MomentumBalance>(context.model, context.start, settings_from(context));
      });
}

}  // namespace aplomb

#include "aplomb/control/momentum_balance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "aplomb/control/controller_registry.hpp"
#include "aplomb/control/momentum_balance/balance_contacts.hpp"
#include "aplomb/control/momentum_balance/balance_gains.hpp"
#include "aplomb/control/momentum_balance/contact_cops.hpp"
#include "aplomb/control/momentum_balance/contact_forces.hpp"
#include "aplomb/control/momentum_balance/contact_reactions.hpp"
#include "aplomb/control/momentum_balance/joint_accelerations.hpp"
#include "aplomb/control/momentum_balance/momentum_report.hpp"
#include "aplomb/control/momentum_balance/standing_reference.hpp"
#include "aplomb/control/momentum_balance/torque_limits.hpp"
#include "aplomb/control/rise/plan_follower.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

// Distance of the capture point outside the support, over the CoM's height, beyond which only a step helps; tuned.
constexpr double kCaptureMargin = 0.05;
constexpr double kLowered = 0.15;            // fraction of its height by which the CoM is then lowered; tuned
constexpr double kRisingRate = 0.2;          // speed of raising it again, over that of lowering it; tuned
constexpr double kCopRegularisation = 0.01;  // ε of eq. 13, with the paper's value, applied to moments
constexpr double kLeak = 10.0;               // [1/s] leak rate of the integrals of eq. 17, against drift; tuned
// Rate of approach to a joint's stop, and of one foot to the other, over ω: critically damped, 25/s at h = 0.77 m;
// tuned.
constexpr double kStopRate = 7.0;
constexpr double kFeetApart = 1.25;  // least distance of the sole centres, over the sole width

double standing_height(const RobotModel& model, const RobotState& start) {
  RobotState standing = start;
  model.stand_on_soles(standing);
  RobotTerms terms(model, {});
  terms.update(standing);
  return std::max(terms.com().z(), 1e-2);
}

BalanceGains gains_for(const MomentumBalance::Settings& settings, double height) {
  BalanceGains gains = BalanceGains::for_height(height);
  gains.com_damping = settings.gain_scale * settings.com_damping.value_or(gains.com_damping);
  gains.com_stiffness = settings.gain_scale * settings.com_stiffness.value_or(gains.com_stiffness);
  gains.angular_damping = settings.gain_scale * settings.angular_damping.value_or(gains.angular_damping);
  gains.posture_stiffness = settings.posture_stiffness.value_or(gains.posture_stiffness);
  gains.posture_damping = settings.posture_damping.value_or(gains.posture_damping);
  return gains;
}

std::unique_ptr<ReferenceSource> references_of(const RobotModel& model, const RobotState& start,
                                               const MomentumBalance::Settings& settings,
                                               const BalanceContacts& contacts, double height) {
  if (settings.plan.plan) return std::make_unique<PlanFollower>(model, settings.plan);
  return std::make_unique<StandingReference>(model, start, settings.com_reference, contacts, height);
}

std::vector<BalanceContacts::Site> sites_with_loads(const BalanceContacts& contacts, const BalanceReference& reference) {
  std::vector<BalanceContacts::Site> sites = contacts.sites();
  for (std::size_t i = 0; i < reference.loads.size(); ++i) {
    sites.push_back({reference.loads[i].frame, kLeft, true});
    if (i == 0) sites.push_back({reference.loads[i].frame, kLeft, true});
  }
  return sites;
}

std::vector<FrameId> frames_of(const BalanceContacts& contacts, const BalanceReference& reference) {
  std::vector<FrameId> frames = contacts.frames();
  for (const BalanceReference::Load& load : reference.loads) {
    if (std::ranges::find(frames, load.frame) == frames.end()) frames.push_back(load.frame);
  }
  return frames;
}

}  // namespace

struct MomentumBalance::Impl {
  Impl(const RobotModel& model, const RobotState& start, const Settings& settings);

  CommandStatus step(const SensorReadings& readings);  ///< not `solved`: the last command is kept, or clamped
  void update_capture_point();
  void set_desired_rates();
  MomentumRate rate_of_reference_loads() const;
  MomentumRate rate_for_feet() const;
  MomentumRate rate_of_all_loads() const;
  bool distribute();
  bool accelerate(const RobotState& state);
  bool solve_accelerations();
  bool respect_torque_limits(CommandStatus& status);
  void write_torque();
  void integrate(const RobotState& state);
  void record_tick(double time_s);

  const RobotModel* model_;
  double height_, omega_;
  BalanceGains gains_;
  BalanceContacts contacts_;
  std::unique_ptr<ReferenceSource> references_;
  RobotTerms terms_;
  std::vector<ContactLoad> loads_;
  std::vector<Contact> held_;
  ContactForces forces_;
  ContactCops cops_;
  JointAccelerations accelerations_;
  TorqueLimits torque_limits_;
  ContactReactions reactions_;
  Eigen::Vector3d angular_momentum_reference_ = Eigen::Vector3d::Zero();  ///< k*, added to that of a plan
  double lowered_ = 0.0;  ///< how far the CoM's reference is lowered because only a step would help [m]
  double capture_margin_ = 0.0;
  bool is_capture_point_lost_ = false;
  MomentumRate desired_, within_contacts_, admissible_;  ///< as in MomentumTick
  JointAccelerations::Posture posture_request_;
  JointAccelerations::Apart apart_;
  Eigen::VectorXd prescribed_;  ///< Σ Jᵀ w of the references' loads, all rows
  Eigen::VectorXd reaction_;    ///< Σ Jᵀ w of all loads, all rows
  Eigen::VectorXd torque_;      ///< becomes the command once all solves of the tick are done [N m]
  Vector6d base_residual_ = Vector6d::Zero();
  Eigen::VectorXd integrated_angle_, integrated_rate_;
  Command command_;
  Fallbacks fallbacks_;
  MomentumTick tick_;
  MomentumReport report_;
};

MomentumBalance::Impl::Impl(const RobotModel& model, const RobotState& start, const Settings& settings)
    : model_(&model),
      height_(standing_height(model, start)),
      omega_(std::sqrt(kGravity / height_)),
      gains_(gains_for(settings, height_)),
      contacts_(model, settings.contacts, /*has_force_at_ankle=*/settings.mode == Mode::weighted),
      references_(references_of(model, start, settings, contacts_, height_)),
      terms_(model, frames_of(contacts_, references_->reference())),
      loads_(contacts_.sites().size()),
      forces_(settings.mode, {}, static_cast<int>(loads_.size())),
      cops_(settings.mode, kCopRegularisation, static_cast<int>(loads_.size())),
      accelerations_(model, sites_with_loads(contacts_, references_->reference()), height_, references_->posture_weight()),
      torque_limits_(model, contacts_.sites()),
      reactions_(model, contacts_.sites()),
      prescribed_(Eigen::VectorXd::Zero(model.nv())),
      reaction_(prescribed_),
      torque_(Eigen::VectorXd::Zero(model.num_joints())),
      integrated_angle_(joint_positions(start.q)),
      integrated_rate_(Eigen::VectorXd::Zero(model.num_joints())),
      command_(model.num_joints()) {
  if (contacts_.sites().empty() || contacts_.sites()[0].is_hand) {
    throw InvalidValue("momentum_balance: robot " + model.name() + " has no soles to stand on");
  }
  if (model.description().actuation.kind == Actuation::Kind::servo) {
    throw InvalidValue("momentum_balance commands torques, and the joints of robot " + model.name() +
                       " are position-controlled (actuation: servo)");
  }
  if (!(settings.gain_scale > 0.0)) throw InvalidValue("momentum_balance: gain_scale must be positive");
  const DriveGains drives = DriveGains::for_robot(model, start, height_);
  command_.stiffness = drives.stiffness;
  command_.damping = drives.damping;
  command_.position = integrated_angle_;
  posture_request_.desired = posture_request_.lowest = posture_request_.highest = integrated_rate_;
}

CommandStatus MomentumBalance::Impl::step(const SensorReadings& readings) {
  fallbacks_.clear();
  if (!readings.has_state()) {
    fallbacks_.take_without_state(readings, "holds the last command; the drives' springs and dampers go on");
    return CommandStatus::reading_missing;
  }
  terms_.update(readings.state);
  contacts_.update(terms_, readings, loads_, fallbacks_);
  references_->update(terms_, readings, fallbacks_);
  update_capture_point();
  set_desired_rates();
  if (!distribute() || !accelerate(readings.state)) return CommandStatus::solve_failed;
  write_torque();
  CommandStatus status = CommandStatus::solved;
  if (!respect_torque_limits(status)) return CommandStatus::solve_failed;
  // Torques or accelerations that are cut do not belong to the loads any more: the contacts answer with other ones.
  if (torque_limits_.clamp(torque_) || accelerations_.is_clipped()) {
    admissible_ = reactions_.rate(terms_, contacts_.contacts(), torque_, prescribed_);
  }
  command_.torque = torque_;
  integrate(readings.state);
  record_tick(readings.time_s);
  return status;
}

void MomentumBalance::Impl::update_capture_point() {
  const Eigen::Vector3d from_ground = terms_.com_velocity() - contacts_.standing_feet().velocity;
  const Eigen::Vector3d capture_point = terms_.com() + from_ground / omega_;
  capture_margin_ = contacts_.support_margin(capture_point.head<2>());
  is_capture_point_lost_ = !references_->reference().is_seated && capture_margin_ < -kCaptureMargin * height_;
}

void MomentumBalance::Impl::set_desired_rates() {
  const BalanceReference& reference = references_->reference();
  ComTarget target = reference.com;
  // Where only a step would bring the CoM back, it is lowered, which softens the fall, and its horizontal motion is
  // only damped.
  const double rate = kLowered * height_ * omega_ * kControlPeriod;
  lowered_ = std::clamp(lowered_ + (is_capture_point_lost_ ? rate : -kRisingRate * rate), 0.0, kLowered * height_);
  target.position.z() -= lowered_;
  Eigen::Vector3d stiffness = gains_.com_stiffness;
  if (is_capture_point_lost_) stiffness.head<2>().setZero();
  stiffness.z() *= reference.height_gain;

  // (Lee & Goswami 2010, eq. 3, 4), plus, unlike in the paper, the accelerations of the references.
  desired_.linear =
      terms_.mass() * (target.acceleration + gains_.com_damping.cwiseProduct(target.velocity - terms_.com_velocity()) +
                       stiffness.cwiseProduct(target.position - terms_.com()));
  desired_.angular = gains_.angular_damping * (angular_momentum_reference_ - terms_.momentum().tail<3>());
  desired_.angular += reference.angular_momentum_rate + gains_.angular_damping * reference.angular_momentum;
  references_->distribute(desired_.linear + Eigen::Vector3d(0.0, 0.0, terms_.mass() * kGravity));
}

MomentumRate MomentumBalance::Impl::rate_of_reference_loads() const {
  MomentumRate rate;
  for (const BalanceReference::Load& load : references_->reference().loads) {
    rate.linear += load.force;
    rate.angular += (load.point - terms_.com()).cross(load.force);
  }
  return rate;
}

MomentumRate MomentumBalance::Impl::rate_for_feet() const {
  const MomentumRate prescribed = rate_of_reference_loads();
  return {desired_.linear - prescribed.linear, desired_.angular - prescribed.angular};
}

MomentumRate MomentumBalance::Impl::rate_of_all_loads() const {
  MomentumRate rate = rate_of_reference_loads();
  rate.linear.z() -= terms_.mass() * kGravity;
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    rate.linear += loads_[i].force;
    rate.angular += loads_[i].moment + (contacts_.contacts()[i].point - terms_.com()).cross(loads_[i].force);
  }
  return rate;
}

bool MomentumBalance::Impl::distribute() {
  const double weight = terms_.mass() * kGravity;
  const auto contacts = contacts_.contacts();
  const MomentumRate of_feet = rate_for_feet();
  if (forces_.solve(contacts, terms_.com(), weight, of_feet, loads_) != SolveStatus::solved) return false;
  if (cops_.solve(contacts, terms_.com(), of_feet.angular, loads_) != SolveStatus::solved) return false;
  within_contacts_ = admissible_ = rate_of_all_loads();
  return true;
}

bool MomentumBalance::Impl::accelerate(const RobotState& state) {
  const auto angle = joint_positions(state.q);
  const auto rate = joint_velocities(state.v);
  const BalanceReference& reference = references_->reference();
  posture_request_.desired = reference.acceleration + gains_.posture_stiffness * (reference.angle - angle) +
                             gains_.posture_damping * (reference.rate - rate);
  // A joint near its stop is slowed down so that it comes to rest there, critically damped.
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
    apart_.direction = contacts[stance].R_world_contact.col(1);
    const double width =
        0.5 * (soles[kLeft]->y_max - soles[kLeft]->y_min + soles[kRight]->y_max - soles[kRight]->y_min);
    const Eigen::Vector3d speed =
        (terms_.frame(sites[kLeft].frame).velocity - terms_.frame(sites[kRight].frame).velocity).head<3>();
    const double distance = apart_.direction.dot(contacts[kLeft].centre - contacts[kRight].centre);
    apart_.lowest = stop * stop * (kFeetApart * width - distance) - 2.0 * stop * apart_.direction.dot(speed);
  }
  return solve_accelerations();
}

bool MomentumBalance::Impl::solve_accelerations() {
  held_.assign(contacts_.contacts().begin(), contacts_.contacts().end());
  bool seat = true;
  for (const BalanceReference::Load& load : references_->reference().loads) {
    Contact c;
    c.point = load.point;
    c.availability = load.availability;
    if (seat) {
      c.point.y() += 0.08;
      held_.push_back(c);
      c.point.y() -= 0.16;
    }
    held_.push_back(c);
    seat = false;
  }
  return accelerations_.solve(terms_, admissible_, held_, apart_, posture_request_);
}

/// False when no finite accelerations are found. `status` becomes `solve_failed` when the search for loads that keep
/// the limits fails: the torques are then those of the present loads, and remain to be clamped.
bool MomentumBalance::Impl::respect_torque_limits(CommandStatus& status) {
  if (torque_limits_.is_swinging_exceeded(torque_)) {
    torque_limits_.slow_down(terms_, torque_, accelerations_.joints(), posture_request_);
    if (!solve_accelerations()) return false;
    write_torque();
  }
  if (!torque_limits_.is_carrying_exceeded(torque_)) return true;
  const MomentumRate of_feet = rate_for_feet();
  const TorqueLimits::Outcome outcome =
      torque_limits_.solve(terms_, contacts_.contacts(), accelerations_.sensitivity(), of_feet, torque_, loads_);
  if (outcome == TorqueLimits::Outcome::failed) status = CommandStatus::solve_failed;
  if (outcome != TorqueLimits::Outcome::replaced) return true;
  admissible_ = rate_of_all_loads();
  if (!solve_accelerations()) return false;
  write_torque();
  return true;
}

void MomentumBalance::Impl::write_torque() {
  prescribed_.setZero();
  for (const BalanceReference::Load& load : references_->reference().loads) {
    const FrameTerms& frame = terms_.frame(load.frame);
    const Eigen::Vector3d arm = load.point - frame.T_world_frame.translation();
    Vector6d wrench;
    wrench << load.force, arm.cross(load.force);
    prescribed_.noalias() += frame.jacobian.transpose() * wrench;
  }
  reaction_ = prescribed_;
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    const FrameTerms& frame = terms_.frame(contacts_.sites()[i].frame);
    const Eigen::Vector3d arm = contacts_.contacts()[i].point - frame.T_world_frame.translation();
    Vector6d wrench;
    wrench << loads_[i].force, loads_[i].moment + arm.cross(loads_[i].force);
    reaction_.noalias() += frame.jacobian.transpose() * wrench;
  }
  // The base's acceleration follows from the base rows, M_bb v̇_b = Σ J_bᵀ w − h_b − M_bj θ̈, so that their residual is
  // zero.
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
  torque_ = h.tail(num_joints) - reaction_.tail(num_joints);
  torque_.noalias() += M.bottomLeftCorner(num_joints, 6) * base;
  torque_.noalias() += M.bottomRightCorner(num_joints, num_joints) * joints;
}

void MomentumBalance::Impl::integrate(const RobotState& state) {
  const auto angle = joint_positions(state.q);
  const auto rate = joint_velocities(state.v);
  // (eq. 17) Both integrals leak towards the measured state, so that they cannot drift away.
  integrated_rate_ += kControlPeriod * (accelerations_.joints() - kLeak * (integrated_rate_ - rate));
  integrated_angle_ += kControlPeriod * (integrated_rate_ - kLeak * (integrated_angle_ - angle));
  command_.position = integrated_angle_;
  command_.velocity = integrated_rate_;
}

void MomentumBalance::Impl::record_tick(double time_s) {
  tick_.time_s = time_s;
  tick_.desired = desired_;
  tick_.within_contacts = within_contacts_;
  tick_.admissible = admissible_;
  tick_.pulls = desired_.linear.z() + terms_.mass() * kGravity < 0.0;
  tick_.capture_margin = capture_margin_;
  tick_.is_capture_point_lost = is_capture_point_lost_;
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    const BalanceContacts::Site& site = contacts_.sites()[i];
    if (site.is_hand) continue;
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
    : impl_(std::make_unique<Impl>(model, start, settings)) {}

MomentumBalance::MomentumBalance(MomentumBalance&&) noexcept = default;
MomentumBalance::~MomentumBalance() = default;

const Command& MomentumBalance::step(const SensorReadings& readings) {
  impl_->command_.status = impl_->step(readings);
  return impl_->command_;
}

void MomentumBalance::correct(const ModelCorrection& correction) { impl_->terms_.correct(correction); }

std::span<const Fallback> MomentumBalance::fallbacks() const { return impl_->fallbacks_.taken(); }

std::span<const Signal> MomentumBalance::signals() const { return impl_->report_.signals(); }

ControllerReport MomentumBalance::report() const { return {.metrics = impl_->report_.metrics()}; }

void MomentumBalance::track_angular_momentum(const Eigen::Vector3d& reference) {
  impl_->angular_momentum_reference_ = reference;
}

const MomentumTick& MomentumBalance::tick() const { return impl_->tick_; }
std::span<const ContactLoad> MomentumBalance::loads() const { return impl_->loads_; }
std::span<const Contact> MomentumBalance::contacts() const { return impl_->contacts_.contacts(); }
const Vector6d& MomentumBalance::base_residual() const { return impl_->base_residual_; }

MomentumBalance::Settings MomentumBalance::settings_from(const ControllerContext& context) {
  auto settings = context.settings_of<MomentumBalance::Settings>("momentum_balance");
  settings.gain_scale = context.gain_scale;
  settings.com_reference = context.com_reference;
  settings.plan = context.plan;
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
          .add(&Settings::mode,
               schema::choice("mode", {"lexicographic", "weighted"},
                              "how forces are found: linear rate strictly first, or the paper's weighted sum"),
               {Mode::lexicographic, Mode::weighted})
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

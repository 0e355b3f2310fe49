#include "aplomb/control/contact/foot_contact.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/motion/profile/axis_motion.hpp"

namespace aplomb {
namespace {

constexpr double kTwistFraction = 0.42;   // twist radius over √(sole area), for even pressure (ContactPatch::fit_to)
constexpr double kTouchShare = 0.002;     // [m g] a larger measured force means touch-down; tuned
constexpr double kFloorShare = 0.007;     // [m g] force that presses a landed foot down, above 3 kTouchShare
constexpr double kKnownShare = 0.05;      // least share from which the full load is computed: less would amplify noise
constexpr double kLandingDamping = 50.0;  // [1/s] damping of a landed foot: motion decays in a ramp of 0.1 s; tuned

// Weights of tangential forces, normal force, tangential moments, normal moment   (Del Prete et al. 2014, sect. III-C).
constexpr double kWeights[] = {10.0, 10.0, 0.1, 1e3, 1e3, 1e2};

int num_rows(FootContact::Shape shape) {
  return shape == FootContact::Shape::flat ? 6 : shape == FootContact::Shape::edge ? 5 : 3;
}

Eigen::Isometry3d pose_of(const RobotModel& model, FrameId frame, const RobotState& state) {
  RobotTerms terms(model, std::vector<FrameId>{frame});
  terms.update(state);
  return terms.frame(frame).T_world_frame;
}

/// Index of a contact's row among the six of a flat patch: an edge has no moment about y.
int row_of(int row, int count) { return count == 5 && row == 4 ? 5 : row; }

}  // namespace

FootContact::FootContact(const RobotModel& model, Side side, const RobotState& start, const Settings& settings)
    : model_(&model),
      side_(side),
      settings_(settings),
      frame_(model.frame(model.description().roles.foot[side])),
      weight_(model.mass() * kGravity),
      watch_(settings.ramp_s, weight_),
      load_(0.5 * weight_),
      stood_(pose_of(model, frame_, start)),
      rows_(model.nv()) {}

ForceContact FootContact::make_contact() const {
  ForceContact contact(side_ == kLeft ? "left_foot" : "right_foot", num_rows(settings_.shape), model_->nv());
  contact.friction = settings_.friction;
  contact.fit_to(*model_->description().soles[side_], settings_.cop_margin, settings_.cop_margin, kTwistFraction);
  return contact;
}

Eigen::Vector3d FootContact::centre(const RobotTerms& terms) const {
  return terms.frame(frame_).T_world_frame * model_->description().soles[side_]->centre();
}

std::optional<double> FootContact::measured(const SensorReadings& readings) const {
  const double force = readings.foot_wrench[side_].force.z();
  if (readings.lost(sensor()) || !std::isfinite(force)) return std::nullopt;
  return force;
}

bool FootContact::is_loaded(const SensorReadings& readings) const {
  return measured(readings).value_or(weight_) > kTouchShare * weight_;
}

void FootContact::take_next_step(const Eigen::Isometry3d& pose, double time_s) {
  if (next_step_ == settings_.steps.size() || time_s < settings_.steps[next_step_].unload_s) return;
  if (step_) {
    const bool is_done = settings_.ramp_s <= 0.0 || (time_s >= step_->carry_s && share_ >= 1.0);
    if (!is_done) return;
    stood_.translation().z() += step_->step.z();
  }
  step_ = settings_.steps[next_step_++];
  has_landed_ = false;
  // The height of the ground is kept as planned: on compliant ground a loaded foot is lower.
  stood_.translation().head<2>() = pose.translation().head<2>();
}

void FootContact::estimate_load(double commanded_n) {
  if (share_ < kKnownShare) return;  // keep the last estimate
  const double floor = has_landed_ ? (1.0 - share_) * kFloorShare * weight_ : 0.0;
  load_ = (commanded_n - floor) / share_;
}

void FootContact::move_share(double wanted) {
  double fastest = kControlPeriod / settings_.ramp_s;
  const double change = settings_.load_rate * kControlPeriod * weight_;
  if (load_ * fastest > change) fastest = change / load_;
  share_ += std::clamp(wanted - share_, -fastest, fastest);
}

void FootContact::follow_step(double time_s, std::optional<double> measured_n, Fallbacks& fallbacks) {
  if (settings_.ramp_s <= 0.0) {  // without a ramp, whatever its load
    role_ = time_s >= step_->lift_off_s && time_s < step_->carry_s ? ContactRole::free : ContactRole::supporting;
    share_ = role_ == ContactRole::free ? 0.0 : 1.0;
    return;
  }
  const bool is_late = time_s > 0.5 * (step_->lift_off_s + step_->touch_down_s);
  const bool is_down = measured_n ? *measured_n > kTouchShare * weight_ : time_s >= step_->touch_down_s;
  const bool may_land = !has_landed_ && role_ == ContactRole::free && is_late;
  if (may_land && !measured_n) fallbacks.take(sensor(), "takes the touch-down of that foot's step from its time line");
  has_landed_ = has_landed_ || (may_land && is_down);
  move_share(time_s >= step_->lift_off_s && !has_landed_ ? 0.0 : step_->share(time_s));
  const bool was_free = role_ == ContactRole::free;
  role_ = share_ >= 1.0                 ? ContactRole::supporting
          : share_ > 0.0 || has_landed_ ? ContactRole::controlled
                                        : ContactRole::free;
  if (role_ == ContactRole::free && !was_free) step_->delay(std::max(0.0, time_s - step_->lift_off_s));
}

void FootContact::choose_role(double time_s, std::optional<double> measured_n, double commanded_n,
                              Fallbacks& fallbacks) {
  // Without a ramp, the schedule of the step alone decides.
  const bool is_stepping = step_ && (settings_.ramp_s <= 0.0 || time_s < step_->carry_s || share_ < 1.0);
  if (is_stepping) {
    follow_step(time_s, measured_n, fallbacks);
    return;
  }
  if (!measured_n) fallbacks.take(sensor(), "keeps that foot as it was, in contact or not");
  const double available = watch_.update(measured_n, commanded_n);
  if (has_begun_ && settings_.ramp_s > 0.0)
    move_share(available);
  else
    share_ = available;
  role_ = share_ >= 1.0 ? ContactRole::supporting : share_ > 0.0 ? ContactRole::controlled : ContactRole::free;
}

void FootContact::update(const RobotTerms& terms, const SensorReadings& readings, double commanded_n, double load,
                         ForceContact& contact, Fallbacks& fallbacks) {
  const FrameTerms& foot = terms.frame(frame_);
  if (has_begun_) estimate_load(commanded_n);
  if (role_ == ContactRole::supporting) carried_n_ = has_begun_ ? commanded_n : load;
  take_next_step(foot.T_world_frame, readings.time_s);
  choose_role(readings.time_s, measured(readings), commanded_n, fallbacks);
  has_begun_ = true;
  if (role_ != ContactRole::free) {
    left_.reset();
    kept_.reset();
  } else if (!left_) {
    left_ = foot.T_world_frame;
    left_s_ = readings.time_s;
  }

  contact.point = centre(terms);
  contact.R_world_contact = foot.T_world_frame.linear();
  rows_.write(foot, contact.point, contact.R_world_contact);
  contact.role = role_;
  contact.share.reset();
  contact.force.setZero();
  if (role_ == ContactRole::controlled) {
    if (has_force_by_hand()) {
      contact.force[contact.normal()] = share_ * (has_landed_ ? *step_->load_to_per_weight * weight_ : carried_n_);
    } else {
      contact.share = share_;
    }
    if (has_landed_) contact.force[contact.normal()] += (1.0 - share_) * kFloorShare * weight_;
  }
  const double damping = role_ == ContactRole::controlled ? (1.0 - share_) * kLandingDamping : 0.0;
  const int count = contact.num_rows();
  for (int i = 0; i < count; ++i) {
    const int row = row_of(i, count);
    contact.jacobian.row(i) = rows_.jacobian.row(row);
    contact.acceleration[i] = -rows_.bias[row] - damping * rows_.velocity[row];
    contact.weight[i] = kWeights[row] / load;
  }
}

Vector6d FootContact::wanted_acceleration(const FrameTerms& foot, const Vector6d& velocity, double time_s,
                                          const MotionGains& gains) const {
  const bool is_step = step_ && time_s >= step_->lift_off_s;
  Eigen::Isometry3d target = is_step ? stood_ : *left_;
  FootStep::Offset offset;
  if (is_step) offset = step_->at(time_s);
  target.translation() += offset.position;
  Vector6d wanted;
  wanted.head<3>() = offset.acceleration + gains.kd * (offset.velocity - velocity.head<3>()) +
                     gains.kp * (target.translation() - foot.T_world_frame.translation());
  wanted.tail<3>() =
      -gains.kd * velocity.tail<3>() + gains.kp * rotation_between(foot.T_world_frame.linear(), target.linear());
  return wanted;
}

void FootContact::write_motion(const RobotTerms& terms, const Eigen::VectorXd& v,
                               const Eigen::VectorXd& last_acceleration, double time_s, const MotionGains& gains,
                               Eigen::Ref<Eigen::MatrixXd> A, Eigen::Ref<Eigen::VectorXd> b) {
  A.setZero();
  b.setZero();
  if (role_ != ContactRole::free) return;
  const FrameTerms& foot = terms.frame(frame_);
  A = foot.jacobian;
  const Vector6d wanted = wanted_acceleration(foot, foot.jacobian * v, time_s, gains);
  b = wanted - foot.bias;
  if (settings_.ramp_s <= 0.0) return;
  if (!kept_) {
    kept_ = -b;
    kept_->noalias() += foot.jacobian * last_acceleration;
  }
  b += (1.0 - minimum_jerk(time_s - left_s_, settings_.ramp_s).position) * *kept_;
}

}  // namespace aplomb

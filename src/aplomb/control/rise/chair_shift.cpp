#include "aplomb/control/rise/chair_shift.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>
#include <optional>

#include "aplomb/control/controller.hpp"
#include "aplomb/control/rise/hip_pads.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/limbs.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

constexpr double kFindRate = 20.0;  // [1/s] rate of the low-pass of d: 50 ms, a third of kSitDown; tuned
constexpr double kSitDown = 0.15;   // [s] from the start, in which the robot settles on its seat; tuned
constexpr double kTakeUp = 0.5;     // [s] in which the legs absorb the difference of height; tuned
constexpr double kMost = 0.08;      // largest |d| over the legs' length, for which the linear map holds; tuned
constexpr double kDamping = 1e-6;   // damping of the legs' equations, which are singular for straight legs
constexpr double kFadeShare = 0.7;  // fraction of the time from seat-off to the end in which the shift fades; tuned

double smooth(double u) {
  u = std::clamp(u, 0.0, 1.0);
  return u * u * (3.0 - 2.0 * u);
}

/// Largest |d| [m]; zero without legs.
double most_of(const RobotModel& model) {
  const std::optional<Limbs> limbs = limbs_if_any(model);
  return limbs ? kMost * limbs->leg_length() : 0.0;
}

Eigen::Quaterniond turn_of(const Eigen::VectorXd& q) { return Eigen::Quaterniond(Eigen::Vector4d(q.segment<4>(3))); }

/// Velocities that move the base straight up at 1 m/s with the soles fixed.
Eigen::VectorXd upwards(const RobotTerms& terms, const std::vector<FrameId>& feet, const Eigen::VectorXd& q) {
  const Eigen::Index num_joints = q.size() - 7, num_rows = 6 * static_cast<Eigen::Index>(feet.size());
  Eigen::VectorXd velocity = Eigen::VectorXd::Zero(6 + num_joints);
  velocity.head<3>() = turn_of(q).conjugate() * Eigen::Vector3d::UnitZ();
  Eigen::MatrixXd rows(num_rows, num_joints);
  Eigen::VectorXd side(num_rows);
  for (std::size_t i = 0; i < feet.size(); ++i) {
    const auto& jacobian = terms.frame(feet[i]).jacobian;
    rows.middleRows(6 * static_cast<Eigen::Index>(i), 6) = jacobian.rightCols(num_joints);
    side.segment<6>(6 * static_cast<Eigen::Index>(i)) = -jacobian.leftCols(3) * velocity.head<3>();
  }
  Eigen::MatrixXd square = rows * rows.transpose();
  square.diagonal().array() += kDamping;
  velocity.tail(num_joints) = rows.transpose() * square.ldlt().solve(side);
  return velocity;
}

}  // namespace

ChairShift::ChairShift(const RobotModel& model, const MotionPlan& plan, double start_s)
    : rate_hz_(plan.trajectory.rate_hz),
      start_s_(start_s),
      most_(most_of(model)),
      duration_s_(plan.trajectory.end_s() - plan.trajectory.start_s),
      first_q_(plan.trajectory.q.col(0)),
      angle_table_(model.num_joints(), plan.trajectory.num_samples()),
      com_table_(3, plan.trajectory.num_samples()),
      hip_table_(Eigen::VectorXd::Zero(plan.trajectory.num_samples())),
      angle_(Eigen::VectorXd::Zero(model.num_joints())),
      rate_(angle_) {
  std::vector<FrameId> frames = sole_frames(model);
  const std::vector<FrameId> feet = frames;
  const ContactPlan::Contact* seat = nullptr;
  for (const ContactPlan::Contact& contact : plan.contacts.contacts) {
    if (contact.site != ContactSite::seat) continue;
    seated_.push_back({contact.start_s - plan.trajectory.start_s, contact.end_s - plan.trajectory.start_s});
    if (contact.holds(plan.trajectory.start_s)) seat = &contact;
  }
  begins_seated_ = seat != nullptr;
  if (seat != nullptr) frames.push_back(model.frame(seat->link));
  const std::vector<HipPad> pads = hip_pads(model);
  TreeKinematics kinematics(model);
  RobotTerms terms(model, frames);
  RobotState state{first_q_, Eigen::VectorXd::Zero(model.nv())};
  for (Eigen::Index i = 0; i < plan.trajectory.num_samples(); ++i) {
    state.q = plan.trajectory.q.col(i);
    terms.update(state);
    const Eigen::VectorXd velocity = upwards(terms, feet, state.q);
    angle_table_.col(i) = velocity.tail(model.num_joints());
    com_table_.col(i) = terms.momentum_matrix().topRows<3>() * velocity / terms.mass();
    kinematics.update(state.q);
    const bool is_seated = plan.contacts.is_active(ContactSite::seat, plan.trajectory.time_s(i));
    if (is_seated) seat_place_.setZero();
    for (const HipPad& pad : pads) {
      const Eigen::Vector3d centre = kinematics.point(pad.body, pad.centre);
      if (is_seated) seat_place_ += centre.head<2>() / static_cast<double>(pads.size());
      hip_table_[i] += (centre.z() - pad.radius) / static_cast<double>(pads.size());
    }
    if (i > 0 || seat == nullptr) continue;
    const Eigen::Vector3d point = terms.frame(frames.back()).T_world_frame * seat->point;
    seat_in_base_ = turn_of(state.q).conjugate() * Eigen::Vector3d(point - state.q.head<3>());
  }
}

void ChairShift::find(const SensorReadings& readings) {
  if (readings.lost(Sensor::base_position) || readings.lost(Sensor::base_orientation)) return;
  const Eigen::VectorXd& q = readings.state.q;
  if (!q.head<7>().allFinite()) return;
  const double there = q[2] + (turn_of(q) * seat_in_base_).z();
  const double planned = first_q_[2] + (turn_of(first_q_) * seat_in_base_).z();
  const double higher = std::clamp(there - planned, -most_, most_);
  found_ = readings.time_s < kSitDown ? higher : found_ + kFindRate * kControlPeriod * (higher - found_);
  height_ = smooth((readings.time_s - kSitDown) / kTakeUp) * found_;
}

double ChairShift::fade(double plan_s) const {
  const double at = std::clamp(plan_s, 0.0, duration_s_);
  std::optional<double> off, on;  // last end and next start of a seat contact
  for (const Interval& interval : seated_) {
    if (at >= interval.start_s && at < interval.end_s) return 1.0;
    if (interval.end_s <= at) off = std::max(off.value_or(interval.end_s), interval.end_s);
    if (interval.start_s > at) on = std::min(on.value_or(interval.start_s), interval.start_s);
  }
  // Between two contacts, one half of the time is for fading out, the other for fading in.
  const double middle = off && on ? 0.5 * (*off + *on) : on ? 0.0 : duration_s_;
  const auto away = [&](double since_s, double span_s) {
    return 1.0 - smooth(since_s / std::max(kFadeShare * span_s, kControlPeriod));
  };
  return std::max(off ? away(at - *off, middle - *off) : 0.0, on ? away(*on - at, *on - middle) : 0.0);
}

void ChairShift::shift(double by) {
  extra_ += by;
  pending_ += by;
}

void ChairShift::update(const SensorReadings& readings, double plan_s) {
  if (readings.time_s < start_s_ && begins_seated_) find(readings);
  const double faded = fade(plan_s);
  if (faded == 1.0) {
    height_ += extra_;
    extra_ = 0.0;
  }
  const double factor = faded * height_ + extra_;
  const auto last = static_cast<double>(com_table_.cols() - 1);
  const auto i = static_cast<Eigen::Index>(std::clamp(plan_s * rate_hz_, 0.0, last));
  angle_ = factor * angle_table_.col(i);
  com_ = factor * com_table_.col(i);
  rate_ = pending_ / kControlPeriod * angle_table_.col(i);
  com_rate_ = pending_ / kControlPeriod * com_table_.col(i);
  pending_ = 0.0;
  shifted_ = factor;
  const auto next = std::min(i + 1, static_cast<Eigen::Index>(last));
  const double u = std::clamp(plan_s * rate_hz_ - static_cast<double>(i), 0.0, 1.0);
  hip_now_ = (1.0 - u) * hip_table_[i] + u * hip_table_[next];
}

}  // namespace aplomb

#include "aplomb/retarget/likeness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "aplomb/core/error.hpp"
#include "aplomb/human/human_robot.hpp"

namespace aplomb {
namespace {

using Eigen::Vector3d;

constexpr double kRounding = 1e-6;  // frames by which a sample may miss the first or the last one
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kShortest = 0.02;  // [m] shorter segments have no direction
// Smallest sagittal part of an upper arm's direction with a flexion angle: beyond 72 degrees of abduction there is
// none.
constexpr double kSagittal = 0.3;
constexpr double kBeside = 0.05;   // trunk lengths from the trunk's line within which a hand counts as beside it
constexpr double kUpright = 0.05;  // leg lengths below its greatest height within which the CoM counts as upright

double wrapped(double angle) { return std::remainder(angle, 2.0 * std::numbers::pi); }

/// Pitch of a segment that hangs down: forward is positive.
double pitch_down(const Vector3d& direction) { return std::atan2(direction.x(), -direction.z()); }
double pitch_up(const Vector3d& direction) { return std::atan2(direction.x(), direction.z()); }

double angle_between(const Vector3d& a, const Vector3d& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

/// Angles as one column, so that a motion is a matrix.
constexpr Eigen::Index kTrunk = 0, kLegs = 1, kArms = 7, kHands = 11, kNumRows = 13;

Eigen::VectorXd column_of(const LimbAngles& angles) {
  Eigen::VectorXd column(kNumRows);
  column << angles.trunk, angles.hip[0], angles.hip[1], angles.knee[0], angles.knee[1], angles.ankle[0],
      angles.ankle[1], angles.shoulder[0], angles.shoulder[1], angles.elbow[0], angles.elbow[1], angles.hand_forward[0],
      angles.hand_forward[1];
  return column;
}

/// Frame of the trial that is the clip's first one.
Eigen::Index first_frame(const HumanTrial& trial, const HumanPath& clip) {
  const auto first =
      static_cast<Eigen::Index>(std::lround((clip.start_s - trial.motion.start_s) * trial.motion.rate_hz));
  if (first >= 0 && first + clip.num_frames() <= trial.motion.num_frames()) return first;
  throw InvalidValue(fmt::format("the clip has frames {} to {}, the trial '{}' has {}", first + 1,
                                 first + clip.num_frames(), trial.name, trial.motion.num_frames()));
}

/// The person's angles over the clip, one column per frame.
Eigen::MatrixXd angles_of_person(const HumanTrial& trial, const HumanPath& clip, TrunkAxis axis) {
  LimbAngleReader reader(human_robot(trial.subject.skeleton), axis);
  const Eigen::Index first = first_frame(trial, clip);
  Eigen::MatrixXd angles(kNumRows, clip.num_frames());
  for (Eigen::Index i = 0; i < clip.num_frames(); ++i) {
    angles.col(i) = column_of(reader.at(trial.motion.q.col(first + i)));
  }
  return angles;
}

/// Value between two frames; angles take the shorter way round.
Eigen::VectorXd between(const Eigen::MatrixXd& angles, double frame) {
  const Eigen::Index last = angles.cols() - 1;
  const auto before = std::clamp<Eigen::Index>(static_cast<Eigen::Index>(std::floor(frame)), 0, last);
  const Eigen::Index after = std::min(before + 1, last);
  const double part = std::clamp(frame - static_cast<double>(before), 0.0, 1.0);
  Eigen::VectorXd value = angles.col(before);
  for (Eigen::Index i = 0; i < kNumRows; ++i) value[i] += part * wrapped(angles(i, after) - angles(i, before));
  return value;
}

/// Sums of one phase.
class ErrorSum {
 public:
  void add(const Eigen::VectorXd& person, const Eigen::VectorXd& robot) {
    ++num_samples_;
    const auto error = [&](Eigen::Index row) { return wrapped(robot[row] - person[row]); };
    add(trunk_, error(kTrunk));
    for (Eigen::Index row = kLegs; row < kArms; ++row) add(leg_, error(row));
    for (Eigen::Index row = kArms; row < kHands; ++row) add(arm_, error(row));
    for (Eigen::Index row = kHands; row < kNumRows; ++row) {
      if (!std::isfinite(robot[row]) || !std::isfinite(person[row])) continue;
      const bool is_beside = std::min(std::abs(robot[row]), std::abs(person[row])) < kBeside;
      hands_.second += is_beside || std::signbit(robot[row]) == std::signbit(person[row]) ? 1.0 : 0.0;
      ++hands_.first;
    }
  }

  Likeness::Errors errors() const {
    const auto rms = [](const Sum& sum) {
      return sum.first > 0 ? std::optional(std::sqrt(sum.second / static_cast<double>(sum.first))) : std::nullopt;
    };
    Likeness::Errors errors{num_samples_, rms(trunk_), rms(leg_), rms(arm_), std::nullopt};
    if (hands_.first > 0) errors.hands_side_ratio = hands_.second / static_cast<double>(hands_.first);
    return errors;
  }

 private:
  using Sum = std::pair<Eigen::Index, double>;  ///< number of terms, and their sum
  static void add(Sum& sum, double error) {
    if (!std::isfinite(error)) return;
    ++sum.first;
    sum.second += error * error;
  }

  Eigen::Index num_samples_ = 0;
  Sum trunk_{}, leg_{}, arm_{}, hands_{};
};

enum class Phase { seated, rising, standing };

/// On the seat; upright, with the CoM nearly as high as it comes; or on the way between. A person who sits down at once
/// is upright too, without ever being at rest.
std::vector<Phase> phases_of(const HumanPath& clip) {
  std::vector<Phase> phases(static_cast<std::size_t>(clip.num_frames()), Phase::rising);
  const double upright = clip.com.row(2).maxCoeff() - kUpright * clip.leg_length;
  for (Eigen::Index i = 0; i < clip.num_frames(); ++i) {
    Phase& phase = phases[static_cast<std::size_t>(i)];
    if (clip.com(2, i) > upright) phase = Phase::standing;
    if (clip.is_in_contact(ContactSite::seat, i)) phase = Phase::seated;
  }
  return phases;
}

MetricValue value_of(const std::optional<double>& value) { return value ? MetricValue(*value) : MetricValue{}; }

}  // namespace

LimbAngleReader::LimbAngleReader(const RobotModel& robot, std::optional<TrunkAxis> axis)
    : tree_(robot), limbs_(find_limbs(robot)), axis_(axis.value_or(TrunkAxis::hips_to_shoulders)) {
  if (!limbs_.arms[0].is_there || !limbs_.arms[1].is_there) axis_ = TrunkAxis::link;
  tree_.update(robot.neutral_state().q);
  trunk_up_ = tree_.rotation(limbs_.trunk).transpose().col(2);
  for (std::size_t side = 0; side < 2; ++side) {
    const FrameId foot = robot.frame(robot.description().roles.foot[side]);
    toe_[side] = robot.tree().links[static_cast<std::size_t>(foot)].T_body_link.linear().col(0);
  }
}

LimbAngles LimbAngleReader::at(const Eigen::VectorXd& q) {
  tree_.update(q);
  LimbAngles angles;
  const auto joint = [&](int index) -> const Vector3d& { return tree_.origin(index + 1); };
  // Axes of the body: y from the right hip to the left one, level; z up.
  const Vector3d& left_hip = joint(limbs_.legs[0].hip);
  const Vector3d& right_hip = joint(limbs_.legs[1].hip);
  const Vector3d across = left_hip - right_hip;
  const double yaw = std::atan2(-across.x(), across.y());
  const Eigen::Matrix3d R_body_world = Eigen::AngleAxisd(-yaw, Vector3d::UnitZ()).toRotationMatrix();
  const auto direction = [&](const Vector3d& from, const Vector3d& to) -> Vector3d {
    return R_body_world * (to - from);
  };

  const Vector3d hips = 0.5 * (left_hip + right_hip);
  Vector3d line = R_body_world * (tree_.rotation(limbs_.trunk) * trunk_up_);
  if (axis_ == TrunkAxis::hips_to_shoulders) {
    const auto shoulder = [&](const Limbs::Arm& arm) { return tree_.point(arm.upper_arm, arm.shoulder); };
    line = direction(hips, 0.5 * (shoulder(limbs_.arms[0]) + shoulder(limbs_.arms[1])));
  }
  const double trunk = pitch_up(line);
  angles.trunk = trunk;
  for (std::size_t side = 0; side < 2; ++side) {
    const Limbs::Leg& leg = limbs_.legs[side];
    const double thigh = pitch_down(direction(joint(leg.hip), joint(leg.knee)));
    const double shank = pitch_down(direction(joint(leg.knee), joint(leg.ankle)));
    const Vector3d toe = R_body_world * (tree_.rotation(leg.foot) * toe_[side]);
    angles.hip[side] = wrapped(thigh + trunk);
    angles.knee[side] = wrapped(thigh - shank);
    angles.ankle[side] = wrapped(std::atan2(toe.z(), toe.x()) - shank);
    angles.shoulder[side] = angles.elbow[side] = angles.hand_forward[side] = kNone;
    const Limbs::Arm& arm = limbs_.arms[side];
    if (!arm.is_there) continue;
    const Vector3d shoulder = tree_.point(arm.upper_arm, arm.shoulder), elbow = joint(arm.elbow);
    const Vector3d wrist = tree_.point(arm.forearm, arm.wrist);
    const Vector3d fore = direction(elbow, wrist);
    Vector3d upper = direction(shoulder, elbow);
    if (upper.norm() > kShortest && fore.norm() > kShortest) angles.elbow[side] = angle_between(upper, fore);
    if (upper.norm() <= kShortest) upper = direction(shoulder, wrist);  // an arm without an elbow
    if (std::hypot(upper.x(), upper.z()) > std::max(kShortest, kSagittal * upper.norm())) {
      angles.shoulder[side] = wrapped(pitch_down(upper) + trunk);
    }
    if (axis_ == TrunkAxis::hips_to_shoulders && line.norm() > kShortest) {
      const Vector3d forward(std::cos(trunk), 0.0, -std::sin(trunk));
      angles.hand_forward[side] = direction(hips, wrist).dot(forward) / line.norm();
    }
  }
  return angles;
}

LimbAngles angles_of_person(const HumanTrial& trial, const HumanPath& clip, Eigen::Index frame, TrunkAxis axis) {
  LimbAngleReader reader(human_robot(trial.subject.skeleton), axis);
  return reader.at(trial.motion.q.col(first_frame(trial, clip) + frame));
}

Likeness likeness(const HumanTrial& trial, const HumanPath& clip, const RobotModel& robot, const Trajectory& trajectory,
                  const PlayedClip& played) {
  if (trajectory.q.rows() != robot.nq() || trajectory.num_samples() == 0 || !(trajectory.rate_hz > 0.0)) {
    throw InvalidValue(
        fmt::format("a trajectory of {} samples with {} coordinates at {} Hz cannot be compared: robot "
                    "'{}' has {} coordinates",
                    trajectory.num_samples(), trajectory.q.rows(), trajectory.rate_hz, robot.name(), robot.nq()));
  }
  LimbAngleReader reader(robot);
  const Eigen::MatrixXd person = angles_of_person(trial, clip, reader.axis());
  const std::vector<Phase> phases = phases_of(clip);
  const double last = static_cast<double>(clip.num_frames() - 1);
  ErrorSum whole;
  std::array<ErrorSum, 3> parts;
  Likeness result;
  for (Eigen::Index i = 0; i < trajectory.num_samples(); ++i) {
    const double time_s = static_cast<double>(i) / trajectory.rate_hz - played.offset_s;
    const double frame = time_s / played.slowdown * clip.rate_hz;
    if (frame < -kRounding || frame > last + kRounding) continue;
    const Eigen::VectorXd of_robot = column_of(reader.at(trajectory.q.col(i)));
    const Eigen::VectorXd of_person = between(person, frame);
    const auto begun = static_cast<std::size_t>(std::clamp(std::floor(frame + kRounding), 0.0, last));
    whole.add(of_person, of_robot);
    parts[static_cast<std::size_t>(phases[begun])].add(of_person, of_robot);
    result.trunk_error.push_back(wrapped(of_robot[kTrunk] - of_person[kTrunk]));
  }
  result.whole = whole.errors();
  result.seated = parts[0].errors();
  result.rising = parts[1].errors();
  result.standing = parts[2].errors();
  const LimbAngles end = reader.at(trajectory.q.col(trajectory.num_samples() - 1));
  result.trunk_end = std::abs(wrapped(end.trunk - person(kTrunk, clip.num_frames() - 1)));
  return result;
}

void set_likeness_metrics(const Likeness& likeness, Metrics& metrics) {
  const auto set = [&](const std::string& phase, const Likeness::Errors& errors) {
    metrics.set("trunk_angle_error" + phase + "_rms_rad", value_of(errors.trunk_rms));
    metrics.set("leg_angle_error" + phase + "_rms_rad", value_of(errors.leg_rms));
    metrics.set("arm_angle_error" + phase + "_rms_rad", value_of(errors.arm_rms));
    metrics.set("hands_on_persons_side" + phase + "_ratio", value_of(errors.hands_side_ratio));
  };
  set("", likeness.whole);
  set("_seated", likeness.seated);
  set("_rising", likeness.rising);
  set("_standing", likeness.standing);
  metrics.set("trunk_angle_end_error_rad", likeness.trunk_end);
}

}  // namespace aplomb

#include "aplomb/demonstrator/motion/balanced_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "aplomb/core/error.hpp"
#include "aplomb/core/math/polygon.hpp"
#include "aplomb/motion/com_shift.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

using Eigen::Vector3d;

constexpr double kBlend = 0.35;              // [s] blend from the trunk's correction to the hips', after seat-off
constexpr double kLead = 0.12;               // [s] before seat-off from which the ZMP must be inside
constexpr double kRest = 0.1, kTaper = 0.4;  // [s] at both ends of the motion: no correction, then a growing one
constexpr double kGain = 0.7;                // fraction of the shift applied per iteration
constexpr int kMostIterations = 40;
constexpr double kTolerance = 0.001;  // [m] on the ZMP margin that the correction aims at
constexpr double kSeatedRise = 1.02;  // height of the seated hips over the ankles, in shank lengths
constexpr double kButtock = 0.17;     // height of the hips over the seat, in thigh lengths
// Arm rests of a person of 1.75 m [m]: contact point of the palm from the seat under the hips; wrist from that point.
const Vector3d kPalm(0.28, 0.26, 0.21), kWrist(0.0, 0.0, 0.035);
constexpr double kPushFrom = 0.3;  // [s] time from which the hands push more than at rest
constexpr double kEasing = 0.6;    // last fraction of the time from seat-off to the release, in which the push fades

/// 0 to 1 with vanishing derivatives up to the third at both ends, so that forces have no kinks.
double smooth_step(double u) {
  u = std::clamp(u, 0.0, 1.0);
  return u * u * u * u * (35.0 + u * (-84.0 + u * (70.0 - 20.0 * u)));
}

class MotionMaker {
 public:
  MotionMaker(const RobotModel& robot, const PostureMaker& maker, const DemonstrationStyle& style,
              const MotionRequest& request)
      : robot_(robot), maker_(maker), style_(style), request_(request), terms_(robot, {}) {
    const auto frames = static_cast<Eigen::Index>(std::ceil(style.duration_s * request.frame_rate_hz));
    const auto count = frames * static_cast<Eigen::Index>(std::lround(request.rate_hz / request.frame_rate_hz));
    poses_.resize(static_cast<std::size_t>(count));
    shift_.setZero(count);
    place_feet();
    if (style.is_seated) sit();
    plan();
  }

  BalancedMotion make() {
    evaluate();
    while (motion_.margin_m < request_.margin_m - kTolerance && motion_.iterations < kMostIterations) {
      repair();
      evaluate();
      ++motion_.iterations;
    }
    if (motion_.margin_m >= request_.least_margin_m) return std::move(motion_);
    throw InvalidValue(fmt::format(
        "'{}' at this speed: the ZMP cannot be kept {:.0f} mm inside of the feet ({:.0f} mm were reached); a "
        "lower speed helps",
        style_.name, 1000.0 * request_.least_margin_m, 1000.0 * motion_.margin_m));
  }

 private:
  double time(std::size_t index) const { return static_cast<double>(index) / request_.rate_hz; }

  double trunk_at(double t) const {
    double pitch = style_.trunk.front().pitch;
    for (std::size_t k = 1; k < style_.trunk.size(); ++k) {
      const auto& [from, start] = style_.trunk[k - 1];
      const auto& [to, end] = style_.trunk[k];
      if (t > from) pitch = start + (end - start) * smooth_step((t - from) / (to - from));
    }
    return pitch;
  }

  /// Displacement of a foot, and whether it stands.
  std::pair<Vector3d, bool> foot_at(int side, double t) const {
    std::pair<Vector3d, bool> foot{Vector3d::Zero(), true};
    for (const DemonstrationStyle::FootMove& move : style_.foot_moves) {
      if (move.side != side || t <= move.start_s) continue;
      const double done = smooth_step((t - move.start_s) / (move.end_s - move.start_s));
      foot.first +=
          Vector3d(done * move.forward, 0.0, done * move.up + 16.0 * move.arc * std::pow(done * (1 - done), 2));
      if (t < move.end_s) foot.second = false;
    }
    constexpr double kOnFloor = 1e-9;  // [m]
    if (foot.first.z() > kOnFloor) foot.second = false;
    if (foot.second) foot.first.z() = 0.0;
    return foot;
  }

  /// Sets the feet of all poses, and the phases of their support.
  void place_feet() {
    for (std::size_t i = 0; i < poses_.size(); ++i) {
      SupportPhase phase{.begin = static_cast<Eigen::Index>(i)};
      for (const int side : {0, 1}) {
        const auto [displacement, is_down] = foot_at(side, time(i));
        poses_[i].feet[static_cast<std::size_t>(side)] = displacement;
        phase.is_down[static_cast<std::size_t>(side)] = is_down;
      }
      if (!motion_.support.empty() && motion_.support.back().is_down == phase.is_down) continue;
      std::vector<Eigen::Vector2d> corners;
      for (std::size_t side = 0; side < 2; ++side) {
        if (!phase.is_down[side]) continue;
        for (const Eigen::Vector2d& corner : maker_.sole_corners(side)) {
          corners.emplace_back(corner + poses_[i].feet[side].head<2>());
        }
      }
      phase.polygon = convex_hull(corners);
      motion_.support.push_back(std::move(phase));
    }
  }

  /// Range of x inside the support polygon, `margin` from its edge: at the height y of the ZMP where feet move, of the
  /// whole polygon where they stand side by side.
  std::pair<double, double> x_range(Eigen::Index sample, double y) const {
    const std::vector<Eigen::Vector2d>& polygon = phase_at(motion_.support, sample).polygon;
    double least = 1e9, most = -1e9;
    for (const Eigen::Vector2d& corner : polygon) {
      least = std::min(least, corner.x());
      most = std::max(most, corner.x());
    }
    least += request_.margin_m;
    most -= request_.margin_m;
    if (style_.foot_moves.empty()) return {least, most};
    // Nearest points of the line of this y that are `margin` inside, by bisection from its innermost point.
    const auto inside = [&](double x) { return half_plane_margin(polygon, {x, y}); };
    double middle = least;
    for (int i = 0; i <= 100; ++i) {
      const double x = least + 0.01 * i * (most - least);
      if (inside(x) > inside(middle)) middle = x;
    }
    const auto edge = [&](double outer) {
      if (inside(outer) >= request_.margin_m) return outer;
      double inner = middle;
      for (int i = 0; i < 40; ++i) {
        const double x = 0.5 * (inner + outer);
        (inside(x) >= request_.margin_m ? inner : outer) = x;
      }
      return inner;
    };
    return {edge(least), edge(most)};
  }

  void sit() {
    const double knee_x = maker_.shank_length() * std::sin(style_.shank_lean);
    const double knee_z = maker_.ankle_height() + maker_.shank_length() * std::cos(style_.shank_lean);
    const double hip_z = maker_.ankle_height() + kSeatedRise * maker_.shank_length();
    const double rise = hip_z - knee_z;
    const double back = std::sqrt(maker_.thigh_length() * maker_.thigh_length() - rise * rise);
    motion_.seated_hip = {knee_x - back, 0.0, hip_z};
    motion_.chair_height_m = hip_z - kButtock * maker_.thigh_length();
    if (style_.hands.release_s > 0.0) place_rests();
    motion_.hips_leave_s = style_.seat_off_s;
  }

  void place_rests() {
    const Vector3d seat(motion_.seated_hip.x(), 0.0, motion_.chair_height_m);
    for (std::size_t side = 0; side < 2; ++side) {
      const Vector3d across(1.0, side == 0 ? 1.0 : -1.0, 1.0);
      motion_.rests[side] = seat + request_.size * kPalm.cwiseProduct(across);
    }
  }

  /// Fraction of the contact force on the hands: grows from its value at rest to its maximum at seat-off, stays there
  /// for a while and fades to zero at the release.
  double hand_share_at(double t) const {
    const DemonstrationStyle::Hands& hands = style_.hands;
    if (t >= hands.release_s) return 0.0;
    const double off = style_.seat_off_s;
    const double easing = kEasing * (hands.release_s - off);
    if (t > off) return hands.share * (1.0 - smooth_step((t - hands.release_s + easing) / easing));
    const double from = std::min(kPushFrom, 0.5 * off);
    return hands.share_at_rest + (hands.share - hands.share_at_rest) * smooth_step((t - from) / (off - from));
  }

  /// Flexion of the shoulders for reaching forward [rad].
  double reach_at(double t) const {
    const DemonstrationStyle::Reach& reach = style_.reach;
    if (reach.back_s == 0.0) return 0.0;
    return reach.flexion * (smooth_step((t - reach.start_s) / (reach.there_s - reach.start_s)) -
                            smooth_step((t - reach.leave_s) / (reach.back_s - reach.leave_s)));
  }

  /// Hip position of a station, by fixed-point iteration: z follows from the knee flexion, x and y from the CoM.
  Vector3d hip_of(const DemonstrationStyle::Station& station) {
    const double com_y = station.com_y + station.over_foot * maker_.half_stance();
    Pose pose{.hip = {station.com_x, com_y, 0.0}, .trunk = trunk_at(station.time_s)};
    pose.reach = reach_at(station.time_s);
    std::vector<double> places;  // of the feet that stand, forward of where they stand at first
    for (const int side : {0, 1}) {
      const auto [displacement, is_down] = foot_at(side, station.time_s);
      pose.feet[static_cast<std::size_t>(side)] = displacement;
      if (is_down) places.push_back(displacement.x());
    }
    RobotState state{Eigen::VectorXd::Zero(robot_.nq()), Eigen::VectorXd::Zero(robot_.nv())};
    for (int step = 0; step < 40; ++step) {
      // The leg that has to reach farthest has this knee flexion.
      double forward = 0.0;
      for (const double place : places) {
        if (std::abs(pose.hip.x() - place) >= std::abs(forward)) forward = pose.hip.x() - place;
      }
      pose.hip.z() = maker_.ankle_height() + maker_.hip_height(station.knee, forward, pose.hip.y());
      state.q = maker_.posture(pose);
      terms_.update(state);
      pose.hip.x() += station.com_x - terms_.com().x();
      pose.hip.y() += com_y - terms_.com().y();
    }
    return pose.hip;
  }

  /// Interpolates hips and trunk between the keys.
  void plan() {
    std::vector<std::pair<double, Vector3d>> keys;
    if (style_.is_seated) keys.emplace_back(style_.seat_off_s, motion_.seated_hip);
    for (const auto& station : style_.stations) keys.emplace_back(station.time_s, hip_of(station));
    for (std::size_t i = 0; i < poses_.size(); ++i) {
      Pose& pose = poses_[i];
      pose.trunk = trunk_at(time(i));
      pose.hip = keys.front().second;
      pose.reach = reach_at(time(i));
      if (style_.hands.release_s > 0.0) {
        pose.held = 1.0 - smooth_step((time(i) - style_.hands.release_s) / style_.hands.let_go_s);
        for (std::size_t side = 0; side < 2; ++side) pose.wrists[side] = motion_.rests[side] + request_.size * kWrist;
      }
      for (std::size_t k = 1; k < keys.size(); ++k) {
        const auto& [from, start] = keys[k - 1];
        const auto& [to, end] = keys[k];
        if (time(i) <= from) continue;
        const double done = smooth_step((time(i) - from) / (to - from));
        pose.hip = start + done * (end - start);
        pose.hip.y() += 4.0 * request_.sway * (end.z() - start.z()) * done * (1.0 - done);
      }
    }
    planned_ = poses_;
  }

  /// Moves the hips forward; a nearly straight leg rotates about the ankle, since it cannot become longer.
  Vector3d moved_hip(const Pose& pose, double forward) const {
    const Vector3d& hip = pose.hip;
    const double ankle = maker_.ankle_height(), ankle_x = 0.5 * (pose.feet[0].x() + pose.feet[1].x());
    const double length = std::hypot(hip.x() - ankle_x, hip.z() - ankle);
    const double stretch = smooth_step((length / (maker_.thigh_length() + maker_.shank_length()) - 0.85) / 0.12);
    const double x = hip.x() + forward, lever = x - ankle_x;
    const double turned = std::sqrt(std::max(0.0, length * length - lever * lever)) + ankle;
    return {x, hip.y(), hip.z() + stretch * (turned - hip.z())};
  }

  void evaluate() {
    const auto count = static_cast<Eigen::Index>(poses_.size());
    Eigen::MatrixXd q(robot_.nq(), count);
    for (Eigen::Index i = 0; i < count; ++i) q.col(i) = maker_.posture(poses_[static_cast<std::size_t>(i)]);
    trunk_effect_.resize(2, count);
    hip_effect_.resize(2, count);
    motion_.forces = dynamics_of(robot_, q, request_.rate_hz, [&](Eigen::Index i, const RobotTerms& terms) {
      const Pose& pose = poses_[static_cast<std::size_t>(i)];
      Pose bent = pose, moved = pose;
      bent.trunk += kStep;
      moved.hip.x() += kStep;
      trunk_effect_.col(i) = effect(terms, difference(q.col(i), maker_.posture(bent), DifferenceFrame::first));
      hip_effect_.col(i) = effect(terms, difference(q.col(i), maker_.posture(moved), DifferenceFrame::first));
    });
    motion_.rate_hz = request_.rate_hz;
    leave_out_hands();
    motion_.margin_m = 1e9;
    for (Eigen::Index i = 0; i < count; ++i) {
      if (time(static_cast<std::size_t>(i)) < motion_.hips_leave_s) continue;
      motion_.margin_m = std::min(motion_.margin_m,
                                  signed_distance(phase_at(motion_.support, i).polygon, motion_.on_ground.zmp_at(i)));
    }
    motion_.q = std::move(q);
  }

  void leave_out_hands() {
    const Eigen::Index count = motion_.forces.force.cols();
    motion_.on_ground = motion_.forces;
    motion_.hand_share.resize(count);
    const Vector3d between = 0.5 * (motion_.rests[0] + motion_.rests[1]);  // both hands press equally
    for (Eigen::Index i = 0; i < count; ++i) {
      motion_.hand_share[i] = hand_share_at(time(static_cast<std::size_t>(i)));
      motion_.on_ground.remove_contact(i, motion_.hand_share[i], between);
    }
  }

  /// Effect of one unit of a coordinate on the CoM along x [m] and on the angular momentum about y per mass [m²/s].
  static Eigen::Vector2d effect(const RobotTerms& terms, const Eigen::VectorXd& step) {
    return {terms.com_jacobian().row(0).dot(step) / kStep,
            terms.momentum_matrix().row(4).dot(step) / kStep / terms.mass()};
  }

  void repair() {
    const auto count = static_cast<Eigen::Index>(poses_.size());
    Eigen::VectorXd b(count), e(count);
    Eigen::VectorXd weight(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      const double t = time(static_cast<std::size_t>(i));
      // Fraction of the correction that the hips make; without a chair all of it.
      weight[i] = style_.is_seated ? smooth_step((t - motion_.hips_leave_s) / kBlend) : 1.0;
      const double demand = style_.is_seated ? smooth_step((t - motion_.hips_leave_s + kLead) / (0.5 * kLead)) : 1.0;
      const double p = motion_.on_ground.zmp_at(i).x();
      const auto [rearmost, foremost] = x_range(i, motion_.on_ground.zmp_at(i).y());
      // The hands' part of the force does not move: a shift of the total ZMP moves the ZMP on the ground by more.
      e[i] = demand * (1.0 - motion_.hand_share[i]) * (std::clamp(p, rearmost, foremost) - p);
      const double spin = (1.0 - weight[i]) * trunk_effect_(1, i) / trunk_effect_(0, i) +
                          weight[i] * hip_effect_(1, i) / hip_effect_(0, i);
      const double height = motion_.forces.com(2, i) + spin;
      b[i] = robot_.mass() * height / motion_.forces.force(2, i);
    }
    Eigen::VectorXd d = com_shift_for_zmp(e, b, request_.rate_hz);
    const double end = style_.duration_s;
    for (Eigen::Index i = 0; i < count; ++i) {
      const auto index = static_cast<std::size_t>(i);
      // Tapers the shift at both ends, where the solution has a slope but the body is at rest.
      d[i] *= smooth_step((time(index) - kRest) / kTaper) * smooth_step((end - kRest - time(index)) / kTaper);
      poses_[index].trunk += kGain * (1.0 - weight[i]) * d[i] / trunk_effect_(0, i);
      shift_[i] += kGain * weight[i] * d[i] / hip_effect_(0, i);
      poses_[index].hip = moved_hip(planned_[index], shift_[i]);
    }
  }

  static constexpr double kStep = 1e-6;

  const RobotModel& robot_;
  const PostureMaker& maker_;
  const DemonstrationStyle& style_;
  MotionRequest request_;
  RobotTerms terms_;
  std::vector<Pose> poses_, planned_;
  Eigen::VectorXd shift_;
  Eigen::Matrix2Xd trunk_effect_, hip_effect_;
  BalancedMotion motion_;
};

}  // namespace

BalancedMotion make_motion(const RobotModel& robot, const PostureMaker& maker, const DemonstrationStyle& style,
                           const MotionRequest& request) {
  return MotionMaker(robot, maker, style, request).make();
}

}  // namespace aplomb

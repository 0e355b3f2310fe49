#include "aplomb/motion/grade/grade.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "aplomb/core/error.hpp"
#include "aplomb/core/math/polygon.hpp"
#include "aplomb/core/math/zero_phase.hpp"
#include "aplomb/motion/centroidal_dynamics.hpp"
#include "aplomb/robot/dynamics/inverse_dynamics.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/limbs.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/robot/shapes/capsule.hpp"
#include "aplomb/robot/support_region.hpp"

namespace aplomb {
namespace {

constexpr const char* kSides[] = {"left", "right"};
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// One quantity of every frame, its threshold, and what to say of its worst frames.
struct Judged {
  std::string name, meaning, unit;
  double threshold = 0.0;
  std::vector<double> value;       ///< NaN where it cannot be judged
  std::vector<std::string> where;  ///< of each frame: what breaks the rule; empty: `meaning` says it
};

/// Ending of a metric's name.
std::string ending_of(const std::string& unit) {
  if (unit == "m") return "_m";
  if (unit == "m/s") return "_m_per_s";
  if (unit == "rad") return "_rad";
  return unit == "-" || unit == "weights" ? "" : "_ratio";
}

/// Pairs of capsules of links that can meet: not neighbours, and apart in the robot's own posture.
class SelfCollision {
 public:
  explicit SelfCollision(const RobotModel& robot) : tree_(robot) {
    std::vector<Capsule> capsules;
    for (int body = 0; body < tree_.num_bodies(); ++body) {
      for (const Capsule& capsule : capsules_of(robot, body)) capsules.push_back(capsule);
    }
    const auto& postures = robot.description().postures;
    const RobotState state = postures.contains("half_sitting") ? robot.posture("half_sitting") : robot.neutral_state();
    tree_.update(state.q);
    for (std::size_t i = 0; i < capsules.size(); ++i) {
      for (std::size_t k = i + 1; k < capsules.size(); ++k) {
        const int a = capsules[i].body, b = capsules[k].body;
        const bool near = a == b || tree_.parent(a) == b || tree_.parent(b) == a ||
                          (tree_.parent(a) == tree_.parent(b) && a > 0 && b > 0);
        if (near || depth(capsules[i], capsules[k]) > 0.0) continue;
        pairs_.emplace_back(capsules[i], capsules[k]);
      }
    }
    for (const RigidBody& body : robot.tree().bodies) names_.push_back(body.link);
    for (const LinkPlacement& link : robot.tree().links) {
      const std::vector<Shape>& shapes = robot.urdf().link(link.link).collisions;
      const auto is_mesh = [](const Shape& shape) { return shape.kind == Shape::Kind::mesh; };
      num_mesh_links_ += !shapes.empty() && std::ranges::all_of(shapes, is_mesh);
    }
  }

  int num_mesh_links() const { return num_mesh_links_; }  ///< links whose shapes are all meshes: not seen here

  bool is_known() const { return !pairs_.empty(); }

  /// Deepest penetration, and the two links [m].
  double update(const Eigen::VectorXd& q, std::string& where) {
    tree_.update(q);
    double deepest = 0.0;
    const std::pair<Capsule, Capsule>* worst = nullptr;
    for (const auto& pair : pairs_) {
      const double now = depth(pair.first, pair.second);
      if (now <= deepest) continue;
      deepest = now;
      worst = &pair;
    }
    if (worst != nullptr) {
      where = fmt::format("{} in {}", names_[static_cast<std::size_t>(worst->second.body)],
                          names_[static_cast<std::size_t>(worst->first.body)]);
    }
    return deepest;
  }

 private:
  double depth(const Capsule& a, const Capsule& b) const {
    const Eigen::Vector3d a0 = tree_.point(a.body, a.begin), a1 = tree_.point(a.body, a.end);
    const Eigen::Vector3d b0 = tree_.point(b.body, b.begin), b1 = tree_.point(b.body, b.end);
    const double reach = a.radius + b.radius;
    // Most pairs are far apart: their mid-points tell.
    const double far = 0.5 * ((a1 - a0).norm() + (b1 - b0).norm()) + reach;
    if ((0.5 * (a0 + a1) - 0.5 * (b0 + b1)).squaredNorm() > far * far) return 0.0;
    const ClosestPoints closest = closest_points(a0, a1, b0, b1);
    return std::max(0.0, reach - (closest.first - closest.second).norm());
  }

  TreeKinematics tree_;
  std::vector<std::pair<Capsule, Capsule>> pairs_;
  std::vector<std::string> names_;
  int num_mesh_links_ = 0;
};

class Grader {
 public:
  Grader(const RobotModel& robot, const RobotMotion& motion, const GradeRules& rules)
      : robot_(robot), rules_(rules), rate_(motion.rate_hz), q_(unit_quaternions(motion.q)), frames_(q_.cols()) {
    if (frames_ < 8) throw InvalidValue("a motion of fewer than eight frames cannot be graded");
    // The filter needs some samples in a period; a motion at a low rate is filtered as far as it can be.
    cutoff_ = std::min(rules.cutoff_hz, 0.2 * rate_);
    smooth_ = unit_quaternions(ZeroPhaseFilter(cutoff_, rate_).filtered(q_));
    const RobotMotion filtered{.rate_hz = rate_, .q = smooth_};
    v_ = velocities(filtered);
    a_ = central_difference(v_, rate_);
  }

  MotionGrade grade() {
    feet_ = track_feet(robot_, q_, rate_, rules_.stance);
    judge_feet();
    judge_dynamics();
    judge_joints();
    judge_self_collision();
    conclude();
    write_log();
    return std::move(made_);
  }

 private:
  static std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }
  Judged judged(std::string name, std::string meaning, std::string unit, double threshold) const {
    return {std::move(name),
            std::move(meaning),
            std::move(unit),
            threshold,
            std::vector<double>(at(frames_), kNaN),
            std::vector<std::string>(at(frames_))};
  }

  bool has_stance(Eigen::Index i) const { return feet_[0].stance[at(i)] || feet_[1].stance[at(i)]; }

  void judge_feet() {
    Judged floating = judged("floating", "no point of a sole is near the floor, and the robot does not fly", "m",
                             rules_.near_floor_m);
    Judged penetration = judged("penetration", "a sole is in the floor", "m", rules_.penetration_m);
    Judged sliding = judged("sliding", "a foot in stance slides", "m/s", rules_.slide_m_per_s);
    Eigen::Index stance_samples = 0, sliding_samples = 0;
    double longest_slide = 0.0;
    for (Eigen::Index i = 0; i < frames_; ++i) {
      const double lowest = std::min(feet_[0].lowest[at(i)], feet_[1].lowest[at(i)]);
      floating.value[at(i)] = lowest;  // flight is taken out below, when the forces are known
      penetration.value[at(i)] = std::max(0.0, -lowest);
      for (const int side : {kLeft, kRight}) {
        const FootTrack& foot = feet_[at(side)];
        if (!foot.stance[at(i)]) continue;
        const double speed = foot.velocity.col(i).head<2>().norm();
        ++stance_samples;
        sliding_samples += speed > rules_.slide_m_per_s;
        if (!(speed > sliding.value[at(i)]) && std::isfinite(sliding.value[at(i)])) continue;
        sliding.value[at(i)] = speed;
        sliding.where[at(i)] = fmt::format("the {} foot slides", kSides[side]);
      }
    }
    for (const FootTrack& foot : feet_) {
      Eigen::Index begin = 0;
      for (Eigen::Index i = 0; i < frames_; ++i) {
        const bool is_new = i == 0 || !foot.stance[at(i - 1)];
        if (is_new) begin = i;
        if (!foot.stance[at(i)]) continue;
        longest_slide = std::max(longest_slide, (foot.centre.col(i) - foot.centre.col(begin)).head<2>().norm());
      }
    }
    stance_slide_ratio_ =
        stance_samples == 0 ? kNaN : static_cast<double>(sliding_samples) / static_cast<double>(stance_samples);
    made_.metrics.set("slide_in_one_stance_max_m", longest_slide);
    find_offending_feet();
    judge_toes();
    find_base_drift();
    judged_.push_back(std::move(floating));
    judged_.push_back(std::move(penetration));
    judged_.push_back(std::move(sliding));
  }

  /// By side and frame, for the replay: the sole slides in stance, is in the floor, or is the lower one of two that
  /// float.
  void find_offending_feet() {
    for (const int side : {kLeft, kRight}) {
      const FootTrack &foot = feet_[at(side)], &other = feet_[at(1 - side)];
      for (Eigen::Index i = 0; i < frames_; ++i) {
        const double height = foot.lowest[at(i)];
        const bool slides = foot.stance[at(i)] && foot.velocity.col(i).head<2>().norm() > rules_.slide_m_per_s;
        const bool floats = height > rules_.near_floor_m && height <= other.lowest[at(i)];
        offends_[at(side)].push_back(slides || floats || height < -rules_.penetration_m);
      }
    }
  }

  /// Foot skating as OmniRetarget's evaluator counts it (holosoma): of the frames with a foot in contact, those in
  /// which the toe of such a foot moves along the floor by more than 1 cm in a frame of 1/30 s. Its contacts are those
  /// of the human's toes; here they are the stances.
  void judge_toes() {
    constexpr double kSkating = 0.01 * 30.0;  // [m/s]
    std::array<Eigen::Matrix2Xd, 2> toes;
    for (const int side : {kLeft, kRight}) {
      const FootTrack& foot = feet_[at(side)];
      const double ahead = foot.sole.x_max - foot.sole.centre().x();
      toes[at(side)] = (foot.centre + ahead * foot.forward).topRows<2>();
    }
    Eigen::Index with_contact = 0, skating = 0;
    double fastest = 0.0;
    for (Eigen::Index i = 1; i < frames_; ++i) {
      double speed = 0.0;
      for (const int side : {kLeft, kRight}) {
        if (!feet_[at(side)].stance[at(i)]) continue;
        speed = std::max(speed, rate_ * (toes[at(side)].col(i) - toes[at(side)].col(i - 1)).norm());
      }
      with_contact += has_stance(i);
      skating += speed > kSkating;
      fastest = std::max(fastest, speed);
    }
    const bool is_null = with_contact == 0;
    const double ratio = is_null ? 0.0 : static_cast<double>(skating) / static_cast<double>(with_contact);
    made_.metrics.set("toe_skating_ratio", is_null ? MetricValue() : MetricValue(ratio));
    made_.metrics.set("toe_skating_max_m_per_s", is_null ? MetricValue() : MetricValue(fastest));
  }

  /// How far the base's path departs from the one on which the feet in stance would stand still: the sum of their mean
  /// movements along the floor.
  void find_base_drift() {
    Eigen::Vector2d drift = Eigen::Vector2d::Zero();
    double farthest = 0.0;
    for (Eigen::Index i = 0; i < frames_; ++i) {
      Eigen::Vector2d sum = Eigen::Vector2d::Zero();
      double num = 0.0;
      for (const FootTrack& foot : feet_) {
        if (!foot.stance[at(i)]) continue;
        sum += foot.velocity.col(i).head<2>();
        num += 1.0;
      }
      drift += sum / (std::max(1.0, num) * rate_);
      farthest = std::max(farthest, drift.norm());
    }
    made_.metrics.set("base_drift_max_m", farthest);
  }

  /// Forces that the motion needs, from its low-pass filtered configurations.
  void judge_dynamics() {
    Judged zmp = judged("zmp_outside", "the ZMP is outside of the soles in stance", "m", rules_.zmp_outside_m);
    Judged friction = judged("friction", "more friction is needed than a floor has", "-", rules_.friction);
    Judged flight =
        judged("impossible_flight", "no foot is in stance, but a force is needed", "weights", rules_.flight_force);
    Judged torque = judged("torque", "a joint's torque is over its limit", "of the limit", 1.0);
    std::vector<FrameId> frames;
    for (const int side : {kLeft, kRight}) frames.push_back(robot_.frame(robot_.description().roles.foot[side]));
    InverseDynamics inverse(robot_, frames);
    const double weight = robot_.mass() * kGravity;
    const bool has_limits = std::ranges::any_of(
        robot_.joints(), [](const Joint& joint) { return std::isfinite(joint.effort) && joint.effort > 0.0; });
    Eigen::Index in_contact = 0, outside = 0;
    for (Eigen::Index i = 0; i < frames_; ++i) {
      const RobotState state{.q = smooth_.col(i), .v = v_.col(i)};
      // The six base rows are the wrench that the contacts must give, in base axes about the base's origin.
      const Eigen::VectorXd generalised = inverse.compute(state, a_.col(i));
      const Eigen::Quaterniond turn(Eigen::Vector4d(state.q.segment<4>(3)));
      const Eigen::Vector3d force = turn * Eigen::Vector3d(generalised.head<3>());
      const Eigen::Vector3d origin = state.q.head<3>();
      const Eigen::Vector3d moment =
          turn * Eigen::Vector3d(generalised.segment<3>(3)) + origin.cross(force);  // about the world's origin
      force_.push_back(force);
      if (!has_stance(i)) {
        flight.value[at(i)] = std::max(0.0, force.z() / weight);
        zmp_.push_back({kNaN, kNaN});
        continue;
      }
      ++in_contact;
      flight.value[at(i)] = 0.0;
      const bool pulls = force.z() < 0.05 * weight;
      friction.value[at(i)] = force.head<2>().norm() / std::max(force.z(), 0.05 * weight);
      const Eigen::Vector2d point(-moment.y() / force.z(), moment.x() / force.z());
      zmp_.push_back(pulls ? Eigen::Vector2d(kNaN, kNaN) : point);
      std::vector<Eigen::Vector2d> corners;
      for (const FootTrack& foot : feet_) {
        if (foot.stance[at(i)]) corners.insert(corners.end(), foot.corners[at(i)].begin(), foot.corners[at(i)].end());
      }
      if (!pulls) zmp.value[at(i)] = std::max(0.0, -signed_distance(convex_hull(corners), point));
      outside += zmp.value[at(i)] > rules_.zmp_outside_m;
      if (has_limits) judge_torques(i, inverse, state, force, moment, torque);
    }
    zmp_ratio_ = in_contact == 0 ? kNaN : static_cast<double>(outside) / static_cast<double>(in_contact);
    Judged& floating = judged_.front();
    for (Eigen::Index i = 0; i < frames_; ++i) {
      const bool flies = !has_stance(i) && flight.value[at(i)] <= rules_.flight_force;
      if (flies) floating.value[at(i)] = kNaN;
      if (flies) offends_[0][at(i)] = offends_[1][at(i)] = false;
      num_flight_ += flies;
    }
    if (!has_limits) made_.notes.push_back("torques are not judged: the robot's file has no effort limits");
    judged_.push_back(std::move(zmp));
    judged_.push_back(std::move(friction));
    judged_.push_back(std::move(flight));
    judged_.push_back(std::move(torque));
  }

  /// The feet in stance share the wrench: forces in proportion to how near each sole is to the ZMP, the rest of the
  /// moment by the least norm. The best sharing may need less torque; this one is the same for all motions.
  void judge_torques(Eigen::Index i, InverseDynamics& inverse, const RobotState& state, const Eigen::Vector3d& force,
                     const Eigen::Vector3d& moment, Judged& torque) const {
    std::array<double, 2> share = {feet_[0].stance[at(i)] ? 1.0 : 0.0, feet_[1].stance[at(i)] ? 1.0 : 0.0};
    if (share[0] > 0.0 && share[1] > 0.0) {
      const Eigen::Vector2d left = feet_[0].centre.col(i).head<2>(), right = feet_[1].centre.col(i).head<2>(),
                            apart = right - left;
      const Eigen::Vector2d zmp = zmp_.back();
      const double along = zmp.allFinite() && apart.squaredNorm() > 1e-6
                               ? std::clamp(apart.dot(zmp - left) / apart.squaredNorm(), 0.0, 1.0)
                               : 0.5;
      share = {1.0 - along, along};
    }
    Eigen::Vector3d carried = Eigen::Vector3d::Zero();
    for (const int side : {kLeft, kRight}) carried += feet_[at(side)].centre.col(i).cross(share[at(side)] * force);
    std::array<Wrench, 2> wrenches;
    for (const int side : {kLeft, kRight}) {
      const Eigen::Vector3d own = share[at(side)] * force;
      wrenches[at(side)].force = own;
      wrenches[at(side)].moment = feet_[at(side)].centre.col(i).cross(own) + share[at(side)] * (moment - carried);
    }
    const Eigen::VectorXd generalised = inverse.compute(state, a_.col(i), wrenches);
    double worst = 0.0;
    for (int k = 0; k < robot_.num_joints(); ++k) {
      const Joint& joint = robot_.joints()[static_cast<std::size_t>(k)];
      if (!std::isfinite(joint.effort) || !(joint.effort > 0.0)) continue;
      const double ratio = std::abs(generalised[6 + k]) / joint.effort;
      if (ratio <= worst) continue;
      worst = ratio;
      torque.where[at(i)] = fmt::format("torque of {}", joint.name);
    }
    torque.value[at(i)] = worst;
  }

  void judge_joints() {
    Judged speed = judged("joint_speed", "a joint is faster than its limit", "of the limit", 1.0);
    Judged range = judged("joint_range", "a joint is beyond its range", "rad", rules_.limit_rad);
    const Eigen::MatrixXd rates = central_difference(q_.bottomRows(robot_.num_joints()), rate_);
    const Eigen::MatrixXd jerk = central_difference(a_.bottomRows(robot_.num_joints()), rate_);
    bool has_limits = false;
    for (Eigen::Index i = 0; i < frames_; ++i) {
      range.value[at(i)] = 0.0;
      for (int k = 0; k < robot_.num_joints(); ++k) {
        const Joint& joint = robot_.joints()[static_cast<std::size_t>(k)];
        const double angle = q_(7 + k, i), beyond = std::max({0.0, joint.lower - angle, angle - joint.upper});
        if (beyond > range.value[at(i)]) {
          range.value[at(i)] = beyond;
          range.where[at(i)] = fmt::format("{} is beyond its range", joint.name);
        }
        if (!std::isfinite(joint.velocity) || !(joint.velocity > 0.0)) continue;
        has_limits = true;
        const double ratio = std::abs(rates(k, i)) / joint.velocity;
        if (ratio > speed.value[at(i)] || !std::isfinite(speed.value[at(i)])) {
          speed.value[at(i)] = ratio;
          speed.where[at(i)] = fmt::format("speed of {}", joint.name);
        }
      }
    }
    if (!has_limits) made_.notes.push_back("joint speeds are not judged: the robot's file has no velocity limits");
    made_.metrics.set("joint_jerk_rms_rad_per_s3", std::sqrt(jerk.squaredNorm() / static_cast<double>(jerk.size())));
    judged_.push_back(std::move(speed));
    judged_.push_back(std::move(range));
  }

  void judge_self_collision() {
    SelfCollision collision(robot_);
    if (!collision.is_known()) {
      made_.notes.push_back(
          "self-collision is not judged: the robot's file has no simple collision shapes (boxes, balls, cylinders, "
          "capsules)");
      return;
    }
    if (collision.num_mesh_links() > 0) {
      made_.notes.push_back(
          fmt::format("self-collision: {} links have meshes only, and are not judged", collision.num_mesh_links()));
    }
    Judged inside = judged("self_collision", "two links are inside each other", "m", rules_.collision_m);
    for (Eigen::Index i = 0; i < frames_; ++i) inside.value[at(i)] = collision.update(q_.col(i), inside.where[at(i)]);
    judged_.push_back(std::move(inside));
  }

  void conclude() {
    for (const Judged& one : judged_) {
      std::size_t num_judged = 0, num_broken = 0;
      double largest = 0.0;
      for (const double value : one.value) {
        if (!std::isfinite(value)) continue;
        ++num_judged;
        num_broken += value > one.threshold;
        largest = std::max(largest, value);
      }
      double ratio = num_judged == 0 ? kNaN : static_cast<double>(num_broken) / static_cast<double>(num_judged);
      if (one.name == "sliding") ratio = stance_slide_ratio_;  // of the samples, not of the frames
      if (one.name == "zmp_outside") ratio = zmp_ratio_;
      const bool is_null = num_judged == 0 || !std::isfinite(ratio);
      made_.metrics.set(one.name + "_ratio", is_null ? MetricValue() : MetricValue(ratio));
      made_.metrics.set(one.name + "_max" + ending_of(one.unit), is_null ? MetricValue() : MetricValue(largest));
      if (is_null) continue;
      made_.criteria.push_back({one.name, one.meaning, ratio, grade_letter(ratio)});
      add_moments(one);
    }
    std::ranges::stable_sort(made_.criteria, std::greater(), &GradeCriterion::ratio);
    made_.grade = made_.criteria.empty() ? 'A' : made_.criteria.front().grade;
    std::ranges::stable_sort(made_.worst, std::greater(), &WorstMoment::severity);
    constexpr std::size_t kShown = 20;
    if (made_.worst.size() > kShown) made_.worst.resize(kShown);
    made_.metrics.set("frames_graded", static_cast<std::int64_t>(frames_));
    made_.metrics.set("motion_duration_s", static_cast<double>(frames_ - 1) / rate_);
    made_.metrics.set("flight_ratio", static_cast<double>(num_flight_) / static_cast<double>(frames_));
    made_.metrics.set("grade", std::string(1, made_.grade));
    made_.metrics.set("grade_points", static_cast<std::int64_t>(grade_points(made_.grade)));
  }

  /// The worst frame of every half second in which the rule is broken.
  void add_moments(const Judged& one) {
    const auto window = std::max<std::size_t>(1, static_cast<std::size_t>(0.5 * rate_));
    for (std::size_t begin = 0; begin < one.value.size(); begin += window) {
      std::size_t worst = begin;
      const std::size_t end = std::min(begin + window, one.value.size());
      for (std::size_t i = begin; i < end; ++i) {
        if (std::isfinite(one.value[i]) && !(one.value[i] <= one.value[worst])) worst = i;
      }
      if (!(one.value[worst] > one.threshold)) continue;
      const std::string& what = one.where[worst].empty() ? one.meaning : one.where[worst];
      made_.worst.push_back(
          {static_cast<double>(worst) / rate_, one.name,
           fmt::format("{}: {:.3g} {}", what, one.value[worst], one.unit == "-" ? "(coefficient)" : one.unit),
           one.value[worst] / one.threshold});
    }
  }

  void write_log() {
    std::vector<std::string> columns{"time_s"};
    constexpr const char* kBase[] = {"base_x_m",          "base_y_m",          "base_z_m",         "base_quaternion_x",
                                     "base_quaternion_y", "base_quaternion_z", "base_quaternion_w"};
    columns.insert(columns.end(), std::begin(kBase), std::end(kBase));
    for (const Joint& joint : robot_.joints()) columns.push_back(fmt::format("position_{}_rad", joint.name));
    for (const char* side : kSides) {
      for (const char* quantity : {"sole_height_m", "sole_speed_m_per_s", "stance", "offends"})
        columns.push_back(fmt::format("{}_{}", side, quantity));
    }
    columns.insert(columns.end(), {"zmp_x_m", "zmp_y_m", "force_z_n"});
    for (const Judged& one : judged_) columns.push_back(one.name + "_severity");
    made_.log = Log(columns);
    made_.log.reserve(at(frames_));
    std::vector<double> row;
    for (Eigen::Index i = 0; i < frames_; ++i) {
      row.assign(1, static_cast<double>(i) / rate_);
      row.insert(row.end(), q_.col(i).begin(), q_.col(i).end());
      for (const int side : {kLeft, kRight}) {
        const FootTrack& foot = feet_[at(side)];
        row.push_back(foot.lowest[at(i)]);
        row.push_back(foot.velocity.col(i).head<2>().norm());
        row.push_back(foot.stance[at(i)] ? 1.0 : kNaN);
        row.push_back(offends_[at(side)][at(i)] ? 1.0 : kNaN);
      }
      row.insert(row.end(), {zmp_[at(i)].x(), zmp_[at(i)].y(), force_[at(i)].z()});
      for (const Judged& one : judged_) row.push_back(one.value[at(i)] / one.threshold);
      made_.log.append(row);
    }
  }

  const RobotModel& robot_;
  GradeRules rules_;
  double rate_ = 0.0, cutoff_ = 0.0;
  Eigen::MatrixXd q_, smooth_, v_, a_;
  Eigen::Index frames_ = 0, num_flight_ = 0;
  std::array<FootTrack, 2> feet_;
  std::array<std::vector<bool>, 2> offends_;  ///< by side and frame
  std::vector<Eigen::Vector3d> force_;
  std::vector<Eigen::Vector2d> zmp_;
  std::vector<Judged> judged_;
  double stance_slide_ratio_ = 0.0, zmp_ratio_ = 0.0;
  MotionGrade made_;
};

}  // namespace

char grade_letter(double ratio) {
  constexpr std::pair<double, char> kLetters[] = {{0.01, 'A'}, {0.05, 'B'}, {0.15, 'C'}, {0.40, 'D'}};
  for (const auto& [most, letter] : kLetters) {
    if (ratio <= most) return letter;
  }
  return 'E';
}

int grade_points(char letter) { return 'E' - letter; }

MotionGrade grade_motion(const RobotModel& robot, const RobotMotion& motion, const GradeRules& rules) {
  return Grader(robot, motion, rules).grade();
}

}  // namespace aplomb

#include "aplomb/retarget/whole_motion/clip_task.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "aplomb/retarget/mapping/arm_rests.hpp"
#include "aplomb/retarget/mapping/foot_paths.hpp"
#include "aplomb/retarget/mapping/planted.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/dynamics/motion_derivatives.hpp"
#include "aplomb/robot/shapes/seat_shapes.hpp"

namespace aplomb {
namespace {

constexpr double kMinKnee = 0.12;  // [rad] smallest knee angle: a straight leg cannot be bent by a small force
constexpr double kLimitMargin = 0.05, kLimitMarginFraction = 0.03;  // margin to joint limits [rad]; of the range
constexpr double kMostMarginFraction = 0.5;  // largest CoP margin, as a fraction of half the sole
constexpr double kSeatFriction = 0.4, kFloorFriction = 0.6, kHandFriction = 0.4;
constexpr double kClearShare = 0.10, kClearTime = 0.40;  // of the hips' height above the seat, by that time off it [s]
constexpr double kHeightBlend = 0.30;                    // [s] off the seat over which the CoM's height gains its price
constexpr double kLeastSeatForce = 0.03;                 // of a seat pad, per weight, away from seat-off and seat-on
constexpr double kSeatRamp = 0.1;                        // [s] before seat-off, after seat-on: load is taken over
constexpr double kPelvisGap = 0.003;                     // [m] of the pelvis above the seat: that the hips carry it
constexpr double kThighTilt = 0.002;                     // [m] an end of a shape on the seat may be below it
constexpr double kTouching = 0.001;                      // [m] above the seat up to which a shape counts as on it
constexpr double kTouchForce = 0.03;  // largest force of a pad in its first and last frame, per weight
constexpr double kLeastHandLoad = 0.5, kHandRoom = 0.02;    // of the person's share; added to it, per weight
constexpr double kLimbGap = 0.005;                          // [m] kept between a limb and what it may run into
constexpr double kHandLift = 0.30, kHandLifted = 0.60;      // of the hips' height above the seat; [s] after the release
constexpr double kPosturePull = 3e-3, kLateralPull = 0.02;  // to the seated posture; in roll and yaw of trunk and legs
constexpr double kFootRamp = 0.1;         // [s] over which a foot takes its least load, and gets clear of the floor
constexpr double kFootClearance = 0.025;  // of a sole in the air, per leg length
constexpr double kTallLeg = 0.8;          // [m] leg length for which the prices are stated

/// Builds the task part by part.
class TaskBuilder {
 public:
  TaskBuilder(const ClipTask& clip, const ClipTaskOptions& options)
      : clip_(clip),
        robot_(clip.robot),
        options_(options),
        weight_(robot_.mass() * kGravity),
        count_((clip.human.num_frames() - 1) / options.stride + 1),
        tree_(robot_) {
    task_.step_s = static_cast<double>(options.stride) / clip.human.rate_hz;
    tree_.update(clip.seated.state.q);
    hips_ = tree_.point(clip.limbs.pelvis, clip.limbs.hips);
  }

  MotionTask build() {
    task_.first_guess.resize(robot_.nv(), count_);
    for (Eigen::Index j = 0; j < count_; ++j) task_.first_guess.col(j) = flat_coordinates(clip_.guess.col(frame(j)));
    unwrap();
    add_soles();
    add_seat();
    add_hands();
    add_distances();
    add_references();
    add_limits();
    return std::move(task_);
  }

 private:
  Eigen::Index frame(Eigen::Index knot) const { return knot * options_.stride; }
  double time_s(Eigen::Index knot) const { return static_cast<double>(knot) * task_.step_s; }
  std::vector<char> never() const { return std::vector<char>(static_cast<std::size_t>(count_), 0); }
  bool is_on_seat(Eigen::Index knot) const { return clip_.human.is_in_contact(ContactSite::seat, frame(knot)); }

  /// Yaw and roll without jumps by full turns.
  void unwrap() {
    for (Eigen::Index j = 1; j < count_; ++j) {
      for (Eigen::Index i = 3; i < 6; ++i) {
        double& angle = task_.first_guess(i, j);
        angle -= 2.0 * M_PI * std::round((angle - task_.first_guess(i, j - 1)) / (2.0 * M_PI));
      }
    }
  }

  void add_soles() {
    const std::array<FootPath, 2> feet = foot_paths(clip_.human, robot_, tree_, clip_.overlay);
    for (std::size_t side = 0; side < 2; ++side) {
      const FootPath& path = feet[side];
      const LinkPlacement& foot =
          robot_.tree().links[static_cast<std::size_t>(robot_.frame(robot_.description().roles.foot[side]))];
      const Sole& sole = *robot_.description().soles[side];
      SoleContact contact;
      contact.name = side == 0 ? "left_foot" : "right_foot";
      contact.body = foot.body;
      contact.T_body_sole = foot.T_body_link * Eigen::Translation3d(sole.centre());
      contact.places = path.places;
      const double half_length = 0.5 * (sole.x_max - sole.x_min), half_width = 0.5 * (sole.y_max - sole.y_min);
      contact.half_size.x() = half_length - std::min(options_.cop_margin_length, kMostMarginFraction * half_length);
      contact.half_size.y() = half_width - std::min(options_.cop_margin_width, kMostMarginFraction * half_width);
      contact.friction = kFloorFriction;
      const auto is_on = [&](Eigen::Index j) {
        return path.is_on[static_cast<std::size_t>(frame(std::clamp<Eigen::Index>(j, 0, count_ - 1)))] != 0;
      };
      // Forces are linear between knots: in the one in which the floor is met the foot does not bear yet. It is there
      // a knot before it bears and a knot after it: it comes to rest before it is loaded.
      contact.is_active = contact.is_placed = never();
      contact.least_force.setZero(count_);
      for (Eigen::Index j = 0; j < count_; ++j) {
        const auto at = static_cast<std::size_t>(j);
        contact.place.push_back(path.place[static_cast<std::size_t>(frame(j))]);
        contact.is_active[at] = is_on(j) && is_on(j - 1) ? 1 : 0;
      }
      const auto bears = [&](Eigen::Index j) {
        return contact.is_active[static_cast<std::size_t>(std::clamp<Eigen::Index>(j, 0, count_ - 1))] != 0;
      };
      for (Eigen::Index j = 0; j < count_; ++j) {
        contact.is_placed[static_cast<std::size_t>(j)] =
            bears(j - 1) || bears(j) || bears(j + 1) || bears(j + 2) ? 1 : 0;
        Eigen::Index away = 0;  // knots to the nearest one without load
        while (away < count_ && bears(j - away) && bears(j + away)) ++away;
        const double loaded = std::min(1.0, time_s(away) / kFootRamp);
        contact.least_force[j] = options_.least_foot_force * weight_ * loaded;
      }
      lift(contact, 0.5 * Eigen::Vector2d(sole.x_max - sole.x_min, sole.y_max - sole.y_min));
      task_.soles.push_back(contact);
    }
  }

  /// In the air the corners of a sole keep clear of the floor; how high it goes is the markers' matter.
  void lift(const SoleContact& contact, const Eigen::Vector2d& half_size) {
    const double clearance = kFootClearance * clip_.limbs.leg_length();
    PointCondition above{
        .name = contact.name + " above the floor", .body = contact.body, .direction = Eigen::Vector3d::UnitZ()};
    above.value.setZero(count_);
    above.is_active = never();
    Eigen::Index placed = -count_;  // last knot at a place
    bool is_lifted = false;
    for (Eigen::Index j = 0; j < count_; ++j) {
      const auto at = static_cast<std::size_t>(j);
      if (contact.is_placed[at] != 0) {
        placed = j;
        continue;
      }
      is_lifted = true;
      Eigen::Index next = j;
      while (next < count_ && contact.is_placed[static_cast<std::size_t>(next)] == 0) ++next;
      const Eigen::Index away = std::min(j - placed, next < count_ ? next - j : count_);
      const double u = std::min(1.0, time_s(away) / kFootRamp);
      above.value[j] = contact.T_world_sole(j).translation().z() + clearance * u * u * (3.0 - 2.0 * u);
      above.is_active[at] = 1;
    }
    for (const double x : {1.0, -1.0}) {
      for (const double y : {1.0, -1.0}) {
        if (!is_lifted) continue;
        above.offset = contact.T_body_sole * Eigen::Vector3d(x * half_size.x(), y * half_size.y(), 0.0);
        task_.bounds.push_back(above);
      }
    }
  }

  /// Time from a knot on the seat to the nearest one off it [s]; infinite where the clip has none.
  double seated_for_s(Eigen::Index knot) const {
    Eigen::Index nearest = count_;
    for (Eigen::Index j = 0; j < count_; ++j) {
      if (!is_on_seat(j)) nearest = std::min(nearest, std::abs(j - knot));
    }
    return nearest == count_ ? HUGE_VAL : time_s(nearest);
  }

  void add_seat() {
    bool has_seat = false;
    for (Eigen::Index j = 0; j < count_; ++j) has_seat = has_seat || is_on_seat(j);
    if (!has_seat) return;
    const Limbs& limbs = clip_.limbs;
    const double half_hips = 0.5 * (tree_.origin(limbs.legs[0].thigh) - tree_.origin(limbs.legs[1].thigh)).norm();
    for (int side = 0; side < 2; ++side) {
      PointContact pad;
      pad.name = "seat";
      pad.body = limbs.pelvis;
      pad.place = {hips_.x(), hips_.y() + (side == 0 ? half_hips : -half_hips), clip_.seated.chair_height};
      pad.friction = kSeatFriction;
      pad.is_active = never();
      pad.least_force.setZero(count_);
      pad.largest_force.setConstant(count_, HUGE_VAL);
      for (Eigen::Index j = 0; j < count_; ++j) {
        // In the knot in which it is taken the seat does not bear yet: forces are linear between knots, and would begin
        // before the contact does.
        if (!is_on_seat(j) || (j > 0 && !is_on_seat(j - 1))) continue;
        const double loaded = std::min(1.0, seated_for_s(j) / kSeatRamp);
        pad.is_active[static_cast<std::size_t>(j)] = 1;
        pad.least_force[j] = kLeastSeatForce * weight_ * loaded;
        if (loaded < 1.0) pad.largest_force[j] = weight_ * (kTouchForce + loaded);
      }
      task_.points.push_back(pad);
    }
    // Both pads bear, so that both hips stay where they are: the pelvis may only pitch.
    const Eigen::Vector3d lateral = tree_.rotation(limbs.pelvis).transpose() * (half_hips * Eigen::Vector3d::UnitY());
    for (int side = 0; side < 2; ++side) {
      const Eigen::Vector3d hip = limbs.hips + (side == 0 ? lateral : -lateral);
      add_on_seat(hip, Eigen::Vector3d::UnitX(), hips_.x());
      add_on_seat(hip, Eigen::Vector3d::UnitZ(), hips_.z());
    }
    add_on_seat(limbs.hips, Eigen::Vector3d::UnitY(), hips_.y());
    keep_shapes_on_seat();
    PointCondition clear{.name = "hips above the seat",
                         .body = limbs.pelvis,
                         .offset = limbs.hips,
                         .direction = Eigen::Vector3d::UnitZ()};
    clear.value.setZero(count_);
    clear.is_active = never();
    for (Eigen::Index j = 0; j < count_; ++j) {
      if (is_on_seat(j)) continue;
      const double u = std::clamp(seat_distance_s(clip_.human, frame(j)) / kClearTime, 0.0, 1.0);
      clear.value[j] = hips_.z() + kClearShare * clip_.seated.clearance * u * u * (3.0 - 2.0 * u);
      clear.is_active[static_cast<std::size_t>(j)] = 1;
    }
    task_.bounds.push_back(clear);
  }

  void add_on_seat(const Eigen::Vector3d& offset, const Eigen::Vector3d& direction, double value) {
    PointCondition on_seat{
        .name = "hips on the seat", .body = clip_.limbs.pelvis, .offset = offset, .direction = direction};
    on_seat.value.setConstant(count_, value);
    on_seat.is_active = never();
    for (Eigen::Index j = 0; j < count_; ++j) on_seat.is_active[static_cast<std::size_t>(j)] = is_on_seat(j) ? 1 : 0;
    task_.equations.push_back(on_seat);
  }

  /// On the seat the robot rests on the shapes at its hips, as in the seated posture: those of the pelvis behind them
  /// stay above it, and long ones of the thighs stay level on it, or they would lift the hips and move the seat's
  /// force.
  void keep_shapes_on_seat() {
    const std::vector<SeatShape> shapes = seat_shapes(robot_, clip_.limbs);
    const auto half_of = [](const SeatShape& one) {
      return one.shape.kind == Shape::Kind::capsule ? 0.5 * one.shape.size.y() : 0.0;
    };
    // A robot whose thighs do not reach the seat sits on its pelvis, which then tilts on it.
    const bool thighs_bear = std::ranges::any_of(shapes, [&](const SeatShape& one) {
      if (one.body == clip_.limbs.pelvis) return false;
      const double reach = half_of(one);
      const double lowest = std::min(height_of(one, -reach), height_of(one, reach)) - one.shape.size.x();
      return lowest < clip_.seated.chair_height + kTouching;
    });
    for (const SeatShape& one : shapes) {
      const bool is_pelvis = one.body == clip_.limbs.pelvis;
      const double half = half_of(one);
      if (!is_pelvis && half == 0.0) continue;
      for (const double end : {-half, half}) {
        PointCondition above{.name = is_pelvis ? "pelvis above the seat" : "thigh above the seat",
                             .body = one.body,
                             .offset = one.shape.T_link_shape * Eigen::Vector3d(0.0, 0.0, end),
                             .direction = Eigen::Vector3d::UnitZ()};
        const double touching = clip_.seated.chair_height + one.shape.size.x();
        const double sitting = height_of(one, end);
        const double room = !is_pelvis ? -kThighTilt : thighs_bear ? kPelvisGap : -kThighTilt;
        above.value.setConstant(count_, (is_pelvis ? touching : std::min(touching, sitting)) + room);
        above.is_active = never();
        for (Eigen::Index j = 0; j < count_; ++j) above.is_active[static_cast<std::size_t>(j)] = is_on_seat(j) ? 1 : 0;
        task_.bounds.push_back(above);
      }
    }
  }

  /// Height of a point of a shape's axis in the seated posture [m].
  double height_of(const SeatShape& one, double along) const {
    return tree_.point(one.body, one.shape.T_link_shape * Eigen::Vector3d(0.0, 0.0, along)).z();
  }

  void add_hands() {
    if (clip_.seated.hands.empty()) return;
    const Eigen::Matrix2Xd share = hand_share(clip_.human, clip_.seated);
    for (const RestingHand& hand : clip_.seated.hands) {
      PointContact rest;
      rest.name = hand.side == 0 ? "left_hand" : "right_hand";
      rest.body = hand.body;
      rest.place = hand.place;
      rest.friction = kHandFriction;
      rest.is_active = never();
      rest.least_force.setZero(count_);
      rest.largest_force.setConstant(count_, HUGE_VAL);
      const Eigen::Index off = clip_.human.rise.hand_off[hand.side];
      PointCondition lifted{.name = rest.name + " above its rest",
                            .body = hand.body,
                            .offset = hand.offset,
                            .direction = Eigen::Vector3d::UnitZ()};
      lifted.value.setConstant(count_, hand.place.z());
      lifted.is_active = never();
      for (Eigen::Index j = 0; j < count_; ++j) {
        const auto at = static_cast<std::size_t>(j);
        const double load = share(static_cast<Eigen::Index>(hand.side), frame(j)) * weight_;
        const double since = static_cast<double>(frame(j) - off) / clip_.human.rate_hz;
        rest.is_active[at] = frame(j) < off ? 1 : 0;
        rest.least_force[j] = kLeastHandLoad * load;
        rest.largest_force[j] = load + kHandRoom * weight_;
        lifted.is_active[at] = since >= 0.0 && since < kHandLifted ? 1 : 0;
        const double u = std::clamp(since / kHandLifted, 0.0, 1.0);
        lifted.value[j] += kHandLift * clip_.seated.clearance * u * u * (3.0 - 2.0 * u);
      }
      for (int axis = 0; axis < 3; ++axis) {
        PointCondition held{.name = rest.name + " on its rest",
                            .body = hand.body,
                            .offset = hand.offset,
                            .direction = Eigen::Vector3d::Unit(axis)};
        held.value.setConstant(count_, hand.place[axis]);
        held.is_active = rest.is_active;
        task_.equations.push_back(held);
      }
      task_.points.push_back(rest);
      task_.bounds.push_back(lifted);
    }
  }

  void add_distances() {
    for (const CapsulePair& pair : pairs_of_limbs(robot_, clip_.limbs)) {
      const std::string& other = robot_.tree().bodies[static_cast<std::size_t>(pair.second.body)].link;
      task_.pairs.push_back({pair.first, pair.second, kLimbGap,
                             robot_.tree().bodies[static_cast<std::size_t>(pair.first.body)].link + " and " + other});
    }
  }

  void add_references() {
    const double leg = clip_.limbs.leg_length(), size = kTallLeg * kTallLeg / (leg * leg);
    task_.markers = clip_.overlay.markers;
    const double count = static_cast<double>(task_.markers.size());
    task_.marker_targets.resize(3 * static_cast<Eigen::Index>(task_.markers.size()), count_);
    for (std::size_t i = 0; i < task_.markers.size(); ++i) {
      task_.markers[i].weight *= options_.marker_price / (count * leg * leg);
      for (Eigen::Index j = 0; j < count_; ++j) {
        task_.marker_targets.block<3, 1>(3 * static_cast<Eigen::Index>(i), j) =
            clip_.overlay.target(clip_.human, i, frame(j));
      }
    }
    task_.com.resize(3, count_);
    task_.com_weight.setConstant(3, count_, options_.com_price * size);
    if (options_.com_is_equation) task_.com_is_equation.setZero(3, count_);
    for (Eigen::Index j = 0; j < count_; ++j) {
      task_.com.col(j) = clip_.com.col(frame(j));
      const double away = is_on_seat(j) ? 0.0 : seat_distance_s(clip_.human, frame(j));
      task_.com_weight(2, j) *= std::clamp(away / kHeightBlend, 0.0, 1.0);
      if (options_.com_is_equation) task_.com_is_equation.col(j) << 1, 1, is_on_seat(j) ? 0 : 1;
    }
    task_.jerk_weight.setConstant(robot_.nv(), options_.jerk_price);
    task_.force_rate_weight = options_.force_rate_price;
    task_.friction_weight = options_.friction_price;
  }

  void add_limits() {
    const Eigen::Index joints = robot_.num_joints();
    task_.lower.resize(joints);
    task_.upper = task_.speed = task_.torque = task_.posture_weight = task_.lower;
    task_.posture = joint_positions(clip_.seated.state.q);
    for (Eigen::Index i = 0; i < joints; ++i) {
      const Joint& joint = robot_.joints()[static_cast<std::size_t>(i)];
      task_.lower[i] = joint.lower;
      task_.upper[i] = joint.upper;
      task_.speed[i] = options_.speed_reserve * joint.velocity;
      const bool has_torque = std::isfinite(joint.effort) && joint.effort > 0.0;
      task_.torque[i] = has_torque ? options_.torque_reserve * joint.effort : 1e9;
    }
    for (const Limbs::Leg& side : clip_.limbs.legs) {
      double& bound = side.knee_sign > 0.0 ? task_.lower[side.knee] : task_.upper[side.knee];
      bound = side.knee_sign > 0.0 ? std::max(bound, kMinKnee) : std::min(bound, -kMinKnee);
    }
    for (Eigen::Index i = 0; i < joints; ++i) {
      const double range = task_.upper[i] - task_.lower[i], sitting = task_.posture[i];
      if (!std::isfinite(range)) continue;
      const double margin = std::min(kLimitMargin, kLimitMarginFraction * range);
      task_.lower[i] = std::min(task_.lower[i] + margin, std::max(sitting, task_.lower[i]));
      task_.upper[i] = std::max(task_.upper[i] - margin, std::min(sitting, task_.upper[i]));
    }
    const Limbs& limbs = clip_.limbs;
    for (int joint = 0; joint < static_cast<int>(joints); ++joint) {
      const int body = joint + 1;
      const bool is_of_trunk = tree_.carries(body, limbs.trunk);
      const bool is_of_leg = tree_.carries(body, limbs.legs[0].foot) || tree_.carries(body, limbs.legs[1].foot);
      const bool is_lateral = (is_of_trunk || is_of_leg) && std::abs(tree_.axis(joint).y()) < 0.7;
      task_.posture_weight[joint] = is_lateral ? kLateralPull : kPosturePull;
    }
  }

  const ClipTask& clip_;
  const RobotModel& robot_;
  const ClipTaskOptions& options_;
  double weight_;
  Eigen::Index count_;
  TreeKinematics tree_;
  Eigen::Vector3d hips_;
  MotionTask task_;
};

}  // namespace

MotionTask make_motion_task(const ClipTask& clip, const ClipTaskOptions& options) {
  return TaskBuilder(clip, options).build();
}

}  // namespace aplomb

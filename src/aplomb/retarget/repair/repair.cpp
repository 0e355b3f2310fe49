#include "aplomb/retarget/repair/repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "aplomb/core/error.hpp"
#include "aplomb/core/math/zero_phase.hpp"
#include "aplomb/retarget/repair/contact_motion.hpp"
#include "aplomb/retarget/repair/stance_plan.hpp"
#include "aplomb/robot/dynamics/motion_derivatives.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/solvers/banded_qp.hpp"

namespace aplomb {
namespace {

constexpr double kSteepest = 1.3;     // [rad] of base pitch: flat coordinates are singular at 90 degrees
constexpr double kHeavy = 0.1;        // of the mass: a joint that carries more may move
constexpr double kFloorFound = 0.05;  // [m]
constexpr double kFreeFall = 0.5;     // of gravity: less vertical force than that is flight
constexpr double kCutoffHz = 4.0;     // of the low-pass before accelerations are computed, as in the grade
constexpr double kFar = 0.3;          // [rad] beyond a range that is named
constexpr double kTipped = 0.25;      // [rad] a sole that is tilted more stands on an edge, unless it stands alone
constexpr const char* kSides[] = {"left", "right"};

std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }

Eigen::MatrixXd flat_motion(const Eigen::MatrixXd& q) {
  Eigen::MatrixXd flat(q.rows() - 1, q.cols());
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    flat.col(i) = flat_coordinates(q.col(i));
    for (const int angle : {3, 5}) {  // yaw and roll continue over ±π
      if (i == 0) continue;
      const double turns = std::round((flat(angle, i) - flat(angle, i - 1)) / (2.0 * std::numbers::pi));
      flat(angle, i) -= 2.0 * std::numbers::pi * turns;
    }
  }
  return flat;
}

Eigen::MatrixXd configurations_of(const Eigen::MatrixXd& flat) {
  Eigen::MatrixXd q(flat.rows() + 1, flat.cols());
  for (Eigen::Index i = 0; i < flat.cols(); ++i) q.col(i) = configuration_of(flat.col(i));
  return unit_quaternions(q);
}

/// The floor's height: where the lower sole is in the lowest tenth of the frames.
double floor_height(const std::array<FootTrack, 2>& feet) {
  std::vector<double> lower;
  for (std::size_t i = 0; i < feet[0].lowest.size(); ++i)
    lower.push_back(std::min(feet[0].lowest[i], feet[1].lowest[i]));
  const auto tenth = lower.begin() + static_cast<std::ptrdiff_t>(lower.size() / 10);
  std::nth_element(lower.begin(), tenth, lower.end());
  return *tenth;
}

/// Frames in which the motion needs a force from the floor.
std::vector<char> find_needs_floor(const RobotModel& robot, const Eigen::MatrixXd& q, double rate_hz) {
  const double cutoff = std::min(kCutoffHz, 0.2 * rate_hz);
  const Eigen::MatrixXd smooth = unit_quaternions(ZeroPhaseFilter(cutoff, rate_hz).filtered(q));
  TreeKinematics tree(robot);
  Eigen::MatrixXd height(1, q.cols());
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    tree.update(smooth.col(i));
    height(0, i) = tree.com().z();
  }
  const Eigen::MatrixXd acceleration = central_difference(central_difference(height, rate_hz), rate_hz);
  std::vector<char> needs;
  for (Eigen::Index i = 0; i < q.cols(); ++i) needs.push_back(acceleration(0, i) + kGravity > kFreeFall * kGravity);
  return needs;
}

/// Base coordinates, joints that carry a foot, and joints that carry a good part of the mass.
std::vector<int> active_coordinates(const RobotModel& robot, const std::array<FootTrack, 2>& feet) {
  const TreeKinematics tree(robot);
  std::vector<int> active = {0, 1, 2, 3, 4, 5};
  for (int joint = 0; joint < robot.num_joints(); ++joint) {
    double carried = 0.0;
    for (int body = 0; body < tree.num_bodies(); ++body) carried += tree.carries(joint + 1, body) ? tree.mass(body) : 0;
    const bool carries_foot = tree.carries(joint + 1, feet[0].body) || tree.carries(joint + 1, feet[1].body);
    if (carries_foot || carried > kHeavy * robot.mass()) active.push_back(6 + joint);
  }
  return active;
}

/// The row nearest to `angles` within range and speed, and as smooth in its change as may be.
void keep_limits(const Joint& joint, double rate_hz, Eigen::RowVectorXd& angles) {
  const Eigen::Index count = angles.size();
  const double h = 1.0 / rate_hz;
  const double most = joint.velocity > 0.0 && std::isfinite(joint.velocity) ? joint.velocity * h : INFINITY;
  bool is_kept = angles.minCoeff() >= joint.lower && angles.maxCoeff() <= joint.upper;
  for (Eigen::Index i = 1; i < count; ++i) is_kept = is_kept && std::abs(angles[i] - angles[i - 1]) <= most;
  if (is_kept) return;
  // min Σ δ² + c (second difference of δ)², with c so that a change at 4 Hz costs twice as much as a constant one.
  const double bend = std::pow(2.0 * std::numbers::pi * kCutoffHz * h, -4);
  BandedQp qp;
  qp.hessian = BandedMatrix(count, 2);
  qp.gradient.setZero(count);
  for (Eigen::Index i = 0; i < count; ++i) qp.hessian(i, i) += 1.0;
  constexpr double kSecond[] = {1.0, -2.0, 1.0};
  for (Eigen::Index i = 0; i + 2 < count; ++i) {
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b <= a; ++b) qp.hessian(i + a, i + b) += bend * kSecond[a] * kSecond[b];
    }
  }
  const auto add = [&](Eigen::Index begin, Eigen::RowVectorXd row, double bound) {
    BandedQp::Rows rows{.begin = begin};
    rows.G = row;
    rows.h = Eigen::VectorXd::Constant(1, bound);
    rows.price = Eigen::VectorXd::Constant(1, 1e3);
    qp.rows.push_back(std::move(rows));
  };
  for (Eigen::Index i = 0; i < count; ++i) {
    if (std::isfinite(joint.upper)) add(i, Eigen::RowVectorXd::Constant(1, 1.0), joint.upper - angles[i]);
    if (std::isfinite(joint.lower)) add(i, Eigen::RowVectorXd::Constant(1, -1.0), angles[i] - joint.lower);
    if (i + 1 == count || !std::isfinite(most)) continue;
    const double step = angles[i + 1] - angles[i];
    add(i, Eigen::RowVector2d(-1.0, 1.0), most - step);
    add(i, Eigen::RowVector2d(1.0, -1.0), most + step);
  }
  if (qp.solve({.tolerance = 1e-8, .gap = 1e-6, .max_iterations = 60}) == SolveStatus::numerical_trouble) return;
  angles += qp.solution().transpose();
  angles = angles.cwiseMax(joint.lower).cwiseMin(joint.upper);
}

/// Puts a sole that is far from level on its lowest edge.
void tip(const FootTrack& track, Eigen::Index frame, const Eigen::Vector2d& half_size, KnotContact& contact) {
  const Eigen::Vector3d x = track.forward.col(frame), y = track.normal.col(frame).cross(x);
  const bool is_lengthwise = std::abs(x.z()) > std::abs(y.z());  // on toes or heel
  contact.free_axis = is_lengthwise ? 1 : 0;
  contact.point.setZero();
  if (is_lengthwise) contact.point.x() = x.z() < 0.0 ? half_size.x() : -half_size.x();
  if (!is_lengthwise) contact.point.y() = y.z() < 0.0 ? half_size.y() : -half_size.y();
}

void measure_change(const RobotModel& robot, const Eigen::MatrixXd& before, const Eigen::MatrixXd& after,
                    RepairedMotion& result) {
  TreeKinematics first(robot), second(robot);
  double sum = 0.0;
  for (Eigen::Index i = 0; i < before.cols(); ++i) {
    first.update(before.col(i));
    second.update(after.col(i));
    for (int body = 0; body < first.num_bodies(); ++body) {
      const double moved = (first.origin(body) - second.origin(body)).norm();
      sum += moved;
      result.body_change_max_m = std::max(result.body_change_max_m, moved);
    }
  }
  result.body_change_mean_m = sum / static_cast<double>(before.cols() * first.num_bodies());
}

void name_limits(const RobotModel& robot, const RobotMotion& motion, RepairedMotion& result) {
  for (int i = 0; i < robot.num_joints(); ++i) {
    const Joint& joint = robot.joints()[at(i)];
    double beyond = 0.0;
    Eigen::Index where = 0;
    for (Eigen::Index k = 0; k < motion.num_frames(); ++k) {
      const double angle = motion.q(7 + i, k), now = std::max(joint.lower - angle, angle - joint.upper);
      if (now <= beyond) continue;
      beyond = now;
      where = k;
    }
    if (beyond < kFar) continue;
    result.unmended.push_back(
        fmt::format("'{}' leaves its range by up to {:.2f} rad (at {:.2f} s): it is held at its limit, which is "
                    "another movement",
                    joint.name, beyond, static_cast<double>(where) / motion.rate_hz));
  }
}

}  // namespace

RepairedMotion repair_motion(const RobotModel& robot, const RobotMotion& motion, const StanceRule& rule) {
  if (motion.num_frames() < 8) throw InvalidValue("a motion of fewer than eight frames cannot be repaired");
  const double rate = motion.rate_hz, step = 1.0 / rate;
  const Eigen::MatrixXd original = unit_quaternions(motion.q);
  Eigen::MatrixXd flat = flat_motion(original);
  for (Eigen::Index i = 0; i < flat.cols(); ++i) {
    if (std::abs(flat(4, i)) < kSteepest) continue;
    throw InvalidValue(
        fmt::format("the base pitches by {:.2f} rad at {:.2f} s; motions on the feet with less than {} rad can be "
                    "repaired",
                    flat(4, i), static_cast<double>(i) * step, kSteepest));
  }
  RepairedMotion result;
  std::array<FootTrack, 2> feet = track_feet(robot, original, rate, rule);
  const double floor = floor_height(feet);
  if (std::abs(floor) > kFloorFound) {
    flat.row(2).array() -= floor;
    result.changes.push_back(fmt::format("the motion is moved by {:.3f} m so that its floor is at z = 0", -floor));
    feet = track_feet(robot, configurations_of(flat), rate, rule);
  }
  name_limits(robot, motion, result);

  const std::vector<char> needs_floor = find_needs_floor(robot, original, rate);
  const StancePlan stances = plan_stances(feet, needs_floor, rate, rule);
  for (const auto& [begin, end] : stances.flights) {
    const bool is_flight =
        std::none_of(needs_floor.begin() + begin, needs_floor.begin() + end, [](char c) { return c; });
    auto& lines = is_flight ? result.changes : result.unmended;
    lines.push_back(fmt::format("{:.2f} to {:.2f} s: {}", static_cast<double>(begin) * step,
                                static_cast<double>(end) * step,
                                is_flight ? "free flight, left as it is"
                                          : "no foot stands or could be held on the floor, but the motion needs its "
                                            "force: flight without take-off, or a fast slide"));
  }

  ContactMotionTask task{.step_s = step, .reference = flat, .active = active_coordinates(robot, feet), .rule = rule};
  for (int joint = 0; joint < robot.num_joints(); ++joint) {
    if (std::ranges::find(task.active, 6 + joint) != task.active.end()) continue;
    Eigen::RowVectorXd angles = task.reference.row(6 + joint);
    keep_limits(robot.joints()[at(joint)], rate, angles);
    task.reference.row(6 + joint) = angles;
  }
  for (const int side : {kLeft, kRight}) {
    const FootTrack& track = feet[at(side)];
    ContactMotionTask::Foot& foot = task.feet[at(side)];
    foot.body = track.body;
    foot.T_body_sole = track.T_body_foot * Eigen::Translation3d(track.sole.centre());
    foot.half_size << 0.5 * (track.sole.x_max - track.sole.x_min), 0.5 * (track.sole.y_max - track.sole.y_min);
    for (Eigen::Index i = 0; i < flat.cols(); ++i) {
      const int index = stances.at[at(side)][at(i)];
      KnotContact contact;
      if (index >= 0) {
        const FootStance& stance = stances.stances[at(index)];
        contact = {.is_on = true, .T_world_sole = stance.T_world_sole()};
        if (stance.pivots) contact.free_axis = 2;
        const bool is_alone = stances.at[at(1 - side)][at(i)] < 0;
        if (!is_alone && track.normal(2, i) < std::cos(kTipped)) tip(track, i, foot.half_size, contact);
      }
      foot.at.push_back(contact);
    }
  }
  for (const FootStance& stance : stances.stances) {
    if (!stance.pivots) continue;
    result.changes.push_back(fmt::format("{:.2f} to {:.2f} s: the {} foot turns on the spot while it stands",
                                         static_cast<double>(stance.begin) * step,
                                         static_cast<double>(stance.end) * step, kSides[stance.side]));
  }
  const ContactMotion solved = solve_contact_motion(robot, task);
  if (solved.sole_error_m > 1e-3) {
    result.unmended.push_back(fmt::format("a sole stays {:.3f} m off its place on the floor: the leg does not reach it",
                                          solved.sole_error_m));
  }
  result.motion = {.rate_hz = rate, .q = configurations_of(solved.knots)};
  result.iterations = solved.iterations;
  measure_change(robot, original, result.motion.q, result);
  return result;
}

}  // namespace aplomb

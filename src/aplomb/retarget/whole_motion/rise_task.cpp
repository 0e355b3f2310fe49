#include "aplomb/retarget/whole_motion/rise_task.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/retarget/mapping/planted.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/dynamics/motion_derivatives.hpp"

namespace aplomb {
namespace {

constexpr double kMinKnee = 0.12;
constexpr double kLimitMargin = 0.05, kLimitMarginFraction = 0.03;
constexpr double kSeatForward = 0.05;  // centre of the seat force in front of the hips, as a fraction of the thigh
constexpr double kSeatFriction = 0.4, kFloorFriction = 0.6;
constexpr double kClearShare = 0.10, kClearTime = 0.40;
constexpr double kHeightBlend = 0.30;
constexpr double kLeastSeatForce = 0.03, kSeatRamp = 0.1;
constexpr double kPosturePull = 3e-3, kLateralPull = 0.02;

struct TimeMap {
  double lead, step, rate;
  Eigen::Index last;
  double place(Eigen::Index frame) const {
    return std::clamp((static_cast<double>(frame) * step - lead) * rate, 0.0, static_cast<double>(last));
  }
  Eigen::MatrixXd resample(const Eigen::MatrixXd& samples, Eigen::Index frames) const {
    Eigen::MatrixXd result(samples.rows(), frames);
    for (Eigen::Index j = 0; j < frames; ++j) {
      const double at = place(j);
      const Eigen::Index i = std::min(static_cast<Eigen::Index>(at), last - 1);
      const double u = at - static_cast<double>(i);
      result.col(j) = (1.0 - u) * samples.col(i) + u * samples.col(i + 1);
    }
    return result;
  }
};

}  // namespace

MotionTask make_rise_task(const RobotModel& robot, const Limbs& limbs, const HumanPath& human,
                          const SeatedRobot& seated, const Overlay& overlay, const Eigen::Matrix3Xd& com_mapped,
                          const Eigen::MatrixXd& first_guess, const RiseTaskOptions& options) {
  MotionTask task;
  task.step_s = options.step_s;
  const TimeMap time{options.lead_s, options.step_s, human.rate_hz, human.num_frames() - 1};
  const double duration = static_cast<double>(human.num_frames() - 1) / human.rate_hz;
  const auto frames =
      static_cast<Eigen::Index>(std::lround((options.lead_s + duration + options.tail_s) / options.step_s)) + 1;
  const auto seat_off = static_cast<Eigen::Index>(
      std::lround((options.lead_s + static_cast<double>(human.rise.seat_off) / human.rate_hz) / options.step_s));
  const auto count = static_cast<std::size_t>(frames);
  const double weight = robot.mass() * kGravity;

  Eigen::MatrixXd flat(first_guess.rows() - 1, first_guess.cols());
  for (Eigen::Index i = 0; i < first_guess.cols(); ++i) flat.col(i) = flat_coordinates(first_guess.col(i));
  task.first_guess = time.resample(flat, frames);

  TreeKinematics tree(robot);
  tree.update(seated.state.q);
  for (std::size_t side = 0; side < 2; ++side) {
    const LinkPlacement& foot =
        robot.tree().links[static_cast<std::size_t>(robot.frame(robot.description().roles.foot[side]))];
    const Sole& sole = *robot.description().soles[side];
    SoleContact contact;
    contact.name = side == 0 ? "left_foot" : "right_foot";
    contact.body = foot.body;
    contact.T_body_sole = foot.T_body_link * Eigen::Translation3d(sole.centre());
    Eigen::Isometry3d T_world_body = Eigen::Isometry3d::Identity();
    T_world_body.linear() = tree.rotation(foot.body);
    T_world_body.translation() = tree.origin(foot.body);
    contact.T_world_sole = T_world_body * contact.T_body_sole;
    const double half_length = 0.5 * (sole.x_max - sole.x_min), half_width = 0.5 * (sole.y_max - sole.y_min);
    contact.half_size.x() = half_length - std::min(options.cop_margin_length, 0.4 * half_length);
    contact.half_size.y() = half_width - std::min(options.cop_margin_width, 0.4 * half_width);
    contact.friction = kFloorFriction;
    contact.least_force = options.least_foot_force * weight;
    contact.is_active.assign(count, 1);
    task.soles.push_back(contact);
  }

  const Eigen::Vector3d hips = tree.point(limbs.pelvis, limbs.hips);
  const double half_hips = 0.5 * (tree.origin(limbs.legs[0].thigh) - tree.origin(limbs.legs[1].thigh)).norm();
  for (int side = 0; side < 2; ++side) {
    PointContact pad;
    pad.name = side == 0 ? "left_seat" : "right_seat";
    pad.body = limbs.pelvis;
    pad.place = {hips.x() + kSeatForward * limbs.thigh_length, hips.y() + (side == 0 ? half_hips : -half_hips),
                 seated.chair_height};
    pad.friction = kSeatFriction;
    pad.is_active.assign(count, 0);
    pad.least_force.setZero(frames);
    pad.largest_force.setConstant(frames, HUGE_VAL);
    for (Eigen::Index j = 0; j < std::min(seat_off, frames); ++j) {
      pad.is_active[static_cast<std::size_t>(j)] = 1;
      pad.least_force[j] =
          kLeastSeatForce * weight * std::min(1.0, static_cast<double>(seat_off - j) * options.step_s / kSeatRamp);
    }
    task.points.push_back(pad);
  }
  for (int axis : {0, 2}) {
    PointCondition on_seat{.name = "hips on the seat",
                           .body = limbs.pelvis,
                           .offset = limbs.hips,
                           .direction = Eigen::Vector3d::Unit(axis)};
    on_seat.value.setConstant(frames, hips[axis]);
    on_seat.is_active.assign(count, 0);
    for (Eigen::Index j = 0; j < std::min(seat_off, frames); ++j) on_seat.is_active[static_cast<std::size_t>(j)] = 1;
    task.equations.push_back(on_seat);
  }
  PointCondition clear{
      .name = "hips above the seat", .body = limbs.pelvis, .offset = limbs.hips, .direction = Eigen::Vector3d::UnitZ()};
  clear.value.setZero(frames);
  clear.is_active.assign(count, 0);
  for (Eigen::Index j = seat_off; j < frames; ++j) {
    const double u = std::clamp(static_cast<double>(j - seat_off) * options.step_s / kClearTime, 0.0, 1.0);
    clear.value[j] = hips.z() + kClearShare * seated.clearance * u * u * (3.0 - 2.0 * u);
    clear.is_active[static_cast<std::size_t>(j)] = 1;
  }
  task.bounds.push_back(clear);
  for (const CapsulePair& pair : hands_and_thighs(robot, limbs, tree))
    task.pairs.push_back({pair.first, pair.second, pair.gap, "hand and thigh"});

  const double leg = limbs.leg_length();
  task.markers = overlay.markers;
  Eigen::MatrixXd targets(3 * static_cast<Eigen::Index>(task.markers.size()), human.num_frames());
  for (std::size_t i = 0; i < task.markers.size(); ++i) {
    task.markers[i].weight *= options.marker_weight / (static_cast<double>(task.markers.size()) * leg * leg);
    for (Eigen::Index f = 0; f < human.num_frames(); ++f)
      targets.block<3, 1>(3 * static_cast<Eigen::Index>(i), f) = overlay.map(human.marker(overlay.sources[i], f));
  }
  task.marker_targets = time.resample(targets, frames);
  task.com = time.resample(com_mapped, frames);
  task.com_weight.setConstant(3, frames, options.com_price * 0.64 / (leg * leg));
  for (Eigen::Index j = 0; j < frames; ++j) {
    const double since = static_cast<double>(j - seat_off) * options.step_s;
    task.com_weight(2, j) *= std::clamp(since / kHeightBlend, 0.0, 1.0);
  }

  const Eigen::Index joints = robot.num_joints();
  task.lower.resize(joints);
  task.upper = task.speed = task.torque = task.posture = task.posture_weight = task.lower;
  for (Eigen::Index i = 0; i < joints; ++i) {
    const Joint& joint = robot.joints()[static_cast<std::size_t>(i)];
    task.lower[i] = joint.lower;
    task.upper[i] = joint.upper;
    task.speed[i] = options.speed_reserve * joint.velocity;
    task.torque[i] = std::isfinite(joint.effort) && joint.effort > 0.0 ? options.torque_reserve * joint.effort : 1e9;
  }
  for (const Limbs::Leg& side : limbs.legs) {
    double& bound = side.knee_sign > 0.0 ? task.lower[side.knee] : task.upper[side.knee];
    bound = side.knee_sign > 0.0 ? std::max(bound, kMinKnee) : std::min(bound, -kMinKnee);
  }
  const Eigen::VectorXd sitting = joint_positions(seated.state.q);
  for (Eigen::Index i = 0; i < joints; ++i) {
    const double range = task.upper[i] - task.lower[i];
    if (!std::isfinite(range)) continue;
    const double margin = std::min(kLimitMargin, kLimitMarginFraction * range);
    task.lower[i] = std::min(task.lower[i] + margin, std::max(sitting[i], task.lower[i]));
    task.upper[i] = std::max(task.upper[i] - margin, std::min(sitting[i], task.upper[i]));
  }
  task.posture = sitting;
  for (int joint = 0; joint < static_cast<int>(joints); ++joint) {
    const int body = joint + 1;
    const bool is_of_trunk = tree.carries(body, limbs.trunk);
    const bool is_of_leg = tree.carries(body, limbs.legs[0].foot) || tree.carries(body, limbs.legs[1].foot);
    const bool is_lateral = (is_of_trunk || is_of_leg) && std::abs(tree.axis(joint).y()) < 0.7;
    task.posture_weight[joint] = is_lateral ? kLateralPull : kPosturePull;
  }
  task.jerk_weight.setConstant(joints + 6, options.jerk_weight);
  task.force_rate_weight = options.force_rate_weight;
  return task;
}

}  // namespace aplomb

#include "aplomb/retarget/frames/rise_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "aplomb/core/error.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/retarget/frames/hand_rows.hpp"
#include "aplomb/retarget/frames/return_to_rest.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

constexpr double kMinKnee = 0.12;  // [rad] smallest knee angle: a straight leg cannot be bent by a small force
// Weights that pull the joint angles to a posture [m²/rad²].
constexpr double kSmoothPull = 1e-3;   // to the posture of the previous frame
constexpr double kPosturePull = 3e-4;  // to the seated posture
constexpr double kLateralPull = 0.05;  // to the seated posture, of trunk and legs in roll and yaw
constexpr double kFreePull = 0.035;    // arms and head to the fit without the CoM, as a fraction of leg length²
constexpr double kHeightBlend = 0.40;  // [s] after seat-off over which the CoM height is blended to its path
constexpr double kHipRelease = 0.30;   // [s] after seat-off over which the hips' constraint is released
constexpr double kHipSoftnessBegin = 1e-5, kHipSoftnessEnd = 1e2;  // softness of that constraint, over this time
constexpr double kSoftCom = 1e-4;                                  // softness of the CoM as a soft constraint
constexpr double kLiftedSoftness = 1e-4;                           // softness of a foot in the air
constexpr double kHandLift = 0.30;  // lift of a released hand, as a fraction of the hips' height above the seat

constexpr double kLimitMargin = 0.05;          // [rad] largest margin of a plan to the joint limits
constexpr double kLimitMarginFraction = 0.03;  // the same, as a fraction of the joint's range

// Rise of the hips off the seat: a fraction of their height above it, within a time [s] after seat-off. Compliant
// drives leave the seat later than planned, so the hips are raised clearly.
constexpr double kClearShare = 0.25, kClearTime = 0.30;

}  // namespace

RiseSolver::RiseSolver(const RobotModel& robot, const Limbs& limbs, const SeatedRobot& seated, const HumanPath& human,
                       const Overlay& overlay, SolverBudget& budget)
    : robot_(robot), seated_(seated), human_(human), overlay_(overlay), budget_(budget), tree_(robot) {
  tree_.update(seated.state.q);
  feet_ = foot_paths(human, robot, tree_, overlay);
  std::vector<PointRow> rows;
  for (std::size_t side = 0; side < 2; ++side) {
    const LinkPlacement& foot =
        robot.tree().links[static_cast<std::size_t>(robot.frame(robot.description().roles.foot[side]))];
    const Eigen::Isometry3d T_body_sole =
        foot.T_body_link * Eigen::Translation3d(robot.description().soles[side]->centre());
    for (const PointRow& row : planted_foot(robot, tree_, side)) {
      rows.push_back(row);
      foot_points_[side].push_back(T_body_sole.inverse() * row.offset);
    }
  }
  const Eigen::Vector3d hips = tree_.point(limbs.pelvis, limbs.hips);
  seated_hip_z_ = hips.z();
  hip_x_ = rows.size();
  hip_z_ = hip_x_ + 1;
  for (int axis : {0, 2}) {
    rows.push_back({.body = limbs.pelvis,
                    .offset = limbs.hips,
                    .direction = Eigen::Vector3d::Unit(axis),
                    .value = hips[axis],
                    .softness = kPlantedSoftness});
  }
  hands_ = rows.size();
  for (const RestingHand& hand : seated.hands) {
    for (const PointRow& row : resting_hand(hand)) rows.push_back(row);
  }
  com_ = rows.size();
  for (const PointRow& row : com_rows()) rows.push_back(row);
  solver_ = std::make_unique<PostureSolver>(robot, overlay.markers, rows, hands_and_thighs(robot, limbs, tree_),
                                            PostureSolver::Settings{});
  for (const Limbs::Leg& leg : limbs.legs) {
    double& bound = leg.knee_sign > 0.0 ? solver_->lower[leg.knee] : solver_->upper[leg.knee];
    bound = leg.knee_sign > 0.0 ? std::max(bound, kMinKnee) : std::min(bound, -kMinKnee);
  }
  keep_limit_margin(joint_positions(seated.state.q));
  find_posture_pull(limbs);
  lag_.setZero(3, human.num_frames());
  lower_ = solver_->lower;
  upper_ = solver_->upper;
  speed_.resize(robot.num_joints());
  for (int i = 0; i < robot.num_joints(); ++i) speed_[i] = robot.joints()[static_cast<std::size_t>(i)].velocity;
  heel_x_ = HUGE_VAL;
  toe_x_ = -HUGE_VAL;
  for (std::size_t side = 0; side < 2; ++side) {
    const LinkPlacement& foot =
        robot.tree().links[static_cast<std::size_t>(robot.frame(robot.description().roles.foot[side]))];
    for (const Eigen::Vector3d& corner : robot.description().soles[side]->corners()) {
      const double x = tree_.point(foot.body, foot.T_body_link * corner).x();
      heel_x_ = std::min(heel_x_, x);
      toe_x_ = std::max(toe_x_, x);
    }
  }
}

/// Sets the weights of the seated posture. Near joint limits a twist of trunk and legs to one side would bring the CoM
/// a little further, but no person moves like that: trunk and legs are pulled to the seated posture in roll and yaw.
void RiseSolver::find_posture_pull(const Limbs& limbs) {
  constexpr double kPitch = 0.7;  // component along y of the axis of a pitch joint
  posture_pull_.setConstant(robot_.num_joints(), kPosturePull);
  free_pull_.setZero(robot_.num_joints());
  for (int joint = 0; joint < robot_.num_joints(); ++joint) {
    const int body = joint + 1;
    const bool is_of_trunk = tree_.carries(body, limbs.trunk);
    const bool is_of_leg = tree_.carries(body, limbs.legs[0].foot) || tree_.carries(body, limbs.legs[1].foot);
    if (!is_of_trunk && !is_of_leg) free_pull_[joint] = kFreePull * limbs.leg_length() * limbs.leg_length();
    if ((is_of_trunk || is_of_leg) && std::abs(tree_.axis(joint).y()) < kPitch) posture_pull_[joint] = kLateralPull;
  }
}

void RiseSolver::ask_rows(Eigen::Index frame, Com com) {
  const bool is_seated = human_.is_in_contact(ContactSite::seat, frame);
  PointRow& hip_x = solver_->rows[hip_x_];
  const double since = seat_distance_s(human_, frame);
  hip_x.kind = since < kHipRelease ? RowKind::equal : RowKind::off;
  hip_x.softness = is_seated ? kPlantedSoftness
                             : kHipSoftnessBegin * std::pow(kHipSoftnessEnd / kHipSoftnessBegin, since / kHipRelease);
  PointRow& hip_z = solver_->rows[hip_z_];
  hip_z.kind = is_seated ? RowKind::equal : std::isfinite(since) ? RowKind::at_least : RowKind::off;
  // Hips that are unloaded but still touch the seat would slide along it: they must rise clear of it.
  const double u = std::clamp(since / kClearTime, 0.0, 1.0);
  hip_z.value = seated_hip_z_ + kClearShare * seated_.clearance * u * u * (3.0 - 2.0 * u);
  ask_feet(frame);
  ask_hands(frame);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    PointRow& row = solver_->rows[com_ + axis];
    row.kind = com != Com::free && (axis < 2 || !is_seated) ? RowKind::equal : RowKind::off;
    row.softness = com == Com::soft ? kSoftCom : kComSoftness;
    if (com != Com::free) row.value = asked_(static_cast<Eigen::Index>(axis), frame);
  }
}

/// Sets the equations of the feet. In the air they are near the person's path, which may be out of the robot's reach.
void RiseSolver::ask_feet(Eigen::Index frame) {
  std::size_t row = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    const FootPath& foot = feet_[side];
    if (foot.stays()) {  // without the rounding of a place that is computed
      row += foot_points_[side].size();
      continue;
    }
    const bool is_on = foot.is_on[static_cast<std::size_t>(frame)] != 0;
    const Eigen::Isometry3d& pose = is_on ? foot.place_at(frame) : foot.pose[static_cast<std::size_t>(frame)];
    for (const Eigen::Vector3d& point : foot_points_[side]) {
      solver_->rows[row].value = solver_->rows[row].direction.dot(pose * point);
      solver_->rows[row++].softness = is_on ? kPlantedSoftness : kLiftedSoftness;
    }
  }
}

/// Sets the equations of the hands.
void RiseSolver::ask_hands(Eigen::Index frame) {
  for (std::size_t i = 0; i < seated_.hands.size(); ++i) {
    const RestingHand& hand = seated_.hands[i];
    const double since = static_cast<double>(frame - human_.rise.hand_off[hand.side]) / human_.rate_hz;
    const std::span rows(solver_->rows.data() + hands_ + kRowsOfHand * i, kRowsOfHand);
    ask_hand(hand, since, kHandLift * seated_.clearance, rows);
  }
}

/// Whether an equation of feet, hips or hands is a hard constraint.
bool RiseSolver::is_hard(std::size_t row, Eigen::Index frame) const {
  if (row == hip_x_) return human_.is_in_contact(ContactSite::seat, frame);
  if (row < hip_x_) return feet_[row < foot_points_[0].size() ? 0 : 1].is_on[static_cast<std::size_t>(frame)] != 0;
  if (row < hands_) return true;
  return frame < human_.rise.hand_off[seated_.hands[(row - hands_) / kRowsOfHand].side];
}

/// After a frame on the seat: records the CoM height above the path; after the last of them: blends it to the path.
void RiseSolver::blend_height(Eigen::Index frame) {
  const Eigen::Index seat_off = human_.rise.seat_off;
  if (frame >= seat_off || human_.kind == ClipKind::sit_down) return;
  lag_(2, frame) = solver_->com().z() - asked_(2, frame);
  if (frame + 1 < seat_off) return;
  const Eigen::Index end = seat_off + static_cast<Eigen::Index>(kHeightBlend * human_.rate_hz);
  return_to_rest(seat_off, std::min(end, human_.num_frames() - 1), lag_);
  asked_.row(2) += lag_.row(2);
}

void RiseSolver::aim(Eigen::Index frame) {
  for (std::size_t i = 0; i < overlay_.markers.size(); ++i) {
    solver_->targets[i] = overlay_.target(human_, i, frame);
  }
}

PostureSolver::Outcome RiseSolver::solve(Eigen::VectorXd& q, Eigen::Index frame) {
  check_interrupt();
  const PostureSolver::Outcome outcome = solver_->solve(q);
  budget_.spend(outcome.linear_systems);
  if (!budget_.is_spent()) return outcome;
  const std::vector<ActiveLimit> limits = active_limits(q);
  throw BudgetSpent(fmt::format(
      "no plan for robot '{}' within {:.1f} million linear systems: at posture {} of {} (seat-off: {}){} the "
      "search still goes on. A rise that the robot can follow takes a quarter of 4 million: look for jumps in "
      "the person's motion (report of `aplomb human`), or take another robot, rise or chair height",
      robot_.name(), 1e-6 * static_cast<double>(budget_.total()), frame + 1, human_.num_frames(),
      human_.rise.seat_off + 1,
      limits.empty() ? "" : fmt::format(", with joint {} at its limit,", limits.front().joint)));
}

RiseSolver::Frame RiseSolver::judge(const Eigen::VectorXd& q, const PostureSolver::Outcome& outcome,
                                    Eigen::Index frame) {
  Frame result{.outcome = outcome};
  for (std::size_t row = 0; row < solver_->rows.size(); ++row) {
    if (solver_->rows[row].kind != RowKind::equal) continue;
    if (row >= com_) {
      result.com_missing[static_cast<Eigen::Index>(row - com_)] = solver_->row_error(row);
    } else if (is_hard(row, frame)) {
      result.rows_residual = std::max(result.rows_residual, std::abs(solver_->row_error(row)));
    }
  }
  result.com_residual = result.com_missing.norm();
  if (!result.is_met()) result.limits = active_limits(q);
  aim(frame);
  result.marker_rms = std::sqrt(solver_->marker_square_sum() / std::max(1, solver_->num_seen()));
  return result;
}

std::vector<RiseSolver::Frame> RiseSolver::follow_markers(const Eigen::Matrix3Xd& path, Com com, Eigen::MatrixXd& q) {
  std::vector<Frame> frames;
  frames.reserve(static_cast<std::size_t>(human_.num_frames()));
  const Eigen::Index joints = robot_.num_joints();
  q.resize(robot_.nq(), human_.num_frames());
  Eigen::VectorXd posture = seated_.state.q;
  solver_->forget();
  // Arms that are free to balance the body would wave, so only trunk and legs move the CoM.
  const bool is_drawn = com != Com::free && of_markers_.cols() == human_.num_frames();
  solver_->pull_weight = posture_pull_.array() + kSmoothPull;
  if (is_drawn) solver_->pull_weight += free_pull_;
  asked_ = path;
  for (Eigen::Index frame = 0; frame < human_.num_frames(); ++frame) {
    solver_->pull = kSmoothPull * posture.tail(joints) + posture_pull_.cwiseProduct(joint_positions(seated_.state.q));
    if (is_drawn) solver_->pull += free_pull_.cwiseProduct(of_markers_.col(frame).tail(joints));
    solver_->pull.array() /= solver_->pull_weight.array();
    aim(frame);
    ask_rows(frame, com);
    limit_speed(posture);
    if (frame == 0) {
      solver_->lower = lower_;
      solver_->upper = upper_;
    }
    const PostureSolver::Outcome outcome = solve(posture, frame);
    frames.push_back(judge(posture, outcome, frame));
    if (com != Com::free) blend_height(frame);
    q.col(frame) = posture;
  }
  if (com == Com::free) of_markers_ = q;
  return frames;
}

/// Keeps a margin to the joint limits: a plan at a limit would leave its controller no room.
void RiseSolver::keep_limit_margin(const Eigen::VectorXd& seated) {
  for (Eigen::Index i = 0; i < seated.size(); ++i) {
    const double range = solver_->upper[i] - solver_->lower[i];
    if (!std::isfinite(range)) continue;
    const double margin = std::min(kLimitMargin, kLimitMarginFraction * range);
    solver_->lower[i] = std::min(solver_->lower[i] + margin, std::max(seated[i], solver_->lower[i]));
    solver_->upper[i] = std::max(solver_->upper[i] - margin, std::min(seated[i], solver_->upper[i]));
  }
}

/// Bounds the joint angles by the speed limits, starting from the previous posture.
void RiseSolver::limit_speed(const Eigen::Ref<const Eigen::VectorXd>& before) {
  for (Eigen::Index i = 0; i < speed_.size(); ++i) {
    const double most = speed_[i] > 0.0 ? speed_[i] / human_.rate_hz : HUGE_VAL;
    solver_->lower[i] = std::max(lower_[i], before[7 + i] - most);
    solver_->upper[i] = std::min(upper_[i], before[7 + i] + most);
  }
}

/// Active limits: joints at an end of their range first, then those at their speed limit.
std::vector<ActiveLimit> RiseSolver::active_limits(const Eigen::VectorXd& q) const {
  std::vector<ActiveLimit> ranges, speeds;
  for (Eigen::Index i = 0; i < speed_.size(); ++i) {
    if (solver_->held()[static_cast<std::size_t>(6 + i)] == 0) continue;
    const bool is_end = q[7 + i] <= lower_[i] + 1e-9 || q[7 + i] >= upper_[i] - 1e-9;
    const std::string& name = robot_.joints()[static_cast<std::size_t>(i)].name;
    const bool is_fast = q[7 + i] <= solver_->lower[i] + 1e-9 || q[7 + i] >= solver_->upper[i] - 1e-9;
    if (is_end) ranges.push_back({ActiveLimit::Kind::range, name});
    if (!is_end && is_fast) speeds.push_back({ActiveLimit::Kind::speed, name});
  }
  ranges.insert(ranges.end(), speeds.begin(), speeds.end());
  return ranges;
}

}  // namespace aplomb

#include "aplomb/retarget/retarget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "aplomb/retarget/clip/fill_plan.hpp"
#include "aplomb/retarget/clip/planned_forces.hpp"
#include "aplomb/retarget/clip/rise_solver.hpp"
#include "aplomb/retarget/clip/smoother.hpp"
#include "aplomb/retarget/clip/zmp_keeper.hpp"
#include "aplomb/retarget/mapping/arm_rests.hpp"
#include "aplomb/retarget/mapping/com_map.hpp"
#include "aplomb/retarget/mapping/human_path.hpp"
#include "aplomb/retarget/mapping/link_map.hpp"
#include "aplomb/retarget/mapping/overlay.hpp"
#include "aplomb/retarget/mapping/seat.hpp"

namespace aplomb {
namespace {

constexpr double kShapeCutoff = 4.0;     // [Hz] cutoff of the joint motion in the clip pass
constexpr double kForceCutoff = 6.0;     // [Hz] cutoff of the motion from which the ZMP is computed
constexpr int kClipRounds = 6;           // smooth and project: a corner at a joint limit becomes a smooth bend
constexpr int kZmpRounds = 12;           // iterations of the ZMP constraint
constexpr double kZmpRoom = 0.25;        // additional margin to aim at, as a fraction of the margin
constexpr double kZmpTolerance = 0.002;  // [m] accepted shortfall of the margin
constexpr double kZmpLead = 0.1;         // [s] before seat-off from which on the ZMP constraint holds
constexpr double kMaxShift = 0.038;      // largest shift of the CoM path for the ZMP, as a fraction of the leg length
constexpr double kReachCutoff = 2.0;     // [Hz] cutoff of a shift of the path into reach
constexpr double kReachGain = 2.0;       // gain of that shift: compensates the smoothing
constexpr int kReachRounds = 6;
constexpr double kOutOfReach = 1e-3;   // soft CoM residual that counts as out of reach, as a fraction of the leg length
constexpr double kMaxSlowdown = 3.0;   // largest ratio of the duration to the person's
constexpr double kSlowdownStep = 1.2;  // ratio of one trial duration to the next
constexpr int kSlowHalvings = 4;       // bisections between the last two trial durations
// Linear systems of a plan, and of one duration of it; see docs/retargeting.md.
constexpr std::int64_t kMostLinearSystems = 20'000'000, kMostOfOneDuration = 4'000'000;

double rms_of(const std::vector<RiseSolver::Frame>& frames) {
  double sum = 0.0;
  for (const RiseSolver::Frame& frame : frames) sum += frame.marker_rms * frame.marker_rms;
  return std::sqrt(sum / static_cast<double>(frames.size()));
}

/// The parts of the problem that do not depend on the duration.
struct Setup {
  /// `no_hands`: reason why the robot does not use arm rests; empty when it may use them.
  Setup(const HumanTrial& trial, const RobotModel& robot, const RetargetOptions& options, const std::string& no_hands)
      : limbs(find_limbs(robot)),
        human(human_path(trial, options.rise)),
        seated(sit_down(robot, limbs, options.chair_height)),
        links(make_link_map(trial.subject.skeleton, robot, limbs, options.links)) {
    const bool pushes = human.rise.hand_off[0] > 0 || human.rise.hand_off[1] > 0;
    if (no_hands.empty()) rest_hands(robot, limbs, human, seated);
    if (pushes && !no_hands.empty()) seated.notes.push_back("the person pushes off arm rests; " + no_hands);
  }

  Limbs limbs;
  HumanPath human;
  SeatedRobot seated;
  LinkMap links;
};

/// A plan of one duration.
struct Attempt {
  Retargeted plan;
  bool is_accepted =
      false;  ///< its ZMP, low-passed, keeps its margin by a small enough shift: no need for a slower one
};

class Retargeting {
 public:
  /// All must outlive this object.
  Retargeting(const Setup& setup, const RobotModel& robot, const RetargetOptions& options, double slowdown,
              SolverBudget& budget)
      : robot_(robot), options_(options), limbs_(setup.limbs) {
    result_.human = slowed(setup.human, slowdown);
    result_.slowdown = slowdown;
    result_.seated = setup.seated;
    result_.links = setup.links;
    result_.overlay = lay_over(result_.human, robot, limbs_, result_.seated, result_.links);
    result_.notes = limbs_.notes;
    result_.notes.insert(result_.notes.end(), result_.seated.notes.begin(), result_.seated.notes.end());
    solver_ = std::make_unique<RiseSolver>(robot, limbs_, result_.seated, result_.human, result_.overlay, budget);
  }

  Attempt run() {
    anchor();
    Eigen::MatrixXd q;
    solve(q);
    const bool is_accepted = keep_zmp(q);
    judge(q);
    return {std::move(result_), is_accepted};
  }

 private:
  /// The three anchors of the CoM map, from the motion without the CoM constraint.
  void anchor() {
    Eigen::MatrixXd q;
    result_.marker_rms_free = rms_of(solver_->follow_markers({}, RiseSolver::Com::free, q));
    TreeKinematics tree(robot_);
    std::array<Eigen::Vector3d, 3> anchors;
    tree.update(result_.seated.state.q);
    anchors[0] = tree.com();
    tree.update(q.col(result_.human.rise.seat_off - 1));
    anchors[1] = tree.com();
    const Eigen::Vector2d over_feet = standing_com(result_.human, result_.overlay, solver_->heel_x(), solver_->toe_x());
    anchors[2] = solver_->stand(over_feet, q.col(q.cols() - 1));
    result_.com_map = make_com_map(result_.human, result_.overlay.scale, anchors);
    result_.com_anchor_change = result_.com_map.anchor_change();
    result_.com_mapped.resize(3, result_.human.num_frames());
    for (Eigen::Index i = 0; i < result_.human.num_frames(); ++i) {
      result_.com_mapped.col(i) = result_.com_map.map(result_.human.com.col(i), i);
    }
    path_ = result_.com_mapped;
  }

  void follow_markers(Eigen::MatrixXd& q, RiseSolver::Com com) {
    frames_ = solver_->follow_markers(path_, com, q);
    result_.com_asked = solver_->asked();
  }
  void project(Eigen::MatrixXd& q) {
    frames_ = solver_->project(path_, q);
    result_.com_asked = solver_->asked();
  }

  /// Solves the frames one by one, then smooths the clip. Where joint limits prevent the CoM from following its path,
  /// the path is moved into reach.
  void solve(Eigen::MatrixXd& q) {
    follow_markers(q, RiseSolver::Com::hard);
    result_.jerk_rms_frames = joint_jerk_rms(q, result_.human.rate_hz);
    const bool follows = is_in_reach(RiseSolver::kFeasible);
    if (follows) smooth_clip(q);
    if (!follows || !is_in_reach(RiseSolver::kFeasible)) move_into_reach(q);
    reached_ = path_;
    if (shift_of(path_) == 0.0) return;
    result_.notes.push_back(
        fmt::format("the path of the centre of mass is moved by up to {:.0f} mm, because joint limits keep the robot "
                    "from following it",
                    1e3 * shift_of(path_)));
  }

  bool is_in_reach(double tolerance) const {
    return std::ranges::all_of(frames_, [&](const auto& frame) { return frame.com_residual < tolerance; });
  }

  /// Moves the path until frames with a soft CoM constraint follow it to a thousandth of the leg length, and the clip
  /// follows it exactly. When the shift would be too large, the mapped path is kept.
  void move_into_reach(Eigen::MatrixXd& q) {
    follow_markers(q, RiseSolver::Com::soft);
    for (int round = 0; round < kReachRounds && !is_in_reach(kOutOfReach * limbs_.leg_length()); ++round) {
      shift_by_missing();
      follow_markers(q, RiseSolver::Com::soft);
    }
    smooth_clip(q);
    for (int round = 0; round < kReachRounds && !is_in_reach(RiseSolver::kFeasible); ++round) {
      shift_by_missing();
      follow_markers(q, RiseSolver::Com::soft);
      smooth_clip(q);
    }
    if (shift_of(path_) < kMaxShift * limbs_.leg_length()) return;
    path_ = result_.com_mapped;
    follow_markers(q, RiseSolver::Com::hard);
    smooth_clip(q);
  }

  /// Shifts the path by the smoothed CoM residual of the last frames.
  void shift_by_missing() {
    Eigen::MatrixXd shift(3, result_.human.num_frames());
    for (std::size_t i = 0; i < frames_.size(); ++i) shift.col(static_cast<Eigen::Index>(i)) = frames_[i].com_missing;
    Smoother(shift.cols(), result_.human.rate_hz, kReachCutoff).smooth(shift);
    path_ += kReachGain * shift;
  }

  void smooth_clip(Eigen::MatrixXd& q) {
    const Smoother smoother(q.cols(), result_.human.rate_hz, kShapeCutoff);
    for (int round = 0; round < kClipRounds; ++round) {
      smooth_postures(smoother, q);
      project(q);
    }
  }

  /// Forces of the motion `q` on seat and feet.
  PlannedForces ground_forces(const Eigen::MatrixXd& q) const {
    PlannedForces plan = planned_forces(robot_, q, result_.human.rate_hz);
    leave_out_hands(hand_share(result_.human, result_.seated), result_.seated, plan);
    return plan;
  }
  /// The same of a low-passed motion: what the ZMP constraint works on.
  PlannedForces smooth_forces(Eigen::MatrixXd q) const {
    smooth_postures(Smoother(q.cols(), result_.human.rate_hz, kForceCutoff), q);
    return ground_forces(q);
  }

  /// First frame in which the ZMP must be inside the support area.
  Eigen::Index first_on_feet() const {
    return std::max<Eigen::Index>(
        0, result_.human.rise.seat_off - static_cast<Eigen::Index>(kZmpLead * result_.human.rate_hz));
  }

  /// Shifts the CoM path until the ZMP keeps its margin; false when it does not, or only by too large a shift.
  bool keep_zmp(Eigen::MatrixXd& q) {
    const SupportArea area = support_area(robot_, limbs_, result_.seated.state.q);
    const double rate = result_.human.rate_hz;
    const Eigen::Index first = first_on_feet();
    const Smoother smoother(q.cols(), rate, kForceCutoff);
    const Eigen::MatrixXd shape = q;
    const Smoother shape_smoother(q.cols(), rate, kShapeCutoff);
    SupportArea aim = area;  // a short violation loses most of its correction to smoothing: aim further in
    aim.margin *= 1.0 + kZmpRoom;
    aim.seat_x += kZmpRoom * area.margin;
    const auto stays_before_hips = [&](const PlannedForces& plan) {
      return zmp_behind_seat(plan, area, first) < kZmpTolerance;
    };
    // Hands that prevent the body from following its path are given up later: no need to balance with them now.
    const bool lets_go = !result_.seated.hands.empty() && !is_in_reach(RiseSolver::kFeasible);
    for (; options_.keeps_zmp && !lets_go && result_.zmp_iterations < kZmpRounds; ++result_.zmp_iterations) {
      const PlannedForces plan = smooth_forces(q);
      if (zmp_margin(plan, area, first) > area.margin - kZmpTolerance && stays_before_hips(plan)) break;
      if (result_.slowdown > 1.0 && zmp_shift_max() > kMaxShift * limbs_.leg_length())
        break;  // another duration will be tried
      Eigen::MatrixXd shift = zmp_shift(plan, aim, first, rate);
      smoother.smooth(shift);  // the ZMP violation begins and ends with a kink; the motion must not
      path_.topRows<2>() += shift;
      q = shape;
      project(q);
      smooth_postures(shape_smoother, q);
      project(q);
    }
    result_.zmp_shift_max = zmp_shift_max();
    const PlannedForces plan = smooth_forces(q);
    // A motion that is slowed anyway must keep the whole margin.
    const double enough = result_.slowdown > 1.0 ? area.margin : area.least_margin;
    return zmp_margin(plan, area, result_.human.rise.seat_off) > enough - kZmpTolerance && stays_before_hips(plan) &&
           result_.zmp_shift_max < kMaxShift * limbs_.leg_length();
  }

  /// The ZMP of the motion as it is written, without a low-pass.
  void judge_zmp(const Eigen::MatrixXd& q) {
    const SupportArea area = support_area(robot_, limbs_, result_.seated.state.q);
    const PlannedForces plan = ground_forces(q);
    result_.zmp_margin_min = zmp_margin(plan, area, result_.human.rise.seat_off);
    result_.zmp_margin_needed = area.least_margin - kZmpTolerance;
    result_.is_zmp_kept = result_.zmp_margin_min > result_.zmp_margin_needed &&
                          zmp_behind_seat(plan, area, first_on_feet()) < kZmpTolerance;
  }

  /// Largest shift of the CoM path for the ZMP [m].
  double zmp_shift_max() const { return (path_ - reached_).topRows<2>().colwise().norm().maxCoeff(); }

  /// Largest distance of a CoM path from the mapped one; its height counts from seat-off on [m].
  double shift_of(const Eigen::Matrix3Xd& path) const {
    Eigen::Matrix3Xd shift = path - result_.com_mapped;
    shift.row(2).head(result_.human.rise.seat_off).setZero();
    return shift.colwise().norm().maxCoeff();
  }

  void judge(const Eigen::MatrixXd& q) {
    const HumanPath& human = result_.human;
    for (const RiseSolver::Frame& frame : frames_) {
      FrameVerdict verdict{.com_residual = frame.com_residual, .marker_rms = frame.marker_rms};
      verdict.is_feasible = frame.is_met();
      if (!verdict.is_feasible) {
        verdict.limits = frame.limits;
        ++result_.infeasible_frames;
      }
      result_.com_residual_max = std::max(result_.com_residual_max, frame.com_residual);
      result_.frames.push_back(verdict);
    }
    result_.marker_rms = rms_of(frames_);
    result_.jerk_rms = joint_jerk_rms(q, human.rate_hz);
    result_.com_target_shift_max = shift_of(result_.com_asked);
    fill_plan(robot_, limbs_, q, result_);
    judge_zmp(q);
    for (int i = 0; i < robot_.num_joints(); ++i) {
      const double speed = result_.trajectory.v.row(6 + i).cwiseAbs().maxCoeff();
      const double limit = robot_.joints()[static_cast<std::size_t>(i)].velocity;
      result_.joint_speed_max = std::max(result_.joint_speed_max, speed);
      if (limit > 0.0) result_.joint_speed_ratio_max = std::max(result_.joint_speed_ratio_max, speed / limit);
    }
    result_.leg_length = limbs_.leg_length();
    result_.com_dip = result_.trajectory.com(2, 0) - result_.trajectory.com.row(2).minCoeff();
  }

  const RobotModel& robot_;
  const RetargetOptions& options_;
  const Limbs& limbs_;
  Retargeted result_;
  std::unique_ptr<RiseSolver> solver_;
  std::vector<RiseSolver::Frame> frames_;
  Eigen::Matrix3Xd path_;     ///< CoM reference: the mapped path, shifted for reach and ZMP [m]
  Eigen::Matrix3Xd reached_;  ///< the same without the shift for the ZMP [m]
};

/// Whether a slower motion can help: a range limit acts at any speed, and hands on arm rests are given up first.
bool can_slowing_help(const Retargeted& result) {
  const auto is_too_fast = [](const FrameVerdict& frame) { return frame.is_at(ActiveLimit::Kind::speed); };
  return result.infeasible_frames == 0 ||
         (result.seated.hands.empty() && std::ranges::any_of(result.frames, is_too_fast));
}

/// Retargets at the person's speed, or at the least slowdown that keeps the ZMP margin.
Retargeted at_best_speed(const Setup& setup, const RobotModel& robot, const RetargetOptions& options,
                         SolverBudget& budget) {
  const auto at = [&](double slowdown) {
    SolverBudget own(std::min(kMostOfOneDuration, budget.left()));
    Attempt result = Retargeting(setup, robot, options, slowdown, own).run();
    budget.spend(own.spent());
    return result;
  };
  Attempt at_full_speed = at(1.0);
  Retargeted& fastest = at_full_speed.plan;
  if (at_full_speed.is_accepted || !options.keeps_zmp || !can_slowing_help(fastest)) return fastest;
  double fast = 1.0;
  for (double slow = kSlowdownStep; slow < kMaxSlowdown; fast = slow, slow *= kSlowdownStep) {
    auto [best, is_accepted] = at(slow);
    if (!is_accepted) continue;
    for (int i = 0; i < kSlowHalvings; ++i) {
      Attempt middle = at(0.5 * (fast + slow));
      (middle.is_accepted ? slow : fast) = middle.plan.slowdown;
      if (middle.is_accepted) best = std::move(middle.plan);
    }
    best.notes.push_back(
        fmt::format("{:.2f} times as slow as the person: faster, the ZMP would leave its margin, or "
                    "the centre of mass would leave its path by more than {:.0f} mm",
                    best.slowdown, 1e3 * kMaxShift * setup.limbs.leg_length()));
    return best;
  }
  fastest.notes.push_back(
      fmt::format("the ZMP margin is not kept, not even at {:.1f} times the person's duration", fast));
  return fastest;
}

}  // namespace

Retargeted retarget(const HumanTrial& trial, const RobotModel& robot, const RetargetOptions& options) {
  const std::string no_rests = options.has_arm_rests ? "" : "the robot's chair has none";
  SolverBudget budget(kMostLinearSystems);
  const Setup setup(trial, robot, options, no_rests);
  std::optional<Retargeted> result;
  try {
    result = at_best_speed(setup, robot, options, budget);
  } catch (const BudgetSpent&) {
    if (setup.seated.hands.empty()) throw;
    budget.spend(kMostOfOneDuration);
  }
  if (result && (result->infeasible_frames == 0 || setup.seated.hands.empty())) return std::move(*result);
  // Arm rests are given up when the hands on them prevent the body from following its path.
  const std::string no_reach = "held there, the robot's hands would not let its body follow";
  Retargeted without = at_best_speed({trial, robot, options, no_reach}, robot, options, budget);
  return !result || without.infeasible_frames < result->infeasible_frames ? without : std::move(*result);
}

}  // namespace aplomb

#include "aplomb/retarget/retarget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
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

constexpr double kShapeCutoff = 4.0;  // [Hz] of the joints' motion that the clip pass keeps
constexpr double kForceCutoff = 6.0;  // [Hz] of the motion that the ZMP is computed from
constexpr int kClipRounds = 6;        // smooth and put back: a stop that is reached becomes a round bend
constexpr int kZmpRounds = 12;
constexpr double kZmpRoom = 0.25;                       // of the margin: aimed at on top of it
constexpr double kZmpTolerance = 0.002;                 // [m] of the margin that may be missing
constexpr double kZmpLead = 0.1;                        // [s] before seat-off from which on the ZMP is kept
constexpr double kMostShift = 0.038;                    // of the legs: by how much the path may be moved for the ZMP
constexpr double kReachCutoff = 2.0, kReachGain = 2.0;  // [Hz] of a shift into reach; what smoothing takes off it
constexpr int kReachRounds = 6;
constexpr double kOutOfReach = 1e-3;             // [m] that the centre of mass is off when it is asked for gently
constexpr double kSlowest = 3.0, kSlower = 1.2;  // times the person's duration; one try after the other
constexpr int kSlowHalvings = 4;                 // between the last two tries

double rms_of(const std::vector<RiseSolver::Frame>& frames) {
  double sum = 0.0;
  for (const RiseSolver::Frame& frame : frames) sum += frame.marker_rms * frame.marker_rms;
  return std::sqrt(sum / static_cast<double>(frames.size()));
}

/// What is the same at any speed.
struct Beginning {
  /// `no_hands`: why the robot does not push off arm rests as the person may; empty when it does.
  Beginning(const HumanTrial& trial, const RobotModel& robot, const RetargetOptions& options,
            const std::string& no_hands)
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

class Retargeting {
 public:
  /// All must outlive this object.
  Retargeting(const Beginning& beginning, const RobotModel& robot, const RetargetOptions& options, double slowdown)
      : robot_(robot), options_(options), limbs_(beginning.limbs) {
    made_.human = slowed(beginning.human, slowdown);
    made_.slowdown = slowdown;
    made_.seated = beginning.seated;
    made_.links = beginning.links;
    made_.overlay = lay_over(made_.human, robot, limbs_, made_.seated, made_.links);
    made_.notes = limbs_.notes;
    made_.notes.insert(made_.notes.end(), made_.seated.notes.begin(), made_.seated.notes.end());
    solver_ = std::make_unique<RiseSolver>(robot, limbs_, made_.seated, made_.human, made_.overlay);
  }

  Retargeted run() {
    anchor();
    Eigen::MatrixXd q;
    solve(q);
    keep_zmp(q);
    judge(q);
    return std::move(made_);
  }

 private:
  /// The three anchors, from the motion without the centre of mass.
  void anchor() {
    Eigen::MatrixXd q;
    made_.marker_rms_free = rms_of(solver_->follow_markers({}, RiseSolver::Com::free, q));
    TreeKinematics tree(robot_);
    std::array<Eigen::Vector3d, 3> anchors;
    tree.update(made_.seated.state.q);
    anchors[0] = tree.com();
    tree.update(q.col(made_.human.rise.seat_off - 1));
    anchors[1] = tree.com();
    const Eigen::Vector2d over_feet = standing_com(made_.human, made_.overlay, solver_->heel_x(), solver_->toe_x());
    anchors[2] = solver_->stand(over_feet, q.col(q.cols() - 1));
    made_.com_map = make_com_map(made_.human, made_.overlay.scale, anchors);
    made_.com_anchor_change = made_.com_map.anchor_change();
    made_.com_mapped.resize(3, made_.human.num_frames());
    for (Eigen::Index i = 0; i < made_.human.num_frames(); ++i) {
      made_.com_mapped.col(i) = made_.com_map.map(made_.human.com.col(i), i);
    }
    path_ = made_.com_mapped;
  }

  void follow_markers(Eigen::MatrixXd& q, RiseSolver::Com com) {
    frames_ = solver_->follow_markers(path_, com, q);
    made_.com_asked = solver_->asked();
  }
  void put_back(Eigen::MatrixXd& q) {
    frames_ = solver_->put_back(path_, q);
    made_.com_asked = solver_->asked();
  }

  /// The frames one by one, then the clip. Where the joints do not let the centre of mass follow, its path is moved to
  /// where they do.
  void solve(Eigen::MatrixXd& q) {
    follow_markers(q, RiseSolver::Com::exactly);
    made_.jerk_rms_frames = joint_jerk_rms(q, made_.human.rate_hz);
    const bool follows = is_in_reach(RiseSolver::kFeasible);
    if (follows) smooth_clip(q);
    if (!follows || !is_in_reach(RiseSolver::kFeasible)) move_into_reach(q);
    reached_ = path_;
    if (shift_of(path_) == 0.0) return;
    made_.notes.push_back(
        fmt::format("the path of the centre of mass is moved by up to {:.0f} mm to where the joints "
                    "let the robot follow it",
                    1e3 * shift_of(path_)));
  }

  bool is_in_reach(double tolerance) const {
    return std::ranges::all_of(frames_, [&](const auto& frame) { return frame.com_residual < tolerance; });
  }

  /// Moves the path to where frames that ask for it gently follow it to a thousandth of the legs, and the clip exactly.
  /// When that is too far off, it stays as it was mapped.
  void move_into_reach(Eigen::MatrixXd& q) {
    follow_markers(q, RiseSolver::Com::gently);
    for (int round = 0; round < kReachRounds && !is_in_reach(kOutOfReach * limbs_.leg_length()); ++round) {
      shift_by_missing();
      follow_markers(q, RiseSolver::Com::gently);
    }
    smooth_clip(q);
    for (int round = 0; round < kReachRounds && !is_in_reach(RiseSolver::kFeasible); ++round) {
      shift_by_missing();
      follow_markers(q, RiseSolver::Com::gently);
      smooth_clip(q);
    }
    if (shift_of(path_) < kMostShift * limbs_.leg_length()) return;
    path_ = made_.com_mapped;
    follow_markers(q, RiseSolver::Com::exactly);
    smooth_clip(q);
  }

  /// Shifts the path by what the last frames missed, smoothly.
  void shift_by_missing() {
    Eigen::MatrixXd shift(3, made_.human.num_frames());
    for (std::size_t i = 0; i < frames_.size(); ++i) shift.col(static_cast<Eigen::Index>(i)) = frames_[i].com_missing;
    Smoother(shift.cols(), made_.human.rate_hz, kReachCutoff).smooth(shift);
    path_ += kReachGain * shift;
  }

  void smooth_clip(Eigen::MatrixXd& q) {
    const Smoother smoother(q.cols(), made_.human.rate_hz, kShapeCutoff);
    for (int round = 0; round < kClipRounds; ++round) {
      smooth_postures(smoother, q);
      put_back(q);
    }
  }

  PlannedForces forces_of(Eigen::MatrixXd q) const {
    smooth_postures(Smoother(q.cols(), made_.human.rate_hz, kForceCutoff), q);
    PlannedForces plan = planned_forces(robot_, q, made_.human.rate_hz);
    leave_out_hands(hand_share(made_.human, made_.seated), made_.seated, plan);
    return plan;
  }

  void keep_zmp(Eigen::MatrixXd& q) {
    const SupportArea area = support_area(robot_, limbs_, made_.seated.state.q);
    const double rate = made_.human.rate_hz;
    const Eigen::Index first =
        std::max<Eigen::Index>(0, made_.human.rise.seat_off - static_cast<Eigen::Index>(kZmpLead * rate));
    const Smoother smoother(q.cols(), rate, kForceCutoff);
    const Eigen::MatrixXd shape = q;
    const Smoother shape_smoother(q.cols(), rate, kShapeCutoff);
    SupportArea aim = area;  // what is just missing is soon over, and smoothing takes most of it away
    aim.margin *= 1.0 + kZmpRoom;
    aim.seat_x += kZmpRoom * area.margin;
    const auto stays_before_hips = [&](const PlannedForces& plan) {
      return zmp_behind_seat(plan, area, first) < kZmpTolerance;
    };
    // Hands that hold the body back are let go: no use to balance it with them first.
    const bool lets_go = !made_.seated.hands.empty() && !is_in_reach(RiseSolver::kFeasible);
    for (; options_.keeps_zmp && !lets_go && made_.zmp_iterations < kZmpRounds; ++made_.zmp_iterations) {
      const PlannedForces plan = forces_of(q);
      if (zmp_margin(plan, area, first) > area.margin - kZmpTolerance && stays_before_hips(plan)) break;
      if (made_.slowdown > 1.0 && zmp_shift_max() > kMostShift * limbs_.leg_length())
        break;  // another duration will be tried
      Eigen::MatrixXd shift = zmp_shift(plan, aim, first, rate);
      smoother.smooth(shift);  // what the ZMP lacks begins and ends with a kink; the motion shall not
      path_.topRows<2>() += shift;
      q = shape;
      put_back(q);
      smooth_postures(shape_smoother, q);
      put_back(q);
    }
    made_.zmp_shift_max = zmp_shift_max();
    const PlannedForces plan = forces_of(q);
    made_.zmp_margin_min = zmp_margin(plan, area, made_.human.rise.seat_off);
    // What is slowed anyway is slowed enough for the whole margin.
    const double enough = made_.slowdown > 1.0 ? area.margin : area.least_margin;
    made_.is_zmp_kept = made_.zmp_margin_min > enough - kZmpTolerance && stays_before_hips(plan) &&
                        made_.zmp_shift_max < kMostShift * limbs_.leg_length();
  }

  /// Of the path of the centre of mass, for the ZMP [m].
  double zmp_shift_max() const { return (path_ - reached_).topRows<2>().colwise().norm().maxCoeff(); }

  /// How far a path of the centre of mass is from the mapped one; its height counts from seat-off on [m].
  double shift_of(const Eigen::Matrix3Xd& path) const {
    Eigen::Matrix3Xd shift = path - made_.com_mapped;
    shift.row(2).head(made_.human.rise.seat_off).setZero();
    return shift.colwise().norm().maxCoeff();
  }

  void judge(const Eigen::MatrixXd& q) {
    const HumanPath& human = made_.human;
    for (const RiseSolver::Frame& frame : frames_) {
      FrameVerdict verdict{.com_residual = frame.com_residual, .marker_rms = frame.marker_rms};
      verdict.is_feasible = frame.is_met();
      if (!verdict.is_feasible) {
        verdict.limits = frame.limits;
        ++made_.infeasible_frames;
      }
      made_.com_residual_max = std::max(made_.com_residual_max, frame.com_residual);
      made_.frames.push_back(verdict);
    }
    made_.marker_rms = rms_of(frames_);
    made_.jerk_rms = joint_jerk_rms(q, human.rate_hz);
    made_.com_target_shift_max = shift_of(made_.com_asked);
    fill_plan(robot_, limbs_, q, made_);
    made_.joint_speed_max = made_.trajectory.v.bottomRows(robot_.num_joints()).cwiseAbs().maxCoeff();
    made_.com_dip = made_.trajectory.com(2, 0) - made_.trajectory.com.row(2).minCoeff();
  }

  const RobotModel& robot_;
  const RetargetOptions& options_;
  const Limbs& limbs_;
  Retargeted made_;
  std::unique_ptr<RiseSolver> solver_;
  std::vector<RiseSolver::Frame> frames_;
  Eigen::Matrix3Xd path_;     ///< of the centre of mass: the mapped one, moved for reach and ZMP [m]
  Eigen::Matrix3Xd reached_;  ///< it without the ZMP's shift [m]
};

/// What is out of reach is so at any speed; hands on arm rests are let go first.
bool can_slowing_help(const Retargeted& made) {
  const auto is_too_fast = [](const FrameVerdict& frame) { return frame.is_at(ActiveLimit::Kind::speed); };
  return made.infeasible_frames == 0 || (made.seated.hands.empty() && std::ranges::any_of(made.frames, is_too_fast));
}

/// At the person's speed, or as little slower as keeps the ZMP.
Retargeted at_best_speed(const Beginning& beginning, const RobotModel& robot, const RetargetOptions& options) {
  const auto made = [&](double slowdown) { return Retargeting(beginning, robot, options, slowdown).run(); };
  Retargeted fastest = made(1.0);
  if (fastest.is_zmp_kept || !options.keeps_zmp || !can_slowing_help(fastest)) return fastest;
  for (double fast = 1.0, slow = kSlower; slow < kSlowest; fast = slow, slow *= kSlower) {
    Retargeted best = made(slow);
    if (!best.is_zmp_kept) continue;
    for (int i = 0; i < kSlowHalvings; ++i) {
      Retargeted middle = made(0.5 * (fast + slow));
      (middle.is_zmp_kept ? slow : fast) = middle.slowdown;
      if (middle.is_zmp_kept) best = std::move(middle);
    }
    best.notes.push_back(
        fmt::format("{:.2f} times as slow as the person: faster, the ZMP would leave its margin, or "
                    "the centre of mass its path by more than {:.0f} mm",
                    best.slowdown, 1e3 * kMostShift * beginning.limbs.leg_length()));
    return best;
  }
  fastest.notes.push_back(
      fmt::format("the ZMP is not kept: not at {:.1f} times the person's duration either", kSlowest));
  return fastest;
}

}  // namespace

Retargeted retarget(const HumanTrial& trial, const RobotModel& robot, const RetargetOptions& options) {
  const std::string no_rests = options.has_arm_rests ? "" : "the robot's chair has none";
  Retargeted made = at_best_speed({trial, robot, options, no_rests}, robot, options);
  if (made.infeasible_frames == 0 || made.seated.hands.empty()) return made;
  // A hand that holds the body back is worth less than a motion that the robot can do.
  const std::string no_reach = "held there, the robot's hands would not let its body follow";
  Retargeted without = at_best_speed({trial, robot, options, no_reach}, robot, options);
  return without.infeasible_frames < made.infeasible_frames ? without : made;
}

}  // namespace aplomb

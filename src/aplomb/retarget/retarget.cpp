#include "aplomb/retarget/retarget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

#include "aplomb/retarget/frames/frame_trajectory.hpp"
#include "aplomb/retarget/frames/planned_forces.hpp"
#include "aplomb/retarget/frames/rise_solver.hpp"
#include "aplomb/retarget/mapping/adopt_posture.hpp"
#include "aplomb/retarget/mapping/arm_rests.hpp"
#include "aplomb/retarget/mapping/human_path.hpp"
#include "aplomb/retarget/mapping/key_fit.hpp"
#include "aplomb/retarget/mapping/link_map.hpp"
#include "aplomb/retarget/mapping/overlay.hpp"
#include "aplomb/retarget/mapping/plan_clock.hpp"
#include "aplomb/retarget/mapping/plan_contacts.hpp"
#include "aplomb/retarget/mapping/seat.hpp"
#include "aplomb/retarget/whole_motion/clip_task.hpp"
#include "aplomb/retarget/whole_motion/motion_solver.hpp"
#include "aplomb/retarget/whole_motion/motion_trajectory.hpp"
#include "aplomb/retarget/whole_motion/violated_limits.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/dynamics/motion_derivatives.hpp"
#include "aplomb/robot/support_region.hpp"

namespace aplomb {
namespace {

constexpr Eigen::Index kCoarse = 4, kFine = 2;          // samples of the plan per knot of the whole motion
constexpr double kViolated = 1e-2;                      // scaled violation of a limit that makes a frame infeasible
constexpr double kMarginKept = 0.75;                    // part of the CoP margin that must be left between the knots
constexpr double kTorqueKept = 0.95;                    // of a torque limit, that the written plan may take
constexpr double kTorqueAimed = 0.85;                   // that a tightened limit aims at
constexpr int kMostTightenings = 2;                     // of torque limits
constexpr double kHeightBlend = 0.4;                    // [s] in which an equation of the CoM's height is blended in
constexpr std::int64_t kMostLinearSystems = 4'000'000;  // of all frames solved alone; see docs/retargeting.md

double rms_of(const std::vector<RiseSolver::Frame>& frames) {
  double sum = 0.0;
  for (const RiseSolver::Frame& frame : frames) sum += frame.marker_rms * frame.marker_rms;
  return std::sqrt(sum / static_cast<double>(frames.size()));
}

class Retargeting {
 public:
  /// All must outlive this object.
  Retargeting(const HumanTrial& trial, const RobotModel& robot, const RetargetOptions& options)
      : trial_(trial), robot_(robot), options_(options), limbs_(find_limbs(robot)), budget_(kMostLinearSystems) {
    clip_ = human_path(trial, ClipRequest{options.clip, options.rise});
    result_.mode = options.mode;
    result_.human = on_plan_clock(clip_, {.grid = kCoarse, .edge_grid = kFine});
    result_.seated = sit_down(robot, limbs_, options.chair_height);
    adopt_persons_posture();
    result_.links = make_link_map(trial.subject.skeleton, robot, limbs_, options.links);
    const bool pushes = result_.human.rise.hand_off[0] > 0 || result_.human.rise.hand_off[1] > 0;
    if (options.has_arm_rests) rest_hands(robot, limbs_, result_.human, result_.seated);
    if (pushes && !options.has_arm_rests)
      result_.seated.notes.push_back("the person pushes off arm rests; the robot's chair has none");
    result_.overlay = lay_over(result_.human, robot, limbs_, result_.seated, result_.links);
    result_.notes = limbs_.notes;
    result_.notes.insert(result_.notes.end(), result_.seated.notes.begin(), result_.seated.notes.end());
    result_.leg_length = limbs_.leg_length();
    frames_ = std::make_unique<RiseSolver>(robot, limbs_, result_.seated, result_.human, result_.overlay, budget_);
  }

  Retargeted run() {
    follow_markers_alone();
    if (options_.mode == RetargetMode::frames) {
      solve_frames();
    } else {
      solve_whole();
    }
    judge();
    return std::move(result_);
  }

 private:
  /// Gives the robot the person's trunk and arms, on the seat or, in a clip without one, standing: so the markers laid
  /// over it keep the person's angles.
  void adopt_persons_posture() {
    RobotState& state = result_.seated.state;
    const LimbAngles person = angles_of_person(trial_, clip_, clip_.rise.overlay);
    if (std::ranges::any_of(clip_.contacts, [](const auto& contact) { return contact.site == ContactSite::seat; })) {
      state = adopt_posture(robot_, limbs_, state, person);
      return;
    }
    TreeKinematics tree(robot_);
    tree.update(state.q);
    double heel = HUGE_VAL, toe = -HUGE_VAL, middle = 0.0;
    for (std::size_t side = 0; side < 2; ++side) {
      const LinkPlacement& foot =
          robot_.tree().links[static_cast<std::size_t>(robot_.frame(robot_.description().roles.foot[side]))];
      for (const Eigen::Vector3d& corner : robot_.description().soles[side]->corners()) {
        const Eigen::Vector3d at = tree.point(foot.body, foot.T_body_link * corner);
        heel = std::min(heel, at.x());
        toe = std::max(toe, at.x());
        middle += at.y() / 8.0;
      }
    }
    const double share = (clip_.com(0, clip_.rise.overlay) - clip_.heel_x) / (clip_.toe_x - clip_.heel_x);
    state = adopt_standing_posture(robot_, limbs_, state, person,
                                   {heel + std::clamp(share, 0.25, 0.75) * (toe - heel), middle});
  }

  /// The frames without the CoM: first guess, and anchors of the CoM map.
  void follow_markers_alone() {
    result_.marker_rms_free = rms_of(frames_->follow_markers({}, RiseSolver::Com::free, guess_));
    const HumanPath& human = result_.human;
    result_.com_map = fit_keys(
        {trial_, clip_, human, robot_, limbs_, result_.seated, frames_->heel_x(), frames_->toe_x(), frames_->feet()},
        guess_, result_.overlay);
    result_.com_anchor_change = result_.com_map.anchor_change();
    result_.com_mapped.resize(3, human.num_frames());
    for (Eigen::Index i = 0; i < human.num_frames(); ++i)
      result_.com_mapped.col(i) = result_.com_map.map(human.com.col(i), i);
    result_.com_asked = result_.com_mapped;
  }

  void solve_frames() {
    Eigen::MatrixXd q;
    const std::vector<RiseSolver::Frame> frames = frames_->follow_markers(result_.com_mapped, RiseSolver::Com::hard, q);
    result_.com_asked = frames_->asked();
    result_.trajectory = frame_trajectory(robot_, limbs_, result_.human, result_.seated, q);
    result_.contacts = plan_contacts(robot_, limbs_, result_.human, result_.seated);
    for (const RiseSolver::Frame& frame : frames) {
      FrameVerdict verdict{.is_feasible = frame.is_met(), .com_residual = frame.com_residual};
      if (!verdict.is_feasible) verdict.limits = frame.limits;
      result_.frames.push_back(verdict);
    }
  }

  /// Solves the whole motion on coarse knots, then on fine ones.
  void solve_whole() {
    WholeMotion motion;
    MotionTask task = solve_on(kCoarse, false, motion);
    if (options_.mode == RetargetMode::hard) blend_height(task, motion);
    task = solve_on(kFine, options_.mode == RetargetMode::hard, motion);
    for (int round = 0; round < kMostTightenings && tighten_torques(task, motion); ++round) {
    }
    result_.is_settled = motion.converged;
    for (int axis = 0; axis < 2; ++axis) {
      double margin = HUGE_VAL;
      for (std::size_t side = 0; side < 2; ++side) {
        const Sole& sole = *robot_.description().soles[side];
        const double half = 0.5 * (axis == 0 ? sole.x_max - sole.x_min : sole.y_max - sole.y_min);
        margin = std::min(margin, half - task.soles[side].half_size[axis]);
      }
      result_.cop_margin_needed[axis] = kMarginKept * margin;
    }
    result_.contacts = plan_contacts(robot_, limbs_, result_.human, result_.seated);
    result_.trajectory = motion_trajectory(robot_, task, motion, result_.contacts, result_.human.rate_hz);
    // Many small violations count as one: the largest of them then makes its frames infeasible.
    double largest = 0.0;
    for (const auto& limits : motion.limits) {
      for (const ReachedLimit& limit : limits) largest = std::max(largest, limit.excess);
    }
    const double least =
        motion.violation > kViolated && largest > 0.0 ? std::min(kViolated, 0.99 * largest) : kViolated;
    for (Eigen::Index i = 0; i < result_.human.num_frames(); ++i) {
      const auto& limits = motion.limits[static_cast<std::size_t>(i / kFine)];
      FrameVerdict verdict;
      for (const ReachedLimit& limit : limits) {
        if (limit.excess > least) verdict.is_feasible = false;
      }
      for (const ReachedLimit& limit : limits) {
        if (!verdict.is_feasible && limit.excess <= least) continue;  // name what is violated
        verdict.limits.push_back({kind_of(limit.kind), limit.name});
      }
      result_.frames.push_back(verdict);
    }
    explain(task, motion, least);
  }

  /// What is written is a spline, whose accelerations differ from those of the problem where they change from knot to
  /// knot. Where they take a torque beyond its limit, the problem's limit is tightened by as much, and it is solved
  /// again; false: nothing was to be done, or it would be infeasible then.
  bool tighten_torques(MotionTask& task, WholeMotion& motion) {
    if (motion.violation > kViolated) return false;
    const ContactPlan contacts = plan_contacts(robot_, limbs_, result_.human, result_.seated);
    const Eigen::VectorXd largest =
        motion_trajectory(robot_, task, motion, contacts, result_.human.rate_hz).torque.cwiseAbs().rowwise().maxCoeff();
    MotionTask tightened = task;
    for (Eigen::Index i = 0; i < largest.size(); ++i) {
      const double limit = robot_.joints()[static_cast<std::size_t>(i)].effort;
      if (std::isfinite(limit) && limit > 0.0 && largest[i] > kTorqueKept * limit)
        tightened.torque[i] *= kTorqueAimed * limit / largest[i];
    }
    if (tightened.torque == task.torque) return false;
    tightened.first_guess = motion.knots;
    const WholeMotion again = MotionSolver(robot_, tightened).solve({});
    result_.solver_iterations += static_cast<int>(again.iterations.size());
    if (!again.converged || again.violation > kViolated) return false;
    task = std::move(tightened);
    motion = again;
    return true;
  }

  /// Lists the limits that the motion violates, and finds those without which it would be feasible.
  void explain(const MotionTask& task, const WholeMotion& motion, double least) {
    for (const ViolatedLimit& limit : violated_limits(motion, least)) {
      const auto time = [&](Eigen::Index knot) { return static_cast<double>(knot) * task.step_s; };
      result_.violated.push_back({.limit = {kind_of(limit.kind), limit.name},
                                  .amount = amount_of(limit),
                                  .start_s = time(limit.first),
                                  .end_s = time(limit.last),
                                  .worst_s = time(limit.worst)});
    }
    if (result_.violated.empty() || !options_.finds_obstacle) return;
    // On the coarse knots: the question is which limit, not the motion.
    MotionTask coarse = task_on(kCoarse, options_.mode == RetargetMode::hard);
    const Removal removal = find_removal(robot_, std::move(coarse), motion, kViolated);
    result_.obstacle.emplace().is_all = removal.is_enough;
    for (const ViolatedLimit& limit : removal.limits)
      result_.obstacle->limits.push_back({kind_of(limit.kind), limit.name});
  }

  static std::string amount_of(const ViolatedLimit& limit) {
    switch (limit.kind) {
      case ReachedLimit::Kind::contact:
        return fmt::format("{:.1f} % of the weight", 10.0 * limit.excess);
      case ReachedLimit::Kind::torque:
      case ReachedLimit::Kind::speed:
        return fmt::format("{:.0f} %", 100.0 * limit.excess);
      case ReachedLimit::Kind::range:
        return fmt::format("{:.2f} rad", 0.1 * limit.excess);
      case ReachedLimit::Kind::distance:
      case ReachedLimit::Kind::equation:
        return fmt::format("{:.1f} mm", 10.0 * limit.excess);
    }
    return {};
  }

  static ActiveLimit::Kind kind_of(ReachedLimit::Kind kind) {
    switch (kind) {
      case ReachedLimit::Kind::contact:
        return ActiveLimit::Kind::contact;
      case ReachedLimit::Kind::torque:
        return ActiveLimit::Kind::torque;
      case ReachedLimit::Kind::speed:
        return ActiveLimit::Kind::speed;
      case ReachedLimit::Kind::range:
        return ActiveLimit::Kind::range;
      case ReachedLimit::Kind::distance:
        return ActiveLimit::Kind::distance;
      case ReachedLimit::Kind::equation:
        return ActiveLimit::Kind::equation;
    }
    return ActiveLimit::Kind::range;
  }

  MotionTask task_on(Eigen::Index stride, bool com_is_equation) const {
    const ClipTask clip{robot_, limbs_, result_.human, result_.seated, result_.overlay, result_.com_asked, guess_};
    return make_motion_task(clip, {.stride = stride, .com_is_equation = com_is_equation});
  }

  MotionTask solve_on(Eigen::Index stride, bool com_is_equation, WholeMotion& motion) {
    const MotionTask task = task_on(stride, com_is_equation);
    motion = MotionSolver(robot_, task).solve({});
    result_.solver_iterations += static_cast<int>(motion.iterations.size());
    // The next guess, at the rate of the plan.
    const MotionSpline spline(motion.knots, task.step_s);
    Eigen::VectorXd x, rates, accelerations;
    for (Eigen::Index i = 0; i < guess_.cols(); ++i) {
      spline.at(static_cast<double>(i) / result_.human.rate_hz, x, rates, accelerations);
      guess_.col(i) = configuration_of(x);
    }
    return task;
  }

  /// Where the CoM is an equation: on the seat the hips dictate its height, which is blended to the mapped path after
  /// each seat-off and before each seat-on.
  void blend_height(const MotionTask& task, const WholeMotion& motion) {
    const HumanPath& human = result_.human;
    const MotionSpline spline(motion.knots, task.step_s);
    TreeKinematics tree(robot_);
    for (const ContactInterval& seat : human.contacts) {
      if (seat.site != ContactSite::seat) continue;
      for (const bool is_release : {true, false}) {
        const Eigen::Index edge = is_release ? seat.end - 1 : seat.begin;
        if ((is_release && seat.end >= human.num_frames()) || (!is_release && seat.begin == 0)) continue;
        tree.update(guess_.col(edge));
        const double lag = tree.com().z() - result_.com_mapped(2, edge);
        for (Eigen::Index i = 0; i < human.num_frames(); ++i) {
          const double away = static_cast<double>(is_release ? i - edge : edge - i) / human.rate_hz;
          if (away <= 0.0) continue;
          const double u = std::min(1.0, away / kHeightBlend);
          result_.com_asked(2, i) += lag * (1.0 - u * u * u * (10.0 - 15.0 * u + 6.0 * u * u));
        }
      }
    }
  }

  /// Distance of the ZMP to the edge of the support region of the soles in contact, over the samples in which only feet
  /// bear.
  double zmp_margin() const {
    TreeKinematics tree(robot_);
    SupportRegion region;
    std::vector<Eigen::Vector2d> corners;
    double least = HUGE_VAL;
    for (Eigen::Index i = 0; i < result_.trajectory.num_samples(); ++i) {
      const double time = result_.trajectory.time_s(i);
      const auto bears = [&](ContactSite site) { return result_.contacts.is_active(site, time); };
      if (bears(ContactSite::seat) || bears(ContactSite::left_hand) || bears(ContactSite::right_hand)) continue;
      tree.update(result_.trajectory.q.col(i));
      corners.clear();
      for (std::size_t side = 0; side < 2; ++side) {
        if (!bears(side == 0 ? ContactSite::left_foot : ContactSite::right_foot)) continue;
        const LinkPlacement& foot =
            robot_.tree().links[static_cast<std::size_t>(robot_.frame(robot_.description().roles.foot[side]))];
        for (const Eigen::Vector3d& corner : robot_.description().soles[side]->corners())
          corners.push_back(tree.point(foot.body, foot.T_body_link * corner).head<2>());
      }
      region.update(corners, 1e-6);
      least = std::min(least, region.signed_distance(result_.trajectory.zmp.col(i)));
    }
    return least;
  }

  void judge() {
    Trajectory& plan = result_.trajectory;
    const HumanPath& human = result_.human;
    plan.com_person = result_.com_mapped;
    TreeKinematics tree(robot_);
    double square_sum = 0.0, marker_sum = 0.0;
    for (Eigen::Index i = 0; i < plan.num_samples(); ++i) {
      FrameVerdict& verdict = result_.frames[static_cast<std::size_t>(i)];
      const bool is_seated = human.is_in_contact(ContactSite::seat, i);
      Eigen::Vector3d shift = plan.com.col(i) - result_.com_mapped.col(i);
      Eigen::Vector3d residual = plan.com.col(i) - result_.com_asked.col(i);
      if (is_seated) shift.z() = residual.z() = 0.0;
      square_sum += shift.squaredNorm();
      if (!is_seated) result_.com_target_shift_max = std::max(result_.com_target_shift_max, shift.norm());
      // Between the knots of a whole motion the CoM is that of the spline.
      if (options_.mode != RetargetMode::frames && i % kFine == 0) verdict.com_residual = residual.norm();
      result_.com_residual_max = std::max(result_.com_residual_max, verdict.com_residual);
      tree.update(plan.q.col(i));
      double markers = 0.0;
      for (std::size_t k = 0; k < result_.overlay.markers.size(); ++k) {
        const RobotMarker& marker = result_.overlay.markers[k];
        markers += (tree.point(marker.body, marker.offset) - result_.overlay.target(human, k, i)).squaredNorm();
      }
      verdict.marker_rms = std::sqrt(markers / static_cast<double>(result_.overlay.markers.size()));
      marker_sum += verdict.marker_rms * verdict.marker_rms;
      if (!verdict.is_feasible) ++result_.infeasible_frames;
    }
    const auto samples = static_cast<double>(plan.num_samples());
    result_.com_target_shift_rms = std::sqrt(square_sum / samples);
    result_.marker_rms = std::sqrt(marker_sum / samples);
    result_.jerk_rms = joint_jerk_rms(plan.q, plan.rate_hz);
    result_.zmp_margin_min = zmp_margin();
    for (int i = 0; i < robot_.num_joints(); ++i) {
      const double speed = plan.v.row(6 + i).cwiseAbs().maxCoeff();
      const double limit = robot_.joints()[static_cast<std::size_t>(i)].velocity;
      result_.joint_speed_max = std::max(result_.joint_speed_max, speed);
      if (limit > 0.0) result_.joint_speed_ratio_max = std::max(result_.joint_speed_ratio_max, speed / limit);
    }
    result_.com_dip = plan.com(2, 0) - plan.com.row(2).minCoeff();
    result_.likeness = likeness(trial_, clip_, robot_, plan,
                                {.offset_s = clip_.start_s - human.start_s, .slowdown = result_.slowdown});
  }

  const HumanTrial& trial_;
  const RobotModel& robot_;
  const RetargetOptions& options_;
  Limbs limbs_;
  HumanPath clip_;  ///< on the person's own clock
  SolverBudget budget_;
  Retargeted result_;
  std::unique_ptr<RiseSolver> frames_;
  Eigen::MatrixXd guess_;  ///< postures by sample of the plan
};

}  // namespace

RetargetMode retarget_mode(const std::string& name) {
  for (std::size_t i = 0; i < kRetargetModeNames.size(); ++i) {
    if (name == kRetargetModeNames[i]) return static_cast<RetargetMode>(i);
  }
  throw InvalidValue(fmt::format("no mode of retargeting is called '{}'; valid are frames, hard and priced", name));
}

std::string Retargeted::forbidden_by() const {
  if (violated.empty()) return {};
  const ViolatedPlanLimit& worst = violated.front();
  std::string text = fmt::format("{} is violated by {} at {:.2f} s", worst.limit.text(), worst.amount, worst.worst_s);
  if (!obstacle || obstacle->limits.empty()) return text;
  std::string names;
  for (const ActiveLimit& limit : obstacle->limits) names += (names.empty() ? "" : ", ") + limit.text();
  return text + (obstacle->is_all ? "; feasible without the limit of " : "; infeasible even without the limit of ") +
         names;
}

Retargeted retarget(const HumanTrial& trial, const RobotModel& robot, const RetargetOptions& options) {
  return Retargeting(trial, robot, options).run();
}

}  // namespace aplomb

// plan_study guess|ablation|time ROBOT TRIAL...: what the whole-motion planner's optimum depends on, over every rise of
// the trials (folders of `aplomb human`).
//   guess     the optimum from a bare blend of the seated and the last posture, against that from the planner's guess
//   ablation  each cost and each limit of the problem left out alone; means over the rises
//   time      processor time of every rise, and of each whole trial as one plan, by its length
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/human/trial_files.hpp"
#include "aplomb/motion/plan_audit.hpp"
#include "aplomb/retarget/retarget.hpp"
#include "aplomb/retarget/whole_motion/clip_task.hpp"
#include "aplomb/retarget/whole_motion/motion_solver.hpp"
#include "aplomb/retarget/whole_motion/motion_trajectory.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/dynamics/motion_derivatives.hpp"

namespace aplomb {
namespace {

constexpr Eigen::Index kCoarse = 4, kFine = 2;  // samples per knot, as the planner has them

/// One rise, planned, and its problem from any first guess.
struct Rise {
  std::string name;
  const RobotModel& robot;
  Limbs limbs;
  Retargeted made;

  MotionTask task(Eigen::Index stride, const Eigen::MatrixXd& guess, const ClipTaskOptions& given = {}) const {
    ClipTaskOptions options = given;
    options.stride = stride;
    return make_motion_task({robot, limbs, made.human, made.seated, made.overlay, made.com_asked, guess}, options);
  }

  /// A minimum-jerk blend from the first posture to the last one.
  Eigen::MatrixXd blend() const {
    const Eigen::MatrixXd& q = made.trajectory.q;
    const Eigen::VectorXd begin = flat_coordinates(q.col(0)), end = flat_coordinates(q.col(q.cols() - 1));
    Eigen::MatrixXd guess = q;
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      const double u = static_cast<double>(i) / static_cast<double>(q.cols() - 1);
      guess.col(i) = configuration_of(begin + u * u * u * (10.0 - 15.0 * u + 6.0 * u * u) * (end - begin));
    }
    return guess;
  }
};

std::vector<Rise> plan_rises(const RobotModel& robot, const std::vector<std::string>& folders) {
  std::vector<Rise> rises;
  for (const std::string& folder : folders) {
    const HumanTrial trial = read_trial(folder);
    for (std::size_t i = 0; i < trial.rises.size(); ++i)
      rises.push_back(
          {fmt::format("{} {}", trial.name, i + 1), robot, find_limbs(robot), retarget(trial, robot, {.rise = i})});
  }
  return rises;
}

Eigen::MatrixXd postures(const WholeMotion& motion, const MotionTask& task, const Rise& rise) {
  const MotionSpline spline(motion.knots, task.step_s);
  Eigen::MatrixXd q = rise.made.trajectory.q;
  Eigen::VectorXd x, rates, accelerations;
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    spline.at(static_cast<double>(i) / rise.made.human.rate_hz, x, rates, accelerations);
    q.col(i) = configuration_of(x);
  }
  return q;
}

/// The optimum, closely, from a guess: coarse knots, then fine ones.
WholeMotion optimum(const Rise& rise, const Eigen::MatrixXd& guess) {
  const MotionSolver::Settings to_the_end{.max_iterations = 80, .max_programs = 200, .tolerance = 1e-6};
  const MotionTask coarse = rise.task(kCoarse, guess);
  const Eigen::MatrixXd better = postures(MotionSolver(rise.robot, coarse).solve({.max_iterations = 60}), coarse, rise);
  const MotionTask fine = rise.task(kFine, better);
  return MotionSolver(rise.robot, fine).solve(to_the_end);
}

int study_guess(const std::vector<Rise>& rises) {
  fmt::print("| rise | steps | CoM, largest distance [mm] | cost, difference [%] |\n|--|--|--|--|\n");
  int same = 0;
  for (const Rise& rise : rises) {
    const WholeMotion from_plan = optimum(rise, rise.made.trajectory.q), from_blend = optimum(rise, rise.blend());
    MotionDerivatives one(rise.robot), other(rise.robot);
    double distance = 0.0;
    const Eigen::VectorXd still = Eigen::VectorXd::Zero(from_plan.knots.rows());
    for (Eigen::Index j = 0; j < from_plan.knots.cols(); ++j) {
      one.update_values(from_plan.knots.col(j), still, still);
      other.update_values(from_blend.knots.col(j), still, still);
      distance = std::max(distance, (one.com() - other.com()).norm());
    }
    const double cost = from_plan.iterations.back().merit, change = from_blend.iterations.back().merit / cost - 1.0;
    same += distance < 1e-4 && std::abs(change) < 1e-3 ? 1 : 0;
    fmt::print("| {} | {}, {} | {:.3f} | {:+.3f} |\n", rise.name, from_plan.iterations.size(),
               from_blend.iterations.size(), 1e3 * distance, 100.0 * change);
  }
  fmt::print("\nthe same to 0.1 mm and 0.1 %: {} of {}\n", same, rises.size());
  return 0;
}

struct Ablation {
  const char* name;
  std::function<void(ClipTaskOptions&)> options;
  std::function<void(MotionTask&)> task;
};

std::vector<Ablation> ablations() {
  const auto none = [](auto&) {};
  return {
      {"nothing", none, none},
      {"CoM", none, [](MotionTask& task) { task.com_weight.setZero(); }},
      {"markers", [](ClipTaskOptions& options) { options.marker_price = 1e-3; }, none},
      {"posture", none, [](MotionTask& task) { task.posture_weight *= 1e-3; }},
      {"jerk", [](ClipTaskOptions& options) { options.jerk_price *= 1e-3; }, none},
      {"rate of forces", [](ClipTaskOptions& options) { options.force_rate_price *= 1e-3; }, none},
      {"tangential forces", [](ClipTaskOptions& options) { options.friction_price *= 1e-3; }, none},
      {"CoP limits", none,
       [](MotionTask& task) {
         for (SoleContact& sole : task.soles) sole.half_size.setConstant(1.0);
       }},
      {"friction limits", none,
       [](MotionTask& task) {
         for (SoleContact& sole : task.soles) sole.friction = 10.0;
         for (PointContact& point : task.points) point.friction = 10.0;
       }},
      {"least force of a foot", none,
       [](MotionTask& task) {
         for (SoleContact& sole : task.soles) sole.least_force.setConstant(-1e4);
       }},
      {"load taken over in time", none,
       [](MotionTask& task) {
         for (PointContact& point : task.points) point.largest_force.setConstant(HUGE_VAL);
       }},
      {"vertical force of all", none,
       [](MotionTask& task) {
         task.least_force_per_weight = -10.0;
         task.largest_force_per_weight = 10.0;
       }},
      {"torque limits", none, [](MotionTask& task) { task.torque.setConstant(1e9); }},
      {"speed limits", none, [](MotionTask& task) { task.speed.setZero(); }},
      {"ranges", none,
       [](MotionTask& task) {
         task.lower.setConstant(-10.0);
         task.upper.setConstant(10.0);
       }},
      {"heights over seat and rests", none, [](MotionTask& task) { task.bounds.clear(); }},
      {"distances of the arms", none, [](MotionTask& task) { task.pairs.clear(); }},
  };
}

/// Means of one variant, and its worst values, over the rises.
struct Row {
  double iterations = 0.0, com_rms = 0.0, markers = 0.0, jerk = 0.0;
  double com_max = 0.0, torque = 0.0, force_jump = 0.0, least_foot = HUGE_VAL, least = HUGE_VAL, largest = 0.0;
  double friction = 0.0, cop_length = HUGE_VAL, cop_width = HUGE_VAL, range = HUGE_VAL, speed = 0.0;
  int settled = 0;
};

void add(const Rise& rise, const MotionTask& task, const WholeMotion& motion, double part, Row& row) {
  const Trajectory plan = motion_trajectory(rise.robot, task, motion, rise.made.contacts, rise.made.human.rate_hz);
  const PlanAudit audit = audit_plan(rise.robot, {plan, rise.made.contacts}, 3);
  TreeKinematics tree(rise.robot);
  double com = 0.0, markers = 0.0;
  const Retargeted& made = rise.made;
  for (Eigen::Index i = 0; i < plan.num_samples(); ++i) {
    Eigen::Vector3d off = plan.com.col(i) - made.com_mapped.col(i);
    if (made.human.is_in_contact(ContactSite::seat, i)) off.z() = 0.0;
    com += off.squaredNorm();
    row.com_max = std::max(row.com_max, off.norm());
    tree.update(plan.q.col(i));
    for (std::size_t k = 0; k < made.overlay.markers.size(); ++k) {
      const RobotMarker& marker = made.overlay.markers[k];
      markers += (tree.point(marker.body, marker.offset) - made.overlay.target(made.human, k, i)).squaredNorm() /
                 static_cast<double>(made.overlay.markers.size());
    }
    if (i == 0) continue;
    for (const Trajectory::ContactWrenches& contact : plan.wrenches)
      row.force_jump = std::max(row.force_jump, std::abs(contact.wrench(2, i) - contact.wrench(2, i - 1)));
  }
  const auto samples = static_cast<double>(plan.num_samples());
  row.com_rms += part * std::sqrt(com / samples);
  row.markers += part * std::sqrt(markers / samples);
  row.jerk += part * audit.jerk_rms_rad_per_s3;
  row.iterations += part * static_cast<double>(motion.iterations.size());
  row.settled += motion.converged ? 1 : 0;
  row.torque = std::max(row.torque, audit.torque_ratio_max.value);
  row.speed = std::max(row.speed, audit.speed_ratio_max.value);
  row.friction = std::max(row.friction, audit.friction_ratio_max.value);
  row.least_foot = std::min(row.least_foot, audit.foot_force_min_per_weight.value);
  row.least = std::min(row.least, audit.force_min_per_weight.value);
  row.largest = std::max(row.largest, audit.force_max_per_weight.value);
  row.cop_length = std::min(row.cop_length, audit.cop_margin_length_min_m.value);
  row.cop_width = std::min(row.cop_width, audit.cop_margin_width_min_m.value);
  row.range = std::min(row.range, audit.range_margin_min_rad.value);
}

int study_ablation(const std::vector<Rise>& rises) {
  fmt::print(
      "| left out | steps (settled) | CoM RMS / max [mm] | markers [mm] | jerk [rad/s^3] | CoP length / width [mm] | "
      "smallest force of a foot [m g] | vertical force [m g] | friction | torque | speed | range [rad] | force jump "
      "in 10 ms [N] |\n|--|--|--|--|--|--|--|--|--|--|--|--|--|\n");
  const double part = 1.0 / static_cast<double>(rises.size());
  for (const Ablation& ablation : ablations()) {
    Row row;
    for (const Rise& rise : rises) {
      ClipTaskOptions options;
      ablation.options(options);
      MotionTask task = rise.task(kFine, rise.made.trajectory.q, options);
      ablation.task(task);
      add(rise, task, MotionSolver(rise.robot, task).solve({}), part, row);
    }
    fmt::print(
        "| {} | {:.0f} ({} of {}) | {:.1f} / {:.1f} | {:.0f} | {:.0f} | {:.0f} / {:.0f} | {:.2f} | {:.2f} to {:.2f} | "
        "{:.2f} | {:.2f} | {:.2f} | {:.3f} | {:.0f} |\n",
        ablation.name, row.iterations, row.settled, rises.size(), 1e3 * row.com_rms, 1e3 * row.com_max,
        1e3 * row.markers, row.jerk, 1e3 * row.cop_length, 1e3 * row.cop_width, row.least_foot, row.least, row.largest,
        row.friction, row.torque, row.speed, row.range, row.force_jump);
    std::fflush(stdout);
  }
  return 0;
}

double processor_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void time_plan(const RobotModel& robot, const HumanTrial& trial, const RetargetOptions& options,
               const std::string& name) {
  const double begin = processor_s();
  const Retargeted made = retarget(trial, robot, options);
  const double spent = processor_s() - begin, length = made.trajectory.end_s();
  fmt::print("| {} | {:.1f} | {} | {:.1f} | {:.0f} |\n", name, length, made.solver_iterations, spent,
             1e3 * spent / (length * made.solver_iterations));
  std::fflush(stdout);
}

int study_time(const RobotModel& robot, const std::vector<std::string>& folders) {
  fmt::print("| clip | length [s] | steps | time [s] | per step and second of the clip [ms] |\n|--|--|--|--|--|\n");
  for (const std::string& folder : folders) {
    const HumanTrial trial = read_trial(folder);
    for (std::size_t i = 0; i < trial.rises.size(); ++i)
      time_plan(robot, trial, {.rise = i, .finds_obstacle = false}, fmt::format("{} {}", trial.name, i + 1));
    if (trial.rises.size() > 1 || std::isfinite(trial.rises.at(0).seat_on_s))
      time_plan(robot, trial, {.clip = ClipKind::whole, .finds_obstacle = false}, trial.name + ", whole");
  }
  return 0;
}

int run(int count, char** words) {
  const std::string_view what = count > 1 ? words[1] : "";
  if (count < 4 || (what != "guess" && what != "ablation" && what != "time")) {
    fmt::print(stderr, "usage: plan_study guess|ablation|time ROBOT TRIAL...\n");
    return 2;
  }
  const RobotModel robot = RobotModel::load(words[2]);
  const std::vector<std::string> folders(words + 3, words + count);
  if (what == "time") return study_time(robot, folders);
  const std::vector<Rise> rises = plan_rises(robot, folders);
  return what == "guess" ? study_guess(rises) : study_ablation(rises);
}

}  // namespace
}  // namespace aplomb

int main(int count, char** words) {
  try {
    return aplomb::run(count, words);
  } catch (const aplomb::Error& error) {
    fmt::print(stderr, "plan_study: error: {}\n", error.what());
    return 2;
  }
}

#include <limits>
#include <memory>
#include <random>

#include "aplomb/demonstrator/demonstrator.hpp"
#include "aplomb/human/human_trial.hpp"
#include "aplomb/motion/profile/axis_motion.hpp"
#include "aplomb/retarget/frames/posture_solver.hpp"
#include "aplomb/retarget/frames/rise_solver.hpp"
#include "aplomb/retarget/mapping/human_path.hpp"
#include "aplomb/retarget/mapping/key_fit.hpp"
#include "aplomb/retarget/mapping/link_map.hpp"
#include "aplomb/retarget/mapping/overlay.hpp"
#include "aplomb/retarget/mapping/plan_clock.hpp"
#include "aplomb/retarget/mapping/planted.hpp"
#include "aplomb/retarget/mapping/seat.hpp"
#include "aplomb/retarget/whole_motion/clip_task.hpp"
#include "aplomb/retarget/whole_motion/motion_solver.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/dynamics/motion_derivatives.hpp"
#include "aplomb/robot/limbs.hpp"
#include "cases/bench_cases.hpp"

namespace aplomb {
namespace {

constexpr int kFrames = 200;

/// A rise of sarcos_real at 100 Hz with 41 markers and 2 mm of noise; feet and CoM are equality constraints.
struct Rising {
  Rising() : robot(RobotModel::load("sarcos_real")), tree(robot) {
    const Limbs limbs = find_limbs(robot);
    const RobotState seated = robot.posture("seated"), standing = robot.posture("half_sitting");
    for (int i = 0; i < kFrames; ++i) {
      const double rise = minimum_jerk(i, kFrames - 1).position;
      RobotState state = seated;
      state.q = (1.0 - rise) * seated.q + rise * standing.q;
      state.q.segment<4>(3).normalize();
      robot.stand_on_soles(state);
      postures.push_back(state.q);
    }
    tree.update(postures[0]);
    std::vector<PointRow> rows = planted_foot(robot, tree, 0);
    for (const PointRow& row : planted_foot(robot, tree, 1)) rows.push_back(row);
    for (PointRow& row : com_rows()) {
      row.kind = RowKind::equal;
      rows.push_back(row);
    }
    solver = std::make_unique<PostureSolver>(robot, place_markers(), rows, hands_and_thighs(robot, limbs, tree),
                                             PostureSolver::Settings{});
    record();
    q = postures[0];
  }

  void ask(int i) {
    for (std::size_t k = 0; k < solver->targets.size(); ++k) {
      solver->targets[k] = seen[static_cast<std::size_t>(i) * solver->targets.size() + k];
    }
    for (int axis = 0; axis < 3; ++axis) {
      solver->rows[solver->rows.size() - 3 + static_cast<std::size_t>(axis)].value =
          coms[static_cast<std::size_t>(i)][axis];
    }
  }
  void next() {
    ask(frame);
    solver->pull = q.tail(robot.num_joints());
    solver->solve(q);
    frame += forward ? 1 : -1;  // forwards and backwards, so that successive frames are neighbours
    if (frame == kFrames - 1 || frame == 0) forward = !forward;
  }
  RobotModel robot;
  TreeKinematics tree;
  std::vector<Eigen::VectorXd> postures;
  std::unique_ptr<PostureSolver> solver;
  std::vector<Eigen::Vector3d> seen, coms;
  Eigen::VectorXd q;
  int frame = 0;
  bool forward = true;

 private:
  std::vector<RobotMarker> place_markers() {
    std::mt19937 engine(3);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    std::vector<int> solid;
    for (int body = 0; body < tree.num_bodies(); ++body) {
      if (tree.mass(body) > 0.0) solid.push_back(body);
    }
    std::vector<RobotMarker> markers;
    for (std::size_t i = 0; i < 41; ++i) {
      markers.push_back(
          {.body = solid[i % solid.size()], .offset = {0.1 * unit(engine), 0.1 * unit(engine), 0.15 * unit(engine)}});
    }
    return markers;
  }
  void record() {
    std::mt19937 engine(1);
    std::normal_distribution<double> noise(0.0, 0.002);
    for (const Eigen::VectorXd& shown : postures) {
      tree.update(shown);
      coms.push_back(tree.com());
      for (const RobotMarker& marker : solver->markers()) {
        seen.push_back(tree.point(marker.body, marker.offset) +
                       Eigen::Vector3d(noise(engine), noise(engine), noise(engine)));
      }
    }
  }
};

/// The natural rise of the demonstrator as a whole motion of sarcos_real: knots 40 ms apart, then 20 ms, as `retarget`.
struct WholeRise {
  WholeRise() : robot(RobotModel::load("sarcos_real")), limbs(find_limbs(robot)), seated(sit_down(robot, limbs, {})) {
    const Demonstration shown = demonstrate({.style = "natural"});
    HumanTrial trial{.name = "natural", .motion = shown.motion};
    trial.subject.skeleton = shown.skeleton;
    for (const AttachedMarker& marker : shown.markers) {
      trial.subject.markers.push_back(
          {.label = marker.label, .segment = shown.skeleton.segment(marker.segment), .offset = marker.position});
    }
    for (const double seat_off_s : shown.seat_off_s)
      trial.rises.push_back({seat_off_s, std::numeric_limits<double>::infinity()});
    const HumanPath own = human_path(trial, 0);
    human = on_plan_clock(own, {.grid = kCoarse});
    overlay = lay_over(human, robot, limbs, seated, make_link_map(trial.subject.skeleton, robot, limbs, {}));
    SolverBudget budget(4'000'000);
    RiseSolver frames(robot, limbs, seated, human, overlay, budget);
    frames.follow_markers({}, RiseSolver::Com::free, guess);
    const ComMap map = fit_keys(
        {trial, own, human, robot, limbs, seated, frames.heel_x(), frames.toe_x(), frames.feet()}, guess, overlay);
    com.resize(3, human.num_frames());
    for (Eigen::Index i = 0; i < human.num_frames(); ++i) com.col(i) = map.map(human.com.col(i), i);
  }

  void solve() {
    Eigen::MatrixXd start = guess;
    for (const Eigen::Index stride : {kCoarse, kFine}) {
      const MotionTask task = make_motion_task({robot, limbs, human, seated, overlay, com, start}, {.stride = stride});
      const WholeMotion motion = MotionSolver(robot, task).solve({});
      const MotionSpline spline(motion.knots, task.step_s);
      Eigen::VectorXd x, rates, accelerations;
      for (Eigen::Index i = 0; i < start.cols(); ++i) {
        spline.at(static_cast<double>(i) / human.rate_hz, x, rates, accelerations);
        start.col(i) = configuration_of(x);
      }
    }
  }

  static constexpr Eigen::Index kCoarse = 4, kFine = 2;  // samples of the plan per knot
  RobotModel robot;
  Limbs limbs;
  SeatedRobot seated;
  HumanPath human;
  Overlay overlay;
  Eigen::Matrix3Xd com;
  Eigen::MatrixXd guess;
};

}  // namespace

void add_retargeting(std::vector<BenchCase>& cases) {
  const auto frames = std::make_shared<Rising>();
  cases.push_back({"retarget_frame", [frames] { frames->next(); }});
  const auto whole = std::make_shared<WholeRise>();
  cases.push_back({"retarget_clip_frame", [whole] { whole->solve(); }, static_cast<int>(whole->human.num_frames())});
}

}  // namespace aplomb

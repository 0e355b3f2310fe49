#include "aplomb/retarget/frames/rise_solver.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "aplomb/retarget/mapping/human_path.hpp"
#include "aplomb/retarget/mapping/link_map.hpp"
#include "aplomb/retarget/mapping/overlay.hpp"
#include "aplomb/retarget/mapping/plan_clock.hpp"
#include "aplomb/retarget/mapping/seat.hpp"
#include "retarget/demonstrated_trial.hpp"
#include "support/allocation_count.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

/// All of a clip as many times as slow as the person.
HumanPath on_clock(const HumanPath& clip, double slowdown) {
  return on_plan_clock(clip, {.stretch = Eigen::VectorXd::Constant(clip.num_frames(), slowdown)});
}

/// A rise of the demonstrator on a robot, ready to be solved.
struct Rise {
  explicit Rise(double slowdown, std::int64_t linear_systems = 10'000'000)
      : human(on_clock(human_path(trial, 0), slowdown)),
        budget(linear_systems),
        overlay(lay_over(human, robot, limbs, seated, make_link_map(trial.subject.skeleton, robot, limbs, {}))),
        solver(robot, limbs, seated, human, overlay, budget) {}

  HumanTrial trial = test::demonstrated_trial("natural");
  RobotModel robot = RobotModel::load("sarcos_real");
  Limbs limbs = find_limbs(robot);
  SeatedRobot seated = sit_down(robot, limbs, {});
  HumanPath human;
  SolverBudget budget;
  Overlay overlay;
  RiseSolver solver;
};

TEST(RiseSolver, FramesDoNotAllocate) {
  SKIP_UNLESS_COUNTED();
  long long counts[2] = {};
  for (int i = 0; i < 2; ++i) {
    Rise rise(i == 0 ? 1.0 : 2.0);  // twice as many frames
    Eigen::MatrixXd q;
    rise.solver.follow_markers({}, RiseSolver::Com::free, q);
    TreeKinematics tree(rise.robot);
    Eigen::Matrix3Xd path(3, q.cols());
    for (Eigen::Index frame = 0; frame < q.cols(); ++frame) {
      tree.update(q.col(frame));
      path.col(frame) = tree.com();
    }
    const test::AllocationCount allocations;
    rise.solver.follow_markers(path, RiseSolver::Com::hard, q);
    counts[i] = static_cast<long long>(allocations.since_start());
  }
  EXPECT_EQ(counts[0], counts[1]);  // what is made once a clip: its frames' verdicts, its path
  EXPECT_LT(counts[0], 20);
}

TEST(RiseSolver, StopsWhenItsBudgetIsSpentAndSaysWhere) {
  Rise rise(1.0, /*linear_systems=*/200);
  Eigen::MatrixXd q;
  const std::string error = test::error_of([&] { rise.solver.follow_markers({}, RiseSolver::Com::free, q); });
  EXPECT_TRUE(test::has(error, "no plan for robot 'sarcos_real' within"));
  EXPECT_TRUE(test::has(error, "at posture"));
}

}  // namespace
}  // namespace aplomb

#include "aplomb/run/run.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/run/start.hpp"

namespace aplomb {
namespace {

/// A robot that stands on a level floor for 0.1 s.
RunSetup standing(const std::string& name) {
  RunSetup setup;
  setup.robot = setup.believed = std::make_shared<const RobotModel>(RobotModel::load(name));
  Start start = make_start({}, World{}, *setup.robot);
  setup.start = std::move(start.state);
  setup.world = std::move(start.world);
  setup.duration_s = 0.1;
  return setup;
}

/// Commands what it is given at its sixth tick.
class SixthTick final : public Controller {
 public:
  SixthTick(const RunSetup& setup, double torque)
      : pd_(*setup.robot, setup.start, {}), torque_(torque), command_(setup.robot->num_joints()) {}

  const Command& step(const SensorReadings& readings) override {
    command_ = pd_.step(readings);
    if (++tick_ == 6) command_.torque[0] = torque_;
    return command_;
  }

 private:
  JointPd pd_;
  double torque_;
  Command command_;
  int tick_ = 0;
};

std::int64_t count(const RunResult& run, std::string_view metric) {
  return std::get<std::int64_t>(*run.result.metrics.find(metric));
}

TEST(Run, LogsOneRowPerTickAndIsJudgedByItsOwnChecks) {
  const RunSetup setup = standing("coman");
  JointPd controller(*setup.robot, setup.start, {});
  RunResult run = aplomb::run(setup, controller);
  EXPECT_EQ(run.log.num_rows(), 100u);
  EXPECT_TRUE(run.result.checks.empty());
  judge_run(run.result, {{.metric = "fell", .rule = Check::Rule::equals, .bound = false}});
  EXPECT_EQ(run.result.checks.size(), 4u);  // and no warnings, no failed solves, no values that are not finite
  EXPECT_TRUE(run.result.all_checks_hold());
}

TEST(Run, EndsAtACommandThatIsNotFinite) {
  const RunSetup setup = standing("coman");
  SixthTick controller(setup, std::numeric_limits<double>::quiet_NaN());
  RunResult run = aplomb::run(setup, controller);
  EXPECT_EQ(run.log.num_rows(), 5u);
  EXPECT_EQ(count(run, "nonfinite_values"), 1);
  judge_run(run.result, {});
  EXPECT_FALSE(run.result.all_checks_hold());
}

TEST(Run, CommandsReachTheDrivesAfterTheirDelay) {
  RunSetup setup = standing("coman");
  const auto torque_at = [&setup](double delay_s) {
    setup.drive_delay_s = delay_s;
    SixthTick controller(setup, 1.0);
    const RunResult run = aplomb::run(setup, controller);
    const std::size_t column = run.log.index("torque_" + setup.robot->joints()[0].name + "_nm");
    std::size_t largest = 0;
    for (std::size_t row = 0; row < run.log.num_rows(); ++row) {
      if (std::abs(run.log.at(row, column)) > std::abs(run.log.at(largest, column))) largest = row;
    }
    return largest;
  };
  EXPECT_EQ(torque_at(0.003), torque_at(0.0) + 3);
}

TEST(Run, TheSameSetupGivesTheSameLog) {
  const RunSetup setup = standing("hoap3");
  JointPd first(*setup.robot, setup.start, {}), second(*setup.robot, setup.start, {});
  const RunResult a = aplomb::run(setup, first), b = aplomb::run(setup, second);
  ASSERT_EQ(a.log.num_rows(), b.log.num_rows());
  const std::size_t last = a.log.num_rows() - 1;
  for (std::size_t column = 0; column < a.log.columns().size(); ++column) {
    const double x = a.log.at(last, column), y = b.log.at(last, column);
    EXPECT_TRUE(x == y || (x != x && y != y)) << a.log.columns()[column];
  }
}

}  // namespace
}  // namespace aplomb

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

/// Reports a status, and a fallback for the left foot's wrench, at its first ten ticks.
class Holding final : public Controller {
 public:
  Holding(const RunSetup& setup, CommandStatus status)
      : pd_(*setup.robot, setup.start, {}), status_(status), command_(setup.robot->num_joints()) {}

  const Command& step(const SensorReadings& readings) override {
    command_ = pd_.step(readings);
    fallbacks_.clear();
    command_.status = CommandStatus::solved;
    if (++tick_ > 10) return command_;
    command_.status = status_;
    if (status_ == CommandStatus::reading_missing) fallbacks_.take(Sensor::left_foot_wrench, "waits");
    return command_;
  }
  std::span<const Fallback> fallbacks() const override { return fallbacks_.taken(); }

 private:
  JointPd pd_;
  CommandStatus status_;
  Command command_;
  Fallbacks fallbacks_;
  int tick_ = 0;
};

RunResult run_holding(CommandStatus status, const std::vector<SensorFault>& faults) {
  RunSetup setup = standing("coman");
  setup.sensor_faults = faults;
  Holding controller(setup, status);
  RunResult run = aplomb::run(setup, controller);
  judge_run(run, {});
  return run;
}

std::int64_t count(const RunResult& run, std::string_view metric) {
  return std::get<std::int64_t>(*run.result.metrics.find(metric));
}

TEST(Run, LogsOneRowPerTickAndIsJudgedByItsOwnChecks) {
  const RunSetup setup = standing("coman");
  JointPd controller(*setup.robot, setup.start, {});
  RunResult run = aplomb::run(setup, controller);
  EXPECT_EQ(run.log.num_rows(), 100u);
  EXPECT_TRUE(run.result.checks.empty());
  judge_run(run, {{.metric = "fell", .rule = Check::Rule::equals, .bound = false}});
  EXPECT_EQ(run.result.checks.size(), 4u);  // no fall, and no warnings, no failed solves, no values that are not finite
  EXPECT_TRUE(run.result.all_checks_hold());
}

TEST(Run, AFallFailsARunThatHasNoCheckOnIt) {
  RunSetup setup = standing("coman");
  setup.duration_s = 5.0;
  Push push{.link = "Waist"};
  push.peak_force.x() = setup.robot->mass() * 9.81;
  push.duration_s = 0.3;
  setup.events.pushes.push_back(push);
  JointPd controller(*setup.robot, setup.start, {});
  RunResult run = aplomb::run(setup, controller);
  ASSERT_TRUE(std::get<bool>(*run.result.metrics.find("fell")));
  judge_run(run, {});
  EXPECT_EQ(run.result.verdict(), "fail");
  run.result.checks.clear();
  judge_run(run, {{.metric = "fell", .rule = Check::Rule::equals, .bound = true}});
  EXPECT_EQ(run.result.verdict(), "pass");
}

TEST(Run, EndsAtACommandThatIsNotFinite) {
  const RunSetup setup = standing("coman");
  SixthTick controller(setup, std::numeric_limits<double>::quiet_NaN());
  RunResult run = aplomb::run(setup, controller);
  EXPECT_EQ(run.log.num_rows(), 5u);
  EXPECT_EQ(count(run, "nonfinite_values"), 1);
  judge_run(run, {});
  EXPECT_FALSE(run.result.all_checks_hold());
}

TEST(Run, AFailedSolveFailsTheRunWhetherOrNotASensorIsLost) {
  for (const std::vector<SensorFault>& faults : {std::vector<SensorFault>{}, {{.sensor = Sensor::right_hand_wrench}}}) {
    const RunResult run = run_holding(CommandStatus::solve_failed, faults);
    EXPECT_EQ(count(run, "solver_failures"), 10);
    EXPECT_EQ(count(run, "held_ticks"), 0);
    EXPECT_EQ(run.result.verdict(), "fail");
  }
}

TEST(Run, AnOverrunOfTheBudgetIsCountedAndFailsNothing) {
  const RunResult run = run_holding(CommandStatus::deadline_missed, {});
  EXPECT_EQ(count(run, "deadline_misses"), 10);
  EXPECT_EQ(count(run, "solver_failures"), 0);
  EXPECT_EQ(run.result.verdict(), "pass");
}

TEST(Run, ACommandHeldForALostReadingIsCountedWithItsReason) {
  const RunResult run = run_holding(CommandStatus::reading_missing, {{.sensor = Sensor::left_foot_wrench}});
  EXPECT_EQ(count(run, "held_ticks"), 10);
  EXPECT_EQ(count(run, "solver_failures"), 0);
  EXPECT_EQ(run.result.verdict(), "pass");
  ASSERT_EQ(run.result.faults.size(), 1u);
  EXPECT_EQ(run.result.faults[0].name, "left_foot_wrench_lost");
  EXPECT_EQ(run.result.faults[0].fallback, "waits (from 0 s, 10 ticks)");
}

TEST(Run, AControllerThatMissesAReadingThatIsThereHasFailed) {
  const RunResult run = run_holding(CommandStatus::reading_missing, {});
  EXPECT_EQ(count(run, "held_ticks"), 0);
  EXPECT_EQ(count(run, "solver_failures"), 10);
  EXPECT_EQ(run.result.verdict(), "fail");
  ASSERT_EQ(run.result.faults.size(), 1u);
  EXPECT_EQ(run.result.faults[0].name, "left_foot_wrench_unusable");
}

TEST(Run, AFaultWithoutAFallbackSaysSo) {
  const RunResult run =
      run_holding(CommandStatus::solved, {{.sensor = Sensor::seat_wrench},
                                          {.sensor = Sensor::seat_wrench, .kind = SensorFault::Kind::frozen},
                                          {.sensor = Sensor::seat_wrench, .start_s = 7.0}});
  ASSERT_EQ(run.result.faults.size(), 3u);
  EXPECT_EQ(run.result.faults[0].fallback, "no fallback was taken");
  EXPECT_EQ(run.result.faults[1].fallback, "no fallback was taken: one reading does not show this fault");
  EXPECT_EQ(run.result.faults[2].fallback, "not reached: the run ended at 0.1 s");
}

TEST(Run, AWarningOfTheSimulatorFailsTheRun) {
  RunResult run;
  Result& result = run.result;
  result.metrics.set("fell", false);
  for (const char* metric : {"sim_warnings", "solver_failures", "nonfinite_values"}) {
    result.metrics.set(metric, std::int64_t{0});
  }
  judge_run(run, {});
  EXPECT_EQ(result.verdict(), "pass");
  result.metrics.set("sim_warnings", std::int64_t{1});
  result.checks.clear();
  judge_run(run, {});
  EXPECT_EQ(result.verdict(), "fail");
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

double number(const RunResult& run, std::string_view metric) {
  return std::get<double>(*run.result.metrics.find(metric));
}

RunResult stand_in_laboratory(std::int64_t seed, const std::vector<SensorFault>& faults = {}) {
  RunSetup setup = standing("coman");
  setup.sensors = SensorSuite::laboratory();
  setup.sensor_faults = faults;
  setup.duration_s = 0.5;
  setup.seed = seed;
  JointPd controller(*setup.believed, setup.start, {});
  RunResult run = aplomb::run(setup, controller);
  judge_run(run, {});
  return run;
}

TEST(Run, InTheLaboratoryARobotStandsOnItsEstimate) {
  const RunResult run = stand_in_laboratory(1);
  EXPECT_EQ(run.result.verdict(), "pass");
  EXPECT_EQ(count(run, "held_ticks"), 0);
  // Three accelerometers with 3 mg of bias and 0.1 degrees of mounting: 2 mrad about each axis; four times that.
  EXPECT_LT(number(run, "base_tilt_error_max_rad"), 8e-3);
  EXPECT_LT(number(run, "base_velocity_error_rms_m_per_s"), 3e-3);
  EXPECT_LT(number(run, "base_position_error_rms_m"), 8e-3);
  EXPECT_EQ(number(run, "contact_detection_error_s"), 0.0);
  EXPECT_GT(number(run, "nees_mean"), 0.0);
}

TEST(Run, TheSameSeedGivesTheSameEstimate) {
  const RunResult first = stand_in_laboratory(3), second = stand_in_laboratory(3), other = stand_in_laboratory(4);
  EXPECT_EQ(number(first, "base_tilt_error_max_rad"), number(second, "base_tilt_error_max_rad"));
  EXPECT_NE(number(first, "base_tilt_error_max_rad"), number(other, "base_tilt_error_max_rad"));
}

TEST(Run, ALostInertialUnitIsListedWithWhatTheEstimateDoes) {
  const RunResult run = stand_in_laboratory(
      1, {{.sensor = Sensor::imu_acceleration, .kind = SensorFault::Kind::nan, .start_s = 0.2, .duration_s = 0.05}});
  EXPECT_EQ(run.result.verdict(), "pass");
  ASSERT_FALSE(run.result.faults.empty());
  EXPECT_EQ(run.result.faults[0].name, "imu_acceleration_nan");
  EXPECT_EQ(run.result.faults[0].fallback, "the base estimate continues with the last reading (from 0.2 s, 50 ticks)");
  EXPECT_LT(number(run, "base_velocity_error_rms_m_per_s"), 0.02);
}

TEST(Run, AnIdealRunHasNoEstimate) {
  const RunSetup setup = standing("coman");
  JointPd controller(*setup.robot, setup.start, {});
  EXPECT_EQ(aplomb::run(setup, controller).result.metrics.find("nees_mean"), nullptr);
}

}  // namespace
}  // namespace aplomb

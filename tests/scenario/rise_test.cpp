#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "aplomb/control/planned_torque.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/motion/files/trajectory_file.hpp"
#include "aplomb/motion/plan_player.hpp"
#include "aplomb/present/run_page.hpp"
#include "aplomb/present/scene/rise_scene.hpp"
#include "aplomb/present/scene/run_scene.hpp"
#include "aplomb/robot/dynamics/inverse_dynamics.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/scenario/run_scenario.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

bool flag(const Metrics& metrics, std::string_view key) { return std::get<bool>(*metrics.find(key)); }

double number(const Metrics& metrics, std::string_view key) {
  const std::optional<double> value = metrics.number(key);
  EXPECT_TRUE(value) << key;
  return value.value_or(std::nan(""));
}

/// Shared by all tests here, so that each plan is made once.
RisePlanner& planner() {
  static RisePlanner shared;
  return shared;
}

std::shared_ptr<const RisePlan> plan_of(const Scenario& scenario) { return plan_rise(scenario, planner()); }

RunResult run_rise(const Scenario& scenario) { return run_scenario(scenario, {}, &planner()); }

/// A rise of the natural style planned with the robot's own masses: what all tests here share.
const Scenario& natural() {
  static const Scenario scenario =
      load_scenario("sit_to_stand_natural", std::vector<Override>{{"plan.parameters", "true"}});
  return scenario;
}

const RunResult& natural_run() {
  static const RunResult output = run_rise(natural());
  return output;
}

TEST(Rise, TheRobotStandsUpAsPlannedAndStaysWhereItIs) {
  const Metrics& metrics = natural_run().result.metrics;
  EXPECT_TRUE(flag(metrics, "stood_up"));
  EXPECT_LT(number(metrics, "com_x_error_rms_m"), 0.005);
  EXPECT_LT(number(metrics, "com_x_error_max_m"), 0.010);
  EXPECT_LT(number(metrics, "hold_drift_m"), 0.006);
  EXPECT_LT(number(metrics, "cop_zmp_rms_m"), 0.020);
  EXPECT_NEAR(number(metrics, "seat_off_s"), number(metrics, "seat_off_planned_s"), 0.10);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(*metrics.find("rise_failure")));
}

TEST(Rise, IsReplayedOnItsChairWithTheSeatsForceUntilSeatOff) {
  const Log& log = natural_run().log;
  const Scene scene = make_run_scene(natural_run());
  EXPECT_NE(std::ranges::find(scene.nodes, "chair", &SceneNode::name), scene.nodes.end());
  const auto seat = std::ranges::find(scene.forces, "seat", &SceneForce::label);
  ASSERT_NE(seat, scene.forces.end());
  // At rest the seat carries what the feet do not.
  constexpr std::size_t kAtRest = 500;  // [ms] before the plan begins
  const auto at_rest = [&log](const std::string& column) { return log.at(kAtRest, log.index(column)); };
  const double feet = at_rest("left_foot_force_z_n") + at_rest("right_foot_force_z_n");
  const double weight = kGravity * RobotModel::load("sarcos_real").mass();
  EXPECT_NEAR(at_rest(seat->columns[2]) + feet, weight, 0.02 * weight);
  const auto off = std::ranges::find(scene.events, "seat-off", &SceneEvent::label);
  ASSERT_NE(off, scene.events.end());
  EXPECT_NEAR(off->start_s, number(natural_run().result.metrics, "seat_off_s"), 0.05);  // contacts may chatter so long
  EXPECT_EQ(run_page(natural_run()).plane_plots.front().points.size(), 1u);
}

TEST(Rise, DrawsOneExecutedMotionByTheIdentifiedAndByTheCadsMasses) {
  const ReportPage page = run_page(natural_run());
  const auto plot = std::ranges::find(page.plane_plots, "centre_of_mass_in_the_sagittal_plane_by_both_masses",
                                      [](const PlanePlot& one) { return one.id; });
  ASSERT_NE(plot, page.plane_plots.end());
  EXPECT_EQ(plot->x_column, "com_believed_x_m");
  ASSERT_EQ(plot->others.size(), 1u);
  EXPECT_EQ(plot->others[0].x_column, "com_cad_x_m");
  // Seat-off on each path: at the same instant, so that they are apart by what the masses differ.
  ASSERT_EQ(plot->points.size(), 2u);
  const double apart = plot->points[1].x - plot->points[0].x;
  EXPECT_GT(apart, 0.01);
  EXPECT_LT(apart, number(natural_run().result.metrics, "com_cad_error_max_m") + 0.01);
}

TEST(Rise, IsReplayedBesideThePersonWithASentenceForEachPhase) {
  const std::shared_ptr<const RisePlan> plan = plan_of(natural());
  const Retargeted& made = *plan->retargeted;
  const Scene scene = make_rise_scene(natural_run(), *plan->trial, made);
  std::vector<std::string> words;
  for (const ScenePhase& phase : scene.phases)
    words.push_back(phase.text.substr(0, phase.text.find_first_of(" :.", 5)));
  EXPECT_EQ(words, (std::vector<std::string>{"Person", "They lean", "Seat-off", "They rise", "They stand"}));
  EXPECT_TRUE(std::ranges::is_sorted(scene.phases, {}, &ScenePhase::start_s));
  EXPECT_EQ(scene.phases[2].start_s, number(natural_run().result.metrics, "seat_off_s"));
  EXPECT_NE(std::ranges::find(scene.nodes, "person's chair", &SceneNode::name), scene.nodes.end());
  // At each moment of the run the person is where the plan's clip has it at that moment, beside the robot.
  const Log& log = natural_run().log;
  const std::size_t column = scene.tracks.index("person_com_z_m"), aside = scene.tracks.index("person_com_y_m");
  for (const Eigen::Index sample : {Eigen::Index{0}, made.human.rise.seat_off, made.human.com.cols() - 1}) {
    const double time = natural().plan.start_s + static_cast<double>(sample) / made.trajectory.rate_hz;
    const auto row = static_cast<std::size_t>(std::llround(time * 1e3)) - 1;  // the log begins at 1 ms
    ASSERT_NEAR(log.at(row, log.index("time_s")), time, 1e-9);
    EXPECT_NEAR(scene.tracks.at(row, column), made.human.com(2, sample), 1e-9);
    EXPECT_GT(scene.tracks.at(row, aside), 0.7);
  }
}

TEST(Rise, SaysHowGoodItsPlanIs) {
  const Metrics& metrics = natural_run().result.metrics;
  const Retargeted& plan = *plan_of(natural())->retargeted;
  EXPECT_EQ(number(metrics, "infeasible_frames"), plan.infeasible_frames);
  EXPECT_EQ(number(metrics, "slowdown"), plan.slowdown);
  EXPECT_EQ(number(metrics, "com_target_shift_max_m"), plan.com_target_shift_max);
  EXPECT_EQ(number(metrics, "zmp_margin_planned_min_m"), plan.zmp_margin_min);
}

/// Metrics of the checks that do not hold.
std::set<std::string> failed(const Result& result) {
  std::set<std::string> names;
  for (const CheckOutcome& outcome : result.checks) {
    if (!outcome.ok) names.insert(outcome.check.metric);
  }
  return names;
}

struct RobotRise {
  const char* scenario;
  std::set<std::string> fails;  ///< checks that are known to fail
};

class RiseOfAnotherRobot : public testing::TestWithParam<RobotRise> {};

TEST_P(RiseOfAnotherRobot, StandsUpFromAChairThatFitsIt) {
  const Result result = run_rise(load_scenario(GetParam().scenario)).result;
  EXPECT_TRUE(flag(result.metrics, "stood_up"));
  EXPECT_FALSE(flag(result.metrics, "fell"));
  EXPECT_LT(number(result.metrics, "hold_drift_m"), 0.006);
  EXPECT_EQ(failed(result), GetParam().fails);
}

INSTANTIATE_TEST_SUITE_P(Of, RiseOfAnotherRobot,
                         testing::Values(RobotRise{"sit_to_stand_coman", {}}, RobotRise{"sit_to_stand_talos", {}}),
                         [](const auto& one) { return std::string(one.param.scenario); });

TEST(Rise, ThatDoesNotSucceedSaysWhy) {
  const std::vector<Override> changes = {{"events", "[{push: {link: trunk, force_n: [-2000, 0, 0], start_s: 2.4}}]"}};
  const Metrics metrics = run_rise(with_values(natural(), changes)).result.metrics;
  EXPECT_FALSE(flag(metrics, "stood_up"));
  EXPECT_TRUE(test::has(std::get<std::string>(*metrics.find("rise_failure")), "The CoP reached the heels at 2."));
}

TEST(Rise, ItsPlanNeedsNothingOfTheBase) {
  const auto plan = plan_of(natural());
  const RobotModel& robot = *plan->believed;
  const Trajectory& t = plan->motion->trajectory;
  const Eigen::MatrixXd torque = planned_torque(robot, *plan->motion, 1.0);
  // All that the contacts do together is the rate of the momentum: the plan's own force says the same.
  InverseDynamics dynamics(robot, {});
  for (Eigen::Index i = 10; i + 10 < t.num_samples(); i += 7) {
    const Eigen::VectorXd rows = dynamics.compute({t.q.col(i), t.v.col(i)}, t.a.col(i), {});
    const Eigen::Quaterniond turn(Eigen::Vector4d(t.q.col(i).segment<4>(3)));
    EXPECT_LT((turn * Eigen::Vector3d(rows.head<3>()) - t.force.col(i)).norm(), 0.01 * robot.mass() * kGravity) << i;
    EXPECT_TRUE(torque.col(i).allFinite());
  }
}

TEST(Rise, NeedsNoSensorOfTheSeat) {
  const std::vector<Override> changes = {
      {"events", "[{sensor_fault: {sensor: seat_wrench, kind: lost, start_s: 0.5}}]"}};
  const Result without = run_rise(with_values(natural(), changes)).result;
  ASSERT_EQ(without.faults.size(), 2u);
  EXPECT_EQ(without.faults[0].name, "seat_wrench_lost");
  EXPECT_EQ(without.faults[1].name, "failsafe_degraded");  // named, and nothing done about it
  EXPECT_EQ(number(without.metrics, "heel_margin_min_m"), number(natural_run().result.metrics, "heel_margin_min_m"));
}

TEST(RisePlan, IsSharedByRunsThatPlanAlike) {
  const auto plan = plan_of(natural());
  EXPECT_EQ(plan, plan_of(with_values(natural(), std::vector<Override>{{"world.chair.height_m", "0.47"}})));
  EXPECT_EQ(plan, plan_of(with_values(natural(), std::vector<Override>{{"plan.speed", "1.2"}})));
}

class RisePlanFile : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    write_plan(*plan_of(natural())->motion, folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  Scenario scenario_of(const std::string& robot) const {
    return parse_scenario("scenario: x\nrobot: " + robot +
                              "\nduration_s: 1\nworld: {chair: {height_m: 0.45}}\n"
                              "reference: {trajectory: {folder: " +
                              folder_.string() + "}}\n",
                          "x.yaml");
  }

  fs::path folder_ = fs::temp_directory_path() / ("aplomb_rise_" + std::to_string(::getpid()));
};

TEST_F(RisePlanFile, IsReadAsItWasMade) {
  const auto read = plan_of(scenario_of("sarcos_real"));
  const Trajectory &made = plan_of(natural())->motion->trajectory, &again = read->motion->trajectory;
  ASSERT_EQ(again.num_samples(), made.num_samples());
  EXPECT_LT((again.q - made.q).cwiseAbs().maxCoeff(), 1e-6);
}

TEST_F(RisePlanFile, SaysInEveryRunHowGoodThePlanIs) {
  RisePlanner planner;
  Scenario scenario = scenario_of("sarcos_real");
  scenario.duration_s = 0.05;
  write_file(folder_ / "metrics.json",
             R"({"metrics": {"infeasible_frames": 3, "slowdown": 1.5, "com_target_shift_max_m": 0.02}})");
  const Metrics metrics = run_scenario(scenario, {}, &planner).result.metrics;
  EXPECT_EQ(metrics.number("infeasible_frames"), 3.0);
  EXPECT_EQ(metrics.number("slowdown"), 1.5);
  EXPECT_EQ(metrics.number("com_target_shift_max_m"), 0.02);
  ASSERT_NE(metrics.find("zmp_margin_planned_min_m"), nullptr);
  EXPECT_EQ(metrics.number("zmp_margin_planned_min_m"), std::nullopt);
  write_file(folder_ / "metrics.json", "{\"metr");
  EXPECT_THROW(run_scenario(scenario, {}, &planner), FileError);
}

TEST_F(RisePlanFile, ForAnotherRobotIsRefused) {
  const std::string said = test::error_of([&] { plan_of(scenario_of("coman")); });
  EXPECT_TRUE(test::has(said, "planned for robot sarcos_real"));
  EXPECT_TRUE(test::has(said, "aplomb retarget --robot coman"));
}

TEST_F(RisePlanFile, WithoutASeatIsRefusedWhereThereIsAChair) {
  MotionPlan plan = *plan_of(natural())->motion;
  const auto is_seat = [](const auto& contact) { return contact.site == ContactSite::seat; };
  std::erase_if(plan.contacts.contacts, is_seat);
  std::erase_if(plan.trajectory.wrenches, is_seat);
  write_plan(plan, folder_);
  const std::string said = test::error_of([&] { plan_of(scenario_of("sarcos_real")); });
  EXPECT_TRUE(test::has(said, "no contact 'seat'"));
  fs::remove(folder_ / "contacts.yaml");
  EXPECT_THROW(plan_of(scenario_of("sarcos_real")), FileError);
}

TEST(RisePlan, ThatIsAskedForTwiceIsRefused) {
  EXPECT_THROW(parse_scenario("scenario: x\nrobot: sarcos\nduration_s: 1\nplan: {style: natural}\n"
                              "reference: {trajectory: {folder: nowhere}}\n",
                              "x.yaml"),
               FileError);
}

TEST(RiseStart, InsideOfTheChairIsRefused) {
  const Scenario scenario = with_values(natural(), std::vector<Override>{{"world.chair.height_m", "0.6"}});
  const RobotModel robot = RobotModel::load("sarcos_real");
  const std::string said = test::error_of([&] { make_start(scenario, robot, plan_of(natural())->motion.get()); });
  EXPECT_TRUE(test::has(said, "starts inside of the chair"));
  EXPECT_TRUE(test::has(said, "world.chair.height_m"));
}

TEST(RisePlan, ForAChairThatIsTooHighNamesTheScenariosKey) {
  const Scenario scenario = parse_scenario(
      "scenario: x\nrobot: coman\nduration_s: 1\nworld: {chair: {height_m: 0.9}}\nplan: {style: natural}\n", "x.yaml");
  const std::string said = test::error_of([&] { plan_of(scenario); });
  EXPECT_TRUE(test::has(said, "x.yaml:4"));
  EXPECT_TRUE(test::has(said, "world.chair.height_m: a chair of 0.900 m is too high for robot 'coman'"));
  EXPECT_FALSE(test::has(said, "--chair-height")) << said;  // an option of another verb
}

/// The rise with hands on arm rests, as documented.
const Scenario& pushed() {
  static const Scenario scenario = load_scenario("sit_to_stand_arm_rests", std::vector<Override>{});
  return scenario;
}

TEST(ArmRests, CarryTheHandsUntilThePlanLetsGoAndTheRobotStands) {
  const RunResult output = run_rise(pushed());
  const Metrics& metrics = output.result.metrics;
  EXPECT_TRUE(output.result.all_checks_hold());
  EXPECT_LT(number(metrics, "com_x_error_max_m"), 0.010);
  // Upwards, all contacts together carry the weight at rest; the seat's force is without the rests'.
  const Log& log = output.log;
  double sum = 0.0;
  for (const char* column : {"left_foot_force_z_n", "right_foot_force_z_n", "seat_force_z_n", "left_hand_force_z_n",
                             "right_hand_force_z_n"}) {
    sum += log.at(500, log.index(column));  // after 0.5 s, before the plan begins
  }
  const double weight = kGravity * RobotModel::load("sarcos_real").mass();
  EXPECT_NEAR(sum, weight, 0.05 * weight);
  const MotionPlan& plan = *plan_of(pushed())->motion;
  const double off_s = pushed().plan.start_s + PlanPlayer(plan_of(pushed())->motion, 1.0, 0.0).on_feet_s();
  EXPECT_EQ(plan.contacts.contacts.size(), 5u);
  for (std::size_t row = 0; row < log.num_rows(); ++row) {
    if (log.at(row, log.index("time_s")) < off_s + 0.3) continue;
    EXPECT_EQ(log.at(row, log.index("left_hand_force_z_n")), 0.0) << row;
    EXPECT_EQ(log.at(row, log.index("right_hand_force_z_n")), 0.0) << row;
  }
}

TEST(ArmRests, TakeLoadOffTheKneesWhileTheHandsPush) {
  const auto plan = plan_of(pushed());
  const MotionPlan& with = *plan->motion;
  MotionPlan without = with;
  without.trajectory.hand_share.resize(2, 0);
  without.trajectory.wrenches.clear();
  const Eigen::Index knee = plan->believed->joint("left_knee");
  const Eigen::MatrixXd torque = planned_torque(*plan->believed, with, 1.0);
  const Eigen::MatrixXd alone = planned_torque(*plan->believed, without, 1.0);
  double sum = 0.0, sum_alone = 0.0;
  for (Eigen::Index i = 0; i < torque.cols(); ++i) {
    const bool pushes = with.trajectory.seat_share[i] == 0.0 && with.trajectory.hand_share.col(i).sum() > 0.2;
    sum += pushes ? std::abs(torque(knee, i)) : 0.0;
    sum_alone += pushes ? std::abs(alone(knee, i)) : 0.0;
  }
  EXPECT_GT(sum_alone, 0.0);
  EXPECT_LT(sum, 0.9 * sum_alone);
}

TEST(ArmRests, OfADemonstrationAreNotPlannedForOnAChairWithoutAny) {
  const Scenario scenario = load_scenario(
      "sit_to_stand_natural", std::vector<Override>{{"plan.parameters", "true"}, {"plan.style", "arm_rests"}});
  const auto plan = plan_of(scenario);
  EXPECT_EQ(plan->motion->contacts.contacts.size(), 3u);
  EXPECT_NE(std::ranges::find(plan->notes, "the person pushes off arm rests; the robot's chair has none"),
            plan->notes.end());
}

/// The rises as they are documented: planned and controlled with identified masses, on robots whose CAD is wrong.
class IdentifiedRise : public testing::TestWithParam<const char*> {};

TEST_P(IdentifiedRise, StandsAndHolds) {
  const Result result = run_rise(load_scenario(GetParam())).result;
  EXPECT_TRUE(flag(result.metrics, "stood_up"));
  EXPECT_LT(number(result.metrics, "hold_drift_m"), 0.006);
  EXPECT_TRUE(result.all_checks_hold());
}

INSTANTIATE_TEST_SUITE_P(Of, IdentifiedRise,
                         testing::Values("sit_to_stand_natural", "sit_to_stand_elderly", "sit_to_stand_natural_heavy",
                                         "sit_to_stand_elderly_heavy", "sit_to_stand_arm_rests",
                                         "sit_to_stand_natural_hard"),
                         [](const auto& one) { return std::string(one.param); });

TEST(HardRise, StandsUpWithTheMassesTheChairAndThePushAtTheEndsOfTheirRanges) {
  // The corners of `vary` that load the toes: heavier than identified, pushed forwards, from a low chair, and fast.
  const std::vector<Override> corner = {{"plant.mass_scale", "1.05"},
                                        {"world.chair.height_m", "0.42"},
                                        {"plan.speed", "1.3"},
                                        {"events.0.push.direction_deg", "0"}};
  const Metrics metrics = run_rise(load_scenario("sit_to_stand_natural_hard", corner)).result.metrics;
  EXPECT_TRUE(flag(metrics, "stood_up"));
  EXPECT_FALSE(flag(metrics, "fell"));
}

class JointPdRise : public testing::TestWithParam<const char*> {};

TEST_P(JointPdRise, AsInThePaperStandsAndLeavesTheSeatLate) {
  const Metrics metrics =
      run_rise(load_scenario(GetParam(), std::vector<Override>{{"controller.kind", "joint_pd"}})).result.metrics;
  EXPECT_TRUE(flag(metrics, "stood_up"));
  EXPECT_LT(number(metrics, "com_x_error_max_m"), 0.035);
  // Without feed-forward the legs sag under the weight, and the seat is left late.
  const double late = number(metrics, "seat_off_s") - number(metrics, "seat_off_planned_s");
  EXPECT_GT(late, 0.05);
  EXPECT_LT(late, 0.5);
}

INSTANTIATE_TEST_SUITE_P(Of, JointPdRise, testing::Values("sit_to_stand_natural", "sit_to_stand_elderly"),
                         [](const auto& one) { return std::string(one.param); });

class CadRise : public testing::TestWithParam<const char*> {};

TEST_P(CadRise, ByJointPdMissesTheZmpOrFalls) {
  const std::string name = GetParam();
  for (const char* feed_forward : {"false", "true"}) {
    const std::vector<Override> changes = {{"plan.parameters", "cad"},
                                           {"controller.kind", "joint_pd"},
                                           {"controller.joint_pd.feed_forward", feed_forward}};
    const Metrics metrics = run_rise(load_scenario(name, changes)).result.metrics;
    if (name.ends_with("_heavy")) {
      EXPECT_TRUE(flag(metrics, "fell")) << feed_forward;
    }
    EXPECT_GT(number(metrics, "cop_zmp_rms_m"), 0.050) << feed_forward;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, CadRise,
                         testing::Values("sit_to_stand_natural", "sit_to_stand_elderly", "sit_to_stand_natural_heavy",
                                         "sit_to_stand_elderly_heavy"),
                         [](const auto& one) { return std::string(one.param); });

/// The other robot's soles forgive the CAD's error.
class HeavyCadRise : public testing::TestWithParam<const char*> {};

TEST_P(HeavyCadRise, DoesNotStandAndSaysWhy) {
  const Metrics metrics =
      run_rise(load_scenario(GetParam(), std::vector<Override>{{"plan.parameters", "cad"}})).result.metrics;
  EXPECT_FALSE(flag(metrics, "stood_up"));
  // It tips over an edge of its soles, or is given up in time and sits back.
  const std::string why = std::get<std::string>(*metrics.find("rise_failure"));
  EXPECT_TRUE(test::has(why, "The CoP reached the") || test::has(why, "did not leave the seat")) << why;
}

INSTANTIATE_TEST_SUITE_P(Of, HeavyCadRise, testing::Values("sit_to_stand_natural_heavy", "sit_to_stand_elderly_heavy"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace aplomb

#include "aplomb/control/fallbacks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <set>

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/control/momentum_balance.hpp"
#include "aplomb/control/partial_force.hpp"
#include "aplomb/control/rise_control.hpp"
#include "aplomb/control/task_priority.hpp"
#include "aplomb/sim/sensors.hpp"
#include "robots/our_robots.hpp"

namespace aplomb {
namespace {

constexpr double kFaultStart = 0.05;  // [s]
constexpr double kRiseStart = 0.02;   // [s] when the plan begins
constexpr double kSeatOff = 0.2;      // [s] in the plan

/// A plan that stays on the seat, with the seat and both hands unloaded until seat-off.
std::shared_ptr<const MotionPlan> sitting(const RobotModel& robot, const RobotState& seated) {
  auto plan = std::make_shared<MotionPlan>();
  constexpr Eigen::Index kSamples = 41;
  Trajectory& t = plan->trajectory;
  t.rate_hz = 100.0;
  t.q = seated.q.replicate(1, kSamples);
  t.v = t.a = Eigen::MatrixXd::Zero(robot.nv(), kSamples);
  t.com = test::terms_at(robot, seated).com().replicate(1, kSamples);
  t.com_velocity = t.com_acceleration = Eigen::Matrix3Xd::Zero(3, kSamples);
  t.zmp = t.com.topRows<2>();
  t.force = Eigen::Vector3d(0.0, 0.0, robot.mass() * kGravity).replicate(1, kSamples);
  t.seat_share.resize(kSamples);
  for (Eigen::Index i = 0; i < kSamples; ++i) t.seat_share[i] = std::max(0.6 * (1.0 - t.time_s(i) / kSeatOff), 0.0);
  t.hand_share = 0.1 * t.seat_share.transpose().replicate(2, 1);
  const Roles& roles = robot.description().roles;
  plan->contacts.contacts = {
      {.site = ContactSite::seat, .link = "pelvis", .start_s = 0.0, .end_s = kSeatOff},
      {.site = ContactSite::left_hand, .link = roles.hand[kLeft], .start_s = 0.0, .end_s = kSeatOff},
      {.site = ContactSite::right_hand, .link = roles.hand[kRight], .start_s = 0.0, .end_s = kSeatOff}};
  return plan;
}

/// A robot that sways a little about a posture, and a way to make controllers for it.
struct Kind {
  std::string robot, posture;
  std::function<std::unique_ptr<Controller>(const RobotModel&, const RobotState&)> make;
  std::set<Sensor> used;  ///< sensors whose loss this controller must do something about
};

const std::set<Sensor> kState = {Sensor::joint_position,   Sensor::joint_velocity, Sensor::base_position,
                                 Sensor::base_orientation, Sensor::base_velocity,  Sensor::base_angular_velocity};

std::set<Sensor> state_and(std::set<Sensor> more) {
  more.insert(kState.begin(), kState.end());
  return more;
}

ComReference hold(const RobotModel& robot, const RobotState& start) {
  return ComReference::hold(test::terms_at(robot, start).com());
}

PartialForce::Settings pressing(const RobotModel& robot, const RobotState& start, bool has_feedback) {
  PartialForce::Settings settings{.com_reference = hold(robot, start)};
  settings.hands[kRight] = PartialForce::HandSettings{
      .wall_point = test::pose_of(robot, start, robot.description().roles.hand[kRight]).translation(),
      .normal = Eigen::Vector3d::UnitY(),
      .force = {.force = 20.0, .ramp_s = 0.05},
      .has_feedback = has_feedback};
  return settings;
}

const std::map<std::string, Kind>& kinds() {
  using enum Sensor;
  static const std::map<std::string, Kind> all = {
      {"joint_pd",
       {"balancer", "half_sitting",
        [](const RobotModel& robot, const RobotState& start) {
          return std::make_unique<JointPd>(robot, start, JointPd::Settings{});
        },
        state_and({left_foot_wrench, right_foot_wrench, seat_wrench})}},
      {"momentum_balance",
       {"balancer", "half_sitting",
        [](const RobotModel& robot, const RobotState& start) {
          return std::make_unique<MomentumBalance>(robot, start,
                                                   MomentumBalance::Settings{.com_reference = hold(robot, start)});
        },
        state_and({left_foot_wrench, right_foot_wrench})}},
      {"momentum_balance_at_a_wall",
       {"coman", "half_sitting",
        [](const RobotModel& robot, const RobotState& start) {
          MomentumBalance::Settings settings{.com_reference = hold(robot, start)};
          settings.contacts.planes = {{.position = {0.5, 0.0, 0.0}, .normal = -Eigen::Vector3d::UnitX()}};
          return std::make_unique<MomentumBalance>(robot, start, settings);
        },
        state_and({left_foot_wrench, right_foot_wrench, left_hand_wrench, right_hand_wrench})}},
      {"partial_force",
       {"coman", "hands_out",
        [](const RobotModel& robot, const RobotState& start) {
          return std::make_unique<PartialForce>(robot, start, pressing(robot, start, false));
        },
        state_and({left_foot_wrench, right_foot_wrench})}},
      {"partial_force_with_feedback",
       {"coman", "hands_out",
        [](const RobotModel& robot, const RobotState& start) {
          return std::make_unique<PartialForce>(robot, start, pressing(robot, start, true));
        },
        state_and({left_foot_wrench, right_foot_wrench, right_hand_wrench})}},
      {"task_priority",
       {"hoap3",
        "half_sitting",
        [](const RobotModel& robot, const RobotState& start) {
          return std::make_unique<TaskPriority>(robot, start,
                                                TaskPriority::Settings{.com_reference = hold(robot, start)});
        },
        {joint_position, base_orientation, left_load_cells, right_load_cells}}},
      {"rise",
       {"sarcos_real", "seated",
        [](const RobotModel& robot, const RobotState& start) {
          const PlanReference plan{.plan = sitting(robot, start), .start_s = kRiseStart};
          return std::make_unique<RiseControl>(robot, start, MomentumBalance::Settings{}, plan);
        },
        state_and({left_foot_wrench, right_foot_wrench, left_hand_wrench, right_hand_wrench})}},
  };
  return all;
}

/// Readings of a robot that sways, tick by tick, the same for the same seed.
std::vector<SensorReadings> swaying(const RobotModel& robot, const RobotState& start) {
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal;
  std::vector<SensorReadings> all(400);
  SensorReadings now;
  now.state = start;
  const double weight = robot.mass() * kGravity;
  for (std::size_t tick = 0; tick < all.size(); ++tick) {
    now.time_s = 1e-3 * static_cast<double>(tick);
    for (double& angle : now.state.q.tail(robot.num_joints())) angle += 1e-5 * normal(engine);
    for (double& rate : now.state.v) rate = 1e-3 * normal(engine);
    const double left = 0.5 + 0.02 * normal(engine);
    now.foot_wrench[kLeft].force.z() = left * weight;
    now.foot_wrench[kRight].force.z() = (1.0 - left) * weight;
    for (Wrench& wrench : now.hand_wrench) wrench.force = 0.1 * weight * Eigen::Vector3d(normal(engine), 1.0, 1.0);
    // Leaves the seat a little after the planned time.
    now.seat_wrench.force.z() = now.time_s < kRiseStart + kSeatOff + 0.02 ? 0.3 * weight : 0.0;
    for (int side : {kLeft, kRight}) {
      for (double& cell : now.load_cells[side]) cell = 0.125 * weight * (1.0 + 0.05 * normal(engine));
    }
    all[tick] = now;
  }
  return all;
}

bool same(const Command& a, const Command& b) {
  return a.torque == b.torque && a.position == b.position && a.velocity == b.velocity && a.stiffness == b.stiffness &&
         a.damping == b.damping && a.status == b.status;
}

class FallbacksOf : public testing::TestWithParam<std::string> {
 protected:
  const Kind& kind_ = kinds().at(GetParam());
  const RobotModel robot_ = test::our_robot(kind_.robot);
  const RobotState start_ = [this] {
    RobotState start = robot_.posture(kind_.posture);
    robot_.stand_on_soles(start);
    return start;
  }();
};

TEST_P(FallbacksOf, AreStatedWheneverALostSensorChangesTheCommandAndOnlyThen) {
  const std::vector<SensorReadings> readings = swaying(robot_, start_);
  for (std::size_t i = 0; i < kSensorNames.size(); ++i) {
    for (const auto fault : {SensorFault::Kind::lost, SensorFault::Kind::nan}) {
      SCOPED_TRACE(std::string(kSensorNames[i]) + (fault == SensorFault::Kind::lost ? " lost" : " NaN"));
      const auto sensor = static_cast<Sensor>(i);
      SensorSuite sensors(robot_, {}, {{.sensor = sensor, .kind = fault, .start_s = kFaultStart}}, 1);
      const auto whole = kind_.make(robot_, start_), broken = kind_.make(robot_, start_);
      bool is_stated = false;
      for (const SensorReadings& now : readings) {
        const Command& expected = whole->step(now);
        const Command& command = broken->step(sensors.sense(now));
        ASSERT_TRUE(whole->fallbacks().empty()) << now.time_s;
        ASSERT_TRUE(now.time_s >= kFaultStart || broken->fallbacks().empty()) << now.time_s;
        for (const Fallback& fallback : broken->fallbacks()) {
          ASSERT_EQ(fallback.sensor, sensor) << fallback.action;
          ASSERT_FALSE(fallback.action.empty());
          is_stated = true;
        }
        ASSERT_TRUE(is_stated || same(command, expected)) << "at " << now.time_s << " s, without a stated fallback";
      }
      EXPECT_EQ(is_stated, kind_.used.contains(sensor));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Controller, FallbacksOf,
                         testing::Values("joint_pd", "momentum_balance", "momentum_balance_at_a_wall", "partial_force",
                                         "partial_force_with_feedback", "task_priority", "rise"),
                         [](const auto& kind) { return kind.param; });

TEST(Fallbacks, OfARiseWithHandsCountOnTheirPlannedLoad) {
  const Kind& kind = kinds().at("rise");
  const RobotModel robot = test::our_robot(kind.robot);
  RobotState start = robot.posture(kind.posture);
  robot.stand_on_soles(start);
  RiseControl rise(robot, start, {}, {.plan = sitting(robot, start), .start_s = kRiseStart});
  SensorSuite sensors(robot, {}, {{.sensor = Sensor::left_hand_wrench, .start_s = kFaultStart}}, 1);
  double last_s = 0.0;
  for (const SensorReadings& now : swaying(robot, start)) {
    rise.step(sensors.sense(now));
    for (const Fallback& fallback : rise.fallbacks()) {
      EXPECT_EQ(fallback.sensor, Sensor::left_hand_wrench);
      last_s = now.time_s;
    }
  }
  EXPECT_NEAR(last_s, kRiseStart + kSeatOff, 0.01);  // afterwards the plan has no load on the hands
}

}  // namespace
}  // namespace aplomb

#include "aplomb/control/momentum_balance/balance_contacts.hpp"

#include <gtest/gtest.h>

#include "aplomb/core/math/polygon.hpp"
#include "robots/our_robots.hpp"

namespace aplomb {
namespace {

struct OnFeet {
  explicit OnFeet(std::array<double, 2> load, const BalanceContacts::Settings& settings = {})
      : robot(test::our_robot("balancer")), contacts(robot, settings), terms(robot, contacts.frames()) {
    readings.state = robot.posture("half_sitting");
    terms.update(readings.state);
    for (int side : {kLeft, kRight}) readings.foot_wrench[side].force.z() = load[static_cast<std::size_t>(side)];
    contacts.update(terms, readings, std::vector<ContactLoad>(2), fallbacks);
  }
  RobotModel robot;
  BalanceContacts contacts;
  RobotTerms terms;
  SensorReadings readings;
  Fallbacks fallbacks;
};

TEST(BalanceContacts, SupportMarginInsideIsTheDistanceToThePolygon) {
  for (const std::array<double, 2>& load : {std::array{255.0, 255.0}, std::array{510.0, 0.0}}) {
    const OnFeet feet(load);
    std::vector<Eigen::Vector2d> corners;
    for (int side : {kLeft, kRight}) {
      if (load[static_cast<std::size_t>(side)] == 0.0) continue;
      const auto& sole = *feet.robot.description().soles[side];
      const auto& T_world_foot =
          feet.terms.frame(feet.contacts.sites()[static_cast<std::size_t>(side)].frame).T_world_frame;
      for (const Eigen::Vector3d& corner : sole.corners()) corners.emplace_back((T_world_foot * corner).head<2>());
    }
    const auto polygon = convex_hull(corners);
    for (double x = -0.3; x < 0.3; x += 0.031) {
      for (double y = -0.4; y < 0.4; y += 0.037) {
        const double exact = signed_distance(polygon, {x, y});
        const double margin = feet.contacts.support_margin({x, y});
        if (exact >= 0.0)
          EXPECT_NEAR(margin, exact, 1e-12);
        else
          EXPECT_GE(margin, exact - 1e-12);  // to the nearest edge's line: never farther than the edge itself
        EXPECT_EQ(margin < 0.0, exact < 0.0);
      }
    }
  }
}

TEST(BalanceContacts, ForcesThatActAtTheAnkleDoNotMoveWithTheLastJoint) {
  // Wherever a URDF puts the foot's frame: CoMan's is at the ankle's height, Sarcos' elsewhere.
  for (const char* name : {"balancer", "coman", "sarcos"}) {
    const RobotModel robot = test::our_robot(name);
    BalanceContacts contacts(robot, {}, /*has_force_at_ankle=*/true);
    RobotTerms terms(robot, contacts.frames());
    SensorReadings readings;
    readings.state = robot.posture("half_sitting");
    Fallbacks fallbacks;
    terms.update(readings.state);
    contacts.update(terms, readings, std::vector<ContactLoad>(2), fallbacks);
    const Eigen::Vector3d before = contacts.contacts()[kLeft].point;
    readings.state.q[7 + robot.joint_chain(contacts.sites()[kLeft].frame).front()] += 0.2;
    terms.update(readings.state);
    contacts.update(terms, readings, std::vector<ContactLoad>(2), fallbacks);
    EXPECT_LT((contacts.contacts()[kLeft].point - before).norm(), 1e-12) << name;
    EXPECT_GT((contacts.contacts()[kLeft].centre - before).norm(), 0.01) << name;
  }
}

TEST(BalanceContacts, TheMidpointIsThatOfTheFeetThatStand) {
  const OnFeet both({255.0, 255.0}), left({510.0, 0.0});
  EXPECT_NEAR(both.contacts.standing_feet().midpoint.y(), 0.0, 1e-9);
  EXPECT_NEAR((left.contacts.standing_feet().midpoint - left.contacts.contacts()[0].centre).norm(), 0.0, 1e-6);
}

TEST(BalanceContacts, FindTheGroundsAccelerationFromTheFeet) {
  OnFeet feet({255.0, 255.0});
  const std::vector<ContactLoad> loads(2);
  for (int tick = 0; tick < 1000; ++tick) {
    feet.readings.state.v[0] = 2.0 * 1e-3 * tick;  // base and feet accelerate forward with 2 m/s²
    feet.terms.update(feet.readings.state);
    feet.contacts.update(feet.terms, feet.readings, loads, feet.fallbacks);
  }
  EXPECT_NEAR(feet.contacts.ground_motion().acceleration.x(), 2.0, 0.02);
  EXPECT_NEAR(feet.contacts.ground_motion().jerk.norm(), 0.0, 0.1);
}

TEST(BalanceContacts, TheCopRectangleIsTheSoleLessTheMarginsThatAreSet) {
  const OnFeet feet({255.0, 255.0}, {.cop_margin_length = 0.2, .cop_margin_width = 0.1});
  const Sole& sole = *feet.robot.description().soles[kLeft];
  const Contact& foot = feet.contacts.contacts()[0];
  EXPECT_NEAR(foot.half_length, 0.3 * (sole.x_max - sole.x_min), 1e-12);
  EXPECT_NEAR(foot.half_width, 0.4 * (sole.y_max - sole.y_min), 1e-12);
}

TEST(BalanceContacts, HandsAreContactsOnlyWhereThereIsSomethingToLeanOn) {
  const RobotModel robot = test::our_robot("balancer");
  EXPECT_EQ(BalanceContacts(robot, {}).sites().size(), 2u);
  const BalanceContacts with_wall(robot, {.planes = {{.position = {1, 0, 0}, .normal = {-1, 0, 0}}}});
  EXPECT_EQ(with_wall.sites().size(), 4u);
}

}  // namespace
}  // namespace aplomb

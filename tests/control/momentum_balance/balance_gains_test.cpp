#include "aplomb/control/momentum_balance/balance_gains.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "robots/our_robots.hpp"

namespace aplomb {
namespace {

bool has_any(const std::string& name, const std::vector<std::string>& parts) {
  return std::ranges::any_of(parts, [&](const std::string& part) { return name.find(part) != std::string::npos; });
}

TEST(BalanceGains, ArmsThatAreExcludedAreTheJointsBetweenTrunkAndHands) {
  const std::vector<std::string> of_arms = {"shoulder", "Sh", "elbow", "Elb", "Forearm", "Wrist", "wrist", "arm"};
  for (const char* name : {"balancer", "coman", "sarcos"}) {
    const RobotModel robot = test::our_robot(name);
    const Eigen::VectorXd weight = posture_weight(robot, /*excludes_arms=*/true);
    for (int i = 0; i < robot.num_joints(); ++i) {
      const std::string& joint = robot.joints()[static_cast<std::size_t>(i)].name;
      EXPECT_EQ(std::isinf(weight[i]), has_any(joint, of_arms)) << name << " " << joint;
    }
    EXPECT_TRUE(posture_weight(robot).allFinite());
  }
}

TEST(BalanceGains, AsPrintedAreThoseOfThePaperUnlessStated) {
  MomentumBalance::Settings settings;
  settings.as_printed = true;
  settings.com_stiffness = Eigen::Vector3d(1.0, 2.0, 3.0);
  const BalanceGains gains = BalanceGains::for_settings(settings, 50.0, 0.77);
  EXPECT_TRUE(gains.com_damping.isApprox(Eigen::Vector3d(0.8, 0.8, 0.4)));  // diag{40, 20, 40}/m, the second axis up
  EXPECT_TRUE(gains.com_stiffness.isApprox(Eigen::Vector3d(1.0, 2.0, 3.0)));
  EXPECT_EQ(gains.angular_damping, 20.0);
}

}  // namespace
}  // namespace aplomb

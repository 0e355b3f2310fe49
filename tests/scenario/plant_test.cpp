#include "aplomb/scenario/plant.hpp"

#include <gtest/gtest.h>

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

TEST(Plant, WithoutChangesIsTheBelievedRobot) {
  for (const char* name : {"hoap3", "coman", "sarcos", "balancer"}) {
    const RobotModel believed = RobotModel::load(name);
    const RobotModel plant = make_plant(believed, {});
    EXPECT_EQ(plant.mass(), believed.mass()) << name;
    EXPECT_EQ(plant.num_joints(), believed.num_joints()) << name;
  }
}

TEST(Plant, ScalesMassesLinksAndTorqueLimits) {
  const RobotModel believed = RobotModel::load("balancer");
  const RobotModel plant =
      make_plant(believed, {.mass_scale = 1.1, .link_mass_scale = {{"trunk", 2.0}}, .torque_limit_scale = 0.5});
  const double trunk = believed.urdf().link("trunk").inertia.mass;
  EXPECT_NEAR(plant.mass(), 1.1 * (believed.mass() + trunk), 1e-9);
  for (int i = 0; i < plant.num_joints(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_EQ(plant.joints()[at].effort, 0.5 * believed.joints()[at].effort);
  }
}

TEST(Plant, OfAnUnknownLinkIsAnErrorWithTheNearest) {
  const RobotModel believed = RobotModel::load("balancer");
  try {
    make_plant(believed, {.link_mass_scale = {{"left_thig", 2.0}}});
    FAIL();
  } catch (const UnknownName& error) {
    EXPECT_NE(std::string(error.what()).find("closest is 'left_thigh'"), std::string::npos);
  }
}

}  // namespace
}  // namespace aplomb

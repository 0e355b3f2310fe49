#include "aplomb/scenario/setup/plant.hpp"

#include <gtest/gtest.h>

#include "support/thrown.hpp"

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
  const auto error_with = [&](const std::string& link) {
    return test::error_of([&] { make_plant(believed, {.link_mass_scale = {{link, 2.0}}}); });
  };
  EXPECT_TRUE(test::has(error_with("left_thig"), "no role or link named 'left_thig' in robot balancer"));
  EXPECT_TRUE(test::has(error_with("left_thig"), "closest is 'left_thigh'"));
  EXPECT_TRUE(test::has(error_with("left_hnd"), "closest is 'left_hand'"));
}

TEST(Plant, OfALinkWithoutMassIsTheOneThatCarriesItOrAnError) {
  const RobotModel coman = RobotModel::load("coman");
  const BodyTree& tree = coman.tree();
  const int body = tree.links[static_cast<std::size_t>(coman.frame("l_sole"))].body;
  const double foot = coman.urdf().link(tree.bodies[static_cast<std::size_t>(body)].link).inertia.mass;
  ASSERT_GT(foot, 0.0);
  EXPECT_NEAR(make_plant(coman, {.link_mass_scale = {{"l_sole", 3.0}}}).mass(), coman.mass() + 2.0 * foot, 1e-9);

  constexpr const char* kUrdf = R"(<robot name="universal">
    <link name="lower"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="cross"/>
    <link name="upper"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="pitch" type="revolute"><parent link="lower"/><child link="cross"/><axis xyz="0 1 0"/>
      <limit lower="-1" upper="1" effort="10" velocity="1"/></joint>
    <joint name="roll" type="revolute"><parent link="cross"/><child link="upper"/><axis xyz="1 0 0"/>
      <limit lower="-1" upper="1" effort="10" velocity="1"/></joint></robot>)";
  const RobotModel universal(parse_urdf(kUrdf, "universal.urdf"), {});
  EXPECT_TRUE(test::has(test::error_of([&] {
                          make_plant(universal, {.link_mass_scale = {{"cross", 3.0}}});
                        }),
                        "link 'cross' of robot  has no mass to scale"));
}

}  // namespace
}  // namespace aplomb

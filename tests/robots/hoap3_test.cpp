// What HOAP-3's table leaves open is filled in so that the table's bodies come out whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "robots/our_robots.hpp"

namespace aplomb {
namespace {

/// All these links as one body, in the frame of the first, with the joints between them at zero.
Inertia together(const RobotModel& model, std::span<const char* const> links) {
  const RobotState state = test::zero_state(model);
  const Eigen::Isometry3d T_first_world = test::pose_of(model, state, links.front()).inverse();
  Inertia sum = model.urdf().link(links.front()).inertia;
  for (const char* link : links.subspan(1)) {
    const Eigen::Isometry3d T_first_link = T_first_world * test::pose_of(model, state, link);
    sum = joined(sum, transformed(T_first_link, model.urdf().link(link).inertia));
  }
  return sum;
}

void expect_same(const Inertia& inertia, double mass, const Eigen::Vector3d& com, const Eigen::Matrix3d& about_com) {
  EXPECT_NEAR(inertia.mass, mass, 1e-12);
  EXPECT_LT((inertia.com - com).norm(), 1e-12);
  EXPECT_LT((inertia.about_com - about_com).norm(), 1e-14);
}

Eigen::Matrix3d tensor(double xx, double yy, double zz, double xy, double xz, double yz) {
  return (Eigen::Matrix3d() << xx, xy, xz, xy, yy, yz, xz, yz, zz).finished();
}

TEST(Hoap3, HeadPartsHaveTheMassOfTheTablesHead) {
  const RobotModel model = test::our_robot("hoap3");
  constexpr const char* kLinks[] = {"HEAD_J2_link", "HEAD_J3_link"};
  expect_same(together(model, kLinks), 0.412, {-0.00104, 0.000018, 0.00518},
              tensor(0.0005524, 0.0006821, 0.0007321, 3.179e-06, -7.773e-06, -4.578e-07));
}

TEST(Hoap3, ForearmWithWristAndGripIsTheTablesForearm) {
  const RobotModel model = test::our_robot("hoap3");
  constexpr const char* kRight[] = {"RARM_J4_link", "RARM_J5_link", "RARM_J6_link"};
  expect_same(together(model, kRight), 0.216, {0.066422, -0.000616, 0.001002},
              tensor(0.0001034, 0.0003366, 0.0003606, 2.205e-05, -4.532e-07, 8.951e-07));
  constexpr const char* kLeft[] = {"LARM_J4_link", "LARM_J5_link", "LARM_J6_link"};
  expect_same(together(model, kLeft), 0.216, {0.066477, 0.000559, 0.000962},
              tensor(0.0001033, 0.0003352, 0.0003591, -2.223e-05, -7.35e-07, -7.266e-07));
}

TEST(Hoap3, TorsoCarriesBatteryAndRadio) {
  const RobotModel model = test::our_robot("hoap3");
  const double scale = 3.26 / 2.40;  // the tensor is that of the lighter torso, scaled by mass
  expect_same(model.urdf().link("BODY_J1_link").inertia, 3.26, {-0.049489, 0.000893, 0.084174},
              scale * tensor(0.01099, 0.01355, 0.01166, 0.0002311, 0.0006254, 0.0001536));
}

TEST(Hoap3, LoadCellsAreTheCornersOfTheSoles) {
  const RobotModel model = test::our_robot("hoap3");
  for (const Side side : {kLeft, kRight}) {
    const auto& cells = model.description().load_cells[side];
    ASSERT_EQ(cells.size(), 4u);
    for (const Eigen::Vector3d& corner : model.description().soles[side]->corners()) {
      const auto distance = [&](const Eigen::Vector2d& cell) { return (cell - corner.head<2>()).norm(); };
      EXPECT_LT(distance(std::ranges::min(cells, {}, distance)), 1e-12);
    }
  }
}

TEST(Hoap3, HasTheServoGainsThatWereTested) {
  const RobotModel model = test::our_robot("hoap3");
  const Actuation& actuation = model.description().actuation;
  EXPECT_EQ(actuation.kind, Actuation::Kind::servo);
  EXPECT_EQ(actuation.stiffness, 400.0);
  EXPECT_EQ(actuation.damping, 20.0);
  EXPECT_EQ(actuation.armature, 0.005);
}

}  // namespace
}  // namespace aplomb

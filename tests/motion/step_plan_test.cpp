#include "aplomb/motion/step_plan.hpp"

#include <gtest/gtest.h>

namespace aplomb {
namespace {

StepPlan two_steps() {
  return StepPlan({{.foot = 1,
                    .unload_s = 0.5,
                    .lift_off_s = 2.0,
                    .touch_down_s = 3.0,
                    .carry_s = 4.5,
                    .step = {0.04, 0.0, 0.0},
                    .lift = 0.02},
                   {.foot = 0,
                    .unload_s = 5.0,
                    .lift_off_s = 6.5,
                    .touch_down_s = 7.5,
                    .carry_s = 9.0,
                    .step = {0.04, 0.01, 0.0},
                    .lift = 0.02}});
}

TEST(StepPlan, HasTheVelocitiesOfItsFeet) {
  const StepPlan plan = two_steps();
  for (double time = 0.0; time < 10.0; time += 0.0173) {
    for (int side : {0, 1}) {
      const double h = 1e-5;
      const Eigen::Vector3d numeric = (plan.at(side, time + h).offset - plan.at(side, time - h).offset) / (2.0 * h);
      EXPECT_LT((plan.at(side, time).velocity - numeric).norm(), 1e-6) << time;
    }
  }
}

TEST(StepPlan, LiftsAFootOnlyWhileTheComIsAboveTheOther) {
  const StepPlan plan = two_steps();
  const std::array<Eigen::Vector3d, 2> soles = {Eigen::Vector3d(0.0, 0.05, 0.0), Eigen::Vector3d(0.0, -0.05, 0.0)};
  const Eigen::Vector3d start(0.0, 0.0, 0.3);
  const ComReference com = ComReference::path(start, plan.com_points(soles));
  int reference = 1;
  for (double time = 0.0; time < 10.0; time += 0.01) {
    reference = plan.reference_side(time, reference);
    for (int side : {0, 1}) {
      if (!plan.at(side, time).is_lifted) continue;
      EXPECT_EQ(reference, 1 - side) << time;
      const Eigen::Vector3d above = soles[1 - side] + plan.at(1 - side, time).offset;
      EXPECT_LT((com.at(time, {}).position - above).head<2>().norm(), 1e-12) << time;
      EXPECT_GE(plan.at(side, time).offset.z(), 0.0);
    }
  }
}

TEST(StepPlan, EndsWithTheComBetweenTheFeet) {
  const StepPlan plan = two_steps();
  const std::array<Eigen::Vector3d, 2> soles = {Eigen::Vector3d(0.0, 0.05, 0.0), Eigen::Vector3d(0.0, -0.05, 0.0)};
  const ComReference com = ComReference::path(Eigen::Vector3d::Zero(), plan.com_points(soles));
  const Eigen::Vector3d middle = 0.5 * (soles[0] + plan.at(0, 20.0).offset + soles[1] + plan.at(1, 20.0).offset);
  EXPECT_LT((com.at(20.0, {}).position - middle).norm(), 1e-12);
}

}  // namespace
}  // namespace aplomb

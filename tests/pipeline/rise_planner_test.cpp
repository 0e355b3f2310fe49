#include "aplomb/pipeline/rise_planner.hpp"

#include <gtest/gtest.h>

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

RisePlanner::Task natural_task(RisePlanner& planner) {
  return {.plan = {.is_asked = true, .parameters = PlanRequest::Parameters::actual},
          .robot = "sarcos_real",
          .base = planner.load("sarcos_real"),
          .chair = Chair{.height = 0.45}};
}

TEST(RisePlanner, LoadsARobotOnce) {
  RisePlanner planner;
  EXPECT_EQ(planner.load("coman"), planner.load("coman"));
  EXPECT_THROW(planner.load("comann"), UnknownName);
  EXPECT_THROW(planner.load("comann"), UnknownName);
}

TEST(RisePlanner, MakesAPlanOnceWhateverItsSpeedAndAnotherForAnotherChair) {
  RisePlanner planner;
  RisePlanner::Task task = natural_task(planner);
  const auto plan = planner.plan(task);
  task.plan.speed = 1.5;
  EXPECT_EQ(planner.plan(task), plan);
  task.chair->height = 0.46;
  const auto higher = planner.plan(task);
  EXPECT_NE(higher, plan);
  EXPECT_EQ(higher->person, plan->person);  // the person is analysed once
  EXPECT_NE(higher->motion->contacts.chair_height_m, plan->motion->contacts.chair_height_m);
}

TEST(RisePlanner, SaysWhoseMassesAreBelievedIn) {
  RisePlanner planner;
  RisePlanner::Task task = natural_task(planner);
  EXPECT_EQ(planner.plan(task)->believed, task.base);
  task.plan.parameters = PlanRequest::Parameters::cad;
  const auto by_cad = planner.plan(task);
  EXPECT_NE(by_cad->believed, task.base);
  EXPECT_NE(by_cad->believed->mass(), task.base->mass());
  EXPECT_EQ(by_cad->identified, nullptr);
}

}  // namespace
}  // namespace aplomb

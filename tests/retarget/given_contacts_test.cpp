#include "aplomb/retarget/given_contacts.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "aplomb/retarget/retarget.hpp"
#include "retarget/demonstrated_trial.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

std::string refused(const HumanTrial& trial, const ContactSchedule& schedule) {
  return test::error_of([&] { with_contacts(trial, schedule); });
}

TEST(GivenContacts, TheRisesFollowTheSeat) {
  const HumanTrial trial = test::demonstrated_trial("sit_stand_sit");
  const double end = trial.motion.time_s(trial.motion.num_frames()), off = trial.rises.at(0).seat_off_s;
  const HumanTrial given = with_contacts(trial, {{{ContactSite::seat, trial.motion.start_s, off + 0.05},
                                                  {ContactSite::seat, trial.rises[0].seat_on_s, end + 1.0},
                                                  {ContactSite::left_hand, 0.0, off + 0.2}}});
  ASSERT_EQ(given.rises.size(), 1u);
  EXPECT_EQ(given.rises[0].seat_off_s, off + 0.05);
  EXPECT_EQ(given.rises[0].seat_on_s, trial.rises[0].seat_on_s);
  ASSERT_TRUE(given.rises[0].hands.off_s[0].has_value());
  EXPECT_EQ(*given.rises[0].hands.off_s[0], off + 0.2);
  EXPECT_FALSE(given.rises[0].hands.off_s[1].has_value());
  EXPECT_TRUE(given.contacts.is_active(ContactSite::right_foot, end - 0.1));  // not listed: it stands
}

TEST(GivenContacts, ThePlanLeavesTheSeatWhenTheScheduleSays) {
  HumanTrial trial = test::demonstrated_trial("natural");
  const double off = trial.rises.at(0).seat_off_s + 0.1;
  const HumanTrial later = with_contacts(trial, {{{ContactSite::seat, trial.motion.start_s, off}}});
  const RobotModel robot = RobotModel::load("coman");
  const RetargetOptions frames{.mode = RetargetMode::frames};
  const auto seat_off = [](const Retargeted& plan) {
    return plan.human.start_s + plan.trajectory.time_s(plan.human.rise.seat_off);
  };
  EXPECT_NEAR(seat_off(retarget(later, robot, frames)), off, 0.011);
  EXPECT_NEAR(seat_off(retarget(trial, robot, frames)), trial.rises[0].seat_off_s, 0.011);
}

TEST(GivenContacts, WhatContradictsTheRecordingIsRefused) {
  const HumanTrial trial = test::demonstrated_trial("natural");
  const double start = trial.motion.start_s, end = trial.motion.time_s(trial.motion.num_frames());
  const ContactTime seat{ContactSite::seat, start, trial.rises.at(0).seat_off_s};
  EXPECT_NO_THROW(with_contacts(trial, {{seat}}));
  EXPECT_TRUE(test::has(refused(trial, {{{ContactSite::seat, start, end + 1.0}}}), "upright"));
  EXPECT_NO_THROW(
      with_contacts(trial, {{seat, {ContactSite::left_foot, start, start + 1.0}}}));  // the right one stands
  EXPECT_TRUE(test::has(
      refused(trial,
              {{seat, {ContactSite::left_foot, start, start + 1.0}, {ContactSite::right_foot, start, start + 1.2}}}),
      "neither foot"));
  EXPECT_TRUE(
      test::has(refused(trial, {{seat, {ContactSite::left_hand, end + 5.0, end + 6.0}}}), "outside the recording"));
}

}  // namespace
}  // namespace aplomb

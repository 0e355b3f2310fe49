#include "aplomb/retarget/mapping/human_path.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/demonstrator/demonstrator.hpp"

namespace aplomb {
namespace {

using Kind = KeyFrame::Kind;

HumanTrial trial_of(const std::string& style, int repeats = 1) {
  const Demonstration shown = demonstrate({.style = style, .repeats = repeats});
  HumanTrial trial{.name = style, .motion = shown.motion, .cutoff_hz = 4.0};
  trial.subject.skeleton = shown.skeleton;
  trial.subject.markers = {{.label = "LASI", .segment = 0, .offset = {0.1, 0.1, 0.1}}};
  for (std::size_t i = 0; i < shown.seat_off_s.size(); ++i) {
    // Of `sit_down`, the rise that begins after the first sit-down ends with the second one.
    const std::size_t on = shown.seat_share[0] > 0.0 ? i : i + 1;
    const bool sits = on < shown.seat_on_s.size();
    trial.rises.push_back({shown.seat_off_s[i], sits ? shown.seat_on_s[on] : std::numeric_limits<double>::infinity()});
  }
  const double end_s = shown.motion.time_s(shown.motion.num_frames());
  for (const ContactSite site : {ContactSite::left_foot, ContactSite::right_foot}) {
    trial.contacts.contacts.push_back({site, 0.0, end_s});
  }
  std::vector<ContactTime> seat;
  if (shown.seat_share[0] > 0.0) seat.push_back({ContactSite::seat, 0.0, end_s});
  for (const double on_s : shown.seat_on_s) seat.push_back({ContactSite::seat, on_s, end_s});
  for (std::size_t i = 0; i < shown.seat_off_s.size(); ++i) seat[i].end_s = shown.seat_off_s[i];
  trial.contacts.contacts.insert(trial.contacts.contacts.end(), seat.begin(), seat.end());
  return trial;
}

std::vector<Kind> kinds_of(const HumanPath& path) {
  std::vector<Kind> kinds;
  Eigen::Index before = -1;
  for (const KeyFrame& key : path.keys) {
    EXPECT_LE(before, key.first);
    EXPECT_LE(key.first, key.last);
    EXPECT_LT(key.last, path.num_frames());
    before = key.last;
    kinds.push_back(key.kind);
  }
  return kinds;
}

TEST(HumanPath, OfARiseHasItsContacts) {
  const HumanPath path = human_path(trial_of("natural", 2), 1);
  EXPECT_EQ(kinds_of(path), (std::vector{Kind::seated, Kind::seat_off, Kind::standing}));
  ASSERT_EQ(path.contacts.size(), 3U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(path.contacts[i].begin, 0);
    EXPECT_EQ(path.contacts[i].end, path.num_frames());
  }
  EXPECT_EQ(path.contacts[2].site, ContactSite::seat);
  EXPECT_EQ(path.contacts[2].begin, 0);
  EXPECT_EQ(path.contacts[2].end, path.rise.seat_off);
  EXPECT_TRUE(path.is_in_contact(ContactSite::seat, path.rise.seat_off - 1));
  EXPECT_FALSE(path.is_in_contact(ContactSite::seat, path.rise.seat_off));
}

TEST(HumanPath, OfASitDownIsThatOfTheRiseInReverseTime) {
  const HumanTrial trial = trial_of("sit_stand_sit");
  const HumanPath up = human_path(trial, 0), down = human_path(trial, {ClipKind::sit_down, 0});
  EXPECT_EQ(kinds_of(down), (std::vector{Kind::standing, Kind::seat_on, Kind::seated}));
  EXPECT_NEAR(static_cast<double>(down.num_frames()), static_cast<double>(up.num_frames()), 1.0);
  const auto reversed = [&](Eigen::Index frame) { return static_cast<double>(down.num_frames() - 1 - frame); };
  EXPECT_NEAR(reversed(down.rise.seat_off), static_cast<double>(up.rise.seat_off), 1.0);
  EXPECT_NEAR(reversed(down.rise.onset), static_cast<double>(up.rise.onset), 1.0);
  EXPECT_NEAR(reversed(down.rise.stand), static_cast<double>(up.rise.stand), 1.0);
  EXPECT_NEAR(reversed(down.rise.overlay), static_cast<double>(up.rise.overlay), 1.0);
  EXPECT_LT((down.com.col(0) - up.com.rightCols<1>()).norm(), 0.001);
  EXPECT_LT((down.com.rightCols<1>() - up.com.col(0)).norm(), 0.001);
  EXPECT_FALSE(down.is_in_contact(ContactSite::seat, down.rise.seat_off - 1));
  EXPECT_TRUE(down.is_in_contact(ContactSite::seat, down.rise.seat_off));
  EXPECT_TRUE(down.is_in_contact(ContactSite::seat, down.num_frames() - 1));
  EXPECT_NEAR(down.leg_length, up.leg_length, 1e-12);
}

TEST(HumanPath, OfASitDownNeedsNoRise) {
  const HumanTrial trial = trial_of("sit_down");
  EXPECT_TRUE(trial.rises.empty());
  const HumanPath path = human_path(trial, {ClipKind::sit_down, 0});
  EXPECT_GT(path.com(2, 0), path.com(2, path.num_frames() - 1) + 0.2);
  EXPECT_THROW(human_path(trial, 0), InvalidValue);
  EXPECT_THROW(human_path(trial, {ClipKind::sit_down, 1}), InvalidValue);
  EXPECT_THROW(human_path(trial_of("natural"), {ClipKind::sit_down, 0}), InvalidValue);
  EXPECT_THROW(human_path(trial_of("squat"), {ClipKind::sit_down, 0}), InvalidValue);
}

TEST(HumanPath, OfAWholeTrialHasEveryRiseAndSitDown) {
  const HumanTrial trial = trial_of("sit_stand_sit", 2);
  const HumanPath path = human_path(trial, {ClipKind::whole});
  EXPECT_EQ(path.num_frames(), trial.motion.num_frames());
  EXPECT_EQ(kinds_of(path), (std::vector{Kind::seated, Kind::seat_off, Kind::standing, Kind::seat_on, Kind::seated,
                                         Kind::seat_off, Kind::standing, Kind::seat_on, Kind::seated}));
  for (const KeyFrame& key : path.keys) {
    const bool is_seated = key.kind == Kind::seated || key.kind == Kind::seat_on;
    EXPECT_EQ(path.is_in_contact(ContactSite::seat, key.first), is_seated);
    EXPECT_EQ(path.is_in_contact(ContactSite::seat, key.last), is_seated);
  }
  EXPECT_EQ(path.rise.seat_off, path.keys[1].first);
  EXPECT_EQ(path.rise.stand, path.keys[2].first);
}

TEST(HumanPath, OfASquatHasNoSeat) {
  const HumanPath path = human_path(trial_of("squat"), {ClipKind::whole});
  EXPECT_EQ(kinds_of(path), (std::vector{Kind::standing, Kind::standing}));
  EXPECT_EQ(path.contacts.size(), 2U);
  EXPECT_GT(path.leg_length, 0.5);
}

TEST(HumanPath, FindsContactsThatATrialDoesNotState) {
  HumanTrial trial = trial_of("natural");
  trial.contacts = {};
  const HumanPath path = human_path(trial, 0);
  ASSERT_EQ(path.contacts.size(), 3U);
  EXPECT_EQ(path.contacts[2].end, path.rise.seat_off);
}

}  // namespace
}  // namespace aplomb

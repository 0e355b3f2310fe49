#include "aplomb/retarget/mapping/plan_clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace aplomb {
namespace {

constexpr double kSpeed = 0.8;  // [m/s]

/// A person who moves at a constant speed: sits, rises, stands, sits down again.
HumanPath moving_clip(double rate_hz, Eigen::Index seat_off = 41) {
  constexpr Eigen::Index kFrames = 151;
  HumanPath clip;
  clip.rate_hz = rate_hz;
  clip.start_s = 2.0;
  clip.com.setZero(3, kFrames);
  for (Eigen::Index i = 0; i < kFrames; ++i) clip.com.col(i) << kSpeed * static_cast<double>(i) / rate_hz, 0.1, 0.9;
  clip.markers = clip.com;
  clip.rise = {.overlay = 5, .onset = 10, .seat_off = seat_off, .stand = 90, .hand_off = {60, 0}};
  clip.keys = {{KeyFrame::Kind::seated, 0, 10},
               {KeyFrame::Kind::seat_off, seat_off, seat_off},
               {KeyFrame::Kind::standing, 90, 110},
               {KeyFrame::Kind::seat_on, 130, 130}};
  clip.contacts = {{ContactSite::left_foot, 0, kFrames},
                   {ContactSite::seat, 0, seat_off},
                   {ContactSite::seat, 130, kFrames},
                   {ContactSite::left_hand, 0, 60}};
  return clip;
}

double x_speed(const HumanPath& path, Eigen::Index i) { return path.rate_hz * (path.com(0, i + 1) - path.com(0, i)); }

TEST(PlanClock, SeatOffAndTheLastSampleAreOnTheGrid) {
  for (const Eigen::Index grid : {1, 2, 4, 5}) {
    for (const Eigen::Index seat_off : {40, 41, 42, 43}) {
      const HumanPath path = on_plan_clock(moving_clip(100.0, seat_off), {.grid = grid});
      EXPECT_EQ(path.rise.seat_off % grid, 0);
      EXPECT_EQ((path.num_frames() - 1) % grid, 0);
      // Lead and tail are lengthened by less than one step of the grid.
      EXPECT_LT(path.num_frames(), 151 + 10 + 30 + 2 * grid);
      EXPECT_GE(path.num_frames(), 151 + 10 + 30);
    }
  }
}

TEST(PlanClock, EveryChangeOfAContactIsOnTheGridOfEdgesAndLessThanAStepAway) {
  for (const Eigen::Index seat_off : {40, 41, 42, 43}) {
    const HumanPath clip = moving_clip(100.0, seat_off);
    const HumanPath path = on_plan_clock(clip, {.grid = 4, .edge_grid = 2});
    const HumanPath free = on_plan_clock(clip, {.grid = 4, .edge_grid = 1});
    ASSERT_EQ(path.num_frames(), free.num_frames());
    const auto expect_on_grid = [&](Eigen::Index change, Eigen::Index unmoved) {
      if (unmoved > 0 && unmoved < path.num_frames()) {
        EXPECT_EQ(change % 2, 0) << seat_off;
      }
      EXPECT_LE(std::abs(change - unmoved), 1) << seat_off;
    };
    for (std::size_t i = 0; i < path.contacts.size(); ++i) {
      expect_on_grid(path.contacts[i].begin, free.contacts[i].begin);
      expect_on_grid(path.contacts[i].end, free.contacts[i].end);
    }
    expect_on_grid(path.rise.hand_off[0], free.rise.hand_off[0]);
    EXPECT_EQ(path.contacts[1].end, path.rise.seat_off);
    EXPECT_EQ(path.keys[1].first, path.contacts[1].end);
    EXPECT_EQ(path.keys[3].first, path.contacts[2].begin);
  }
}

TEST(PlanClock, InsideTheClipThePersonIsWhereThePersonWas) {
  for (const double rate : {60.0, 100.0, 250.0}) {
    const HumanPath clip = moving_clip(rate), path = on_plan_clock(clip, {});
    const double begin = clip.start_s, end = clip.time_s(clip.num_frames() - 1) - 1.0 / path.rate_hz;
    EXPECT_LT(path.start_s, begin);
    for (Eigen::Index i = 0; i < path.num_frames(); ++i) {
      const double time = path.time_s(i);
      if (time < begin || time > end) continue;
      EXPECT_NEAR(path.com(0, i), kSpeed * (time - begin), 1e-9) << rate << " " << i;
      EXPECT_NEAR(path.markers(0, i), path.com(0, i), 1e-12);
    }
  }
}

TEST(PlanClock, ContactsAndKeysAreAtThePersonsTimes) {
  for (const double rate : {60.0, 100.0, 250.0}) {
    const HumanPath clip = moving_clip(rate), path = on_plan_clock(clip, {});
    const double sample = 1.0 / path.rate_hz + 1e-9;
    ASSERT_EQ(path.contacts.size(), clip.contacts.size());
    for (std::size_t i = 0; i < clip.contacts.size(); ++i) {
      const ContactInterval &then = clip.contacts[i], &now = path.contacts[i];
      EXPECT_EQ(now.site, then.site);
      if (then.begin == 0) {
        EXPECT_EQ(now.begin, 0);
      }
      if (then.begin > 0) {
        EXPECT_NEAR(path.time_s(now.begin), clip.time_s(then.begin), sample);
      }
      if (then.end == clip.num_frames()) {
        EXPECT_EQ(now.end, path.num_frames());
      }
      if (then.end < clip.num_frames()) {
        EXPECT_NEAR(path.time_s(now.end), clip.time_s(then.end), sample);
      }
    }
    ASSERT_EQ(path.keys.size(), clip.keys.size());
    EXPECT_EQ(path.keys[0].first, 0);
    for (std::size_t i = 1; i < clip.keys.size(); ++i) {
      EXPECT_EQ(path.keys[i].kind, clip.keys[i].kind);
      EXPECT_NEAR(path.time_s(path.keys[i].first), clip.time_s(clip.keys[i].first), sample);
      EXPECT_NEAR(path.time_s(path.keys[i].last), clip.time_s(clip.keys[i].last), sample);
    }
    EXPECT_EQ(path.keys[1].first, path.rise.seat_off);
    EXPECT_EQ(path.contacts[1].end, path.rise.seat_off);
    EXPECT_NEAR(path.time_s(path.rise.hand_off[0]), clip.time_s(60), sample);
    EXPECT_EQ(path.rise.hand_off[1], 0);  // rests on nothing
  }
}

TEST(PlanClock, APersonInMotionComesToRestWithoutAJumpOfSpeed) {
  const PlanClock clock{.lead_s = 0.2};
  const HumanPath path = on_plan_clock(moving_clip(100.0), clock);
  const Eigen::Index last = path.num_frames() - 1;
  EXPECT_LT(std::abs(x_speed(path, 0)), 0.01 * kSpeed);
  EXPECT_LT(std::abs(x_speed(path, last - 1)), 0.01 * kSpeed);
  EXPECT_NEAR(x_speed(path, last / 2), kSpeed, 1e-9);
  // A minimum-jerk change of the speed by v within T has an acceleration of 1.875 v / T at most.
  const double most = 1.05 * 1.875 * kSpeed / clock.lead_s;
  for (Eigen::Index i = 1; i < last; ++i) {
    EXPECT_LT(path.rate_hz * std::abs(x_speed(path, i) - x_speed(path, i - 1)), most) << i;
    EXPECT_GT(x_speed(path, i), -1e-9);  // never backwards
  }
}

TEST(PlanClock, StretchesAllOfAClipOrAPartOfIt) {
  const HumanPath clip = moving_clip(100.0), plain = on_plan_clock(clip, {.grid = 1});
  const HumanPath slow = on_plan_clock(clip, {.grid = 1, .stretch = Eigen::VectorXd::Constant(151, 1.5)});
  EXPECT_NEAR(static_cast<double>(slow.num_frames() - plain.num_frames()), 0.5 * 150.0, 1.0);
  for (std::size_t i = 1; i < clip.keys.size(); ++i) {
    EXPECT_NEAR(slow.time_s(slow.keys[i].first) - clip.start_s, 1.5 * (clip.time_s(clip.keys[i].first) - clip.start_s),
                0.0101);
  }
  Eigen::VectorXd stretch = Eigen::VectorXd::Ones(151);
  stretch.segment(50, 20).setConstant(2.0);
  const HumanPath local = on_plan_clock(clip, {.grid = 1, .stretch = stretch});
  EXPECT_NEAR(static_cast<double>(local.num_frames() - plain.num_frames()), 20.0, 2.0);
  EXPECT_EQ(local.rise.seat_off, plain.rise.seat_off);  // before the slow part
  EXPECT_NEAR(static_cast<double>(local.rise.stand - plain.rise.stand), 20.0, 2.0);
}

}  // namespace
}  // namespace aplomb

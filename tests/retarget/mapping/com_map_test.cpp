#include "aplomb/retarget/mapping/com_map.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace aplomb {
namespace {

constexpr double kScale = 0.8;

/// A person who sits until frame 20, is off the seat from 60 on and stands from 120 on, leaning before the body rises.
HumanPath rising_person() {
  constexpr Eigen::Index kFrames = 151;
  HumanPath human;
  human.rate_hz = 100.0;
  human.com.resize(3, kFrames);
  for (Eigen::Index i = 0; i < kFrames; ++i) {
    const double forward = std::clamp(static_cast<double>(i - 20) / 60.0, 0.0, 1.0);
    const double up = std::clamp(static_cast<double>(i - 70) / 50.0, 0.0, 1.0);
    human.com.col(i) << -0.2 + 0.3 * forward, 0.01, 0.7 + 0.3 * up;
  }
  human.keys = {
      {KeyFrame::Kind::seated, 0, 20}, {KeyFrame::Kind::seat_off, 60, 60}, {KeyFrame::Kind::standing, 120, 150}};
  human.heel_x = -0.1;
  human.toe_x = 0.15;
  return human;
}

const std::vector<Eigen::Vector3d> kAnchors = {{-0.15, 0.0, 0.5}, {0.02, 0.0, 0.55}, {0.05, 0.0, 0.85}};

TEST(ComMap, GoesThroughEveryAnchorInTheOrderOfTheKeys) {
  const HumanPath human = rising_person();
  const ComMap map = make_com_map(human, kScale, kAnchors);
  ASSERT_EQ(map.anchors.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const Eigen::Index at = anchor_frame(human, human.keys[i]);
    EXPECT_EQ(map.anchors[i].key.first, human.keys[i].first);
    // The offset of seat-off is taken in the last frame on the seat and holds from the first one off it.
    const Eigen::Vector3d o = map.offset(human.keys[i].first, human.com(2, at));
    EXPECT_LT((kScale * human.com.col(at) + o - kAnchors[i]).norm(), 1e-12) << i;
  }
  EXPECT_EQ(anchor_frame(human, human.keys[1]), 59);
  EXPECT_EQ(anchor_frame(human, human.keys[2]), 150);  // at the end of the clip: the last frame
}

TEST(ComMap, IsAsSmoothAsThePerson) {
  const HumanPath human = rising_person();
  const ComMap map = make_com_map(human, kScale, kAnchors);
  for (Eigen::Index i = 1; i < human.num_frames(); ++i) {
    const Eigen::Vector3d step = map.map(human.com.col(i), i) - map.map(human.com.col(i - 1), i - 1);
    // The person moves by 5 and 6 mm a frame at most; the blends add less than that.
    EXPECT_LT(step.norm(), 0.012) << i;
  }
}

TEST(ComMap, APersonWhoHasNotRisenYetIsNotLowered) {
  const HumanPath human = rising_person();
  const ComMap map = make_com_map(human, kScale, kAnchors);
  // From 60 to 70 the person leans at one height: so does the robot.
  for (Eigen::Index i = 60; i <= 70; ++i) EXPECT_NEAR(map.map(human.com.col(i), i).z(), kAnchors[1].z(), 1e-12) << i;
  EXPECT_NEAR(map.map(human.com.col(95), 95).z(), 0.5 * (kAnchors[1].z() + kAnchors[2].z()), 1e-12);  // half-way up
}

TEST(ComMap, TheAnchorChangeIsThatOffTheSeat) {
  const HumanPath human = rising_person();
  const ComMap map = make_com_map(human, kScale, kAnchors);
  const Eigen::Vector3d change = map.anchors[2].offset - map.anchors[1].offset;
  EXPECT_DOUBLE_EQ(map.anchor_change(), change.norm());
}

TEST(StandingCom, IsAtThePersonsFractionOfTheSolesWithinTheirMiddleHalf) {
  HumanPath human = rising_person();
  Overlay overlay;
  overlay.scale = kScale;
  constexpr double kHeel = -0.12, kToe = 0.16;
  const auto fraction = [&] {
    return (standing_com(human, 150, overlay, kHeel, kToe, 0.0).x() - kHeel) / (kToe - kHeel);
  };
  EXPECT_NEAR(fraction(), 0.75, 1e-12);  // the person's 0.8, cut at three quarters
  human.com(0, 150) = human.heel_x + 0.4 * (human.toe_x - human.heel_x);
  EXPECT_NEAR(fraction(), 0.4, 1e-12);
  EXPECT_NEAR(standing_com(human, 150, overlay, kHeel, kToe, 0.0).y(), kScale * 0.01, 1e-12);
}

}  // namespace
}  // namespace aplomb

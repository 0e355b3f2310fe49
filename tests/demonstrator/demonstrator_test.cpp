#include "aplomb/demonstrator/demonstrator.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <optional>

#include "aplomb/core/error.hpp"
#include "aplomb/core/math/polygon.hpp"
#include "aplomb/demonstrator/motion/dynamics.hpp"
#include "aplomb/demonstrator/motion/style.hpp"
#include "aplomb/human/human_robot.hpp"
#include "aplomb/human/marker_set.hpp"
#include "aplomb/present/demonstrator_report.hpp"
#include "aplomb/recording/recording.hpp"

namespace aplomb {
namespace {

DemonstratorOptions options_of(const std::string& style, std::uint64_t seed = 1) {
  DemonstratorOptions options{.style = style};
  options.person.seed = seed;
  return options;
}

/// A file of the test's own, removed at the end.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& name)
      : path_(std::filesystem::temp_directory_path() / ("aplomb_demonstrator_" + std::to_string(::getpid()) + name)) {}
  ~ScratchFile() { std::filesystem::remove(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

class EveryStyle : public testing::TestWithParam<const char*> {
 protected:
  Demonstration shown = demonstrate(options_of(GetParam()));
};

TEST_P(EveryStyle, HasForcesThatEqualTheRateOfMomentum) {
  // Independent of dynamics_of: momentum at each frame, its rate by central differences (100 Hz: the error is O(dt²),
  // at most 2 % of a motion's largest rate here).
  const RobotModel robot = human_robot(shown.skeleton);
  const Eigen::MatrixXd v = rates_of(shown.motion.q, shown.motion.rate_hz);
  RobotTerms terms(robot, {});
  Matrix6Xd momentum(6, v.cols());
  for (Eigen::Index i = 0; i < v.cols(); ++i) {
    terms.update({shown.motion.q.col(i), v.col(i)});
    momentum.col(i) = terms.momentum();
  }
  const double weight = shown.skeleton.mass * kGravity;
  double worst_force = 0.0, worst_moment = 0.0, squares = 0.0;
  for (Eigen::Index i = 1; i + 1 < v.cols(); ++i) {
    const Vector6d rate = 0.5 * shown.motion.rate_hz * (momentum.col(i + 1) - momentum.col(i - 1));
    const Eigen::Index sample = shown.sample_of(i);
    const Eigen::Vector3d force = shown.forces.force.col(sample) - Eigen::Vector3d(0.0, 0.0, weight);
    const double error = (force - rate.head<3>()).norm();
    worst_force = std::max(worst_force, error);
    worst_moment = std::max(worst_moment, (shown.forces.moment.col(sample) - rate.tail<3>()).norm());
    squares += error * error;
  }
  EXPECT_LT(worst_force, 0.02 * weight);
  EXPECT_LT(worst_moment, 0.02 * weight * 1.0);  // 1 m
  EXPECT_LT(std::sqrt(squares / static_cast<double>(v.cols())), 0.003 * weight);
}

TEST_P(EveryStyle, IsCarriedByItsPlatesAndItsHandsAlone) {
  // Force and moment about the centre of mass, summed over both plates and both hands, are what the motion asks for.
  for (Eigen::Index i = 0; i < shown.forces.force.cols(); ++i) {
    Eigen::Vector3d force = Eigen::Vector3d::Zero(), moment = Eigen::Vector3d::Zero();
    for (const Eigen::Vector3d& rest : shown.rests) {
      const Eigen::Vector3d pushed = 0.5 * shown.hand_share[i] * shown.forces.force.col(i);
      force += pushed;
      moment += (rest - shown.forces.com.col(i)).cross(pushed);
    }
    for (const PlateTruth* plate : {&shown.feet, &shown.seat}) {
      const Eigen::Vector3d cop(plate->cop(0, i), plate->cop(1, i), 0.0);
      force += plate->force.col(i);
      moment +=
          (cop - shown.forces.com.col(i)).cross(plate->force.col(i)) + Eigen::Vector3d(0.0, 0.0, plate->free_moment[i]);
    }
    ASSERT_LT((force - shown.forces.force.col(i)).norm(), 1e-9);
    ASSERT_LT((moment - shown.forces.moment.col(i)).norm(), 1e-8) << i;
  }
}

TEST_P(EveryStyle, StandsFlatOnFeetThatDoNotMove) {
  const RobotModel robot = human_robot(shown.skeleton);
  const std::array<FrameId, 2> feet{robot.frame("left_foot"), robot.frame("right_foot")};
  RobotTerms terms(robot, feet);
  std::array<std::optional<Eigen::Isometry3d>, 2> placed;
  for (Eigen::Index i = 0; i < shown.motion.num_frames(); ++i) {
    terms.update({shown.motion.q.col(i), Eigen::VectorXd::Zero(robot.nv())});
    const SupportPhase& phase = phase_at(shown.support, shown.sample_of(i));
    for (std::size_t side = 0; side < 2; ++side) {
      const Eigen::Isometry3d& foot = terms.frame(feet[side]).T_world_frame;
      ASSERT_NEAR(foot.linear()(2, 2), 1.0, 1e-12);
      const double height = (foot * robot.description().soles[side]->centre()).z();
      if (!phase.is_down[side]) {
        ASSERT_GE(height, -1e-9) << i;
        placed[side].reset();
        continue;
      }
      if (!placed[side]) placed[side] = foot;
      ASSERT_LT((foot.matrix() - placed[side]->matrix()).norm(), 1e-9) << i;
      ASSERT_NEAR(height, 0.0, 1e-9);
    }
  }
}

TEST_P(EveryStyle, StaysWithinTheLimitsOfItsJoints) {
  const RobotModel robot = human_robot(shown.skeleton);
  for (int joint = 0; joint < robot.num_joints(); ++joint) {
    const auto angles = shown.motion.q.row(7 + joint);
    EXPECT_GE(angles.minCoeff(), robot.joints()[static_cast<std::size_t>(joint)].lower)
        << robot.joints()[static_cast<std::size_t>(joint)].name;
    EXPECT_LE(angles.maxCoeff(), robot.joints()[static_cast<std::size_t>(joint)].upper)
        << robot.joints()[static_cast<std::size_t>(joint)].name;
  }
}

TEST_P(EveryStyle, IsReadBackFromItsFile) {
  const ScratchFile file(std::string(GetParam()) + ".c3d");
  const DemonstratedRecording recorded = record(shown, {});
  write_c3d(file.path(), recorded.c3d);
  const Recording read = read_recording(file.path(), {});
  ASSERT_EQ(read.forces.plates.size(), 2U);
  EXPECT_EQ(read.up->value, "z");
  EXPECT_EQ(read.unit->value, "mm");
  EXPECT_EQ(read.points()->num_points(), 41U);
  const std::array<const PlateTruth*, 2> plates{&shown.feet, &shown.seat};
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_TRUE(read.forces.plates[k]->info().notes.empty());
    for (std::size_t i = 0; i < read.forces.plates[k]->num_samples(); ++i) {
      const auto column = static_cast<Eigen::Index>(i);
      const PlateSample sample = read.forces.plates[k]->sample(i);
      ASSERT_EQ(sample.is_loaded, plates[k]->force(2, column) > 10.0) << i;
      if (!sample.is_loaded) continue;
      ASSERT_LT((sample.force - plates[k]->force.col(column)).norm(), 0.1);
      ASSERT_LT((sample.cop.head<2>() - plates[k]->cop.col(column)).norm(), 1e-4);
      ASSERT_NEAR(sample.cop.z(), 0.0, 1e-6);
      ASSERT_NEAR(sample.free_moment.z(), plates[k]->free_moment[column], 0.01);
    }
  }
  const LabelMatch match = match_labels(*read.points(), built_in_marker_sets());
  EXPECT_EQ(match.set, "plug_in_gait");
  EXPECT_EQ(match.markers.size(), 41U);
  EXPECT_TRUE(match.unknown.empty());
}

INSTANTIATE_TEST_SUITE_P(All, EveryStyle,
                         testing::Values("natural", "elderly", "fast", "squat", "lean", "arm_rests", "sit_down",
                                         "reach", "one_foot", "step", "sit_stand_sit"));

/// What must hold of whoever moves in whatever style.
void expect_possible(const Demonstration& shown) {
  for (Eigen::Index i = 0; i < shown.forces.force.cols(); ++i) {
    ASSERT_GT(shown.forces.force(2, i), 0.0);
    ASSERT_GE(shown.feet.force(2, i), 0.0);
    ASSERT_GE(shown.seat.force(2, i), 0.0);
    ASSERT_GE(shown.seat_share[i], 0.0);
    // A foot's own CoP is inside of the feet at any time, and 10 mm inside once nothing but the feet carries.
    ASSERT_GT(signed_distance(shown.support_at(i), shown.feet.cop.col(i)), 0.0) << i;
    if (shown.seat_share[i] == 0.0) {
      ASSERT_GE(signed_distance(shown.support_at(i), shown.feet.cop.col(i)), 0.010) << i;
      ASSERT_TRUE(shown.hand_share[i] > 0.0 || signed_distance(shown.support_at(i), shown.zmp.col(i)) >= 0.010) << i;
    } else {
      // The chair does not tip: what its plate feels is between the edges of the plate.
      ASSERT_GT(shown.seat.cop(0, i), shown.seat.corners[1].x());
      ASSERT_LT(shown.seat.cop(0, i), shown.seat.corners[0].x());
    }
    if (i > 0) {
      ASSERT_LT(std::abs(shown.seat_share[i] - shown.seat_share[i - 1]), 0.05) << i;
    }
  }
}

TEST(Demonstrator, IsPossibleForEverybodyInEveryStyle) {
  std::uint64_t seed = 100;
  for (const DemonstrationStyle& style : demonstration_styles()) {
    for (const double height : {1.2, 1.6, 2.2}) {
      for (const double mass : {30.0, 200.0}) {
        DemonstratorOptions options = options_of(style.name, seed++);
        options.person.height_m = height;
        options.person.mass_kg = mass;
        options.person.sex = mass < 100.0 ? Sex::female : Sex::male;
        SCOPED_TRACE(style.name + " " + std::to_string(height) + " m, seed " + std::to_string(seed - 1));
        expect_possible(demonstrate(options));
      }
    }
  }
}

TEST(Demonstrator, LeavesTheSeatOnceWithoutAStep) {
  for (const char* style : {"natural", "elderly", "fast", "arm_rests"}) {
    const Demonstration shown = demonstrate(options_of(style, 3));
    ASSERT_EQ(shown.seat_off_s.size(), 1U);
    const auto off = static_cast<Eigen::Index>(std::lround(shown.seat_off_s[0] * 400.0));
    EXPECT_EQ(shown.seat_share.tail(shown.seat_share.size() - off).maxCoeff(), 0.0);
    EXPECT_GT(shown.seat_share[off - 1], 0.0);
    EXPECT_LT(shown.seat_share[off - 1], 0.02);
    EXPECT_GT(shown.seat_share[0], 0.5);
    // The load is gone when the hips go.
    EXPECT_NEAR(shown.seat_off_s[0], demonstration_style(style).seat_off_s, 0.005);
  }
}

TEST(Demonstrator, TheElderlyStyleBendsDeeperAndSettlesBack) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const Demonstration natural = demonstrate(options_of("natural", seed));
    const Demonstration elderly = demonstrate(options_of("elderly", seed));
    const auto dip = [](const Demonstration& shown) {
      return shown.forces.com(2, 0) - shown.forces.com.row(2).minCoeff();
    };
    EXPECT_GE(dip(elderly), 1.5 * dip(natural)) << seed;
    const auto com_x = elderly.forces.com.row(0);
    EXPECT_GT(com_x.maxCoeff() - com_x[com_x.size() - 1], 0.015);
  }
}

TEST(Demonstrator, HasTheRequestedHeightAndMassAndProportionsOfItsOwn) {
  const Skeleton one = make_person({.height_m = 1.63, .mass_kg = 58.0, .sex = Sex::female, .seed = 4});
  const Skeleton other = make_person({.height_m = 1.63, .mass_kg = 58.0, .sex = Sex::female, .seed = 5});
  EXPECT_NEAR(one.height(), 1.63, 1e-9);
  EXPECT_NEAR(human_robot(one).mass(), 58.0, 1e-9);
  const int shank = one.segment("left_foot");
  const double lengths[] = {one.segments[static_cast<std::size_t>(shank)].joint.norm(),
                            other.segments[static_cast<std::size_t>(shank)].joint.norm()};
  EXPECT_GT(std::abs(lengths[0] - lengths[1]), 1e-4);
  EXPECT_NEAR(lengths[0] / lengths[1], 1.0, 0.2);
}

TEST(Demonstrator, TheSameSeedGivesTheSameRecordingAndAnotherOneDoesNot) {
  const RecordingFaults faults{.marker_noise_m = 0.001, .gap_ratio = 0.05, .swaps = 1, .plate_noise_n = 1.0};
  const auto recorded = [&](std::uint64_t seed) { return record(demonstrate(options_of("natural", seed)), faults); };
  const auto bits = [](const std::vector<float>& values) {
    return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  };
  const DemonstratedRecording one = recorded(1), again = recorded(1), other = recorded(2);
  EXPECT_EQ(bits(one.c3d.points.xyz), bits(again.c3d.points.xyz));
  EXPECT_EQ(bits(one.c3d.analog.raw), bits(again.c3d.analog.raw));
  EXPECT_NE(bits(one.c3d.points.xyz), bits(other.c3d.points.xyz));
}

TEST(Demonstrator, HasTheRequestedFaults) {
  const Demonstration shown = demonstrate(options_of("elderly"));
  const DemonstratedRecording clean = record(shown, {});
  const DemonstratedRecording spoilt = record(shown, {.marker_noise_m = 0.002, .gap_ratio = 0.1, .swaps = 2});
  const std::size_t total = clean.c3d.points.num_frames * clean.c3d.points.num_points();
  EXPECT_EQ(clean.num_gaps, 0U);
  EXPECT_NEAR(static_cast<double>(spoilt.num_gaps) / static_cast<double>(total), 0.1, 1e-3);
  ASSERT_EQ(spoilt.swaps.size(), 2U);
  double squares = 0.0;
  std::size_t count = 0;
  for (std::size_t frame = 0; frame < clean.c3d.points.num_frames; ++frame) {
    for (std::size_t i = 0; i < 41; ++i) {
      const Eigen::Vector3d off = spoilt.c3d.points.position(frame, i) - clean.c3d.points.position(frame, i);
      if (!off.allFinite() || off.norm() > 0.02) continue;  // lost or swapped
      squares += off.squaredNorm();
      count += 3;
    }
  }
  EXPECT_NEAR(std::sqrt(squares / static_cast<double>(count)), 0.002, 5e-5);
}

TEST(Demonstrator, SitsDownBetweenRisesAsItRose) {
  DemonstratorOptions options = options_of("natural");
  options.repeats = 3;
  const Demonstration shown = demonstrate(options);
  EXPECT_EQ(shown.seat_off_s.size(), 3U);
  EXPECT_EQ(shown.seat_on_s.size(), 2U);
  expect_possible(shown);
  // Whatever the direction, the velocity is that of the path.
  for (Eigen::Index i = 2; i + 2 < shown.forces.com.cols(); ++i) {
    const Eigen::Vector3d slope = 200.0 * (shown.forces.com.col(i + 1) - shown.forces.com.col(i - 1));
    ASSERT_LT((slope - shown.forces.com_velocity.col(i)).norm(), 2e-3) << i;
  }
}

TEST(Demonstrator, SittingDownIsTheNaturalRiseInReverseTime) {
  const Demonstration up = demonstrate(options_of("natural")), down = demonstrate(options_of("sit_down"));
  EXPECT_TRUE(down.seat_off_s.empty());
  ASSERT_EQ(down.seat_on_s.size(), 1U);
  const double end_s = static_cast<double>(down.seat_share.size()) / 400.0;
  EXPECT_NEAR(down.seat_on_s[0], end_s - up.seat_off_s[0], 0.006);
  EXPECT_EQ(down.seat_share[0], 0.0);
  EXPECT_GT(down.seat_share[down.seat_share.size() - 1], 0.5);
  EXPECT_EQ(down.forces.force, up.forces.force.rowwise().reverse());
  EXPECT_EQ(down.forces.com_velocity, -up.forces.com_velocity.rowwise().reverse());
}

TEST(Demonstrator, RisesAndSitsDownAgainWithAPauseUpright) {
  for (const int repeats : {1, 2}) {
    DemonstratorOptions options = options_of("sit_stand_sit");
    options.repeats = repeats;
    const Demonstration shown = demonstrate(options);
    ASSERT_EQ(shown.seat_off_s.size(), static_cast<std::size_t>(repeats));
    ASSERT_EQ(shown.seat_on_s.size(), static_cast<std::size_t>(repeats));
    for (std::size_t i = 0; i < shown.seat_off_s.size(); ++i) {
      EXPECT_GT(shown.seat_on_s[i], shown.seat_off_s[i] + 2.0);
    }
    EXPECT_GT(shown.seat_share[shown.seat_share.size() - 1], 0.5);
    expect_possible(shown);
  }
}

TEST(Demonstrator, StandsOnOneFootWithTheZmpInsideIt) {
  const Demonstration shown = demonstrate(options_of("one_foot", 2));
  ASSERT_EQ(shown.support.size(), 3U);
  EXPECT_EQ(shown.support[0].is_down, (std::array{true, true}));
  EXPECT_EQ(shown.support[1].is_down, (std::array{true, false}));
  EXPECT_EQ(shown.support[2].is_down, (std::array{true, true}));
  const double lifted_s = static_cast<double>(shown.support[2].begin - shown.support[1].begin) / 400.0;
  EXPECT_GT(lifted_s, 2.5);
  EXPECT_LT(polygon_area(shown.support[1].polygon), 0.4 * polygon_area(shown.support[0].polygon));
  for (Eigen::Index i = shown.support[1].begin; i < shown.support[2].begin; ++i) {
    ASSERT_GT(shown.zmp(1, i), 0.03) << i;  // over the left foot
  }
}

TEST(Demonstrator, StepsForwardWithBothFeet) {
  const Demonstration shown = demonstrate(options_of("step", 2));
  const std::array<bool, 2> both{true, true}, right{false, true}, left{true, false};
  ASSERT_EQ(shown.support.size(), 5U);
  const std::array expected{both, right, both, left, both};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(shown.support[i].is_down, expected[i]) << i;
  const Eigen::Index last = shown.forces.com.cols() - 1;
  EXPECT_NEAR(shown.forces.com(0, last) - shown.forces.com(0, 0), 0.20, 0.002);
  EXPECT_NEAR(shown.forces.com(1, last), shown.forces.com(1, 0), 0.002);
  EXPECT_NEAR(shown.forces.com(2, last), shown.forces.com(2, 0), 0.002);
}

TEST(Demonstrator, ReachesForwardWithBothHands) {
  const Demonstration shown = demonstrate(options_of("reach", 2));
  const RobotModel robot = human_robot(shown.skeleton);
  const std::array<FrameId, 2> hands{robot.frame("left_hand"), robot.frame("right_hand")};
  RobotTerms terms(robot, hands);
  const auto wrist_x = [&](Eigen::Index frame, std::size_t side) {
    terms.update({shown.motion.q.col(frame), Eigen::VectorXd::Zero(robot.nv())});
    return terms.frame(hands[side]).T_world_frame.translation().x();
  };
  for (std::size_t side = 0; side < 2; ++side) {
    EXPECT_GT(wrist_x(205, side) - wrist_x(0, side), 0.4);
    EXPECT_NEAR(wrist_x(shown.motion.num_frames() - 1, side), wrist_x(0, side), 0.01);
  }
}

TEST(Demonstrator, AStaticTrialIsCarriedByTheFootPlate) {
  const Demonstration shown = demonstrate(options_of("natural"));
  const ScratchFile file("still.c3d");
  write_c3d(file.path(), record_at_rest(shown, {}).c3d);
  const Recording read = read_recording(file.path(), {});
  EXPECT_EQ(read.points()->num_points(), 47U);
  const PlateSample feet = read.forces.plates.at(0)->sample(100);
  EXPECT_NEAR(feet.force.z(), 70.0 * kGravity, 0.1);
  EXPECT_GT(signed_distance(shown.support_at(0), feet.cop.head<2>()), 0.02);
  EXPECT_FALSE(read.forces.plates.at(1)->sample(100).is_loaded);
}

TEST(Demonstrator, RefusesARequestOutOfRange) {
  EXPECT_THROW(demonstrate(options_of("naturel")), UnknownName);
  DemonstratorOptions tall = options_of("natural"), heavy = tall, quick = tall, often = tall;
  tall.person.height_m = 3.0;
  heavy.person.mass_kg = std::nan("");
  quick.speed = 3.0;
  often.repeats = 0;
  for (const DemonstratorOptions& bad : {tall, heavy, quick, often}) EXPECT_THROW(demonstrate(bad), InvalidValue);
  const Demonstration shown = demonstrate(options_of("squat"));
  EXPECT_THROW(record(shown, {.gap_ratio = 1.0}), InvalidValue);
  EXPECT_THROW(record(shown, {.marker_noise_m = -1.0}), InvalidValue);
}

}  // namespace
}  // namespace aplomb

// Recordings of others, where they are; every other test does without.
#include <gtest/gtest.h>

#include "aplomb/recording/examine.hpp"
#include "aplomb/recording/formats/c3d/c3d_plates.hpp"
#include "aplomb/recording/formats/input_bytes.hpp"
#include "aplomb/recording/formats/trc_file.hpp"
#include "recording/sample_points.hpp"
#include "recording/test_data.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

TEST(RealFiles, OneRecordingAsIntegersAndAsRealsAgreesWithinTheIntegersResolution) {
  APLOMB_NEEDS_DATA("c3d/Eb015pi.c3d");
  const Recording integers = read_recording(data, {});
  const Recording reals = read_recording(data.parent_path() / "Eb015pr.c3d", {});
  const Points& a = *integers.points();
  const Points& b = *reals.points();
  ASSERT_EQ(a.labels, b.labels);
  ASSERT_EQ(a.num_frames, b.num_frames);
  for (std::size_t frame = 0; frame < a.num_frames; ++frame) {
    for (std::size_t i = 0; i < a.num_points(); ++i) {
      ASSERT_EQ(a.is_seen(frame, i), b.is_seen(frame, i));
      for (int axis = 0; a.is_seen(frame, i) && axis < 3; ++axis) {
        EXPECT_NEAR(a.raw(frame, i)[axis], b.raw(frame, i)[axis], 0.501 * a.residual_unit);
      }
    }
  }
  ASSERT_EQ(integers.forces.plates.size(), 2u);
  for (std::size_t plate = 0; plate < 2; ++plate) {
    for (std::size_t i = 0; i < integers.forces.plates[plate]->num_samples(); ++i) {
      const PlateSample p = integers.forces.plates[plate]->sample(i), q = reals.forces.plates[plate]->sample(i);
      ASSERT_EQ(p.is_loaded, q.is_loaded);
      EXPECT_LT((p.force - q.force).norm(), 1e-3);
      EXPECT_LT((p.cop - q.cop).norm(), 1e-5);
    }
  }
}

TEST(RealFiles, CopsOfEveryPlateAreInside) {
  APLOMB_NEEDS_DATA("c3d");
  for (const auto& entry : std::filesystem::directory_iterator(data)) {
    const Recording recording = read_recording(entry.path(), {});
    EXPECT_FALSE(recording.forces.plates.empty());
    for (const auto& plate : recording.forces.plates) EXPECT_GT(cop_inside_ratio(*plate).value_or(1.0), 0.95);
  }
}

TEST(RealFiles, EveryC3dFileReadsBackAsItWasWritten) {
  APLOMB_NEEDS_DATA("c3d");
  const test::TemporaryFolder folder;
  for (const auto& entry : std::filesystem::directory_iterator(data)) {
    const C3dFile file = read_c3d(InputBytes::open(entry.path()));
    write_c3d(folder.path() / "copy.c3d", file);
    const C3dFile back = read_c3d(InputBytes::open(folder.path() / "copy.c3d"));
    EXPECT_TRUE(test::same_positions(file.points, back.points)) << entry.path();
    EXPECT_EQ(file.points.seen_by, back.points.seen_by);
    EXPECT_TRUE(test::same_numbers(file.analog, back.analog));
    EXPECT_EQ(file.analog.scale, back.analog.scale);
    EXPECT_EQ(file.analog.offset, back.analog.offset);
    EXPECT_EQ(file.events.size(), back.events.size());
  }
}

TEST(RealFiles, TheStandingSubjectWeighs60KilogramsNot62Point6) {
  APLOMB_NEEDS_DATA("sit_to_stand/static1.trc");
  Recording motion = read_recording(data, {});
  Recording forces = read_recording(data.parent_path() / "static1_grf.mot", {});
  add_forces(motion, forces, {});
  EXPECT_EQ(motion.up->value, "y");
  const Examination examination = examine(motion, forces, 62.6);
  ASSERT_TRUE(examination.weight);
  EXPECT_NEAR(examination.weight->weight_n, 588.9, 0.7);
  ASSERT_FALSE(examination.warnings.empty());
  const auto says_mass = [](const std::string& line) { return line.find("62.6 kg") != std::string::npos; };
  EXPECT_TRUE(std::ranges::any_of(examination.warnings, says_mass));
}

TEST(RealFiles, TheForcesOfTheRisesAreAboutFiveMillisecondsLate) {
  APLOMB_NEEDS_DATA("sit_to_stand/STS1.trc");
  Recording motion = read_recording(data, {});
  Recording forces = read_recording(data.parent_path() / "STS1_grf.mot", {});
  add_forces(motion, forces, {});
  const Examination examination = examine(motion, forces, {});
  ASSERT_TRUE(examination.lag);
  EXPECT_NEAR(examination.lag->lag_s, 0.005, 0.005);
  EXPECT_NEAR(examination.lag->weight_n, 588.9, 0.02 * 588.9);
  EXPECT_EQ(motion.points()->num_points(), 51u);
  EXPECT_NEAR(motion.points()->position(0, motion.points()->index("C7")).z(), 1.03808, 1e-6);
}

}  // namespace
}  // namespace aplomb

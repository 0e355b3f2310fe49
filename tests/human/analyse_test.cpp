#include "aplomb/human/analyse.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "aplomb/core/error.hpp"
#include "aplomb/demonstrator/record.hpp"
#include "aplomb/human/phases/rise_table.hpp"

namespace aplomb {
namespace {

/// The first second of a seated person, so that an analysis takes little time.
C3dFile short_recording() {
  C3dFile c3d = record(demonstrate({.style = "natural"}), {.marker_noise_m = 0.001, .plate_noise_n = 1.0}).c3d;
  c3d.points.num_frames = 100;
  c3d.points.xyz.resize(3 * c3d.points.num_points() * c3d.points.num_frames);
  c3d.points.seen_by.resize(c3d.points.seen_by.empty() ? 0 : c3d.points.num_points() * c3d.points.num_frames);
  c3d.analog.raw.resize(c3d.analog.num_channels() * c3d.analog.samples_per_frame * c3d.points.num_frames);
  return c3d;
}

TEST(Analyse, IsTheScalingAndTheFitOfTheTrialInOneCall) {
  const Recording recording = to_recording(short_recording(), "rise");
  const SubjectOutcome built = build_subject(*recording.points(), nullptr, {.sets = built_in_marker_sets()});
  const TrialAnalysis steps = analyse_trial(recording, recording.forces, built.scaling.subject, {});
  const TrialAnalysis whole = analyse(recording);
  EXPECT_EQ(whole.name, "rise");
  EXPECT_EQ(whole.fit.motion.q, steps.fit.motion.q);
  EXPECT_EQ(whole.judgement.body.com, steps.judgement.body.com);
  ASSERT_TRUE(whole.scaling);
  EXPECT_EQ(whole.scaling->scaling.rms_m, built.scaling.rms_m);
  const HumanTrial person = whole;
  EXPECT_EQ(person.motion.q, steps.trial().motion.q);
}

TEST(RiseTable, HasTheTimesAndPeaksOfEveryRise) {
  const Recording recording = to_recording(
      record(demonstrate({.style = "natural"}), {.marker_noise_m = 0.001, .plate_noise_n = 1.0}).c3d, "rise");
  const TrialAnalysis analysis = analyse(recording);
  const Log table = rise_table(analysis);
  ASSERT_EQ(table.num_rows(), analysis.judgement.rises.rises.size());
  ASSERT_EQ(table.num_rows(), 1u);
  const auto value = [&](const char* name) { return table.at(0, table.index(name)); };
  EXPECT_EQ(value("seat_off_s"), analysis.judgement.rises.rises[0].seat_off_s.value());
  EXPECT_GT(value("upright_s"), value("seat_off_s"));
  EXPECT_NEAR(value("rising_time_s"), value("upright_s") - value("seat_off_s"), 1e-12);
  EXPECT_EQ(value("com_speed_up_peak_m_per_s"), analysis.judgement.body.com_velocity.row(2).maxCoeff());
  EXPECT_NEAR(value("left_force_ratio"), 0.5, 0.05);  // the demonstrator is symmetric
  EXPECT_GT(value("seat_share_peak_ratio"), 0.5);
}

TEST(Analyse, IsTheSameForARecordingInMemoryAndForItsFile) {
  const C3dFile c3d = short_recording();
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("aplomb_analyse_" + std::to_string(::getpid()) + ".c3d");
  write_c3d(file, c3d);
  const TrialAnalysis from_file = analyse(read_recording(file));
  std::filesystem::remove(file);
  const TrialAnalysis from_memory = analyse(to_recording(c3d, "memory"));
  EXPECT_EQ(from_memory.fit.motion.q, from_file.fit.motion.q);
  EXPECT_EQ(from_memory.judgement.body.com, from_file.judgement.body.com);
  EXPECT_EQ(from_memory.judgement.forces.vertical(), from_file.judgement.forces.vertical());
  EXPECT_EQ(from_memory.subject.skeleton.mass, from_file.subject.skeleton.mass);
}

TEST(Analyse, KeepsSizeAndMassDistributionOfAGivenSubject) {
  const Recording recording = to_recording(short_recording(), "rise");
  const TrialAnalysis first = analyse(recording);
  const TrialAnalysis second = analyse(recording, {.subject = &first.subject});
  EXPECT_FALSE(second.scaling);
  const Skeleton &kept = second.subject.skeleton, &given = first.subject.skeleton;
  for (std::size_t i = 0; i < given.segments.size(); ++i) {
    EXPECT_EQ(kept.segments[i].scale, given.segments[i].scale);
    EXPECT_EQ(kept.segments[i].inertia.com, given.segments[i].inertia.com);
    EXPECT_NEAR(kept.segments[i].inertia.mass / kept.mass, given.segments[i].inertia.mass / given.mass, 1e-12);
  }
}

TEST(Analyse, LeavesOutAFrameInWhichAllMarkersAreElsewhere) {
  const C3dFile clean = short_recording();
  C3dFile damaged = clean;
  const std::size_t per_frame = 3 * damaged.points.num_points();
  for (std::size_t i = 0; i < per_frame; i += 3) damaged.points.xyz[50 * per_frame + i] += 1000.0F;  // [mm]
  damaged.points.xyz[70 * per_frame] = 1e30F;
  const TrialAnalysis good = analyse(to_recording(clean, "rise")), mended = analyse(to_recording(damaged, "rise"));
  EXPECT_EQ(good.outliers.num_samples(), 0u);
  EXPECT_EQ(mended.outliers.num_samples(), damaged.points.num_points() + 1);
  EXPECT_EQ(mended.outliers.num_frames(), 2u);
  EXPECT_NEAR(mended.errors.rms_m, good.errors.rms_m, 1e-4);
  const Eigen::MatrixXd shift = mended.judgement.body.com - good.judgement.body.com;
  // A gap switches on the model of drifting skin markers, which moves the centre of mass by 2 mm; a frame that is not
  // left out would move it by 1 m.
  EXPECT_LT(shift.colwise().norm().maxCoeff(), 0.005);
}

TEST(Analyse, RefusesTimesThatDoNotIncrease) {
  Recording recording = to_recording(short_recording(), "rise");
  recording.time_fault.emplace(Place{"rise.trc", 12}, "time does not increase");
  EXPECT_THROW(analyse(recording), FileError);
}

TEST(Analyse, RefusesARecordingWithoutMarkers) {
  Recording recording;
  recording.file = "forces.mot";
  EXPECT_THROW(analyse(recording), FileError);
}

}  // namespace
}  // namespace aplomb

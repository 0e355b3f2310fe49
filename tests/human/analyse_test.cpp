#include "aplomb/human/analyse.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "aplomb/core/error.hpp"
#include "aplomb/demonstrator/record.hpp"

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

TEST(Analyse, RefusesARecordingWithoutMarkers) {
  Recording recording;
  recording.file = "forces.mot";
  EXPECT_THROW(analyse(recording), FileError);
}

}  // namespace
}  // namespace aplomb

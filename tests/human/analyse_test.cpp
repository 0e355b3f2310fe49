#include "aplomb/human/analyse.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "aplomb/core/error.hpp"
#include "aplomb/demonstrator/record.hpp"
#include "aplomb/human/phases/rise_table.hpp"
#include "aplomb/human/trial_checks.hpp"

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

TEST(Analyse, AMirroredBodyFails) {
  C3dFile c3d = short_recording();
  for (std::size_t i = 0; i < c3d.points.xyz.size(); i += 3) c3d.points.xyz[i] *= -1.0f;
  Recording recording = to_recording(c3d, "mirrored");
  recording.forces.plates.clear();
  const TrialAnalysis analysis = analyse(recording);
  EXPECT_GT(analysis.errors.rms_m, kMarkerLimit);
  const std::vector<Check> checks = trial_checks(analysis);
  EXPECT_TRUE(std::ranges::any_of(checks, [](const Check& check) { return check.metric == "marker_rms_m"; }));
  EXPECT_FALSE(contradiction(analysis.trial()).empty());
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

TEST(RiseTable, FiveTimesSitToStandIsFromTheFirstLeanUntilTheFifthSeat) {
  const Demonstration shown = demonstrate({.style = "natural", .repeats = 6});
  const Recording recording = to_recording(record(shown, {.marker_noise_m = 0.001, .plate_noise_n = 1.0}).c3d, "rises");
  const TrialAnalysis analysis = analyse(recording);
  const Log table = rise_table(analysis);
  ASSERT_EQ(table.num_rows(), 6u);
  const auto at = [&](std::size_t row, const char* name) { return table.at(row, table.index(name)); };
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_LT(at(i, "start_s"), at(i, "seat_off_s"));
    EXPECT_GE(at(i, "start_s"), i > 0 ? at(i - 1, "seat_on_s") : 0.0);
    EXPECT_LT(at(i, "left_knee_flexion_moment_peak_nm_per_kg"), -0.3);  // extending
  }
  EXPECT_NEAR(five_times_sit_to_stand_s(table).value(), shown.seat_on_s.at(4) - at(0, "start_s"), 0.1);
  const Recording one = to_recording(record(demonstrate({.style = "natural"}), {}).c3d, "rise");
  EXPECT_FALSE(five_times_sit_to_stand_s(rise_table(analyse(one))));
}

TEST(Analyse, NamesWhatLegsAndPelvisAloneDoNotShowAndIsUncertainOfTheCom) {
  const Demonstration shown = demonstrate({.style = "natural"});
  Recording recording = to_recording(record(shown, {.marker_noise_m = 0.001}).c3d, "legs");
  const TrialAnalysis whole = analyse(recording);
  EXPECT_TRUE(whole.unseen.empty());
  Points& points = *recording.points();
  for (std::size_t i = 0; i < points.num_points(); ++i) {
    const std::string& segment = shown.markers[i].segment;
    const bool is_kept =
        segment == "pelvis" || segment.ends_with("_thigh") || segment.ends_with("_shank") || segment.ends_with("_foot");
    if (is_kept) continue;
    for (std::size_t frame = 0; frame < points.num_frames; ++frame) {
      float* xyz = &points.xyz[3 * (frame * points.num_points() + i)];
      std::fill(xyz, xyz + 3, std::numeric_limits<float>::quiet_NaN());
    }
  }
  recording.forces.plates.clear();
  const TrialAnalysis legs = analyse(recording);
  EXPECT_EQ(legs.unseen, std::vector<std::string>{"lumbar"});
  // The leaning trunk is not seen: the CoM is off by centimetres, and says so.
  double sum = 0.0, expected = 0.0;
  for (Eigen::Index i = 0; i < legs.judgement.body.num_frames(); ++i) {
    sum += (legs.judgement.body.com.col(i) - whole.judgement.body.com.col(i)).squaredNorm();
    expected += legs.judgement.uncertainty.com.col(i).squaredNorm();
  }
  EXPECT_GT(std::sqrt(expected / static_cast<double>(legs.judgement.body.num_frames())), 0.03);
  EXPECT_LT(std::sqrt(sum / expected), 2.0);
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

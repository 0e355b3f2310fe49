#include "aplomb/recording/recording.hpp"

#include <gtest/gtest.h>

#include "aplomb/core/files/output_file.hpp"
#include "aplomb/recording/examine.hpp"
#include "aplomb/recording/formats/trc_file.hpp"
#include "recording/c3d_bytes.hpp"
#include "recording/sample_points.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::has;

constexpr const char* kForces =
    "x\nendheader\n"
    "time\tground_force_1_vx\tground_force_1_vy\tground_force_1_vz\tground_force_1_px\tground_force_1_py\tground_force_"
    "1_pz\t"
    "ground_force_1_mx\tground_force_1_my\tground_force_1_mz\n"
    "0\t1\t500\t2\t0.1\t0\t0.2\t0\t3\t0\n"
    "0.01\t0\t0\t0\tnan\tnan\tnan\t0\t0\t0\n";

Recording read(const std::string& text, RecordingFormat format, const RecordingOptions& options = {}) {
  return read_recording(text, "x", format, options);
}

TEST(Recording, GroundForcesWithYUpAreRotatedToZUp) {
  const Recording recording = read(kForces, RecordingFormat::mot);
  EXPECT_EQ(recording.up->value, "y");
  ASSERT_EQ(recording.forces.plates.size(), 1u);
  const PlateSample sample = recording.forces.plates[0]->sample(0);
  EXPECT_EQ(sample.force, Eigen::Vector3d(1, -2, 500));
  EXPECT_EQ(sample.cop, Eigen::Vector3d(0.1, -0.2, 0));
  EXPECT_EQ(sample.free_moment, Eigen::Vector3d(0, 0, 3));
  EXPECT_FALSE(recording.forces.plates[0]->sample(1).is_loaded);
  EXPECT_FALSE(ground_wrench(recording.forces.plates, 1).is_valid);
}

TEST(Recording, OtherNamesOfGroundForcesAreKnown) {
  const std::string older =
      "x\nendheader\ntime 1_ground_force_vx 1_ground_force_vy 1_ground_force_vz 1_ground_force_px 1_ground_force_py "
      "1_ground_force_pz 1_ground_torque_x 1_ground_torque_y 1_ground_torque_z\n0 1 500 2 0.1 0 0.2 0 3 0\n1 1 500 2 "
      "0.1 0 0.2 0 3 0\n";
  const std::string vectors = "x\nDataType=Vec3\nendheader\ntime\tf1\tp1\tm1\n0\t1,500,2\t0.1,0,0.2\t0,3,0\n";
  for (const std::string& text : {older, vectors}) {
    const Recording recording = read(text, RecordingFormat::mot);
    ASSERT_EQ(recording.forces.plates.size(), 1u) << text;
    EXPECT_EQ(recording.forces.plates[0]->sample(0).force, Eigen::Vector3d(1, -2, 500));
    EXPECT_EQ(recording.forces.plates[0]->sample(0).free_moment, Eigen::Vector3d(0, 0, 3));
  }
}

TEST(Recording, ForcesThatPointDownAreFlipped) {
  std::string text = kForces;
  text.replace(text.find("\t500\t"), 5, "\t-500\t");
  const Recording recording = read(text, RecordingFormat::mot);
  EXPECT_GT(recording.forces.plates[0]->sample(0).force.z(), 0.0);
  EXPECT_TRUE(has(recording.forces.plates[0]->info().notes.at(0), "negative"));
}

TEST(Recording, AGivenUpAxisIsUsed) {
  const Recording recording = read(kForces, RecordingFormat::mot, {.up = SignedAxis::z});
  EXPECT_TRUE(recording.up->is_given);
  EXPECT_EQ(recording.forces.plates[0]->sample(0).is_loaded, false);  // 2 N along z
}

TEST(Recording, TheUpAxisIsFoundFromThePlates) {
  test::C3dBytes file(Processor::intel, true);
  file.num_points = 1;
  file.num_channels = 6;
  file.group(1, "POINT");
  file.texts(1, "UNITS", {"mm"});
  file.texts(1, "LABELS", {"A"});
  file.group(3, "FORCE_PLATFORM");
  file.words(3, "USED", {1}, {});
  file.words(3, "TYPE", {2});
  file.words(3, "CHANNEL", {1, 2, 3, 4, 5, 6}, {6, 1});
  // In the file's axes x = x, y = z, z = −y: the plate's z is down, as it should be.
  file.reals(3, "CORNERS", {400, 0, 600, 0, 0, 600, 0, 0, 0, 400, 0, 0}, {3, 4, 1});
  file.reals(3, "ORIGIN", {0, 0, 0}, {3, 1});
  for (int frame = 0; frame < 5; ++frame) {
    file.point(100, 900, 200, 0);
    for (const double value : {0.0, 0.0, -650.0, 0.0, 0.0, 0.0}) file.number(value);
  }
  const std::string bytes = file.bytes();
  const Recording recording = read(bytes, RecordingFormat::c3d);
  EXPECT_EQ(recording.up->value, "y");
  EXPECT_TRUE(has(recording.up->evidence.at(0), "plates"));
  EXPECT_NEAR(recording.points()->position(0, 0).z(), 0.9, 1e-6);
  const PlateSample sample = recording.forces.plates.at(0)->sample(2);
  ASSERT_TRUE(sample.is_loaded);
  EXPECT_NEAR(sample.force.z(), 650.0, 1e-3);
  EXPECT_LT((sample.cop - Eigen::Vector3d(0.2, -0.3, 0.0)).norm(), 1e-6);
}

TEST(Recording, ASkeletonHasYUpUnlessItsJointsSayOtherwise) {
  const auto text = [](const std::string& offset) {
    return "HIERARCHY\nROOT Toes\n{\nOFFSET 0 0 0\nCHANNELS 1 Xposition\nJOINT a\n{\nOFFSET 1 0 0\nJOINT "
           "Head\n{\nOFFSET " +
           offset + "\n}\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.01\n0\n";
  };
  EXPECT_EQ(read(text("0 20 0"), RecordingFormat::bvh).up->value, "y");
  EXPECT_EQ(read(text("0 0 20"), RecordingFormat::bvh).up->value, "z");
  const Decision unknown = *read(
                                "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xposition\n}\nMOTION\nFrames: "
                                "1\nFrame Time: 0.01\n0\n",
                                RecordingFormat::bvh)
                                .up;
  EXPECT_EQ(unknown.value, "y");
  EXPECT_FALSE(unknown.is_sure);
}

TEST(Recording, AFileWithoutPlatesHasItsMarkers) {
  const std::string bytes = test::small_c3d().bytes();
  const Recording recording = read(bytes, RecordingFormat::c3d);
  EXPECT_EQ(recording.points()->num_points(), 3u);
  EXPECT_TRUE(recording.forces.plates.empty());
  const Examination examination = examine(recording, recording, {});
  EXPECT_EQ(examination.markers.markers.size(), 3u);
  EXPECT_EQ(examination.markers.markers[1].num_missing, 1u);
}

TEST(Recording, EventsOutsideTheRecordingAreReported) {
  test::C3dBytes file = test::small_c3d(Processor::intel, true, 30);  // 0.29 s
  file.group(4, "EVENT");
  file.words(4, "USED", {2}, {});
  file.reals(4, "TIMES", {0, 0.1, 1, 5}, {2, 2});
  file.texts(4, "LABELS", {"On", "Off"});
  const std::string bytes = file.bytes();
  const Recording recording = read(bytes, RecordingFormat::c3d);
  ASSERT_EQ(recording.events().size(), 2u);
  const std::vector<std::string> warnings = examine(recording, recording, {}).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(has(warnings[0], "1 of 2 events")) << warnings[0];
  EXPECT_TRUE(has(warnings[0], "'Off' at 65.000 s")) << warnings[0];
}

TEST(Recording, ASubjectsNameAndStrayCopiesInLabelsAreReported) {
  test::C3dBytes file(Processor::intel, true);
  file.num_points = 3;
  file.group(1, "POINT");
  file.texts(1, "LABELS", {"Ann:T10", "Ann:C7", "Ann:T10-1"}, 12);
  for (int i = 0; i < 3; ++i) file.point(1, 2 + i, 3, 0);
  const std::string bytes = file.bytes();
  const Recording recording = read(bytes, RecordingFormat::c3d);
  const std::vector<std::string> warnings = examine(recording, recording, {}).warnings;
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_TRUE(has(warnings[0], "'Ann:'"));
  EXPECT_TRUE(has(warnings[1], "Ann:T10-1"));
}

TEST(Recording, TheExtensionGivesTheFormatInAnyCase) {
  EXPECT_EQ(recording_format("a/B.C3D"), RecordingFormat::c3d);
  EXPECT_EQ(recording_format("x.sto"), RecordingFormat::mot);
  EXPECT_FALSE(recording_format("x.txt"));
  const test::TemporaryFolder folder;
  write_file(folder.path() / "x.txt", "hello");
  EXPECT_TRUE(has(test::error_of([&] { read_recording(folder.path() / "x.txt", {}); }), ".c3d"));
  EXPECT_TRUE(has(test::error_of([&] { read_recording(folder.path() / "no.trc", {}); }), "no such file"));
  EXPECT_TRUE(has(test::error_of([&] { read_recording("/dev/null", {}); }), "device"));
}

TEST(Recording, MarkersOfATrcFileGoIntoAC3dFileAndBack) {
  Points points = test::moving_points(4, 25);
  test::hide(points, 7, 2);
  const test::TemporaryFolder folder;
  write_trc(folder.path() / "a.trc", points);
  const Recording trc = read_recording(folder.path() / "a.trc", {});
  C3dFile c3d;
  c3d.points = *trc.points();
  write_c3d(folder.path() / "a.c3d", c3d);
  const Recording back = read_recording(folder.path() / "a.c3d", {});
  EXPECT_TRUE(test::same_positions(points, *back.points()));
  EXPECT_EQ(back.points()->unit, "m");
}

TEST(Recording, AC3dFileInMemoryBecomesTheRecordingThatItsFileIsReadAs) {
  C3dFile c3d;
  c3d.points = test::moving_points(5, 40);
  test::hide(c3d.points, 3, 1);
  c3d.points.start_s = 0.25;  // not stored: both ways must lose it
  c3d.analog.labels = {"Fz1"};
  c3d.analog.units = {"N"};
  c3d.analog.scale = {0.1};  // not a 32-bit float
  c3d.analog.offset = {3.0};
  c3d.analog.rate_hz = 400.0;
  c3d.analog.samples_per_frame = 4;
  for (int i = 0; i < 160; ++i) c3d.analog.raw.push_back(0.3F * static_cast<float>(i));
  c3d.events = {{"Foot Off", "Left", 0.1}};
  const test::TemporaryFolder folder;
  write_c3d(folder.path() / "a.c3d", c3d);
  const Recording file = read_recording(folder.path() / "a.c3d");
  const Recording memory = to_recording(c3d, "a.c3d");
  EXPECT_TRUE(test::same_positions(*memory.points(), *file.points()));
  EXPECT_EQ(memory.points()->start_s, file.points()->start_s);
  EXPECT_TRUE(test::same_numbers(memory.c3d->analog, file.c3d->analog));
  EXPECT_EQ(memory.c3d->analog.scale, file.c3d->analog.scale);
  EXPECT_NE(memory.c3d->analog.scale, c3d.analog.scale);  // rounded to 32 bits
  EXPECT_EQ(memory.c3d->parameters.serialise(), file.c3d->parameters.serialise());
  EXPECT_EQ(memory.events()[0].time_s, file.events()[0].time_s);
  EXPECT_EQ(memory.up->value, file.up->value);
  EXPECT_EQ(memory.unit->value, file.unit->value);
}

}  // namespace
}  // namespace aplomb

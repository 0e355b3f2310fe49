#include <gtest/gtest.h>

#include <cmath>

#include "aplomb/recording/c3d_file.hpp"
#include "aplomb/recording/formats/input_bytes.hpp"
#include "recording/c3d_bytes.hpp"
#include "recording/sample_points.hpp"
#include "support/temporary_folder.hpp"

namespace aplomb {
namespace {

using test::C3dBytes;
using test::small_c3d;

C3dFile read(const std::string& bytes) { return read_c3d(InputBytes(bytes, "x.c3d")); }

TEST(C3d, AllProcessorsWithIntegersAndRealsGiveTheSameData) {
  for (const Processor processor : {Processor::intel, Processor::dec, Processor::sgi}) {
    for (const bool is_real : {true, false}) {
      const C3dFile file = read(small_c3d(processor, is_real).bytes());
      EXPECT_EQ(file.processor, processor);
      EXPECT_EQ(file.is_real, is_real);
      EXPECT_TRUE(file.notes.empty());
      ASSERT_EQ(file.points.num_frames, 5u);
      EXPECT_EQ(file.points.labels, (std::vector<std::string>{"LASI", "RASI", "HEAD"}));
      EXPECT_EQ(file.points.rate_hz, 100.0);
      const double scale = is_real ? 1.0 : 0.1;
      for (std::size_t frame = 0; frame < 5; ++frame) {
        const Eigen::Vector3f head = file.points.raw(frame, 2);
        EXPECT_FLOAT_EQ(head[0], static_cast<float>(scale * (1020.0 + static_cast<double>(frame))));
        EXPECT_FLOAT_EQ(head[1], static_cast<float>(scale * -41.0));
        EXPECT_EQ(file.points.is_seen(frame, 1), frame != 2);
        EXPECT_EQ(file.points.seen_by[3 * frame + 2], 0x0204);
        EXPECT_DOUBLE_EQ(file.analog.value(2 * frame, 0), (100.0 + static_cast<double>(frame) - 10.0) * 0.5 * 2.0);
        EXPECT_DOUBLE_EQ(file.analog.value(2 * frame + 1, 1), (-6.0 + 1.0) * 2.0 * 2.0);
      }
      EXPECT_EQ(file.analog.rate_hz, 200.0);
      EXPECT_FLOAT_EQ(static_cast<float>(file.points.residual_unit), 0.1F);
    }
  }
}

TEST(C3d, DecRealsAreVaxReals) {
  // From the VAX architecture: 1.0 is 0x4080, -12.5 is 0xC248, in words whose low byte comes first.
  EXPECT_EQ(real_at<Processor::dec>(std::string("\x80\x40\x00\x00", 4).data()), 1.0F);
  EXPECT_EQ(real_at<Processor::dec>(std::string("\x48\xC2\x00\x00", 4).data()), -12.5F);
  EXPECT_EQ(real_at<Processor::dec>(std::string("\x00\x00\x00\x00", 4).data()), 0.0F);
}

TEST(C3d, MoreThan65535FramesAreReadHoweverTheyAreCounted) {
  constexpr int kFrames = 70'000;
  for (const char* how : {"LONG_FRAMES", "TRIAL", "wrapped", "saturated"}) {
    C3dBytes file(Processor::intel, false);
    file.num_points = 1;
    file.group(1, "POINT");
    file.words(1, "USED", {1}, {});
    file.reals(1, "SCALE", {0.1}, {});
    if (how == std::string("LONG_FRAMES")) file.reals(1, "LONG_FRAMES", {kFrames}, {});
    if (how == std::string("TRIAL")) {
      file.group(2, "TRIAL");
      file.words(2, "ACTUAL_START_FIELD", {1, 0});
      file.words(2, "ACTUAL_END_FIELD", {kFrames & 0xFFFF, kFrames >> 16});
    }
    file.last_frame = how == std::string("wrapped") ? kFrames & 0xFFFF : 65535;
    for (int i = 0; i < kFrames; ++i) file.point(i % 30000 + 1, 2, 3, 0);
    const C3dFile c3d = read(file.bytes());
    EXPECT_EQ(c3d.points.num_frames, static_cast<std::size_t>(kFrames)) << how;
    EXPECT_FLOAT_EQ(c3d.points.raw(69'999, 0)[0], 0.1F * (69'999 % 30000 + 1)) << how;
  }
}

TEST(C3d, AWholeBlockOfPaddingIsNoContradiction) {
  const C3dFile file = read(small_c3d(Processor::intel, true, 8).bytes() + std::string(512, '\0'));  // 8 x 64 bytes
  EXPECT_EQ(file.points.num_frames, 8u);
  EXPECT_TRUE(file.notes.empty());
}

TEST(C3d, MoreThan255LabelsAreRead) {
  C3dBytes file(Processor::intel, true);
  file.num_points = 300;
  file.group(1, "POINT");
  file.words(1, "USED", {300}, {});
  file.reals(1, "SCALE", {-1.0}, {});
  std::vector<std::string> labels;
  for (int i = 0; i < 300; ++i) labels.push_back(std::string("P").append(std::to_string(i)));
  file.texts(1, "LABELS", {labels.begin(), labels.begin() + 255});
  file.texts(1, "LABELS2", {labels.begin() + 255, labels.end()});
  for (int i = 0; i < 300; ++i) file.point(i, 1, 2, 0);
  EXPECT_EQ(read(file.bytes()).points.labels, labels);
}

TEST(C3d, InterpolatedPointsAreRecognisedAndAnglesAreNotMarkers) {
  C3dBytes file(Processor::intel, true);
  file.num_points = 2;
  file.group(1, "POINT");
  file.reals(1, "SCALE", {-0.5}, {});
  file.texts(1, "LABELS", {"LKNE", "LKneeAngles"}, 12);
  file.texts(1, "ANGLES", {"LKneeAngles"}, 12);
  file.point(1, 2, 3, 0);  // residual 0: filled by somebody
  file.point(0, 0, 0, 0);  // an angle may be zero, a marker at the very origin is a lost one
  file.point(0, 0, 0, 3);
  file.point(4, 5, 6, 0);
  const C3dFile c3d = read(file.bytes());
  EXPECT_EQ(c3d.points.kinds[1], PointKind::angle);
  EXPECT_TRUE(c3d.points.is_seen(0, 1));
  EXPECT_EQ(c3d.points.seen_by[0], 0);
  EXPECT_FALSE(c3d.points.is_seen(1, 0));
  EXPECT_EQ(c3d.notes.size(), 1u);
}

TEST(C3d, EventsOfTheGroupAndOfTheHeaderAreRead) {
  C3dBytes file = small_c3d();
  file.group(3, "EVENT");
  file.words(3, "USED", {2}, {});
  file.texts(3, "LABELS", {"Foot Strike", "Foot Off"}, 16);
  file.texts(3, "CONTEXTS", {"Left", "Right"}, 16);
  file.reals(3, "TIMES", {1, 2.5, 0, 3.5}, {2, 2});
  const std::vector<MotionEvent> events = read(file.bytes()).events;
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].label, "Foot Off");
  EXPECT_DOUBLE_EQ(events[1].time_s, 62.5);
  std::string bytes = small_c3d().bytes();
  bytes[300] = 1;
  const std::string time = small_c3d().real(1.25F);
  bytes.replace(304, 4, time).replace(396, 4, "RHS ");
  const std::vector<MotionEvent> old = read(bytes).events;
  ASSERT_EQ(old.size(), 1u);
  EXPECT_EQ(old[0].label, "RHS");
  EXPECT_EQ(old[0].time_s, 1.25);
}

TEST(C3d, AFirstFrameBeyondOneStartsLater) {
  C3dBytes file = small_c3d();
  file.first_frame = 201;
  EXPECT_DOUBLE_EQ(read(file.bytes()).points.start_s, 2.0);
  // A part of a trial whose fields still tell of the whole.
  file.group(5, "TRIAL");
  file.words(5, "ACTUAL_START_FIELD", {1, 0});
  file.words(5, "ACTUAL_END_FIELD", {900, 0});
  const C3dFile part = read(file.bytes());
  EXPECT_EQ(part.points.num_frames, 5u);
  EXPECT_DOUBLE_EQ(part.points.start_s, 2.0);
}

TEST(C3d, ARecordingTakesNoMoreMemoryThanItsFile) {
  for (const bool is_real : {true, false}) {
    const std::string bytes = small_c3d(Processor::intel, is_real, 1000).bytes();
    const C3dFile file = read(bytes);
    const std::size_t points = 4 * file.points.xyz.capacity() + 2 * file.points.counts.capacity();
    const std::size_t analog = 4 * file.analog.raw.capacity() + 2 * file.analog.words.capacity();
    EXPECT_LE(points + 2 * file.points.seen_by.capacity() + analog, bytes.size() - 1024);
  }
}

TEST(C3d, WrittenFilesReadBackToTheLastBit) {
  C3dFile file = read(small_c3d(Processor::sgi, false).bytes());
  file.events = {{"Foot Strike", "Left", 62.5}, {"Foot Off", "", 63.125}};
  file.points.first_frame = 12;
  const test::TemporaryFolder folder;
  write_c3d(folder.path() / "out.c3d", file);
  const C3dFile back = read_c3d(InputBytes::open(folder.path() / "out.c3d"));
  EXPECT_TRUE(test::same_positions(file.points, back.points));
  EXPECT_EQ(back.points.seen_by, file.points.seen_by);
  EXPECT_EQ(back.points.unit, file.points.unit);
  EXPECT_EQ(back.points.first_frame, 12);
  EXPECT_TRUE(test::same_numbers(file.analog, back.analog));
  EXPECT_EQ(back.analog.scale, file.analog.scale);
  EXPECT_EQ(back.analog.offset, file.analog.offset);
  EXPECT_EQ(back.analog.labels, file.analog.labels);
  ASSERT_EQ(back.events.size(), 2u);
  EXPECT_EQ(back.events[0].time_s, 62.5);
  EXPECT_EQ(back.events[1].context, "");
  EXPECT_TRUE(back.notes.empty());
}

TEST(C3d, ManyLabelsAndFramesAreWrittenToo) {
  C3dFile file;
  file.points = test::moving_points(300, 3);
  file.points.unit = "m";
  const test::TemporaryFolder folder;
  write_c3d(folder.path() / "many.c3d", file);
  EXPECT_TRUE(test::same_positions(read_c3d(InputBytes::open(folder.path() / "many.c3d")).points, file.points));
  file.points = test::moving_points(1, 70'001);
  write_c3d(folder.path() / "long.c3d", file);
  EXPECT_TRUE(test::same_positions(read_c3d(InputBytes::open(folder.path() / "long.c3d")).points, file.points));
}

}  // namespace
}  // namespace aplomb

#include <gtest/gtest.h>

#include <random>

#include "aplomb/recording/c3d_file.hpp"
#include "aplomb/recording/formats/input_bytes.hpp"
#include "recording/c3d_bytes.hpp"
#include "recording/sample_points.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::C3dBytes;
using test::error_of;
using test::has;
using test::small_c3d;

C3dFile read(const std::string& bytes) { return read_c3d(InputBytes(bytes, "x.c3d")); }
std::string refuse(const std::string& bytes) {
  return error_of([&] { read(bytes); });
}

TEST(C3dDamage, AFileThatIsNotC3dIsRefused) {
  EXPECT_TRUE(has(refuse(""), "empty"));
  EXPECT_TRUE(has(refuse(std::string(5000, 'x')), "not a C3D file"));
  EXPECT_TRUE(has(refuse(std::string(5000, '\0')), "not a C3D file"));
  EXPECT_TRUE(has(refuse("\x02\x50"), "not a C3D file"));
  std::string bytes = small_c3d().bytes();
  bytes[515] = 99;
  EXPECT_TRUE(has(refuse(bytes), "84 (Intel), 85 (DEC), 86 (SGI)"));
}

TEST(C3dDamage, AFileThatIsCutOffIsRefusedWithTheFramesItHas) {
  const C3dBytes file = small_c3d(Processor::intel, true, 40);  // 64 bytes a frame
  const std::string bytes = file.bytes();
  const std::string error = refuse(bytes.substr(0, bytes.size() - 1000));
  EXPECT_TRUE(has(error, "40 frames")) << error;
  EXPECT_TRUE(has(error, "holds 24")) << error;
  for (std::size_t size = 0; size + 512 < bytes.size(); size += 37) refuse(bytes.substr(0, size));
}

TEST(C3dDamage, ZerosBeforeTheHeaderAreSkipped) {
  C3dBytes file = small_c3d();
  file.zeros_before = 700;
  EXPECT_EQ(read(file.bytes()).points.num_frames, 5u);
}

TEST(C3dDamage, AnInconsistentParameterIsSkippedAndReported) {
  C3dBytes file = small_c3d();
  file.group(4, "JUNK");
  file.parameter(4, "HUGE", 4, {255, 255, 255, 255}, "abc");
  file.parameter(4, "ODD", 7, {}, "abc");
  const C3dFile c3d = read(file.bytes());
  EXPECT_EQ(c3d.notes.size(), 2u);
  EXPECT_EQ(c3d.points.num_frames, 5u);
}

TEST(C3dDamage, WhenCountsContradictEachOtherTheFilesSizeDecides) {
  // The header lost the analog channels; 40 frames of 64 bytes fill the file, of 48 bytes do not.
  std::string bytes = small_c3d(Processor::intel, true, 40).bytes();
  bytes[4] = bytes[5] = 0;
  const C3dFile file = read(bytes);
  EXPECT_EQ(file.analog.num_channels(), 2u);
  EXPECT_EQ(file.points.num_frames, 40u);
  ASSERT_EQ(file.notes.size(), 1u);
  EXPECT_TRUE(has(file.notes[0], "contradicts itself"));
}

TEST(C3dDamage, WithoutADataStartTheDataFollowTheParameters) {
  const std::string whole = small_c3d().bytes();
  std::string bytes = whole;
  bytes[16] = bytes[17] = 0;
  const C3dFile file = read(bytes);
  EXPECT_TRUE(test::same_positions(file.points, read(whole).points));
  ASSERT_EQ(file.notes.size(), 1u);
  EXPECT_TRUE(has(file.notes[0], "block 0"));
}

TEST(C3dDamage, ContradictingRatesAreReported) {
  C3dBytes file = small_c3d();
  file.rate_hz = 50.0F;
  file.reals(2, "RATE", {1000.0}, {});
  const C3dFile c3d = read(file.bytes());
  EXPECT_EQ(c3d.points.rate_hz, 100.0);
  EXPECT_EQ(c3d.analog.rate_hz, 200.0);
  ASSERT_EQ(c3d.notes.size(), 2u);
  EXPECT_TRUE(has(c3d.notes[0], "the header says 50 Hz"));
  EXPECT_TRUE(has(c3d.notes[1], "ANALOG:RATE says 1000 Hz"));
}

TEST(C3dDamage, AFileWithoutFramesIsRefused) {
  EXPECT_TRUE(has(refuse(small_c3d(Processor::intel, true, 0).bytes()), "no frames"));
  const std::string error = refuse(C3dBytes().bytes());
  EXPECT_TRUE(has(error, "neither points nor analog")) << error;
}

TEST(C3dDamage, AScaleOfZeroIsRefused) {
  C3dBytes file(Processor::intel, true);
  file.num_points = 1;
  file.scale = 0.0;
  file.point(1, 2, 3, 0);
  EXPECT_TRUE(has(refuse(file.bytes()), "POINT:SCALE"));
}

TEST(C3dDamage, NotANumberIsAGap) {
  C3dBytes file(Processor::intel, true);
  file.num_points = 1;
  file.point(std::nan(""), 2, 3, 0);
  file.point(1, HUGE_VAL, 3, 0);
  file.point(1, 2, 3, 0);
  const C3dFile c3d = read(file.bytes());
  EXPECT_FALSE(c3d.points.is_seen(0, 0));
  EXPECT_FALSE(c3d.points.is_seen(1, 0));
  EXPECT_TRUE(c3d.points.is_seen(2, 0));
}

TEST(C3dDamage, LabelsOfAnyBytesBecomeText) {
  C3dBytes file(Processor::intel, true);
  file.num_points = 1;
  file.group(1, "POINT");
  file.texts(1, "LABELS",
             {"H\xFC"
              "ft"});  // Latin-1
  file.point(1, 2, 3, 0);
  EXPECT_EQ(read(file.bytes()).points.labels[0],
            "H\xC3\xBC"
            "ft");
}

}  // namespace
}  // namespace aplomb

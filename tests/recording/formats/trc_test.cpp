#include <gtest/gtest.h>

#include "aplomb/recording/checks/lab_frame.hpp"
#include "aplomb/recording/formats/trc_file.hpp"
#include "recording/sample_points.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::error_of;
using test::has;

const std::string kHeader =
    "PathFileType\t4\t(X/Y/Z)\tx.trc\n"
    "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n"
    "100\t100\t2\t3\tmm\t100\t1\t2\n"
    "Frame#\tTime\tA\t\t\tB\t\t\tC\t\t\n"
    "\t\tX1\tY1\tZ1\tX2\tY2\tZ2\tX3\tY3\tZ3\n"
    "\n";

TrcFile read(const std::string& text) { return read_trc(InputBytes(text, "x.trc")); }
std::string refuse(const std::string& text) {
  return error_of([&] { read(text); });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(Trc, BlankCellsAreAGapAndDoNotShiftTheMarkersBehindThem) {
  const TrcFile file = read(kHeader + "1\t0\t1\t2\t3\t\t\t\t7\t8\t9\n2\t0.01\t1\t2\t3\t4\t5\t6\t7\t8\t9\n");
  ASSERT_EQ(file.points.num_frames, 2u);
  EXPECT_FALSE(file.points.is_seen(0, 1));
  EXPECT_TRUE(file.points.is_seen(1, 1));
  EXPECT_EQ(file.points.raw(0, 2)[0], 7.0F);
  EXPECT_EQ(file.points.raw(0, 2)[2], 9.0F);
}

TEST(Trc, NanInAnyCaseWithSpacesIsAGap) {
  const TrcFile file = read(kHeader + "1\t0\t nan \tNaN\tNAN\t4\t5\t6\t7\t8\t9\n");
  EXPECT_FALSE(file.points.is_seen(0, 0));
  EXPECT_EQ(file.points.raw(0, 1)[0], 4.0F);
}

TEST(Trc, ExponentsPlusSignsCrlfTrailingTabsAndAByteOrderMarkAreRead) {
  std::string text =
      std::string("\xEF\xBB\xBF").append(kHeader).append("1\t0\t1e-3\t+2\t-3.5E+2\t4\t5\t6\t7\t8\t9\t\t\n");
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, 1, '\r');
  const TrcFile file = read(text);
  EXPECT_EQ(file.points.raw(0, 0)[0], 1e-3F);
  EXPECT_EQ(file.points.raw(0, 0)[1], 2.0F);
  EXPECT_EQ(file.points.raw(0, 0)[2], -350.0F);
  EXPECT_EQ(file.points.labels, (std::vector<std::string>{"A", "B", "C"}));
}

TEST(Trc, ARowOfAnotherLengthIsRefusedWithLineAndColumn) {
  const std::string brief = refuse(kHeader + "1\t0\t1\t2\t3\t4\t5\t6\t7\t8\n");
  EXPECT_TRUE(has(brief, "x.trc:7:20")) << brief;
  EXPECT_TRUE(has(brief, "10 cells, 11"));
  const std::string lengthy = refuse(kHeader + "1\t0\t1\t2\t3\t4\t5\t6\t7\t8\t9\t10\n");
  EXPECT_TRUE(has(lengthy, "x.trc:7:23")) << lengthy;
}

TEST(Trc, ACellThatIsNoNumberIsRefusedWithLineAndColumn) {
  const std::string error = refuse(kHeader + "1\t0\t1\tabc\t3\t4\t5\t6\t7\t8\t9\n");
  EXPECT_TRUE(has(error, "x.trc:7:7")) << error;
  EXPECT_TRUE(has(error, "'abc'"));
  EXPECT_TRUE(has(refuse(kHeader + "1\t0\t1,5\t2\t3\t4\t5\t6\t7\t8\t9\n"), "point"));
  EXPECT_TRUE(has(refuse(kHeader + "1\t0\tinf\t2\t3\t4\t5\t6\t7\t8\t9\n"), "inf"));
  EXPECT_TRUE(has(refuse(kHeader + "1\t0\t1\t\t3\t4\t5\t6\t7\t8\t9\n"), "2 of its 3"));
}

TEST(Trc, SevenKeysAreEnoughAndAMissingRateIsNamed) {
  const std::string row = "1\t0\t1\t2\t3\t4\t5\t6\t7\t8\t9\n";
  std::string seven = replaced(kHeader, "\tOrigNumFrames", "");
  EXPECT_EQ(read(replaced(seven, "100\t1\t2\n", "100\t1\n") + row).points.num_frames, 1u);
  EXPECT_TRUE(
      has(refuse(replaced(replaced(kHeader, "DataRate", "DatRate"), "CameraRate", "CamRate") + row), "DataRate"));
  EXPECT_TRUE(has(refuse(replaced(kHeader, "100\t100", "0\t100") + row), "DataRate is 0"));
  EXPECT_TRUE(has(refuse(replaced(kHeader, "\t3\tmm", "\t4\tmm") + row), "NumMarkers"));
  EXPECT_TRUE(has(refuse("hello\n"), "PathFileType"));
}

TEST(Trc, AWrongFrameCountIsReportedAndTheRowsAreCounted) {
  const TrcFile file = read(kHeader + "1\t0\t1\t2\t3\t4\t5\t6\t7\t8\t9\n");
  ASSERT_EQ(file.notes.size(), 1u);
  EXPECT_TRUE(has(file.notes[0], "NumFrames"));
}

TEST(Trc, ATimeThatDecreasesOrSkipsIsReportedWithItsLine) {
  const std::string cells = "\t1\t2\t3\t4\t5\t6\t7\t8\t9\n";
  const std::string three = replaced(kHeader, "100\t100\t2\t", "100\t100\t3\t");
  const TrcFile falls = read(three + "1\t0" + cells + "2\t0.01" + cells + "3\t0.005" + cells);
  ASSERT_EQ(falls.notes.size(), 1u);
  EXPECT_TRUE(has(falls.notes[0], "line 9")) << falls.notes[0];
  const TrcFile skips = read(three + "1\t0" + cells + "2\t0.01" + cells + "9\t0.08" + cells);
  ASSERT_EQ(skips.notes.size(), 1u);
  EXPECT_TRUE(has(skips.notes[0], "line 9") && has(skips.notes[0], "0.07 s")) << skips.notes[0];
  EXPECT_TRUE(falls.time_fault && skips.time_fault);
  EXPECT_EQ(skips.points.rate_hz, 100.0);
  const TrcFile slower = read(three + "1\t0" + cells + "2\t0.02" + cells + "3\t0.04" + cells);
  ASSERT_EQ(slower.notes.size(), 1u);
  EXPECT_TRUE(has(slower.notes[0], "50 Hz"));
  EXPECT_DOUBLE_EQ(slower.points.rate_hz, 50.0);
}

TEST(Trc, WithoutUnitsTheBodysSizeDecides) {
  const std::string header = replaced(replaced(kHeader, "\tUnits", ""), "\tmm", "");
  TrcFile file = read(header + "1\t0\t1\t2\t3\t400\t5\t6\t7\t8\t1500\n");
  EXPECT_EQ(file.points.unit, "");
  EXPECT_EQ(decide_unit(file.points, {}).value, "mm");
}

TEST(Trc, CentimetresAreConverted) {
  TrcFile file = read(replaced(kHeader, "\tmm\t", "\tcm\t") + "1\t0\t100\t200\t300\t4\t5\t6\t7\t8\t9\n");
  decide_unit(file.points, {});
  EXPECT_NEAR(file.points.position(0, 0).x(), 1.0, 1e-12);
}

TEST(Trc, WrittenFilesReadBackToTheLastBit) {
  Points points = test::moving_points(7, 40);
  points.unit = "mm";
  points.start_s = 0.35;
  points.first_frame = 36;
  test::hide(points, 3, 0);
  test::hide(points, 39, 6);
  const test::TemporaryFolder folder;
  write_trc(folder.path() / "out.trc", points);
  const TrcFile back = read_trc(InputBytes::open(folder.path() / "out.trc"));
  EXPECT_TRUE(test::same_positions(points, back.points));
  EXPECT_EQ(back.points.unit, "mm");
  EXPECT_EQ(back.points.rate_hz, points.rate_hz);
  EXPECT_EQ(back.points.start_s, points.start_s);
  EXPECT_EQ(back.points.first_frame, points.first_frame);
  EXPECT_TRUE(back.notes.empty());
}

TEST(Trc, BinaryAndUtf16FilesAreRefused) {
  EXPECT_TRUE(has(refuse(std::string("P\0a\0t\0h\0", 8)), "not a text file"));
  EXPECT_TRUE(has(refuse(""), "empty"));
}

}  // namespace
}  // namespace aplomb

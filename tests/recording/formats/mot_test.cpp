#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "aplomb/recording/formats/input_bytes.hpp"
#include "aplomb/recording/mot_file.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::error_of;
using test::has;

MotFile read(const std::string& text) { return read_mot(InputBytes(text, "x.mot")); }
std::string refuse(const std::string& text) {
  return error_of([&] { read(text); });
}

TEST(Mot, BothFormsOfTheHeaderAreRead) {
  const std::string rows = "endheader\ntime\ta\tb\n0\t1\t2\n0.1\t3\t4\n";
  const MotFile simm = read("name x.mot\ndatacolumns 3\ndatarows 2\nrange 0 0.1\n" + rows);
  const MotFile opensim = read("x\nversion=1\nnRows=2\nnColumns=3\ninDegrees=yes\n" + rows);
  EXPECT_EQ(simm.table.columns, (std::vector<std::string>{"time", "a", "b"}));
  EXPECT_EQ(simm.table.values, opensim.table.values);
  EXPECT_FALSE(simm.in_degrees);
  EXPECT_TRUE(opensim.in_degrees);
  EXPECT_TRUE(simm.notes.empty());
}

TEST(Mot, SpacesBetweenCellsAndCrlfAreRead) {
  const MotFile file = read("x\r\nendheader\r\n\r\n time  a   b\r\n  0   1   2  \r\n 0.1  3 4\r\n");
  EXPECT_EQ(file.table.values, (std::vector<double>{0, 1, 2, 0.1, 3, 4}));
}

TEST(Mot, ABlankCellBetweenTabsKeepsItsColumn) {
  const MotFile file = read("x\nendheader\ntime\ta\tb\n0\t\t2\n");
  EXPECT_TRUE(std::isnan(file.table.at(0, 1)));
  EXPECT_EQ(file.table.at(0, 2), 2.0);
}

TEST(Mot, VectorsBecomeColumns) {
  const MotFile file = read("x\nDataType=Vec3\nendheader\ntime\tp\n0\t1,2,3\n");
  EXPECT_EQ(file.table.columns, (std::vector<std::string>{"time", "p.1", "p.2", "p.3"}));
  EXPECT_EQ(file.table.values, (std::vector<double>{0, 1, 2, 3}));
  EXPECT_TRUE(has(refuse("x\nDataType=Vec3\nendheader\ntime\tp\n0\t1,2\n"), "Vec3"));
}

TEST(Mot, ErrorsAreRefusedWithLineAndColumn) {
  EXPECT_TRUE(has(refuse("x\nnRows=1\n"), "endheader"));
  EXPECT_TRUE(has(refuse("x\nendheader\nframe\ta\n1\t2\n"), "'time'"));
  EXPECT_TRUE(has(refuse("x\nnColumns=4\nendheader\ntime\ta\n1\t2\n"), "2 labels"));
  EXPECT_TRUE(has(refuse("x\nendheader\ntime\ta\n1\t2\t3\n"), "x.mot:4:5"));
  EXPECT_TRUE(has(refuse("x\nendheader\ntime\ta\n1\n"), "x.mot:4"));
  EXPECT_TRUE(has(refuse("x\nendheader\ntime\ta\n1\tzwei\n"), "'zwei'"));
  EXPECT_TRUE(has(refuse("x\ninDegrees=maybe\nendheader\ntime\ta\n1\t2\n"), "yes, no"));
  EXPECT_TRUE(has(refuse("x\nDataType=Mat33\nendheader\ntime\ta\n1\t2\n"), "Mat33"));
  EXPECT_TRUE(has(refuse(""), "empty"));
}

TEST(Mot, ADecreasingTimeIsReported) {
  const MotFile file = read("x\nendheader\ntime\ta\n0\t1\n0.1\t1\n0.05\t1\n0.3\t1\n");
  ASSERT_FALSE(file.notes.empty());
  EXPECT_TRUE(has(file.notes[0], "line 6"));
  ASSERT_TRUE(file.time_fault);
  EXPECT_TRUE(has(file.time_fault->what(), "x.mot:6"));
}

TEST(Mot, WrittenFilesReadBackToTheLastBit) {
  MotFile mot{.name = "forces", .in_degrees = true, .header = {{"version", "3"}, {"OpenSimVersion", "4.1"}}};
  mot.table.columns = {"time", "ground_force_vx", "pelvis tilt"};
  for (int row = 0; row < 50; ++row) {
    mot.table.values.insert(mot.table.values.end(), {0.01 * row, std::sin(row) / 3.0, 1e-30 * row});
  }
  mot.table.values[4] = std::numeric_limits<double>::quiet_NaN();
  const test::TemporaryFolder folder;
  for (const std::size_t num_elements : {1u, 2u}) {
    mot.num_elements = num_elements;
    if (num_elements == 2) mot.table.columns = {"time", "p.1", "p.2"};
    mot.data_type = num_elements == 2 ? "Vec2" : "double";
    write_mot(folder.path() / "out.mot", mot);
    const MotFile back = read_mot(InputBytes::open(folder.path() / "out.mot"));
    EXPECT_EQ(back.name, mot.name);
    EXPECT_EQ(back.header, mot.header);
    EXPECT_EQ(back.in_degrees, mot.in_degrees);
    EXPECT_EQ(back.table.columns, mot.table.columns);
    ASSERT_EQ(back.table.values.size(), mot.table.values.size());
    for (std::size_t i = 0; i < mot.table.values.size(); ++i) {
      const bool are_gaps = std::isnan(back.table.values[i]) && std::isnan(mot.table.values[i]);
      EXPECT_TRUE(are_gaps || back.table.values[i] == mot.table.values[i]) << i;
    }
  }
}

}  // namespace
}  // namespace aplomb

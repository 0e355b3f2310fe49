#include <gtest/gtest.h>

#include <cmath>

#include "aplomb/recording/formats/csv_file.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

using test::error_of;
using test::has;

Table read(const std::string& text) { return read_csv(InputBytes(text, "x.csv")); }
std::string refuse(const std::string& text) {
  return error_of([&] { read(text); });
}

TEST(Csv, CommasSemicolonsAndTabsSeparate) {
  for (const char separator : {',', ';', '\t'}) {
    std::string text = "time,\"a \"\"b\"\"\",c\n0,1,2\n1,,4\n";
    std::ranges::replace(text, ',', separator);
    const Table table = read(text);
    EXPECT_EQ(table.columns, (std::vector<std::string>{"time", "a \"b\"", "c"}));
    EXPECT_EQ(table.at(0, 1), 1.0);
    EXPECT_TRUE(std::isnan(table.at(1, 1)));
    EXPECT_EQ(table.at(1, 2), 4.0);
  }
}

TEST(Csv, ColumnsInThreesAreMarkers) {
  const Table table =
      read("Time (s),LASI_x_mm,LASI_y_mm,LASI_z_mm,LASI2_x_mm,LASI2_y_mm,LASI2_z_mm\n0,1,2,3,4,5,6\n0.5,1,,3,4,5,6\n");
  const std::optional<Points> points = points_of(table);
  ASSERT_TRUE(points);
  EXPECT_EQ(points->labels, (std::vector<std::string>{"LASI", "LASI2"}));
  EXPECT_EQ(points->unit, "mm");
  EXPECT_EQ(points->rate_hz, 2.0);
  EXPECT_TRUE(points->is_seen(0, 0));
  EXPECT_FALSE(points->is_seen(1, 0));
}

TEST(Csv, ErrorsAreRefusedWithLineAndColumn) {
  EXPECT_TRUE(has(refuse("1,2\n3,4\n"), "name the columns"));
  EXPECT_TRUE(has(refuse("a,b\n1\n"), "x.csv:2"));
  EXPECT_TRUE(has(refuse("a,b\n1,2,3\n"), "x.csv:2:5"));
  EXPECT_TRUE(has(refuse("a,b\n1,two\n"), "x.csv:2:3"));
  EXPECT_TRUE(has(refuse("a;b\n1;2,5\n"), "point"));
  EXPECT_TRUE(has(refuse("a,\"b\n1,2\n"), "quote"));
  EXPECT_TRUE(has(refuse("a,b\n1,2\n,\n3,4\n"), "blank row of line 3"));
  EXPECT_TRUE(has(refuse("a,b\n"), "no row"));
  EXPECT_TRUE(has(refuse(""), "empty"));
}

}  // namespace
}  // namespace aplomb

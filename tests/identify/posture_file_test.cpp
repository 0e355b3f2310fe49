#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>

#include "aplomb/identify/postures.hpp"
#include "identify/static_lab.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace aplomb {
namespace {

/// A posture file of a robot on both feet, in the plane, without noise; tests spoil it.
class PostureFile : public ::testing::Test {
 protected:
  PostureFile() {
    columns = {"posture"};
    for (const Joint& joint : cad.joints()) columns.push_back(angle_column(joint));
    for (const char* foot : {"left_foot", "right_foot"}) {
      for (const char* part : {"cop_x_m", "cop_y_m", "fz_n"}) columns.push_back(fmt::format("{}_{}", foot, part));
    }
    for (int k = 0; k < 12; ++k) {
      RobotState state = cad.posture("half_sitting");
      state.q[7 + cad.joint("torso_pitch")] = 0.05 * k;
      rows.push_back({static_cast<double>(k)});
      for (int i = 0; i < cad.num_joints(); ++i) rows.back().push_back(state.q[7 + i]);
      for (int foot = 0; foot < 2; ++foot)
        rows.back().insert(rows.back().end(), {0.03, 0.0, 0.5 * cad.mass() * kGravity});
    }
  }

  std::size_t column(const std::string& name) const {
    return static_cast<std::size_t>(std::ranges::find(columns, name) - columns.begin());
  }
  PostureSet read() const {
    Log log(columns);
    for (const auto& row : rows) log.append(row);
    write_csv(log, folder.path() / "p.csv");
    return read_postures(folder.path() / "p.csv", cad);
  }
  void refused(std::initializer_list<const char*> words) const {
    const std::string error = test::error_of([&] { read(); });
    for (const char* word : words) EXPECT_TRUE(test::has(error, word));
  }
  std::string error_of_text(const char* name, const std::string& text) const {
    std::ofstream(folder.path() / name, std::ios::binary) << text;
    return test::error_of([&] { read_postures(folder.path() / name, cad); });
  }

  RobotModel cad = RobotModel::load("sarcos");
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
  test::TemporaryFolder folder;
};

TEST_F(PostureFile, IsReadAsItWasWritten) {
  const PostureSet set = read();
  ASSERT_EQ(set.postures.size(), 12u);
  EXPECT_TRUE(set.dropped.empty());
  EXPECT_EQ(set.sensors.contacts.size(), 2u);
  EXPECT_NEAR(set.postures[3].state.q[7 + cad.joint("torso_pitch")], 0.15, 1e-8);
}

TEST_F(PostureFile, RepeatedSamplesAreAveraged) {
  const std::size_t cop = column("left_foot_cop_x_m");
  rows.push_back(rows[2]);
  rows[2][cop] += 0.002;
  rows.back()[cop] -= 0.002;
  const PostureSet set = read();
  ASSERT_EQ(set.postures.size(), 12u);
  EXPECT_EQ(set.postures[2].num_samples, 2);
  EXPECT_NEAR(set.postures[2].contacts[0][0], 0.03, 1e-9);
}

TEST_F(PostureFile, APostureNotAtRestIsDroppedWithItsReason) {
  rows.push_back(rows[2]);
  rows.back()[column("left_knee_rad")] += 0.1;
  rows.push_back(rows[2]);
  rows[5][column("left_foot_fz_n")] += 100.0;
  const PostureSet set = read();
  ASSERT_EQ(set.dropped.size(), 2u);
  EXPECT_TRUE(test::has(set.dropped[0], "posture 2: not at rest: joint 'left_knee'"));
  EXPECT_TRUE(test::has(set.dropped[1], "posture 5: not at rest, or held"));
  EXPECT_EQ(set.postures.size(), 10u);
}

TEST_F(PostureFile, AMissingColumnIsNamed) {
  columns[column("left_knee_rad")] = "left_kne_rad";
  refused({"p.csv:1", "column 'left_knee_rad' is missing", "there is 'left_kne_rad'"});
}

TEST_F(PostureFile, AnUnknownJointIsNamedWithTheNearest) {
  columns.push_back("left_kneee_rad");
  for (auto& row : rows) row.push_back(0.1);
  refused({"p.csv:1", "no column named 'left_kneee_rad'", "left_knee_rad"});
}

TEST_F(PostureFile, DegreesAreRecognised) {
  for (auto& row : rows) {
    for (int i = 0; i < cad.num_joints(); ++i) row[static_cast<std::size_t>(i) + 1] *= 180.0 / std::numbers::pi;
  }
  refused({"p.csv:", "look like degrees"});
}

TEST_F(PostureFile, AnAngleBeyondItsLimitIsNotCalledDegrees) {
  rows[4][column("left_knee_rad")] = -0.7;
  refused({"p.csv:6", "left_knee_rad", "limits"});
}

TEST_F(PostureFile, KilogramsAreRecognised) {
  for (auto& row : rows) {
    for (const char* foot : {"left_foot_fz_n", "right_foot_fz_n"}) row[column(foot)] /= kGravity;
  }
  refused({"look like kilograms"});
}

TEST_F(PostureFile, ForcesOnTheGroundAreRecognisedByTheirSign) {
  columns.insert(columns.end(),
                 {"left_foot_fx_n", "left_foot_fy_n", "left_foot_mx_nm", "left_foot_my_nm", "left_foot_mz_nm",
                  "right_foot_fx_n", "right_foot_fy_n", "right_foot_mx_nm", "right_foot_my_nm", "right_foot_mz_nm"});
  for (auto& row : rows) {
    for (const char* foot : {"left_foot_fz_n", "right_foot_fz_n"}) row[column(foot)] *= -1.0;
    row.resize(columns.size(), 0.0);
  }
  refused({"p.csv", "sign is wrong", "up is positive"});
}

TEST_F(PostureFile, APosturesNumberIsWhole) {
  rows[4][0] = 2.4;
  refused({"p.csv:6", "column 'posture' has 2.4"});
}

TEST_F(PostureFile, ACopOutsideItsSoleIsNamedAndItsUnitRecognised) {
  for (auto& row : rows) row[column("left_foot_cop_x_m")] *= 1000.0;
  refused({"p.csv:2", "posture 0", "CoP of left_foot", "looks like millimetres"});
  for (auto& row : rows) row[column("left_foot_cop_x_m")] = 0.03;
  rows[4][column("right_foot_cop_y_m")] = -0.4;
  refused({"p.csv:6", "posture 4", "CoP of right_foot", "axes"});
}

TEST_F(PostureFile, AFootOffTheGroundIsNamed) {
  rows[3][column("left_foot_fz_n")] = 0.0;
  rows[3][column("right_foot_fz_n")] *= 2.0;
  refused({"p.csv:5", "posture 3", "left_foot_fz_n", "off the ground"});
}

TEST_F(PostureFile, AFootThatIsLiftedByItsAnglesIsNamed) {
  rows[3][column("left_knee_rad")] += 0.6;
  refused({"p.csv:5", "posture 3", "above the other", "off the ground"});
}

TEST_F(PostureFile, AFootThatStandsButIsNotMeasuredIsNamed) {
  columns.resize(columns.size() - 3);
  for (auto& row : rows) {
    row.resize(columns.size());
    row[column("left_foot_fz_n")] *= 2.0;
  }
  refused({"p.csv", "only one foot is measured", "right_foot"});
  for (auto& row : rows) row[column("right_knee_rad")] += 0.6;  // lifted: it carries nothing
  refused({"only one foot is measured", "base_qx"});
  columns.insert(columns.end(), {"base_qx", "base_qy", "base_qz", "base_qw"});
  for (auto& row : rows) row.insert(row.end(), {0.0, 0.0, 0.0, 1.0});
  EXPECT_EQ(read().postures.size(), 12u);
}

TEST_F(PostureFile, AValueThatIsNotANumberIsLocated) {
  rows[6][column("right_foot_cop_y_m")] = std::nan("");
  refused({"p.csv:8", "right_foot_cop_y_m", "not a number"});
}

TEST_F(PostureFile, DamagedTextIsLocated) {
  EXPECT_TRUE(test::has(error_of_text("a.csv", ""), "empty"));
  EXPECT_TRUE(test::has(error_of_text("a.csv", "posture,left_knee_rad\n"), "no rows"));
  EXPECT_TRUE(test::has(error_of_text("a.csv", "posture,x\n1,2\n1\n"), "a.csv:3: 1 fields"));
  EXPECT_TRUE(test::has(error_of_text("a.csv", "posture,x\n1,two\n"), "'two', which is not a number"));
  EXPECT_TRUE(test::has(error_of_text("a.csv", "1,2\n3,4\n"), "must name the columns"));
  EXPECT_TRUE(test::has(error_of_text("a.csv", "x,x\n3,4\n"), "two columns named 'x'"));
  EXPECT_TRUE(test::has(error_of_text("a.csv", "posture;x\n3;4\n"), "a.csv:1: the columns are separated by"));
  EXPECT_TRUE(test::has(error_of_text("a.txt", "x\n"), ".csv or .npz"));
}

TEST_F(PostureFile, ADamagedByteOfAnNpzNeverCrashesTheReader) {
  Log log(columns);
  for (const auto& row : rows) log.append(row);
  write_npz(log, folder.path() / "p.npz");
  EXPECT_EQ(read_postures(folder.path() / "p.npz", cad).postures.size(), 12u);
  std::ifstream in(folder.path() / "p.npz", std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  for (std::size_t cut = 0; cut + 22 < whole.size(); cut += 97) error_of_text("cut.npz", whole.substr(0, cut));
  std::mt19937_64 engine(1);
  for (int i = 0; i < 300; ++i) {
    std::string damaged = whole;
    damaged[engine() % damaged.size()] ^= static_cast<char>(1 + engine() % 255);
    std::ofstream(folder.path() / "d.npz", std::ios::binary) << damaged;
    try {
      read_postures(folder.path() / "d.npz", cad);  // a changed date or padding does no harm
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace aplomb

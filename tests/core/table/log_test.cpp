#include "aplomb/core/table/log.hpp"

#include <gtest/gtest.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <locale>
#include <random>
#include <sstream>
#include <string>

#include "aplomb/core/error.hpp"
#include "aplomb/core/table/npz.hpp"
#include "aplomb/core/table/table_file.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

class LogFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "aplomb-log-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string bytes_of(const fs::path& file) {
    std::ifstream input(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(input), {}};
  }

  fs::path folder_;
};

Log random_log(std::size_t rows, std::size_t columns) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < columns; ++i) names.push_back("column_" + std::to_string(i) + "_m");
  Log log(names);
  log.reserve(rows);
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> exponent(-12.0, 6.0);
  std::vector<double> row(columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (double& value : row) value = (random() % 2 == 0 ? 1.0 : -1.0) * std::pow(10.0, exponent(random));
    log.append(row);
  }
  return log;
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const FileError& error) {
    return error.what();
  }
  return "no FileError";
}

TEST(Log, RefusesTwoColumnsOfOneName) { EXPECT_THROW(Log({"time_s", "x_m", "time_s"}), InvalidValue); }

TEST(Log, ReturnsTheAppendedRows) {
  Log log({"time_s", "x_m"});
  log.append(std::array{0.0, 1.0});
  log.append(std::array{0.1, 2.0});
  EXPECT_EQ(log.num_rows(), 2u);
  EXPECT_EQ(log.column("x_m"), (std::vector{1.0, 2.0}));
  EXPECT_TRUE(log.has("time_s"));
  EXPECT_THROW(log.column("y_m"), UnknownName);
}

TEST_F(LogFiles, CsvReadsBackToNineDigits) {
  const Log log = random_log(50, 7);
  write_csv(log, folder_ / "log.csv");
  std::ifstream input(folder_ / "log.csv");
  std::string line, field;
  std::getline(input, line);
  EXPECT_EQ(line.substr(0, 22), "column_0_m,column_1_m,");
  for (std::size_t row = 0; row < log.num_rows(); ++row) {
    ASSERT_TRUE(std::getline(input, line));
    std::istringstream fields(line);
    for (std::size_t column = 0; column < 7; ++column) {
      ASSERT_TRUE(std::getline(fields, field, ','));
      double value = 0.0;
      std::from_chars(field.data(), field.data() + field.size(), value);
      // Nine significant digits: at most half a unit of the ninth, relative to a leading digit of at least 1.
      EXPECT_LE(std::abs(value - log.at(row, column)), 0.5e-8 * std::abs(log.at(row, column)));
    }
  }
  EXPECT_FALSE(std::getline(input, line));
}

TEST_F(LogFiles, CsvIsTheSameInALocaleWithACommaAsDecimalSeparator) {
  struct CommaDecimals : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
  };
  Log log({"x_m"});
  log.append(std::array{0.5});
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new CommaDecimals));
  write_csv(log, folder_ / "log.csv");
  std::locale::global(before);
  EXPECT_EQ(bytes_of(folder_ / "log.csv"), "x_m\n0.5\n");
}

TEST_F(LogFiles, CsvQuotesANameWithACommaAndWritesNonFiniteValuesAsWords) {
  Log log({"a,b", "say \"x\"", "c"});
  log.append(std::array{std::copysign(std::nan(""), -1.0), std::numeric_limits<double>::infinity(), -0.25});
  write_csv(log, folder_ / "log.csv");
  EXPECT_EQ(bytes_of(folder_ / "log.csv"), "\"a,b\",\"say \"\"x\"\"\",c\nnan,inf,-0.25\n");
}

TEST_F(LogFiles, NpzHasThePredictedSizeAndTheSameBytesEveryTime) {
  const Log log = random_log(123, 5);
  write_npz(log, folder_ / "a.npz");
  write_npz(log, folder_ / "b.npz");
  EXPECT_EQ(fs::file_size(folder_ / "a.npz"), npz_size(log.columns(), log.num_rows()));
  EXPECT_EQ(bytes_of(folder_ / "a.npz"), bytes_of(folder_ / "b.npz"));
}

TEST_F(LogFiles, NumpyReadsWhatWasWritten) {
  Log log({"time_s", "größe_m", "left/x_m"});
  log.append(std::array{0.1, std::nan(""), -1e300});
  log.append(std::array{0.2, 1.0 / 3.0, std::numeric_limits<double>::denorm_min()});
  write_npz(log, folder_ / "log.npz");
  write_csv(log, folder_ / "log.csv");
  // Exact equality for NPZ: the doubles themselves are stored.
  const std::string script = R"(
import sys, zipfile, numpy as np
npz = np.load(sys.argv[1] + '/log.npz', allow_pickle=False)
assert sorted(npz.files) == sorted(['time_s', 'größe_m', 'left/x_m']), npz.files
assert zipfile.ZipFile(sys.argv[1] + '/log.npz').testzip() is None
assert npz['time_s'].dtype == np.float64 and npz['time_s'].tolist() == [0.1, 0.2]
assert np.isnan(npz['größe_m'][0]) and npz['größe_m'][1] == 1 / 3
assert npz['left/x_m'].tolist() == [-1e300, 5e-324]
csv = np.genfromtxt(sys.argv[1] + '/log.csv', delimiter=',', skip_header=1)
assert csv.shape == (2, 3) and np.isnan(csv[0, 1]) and abs(csv[1, 1] - 1 / 3) < 1e-9
)";
  std::ofstream(folder_ / "check.py") << script;
  const std::string python = APLOMB_PYTHON;
  ASSERT_TRUE(fs::exists(python)) << "no Python at " << python << "; run the set-up";
  EXPECT_EQ(std::system((python + " " + (folder_ / "check.py").string() + " " + folder_.string()).c_str()), 0);
}

TEST_F(LogFiles, AnEmptyLogIsWrittenToo) {
  const Log log({"time_s", "x_m"});
  write_csv(log, folder_ / "log.csv");
  write_npz(log, folder_ / "log.npz");
  EXPECT_EQ(bytes_of(folder_ / "log.csv"), "time_s,x_m\n");
  EXPECT_EQ(fs::file_size(folder_ / "log.npz"), npz_size(log.columns(), 0));
}

TEST(LogNpz, RefusesMoreThanFourGigabytes) {
  const std::vector<std::string> columns(100, "x_m");
  EXPECT_NO_THROW(npz_size(columns, 5'000'000));
  EXPECT_THROW(npz_size(columns, 6'000'000), InvalidValue);
  EXPECT_THROW(npz_size(columns, std::numeric_limits<std::size_t>::max() / 2), InvalidValue);
  EXPECT_THROW(npz_size(std::vector<std::string>(70'000, "x"), 1), InvalidValue);
  EXPECT_THROW(npz_size({std::string(70'000, 'x')}, 1), InvalidValue);
}

TEST_F(LogFiles, AFullDiskIsAnErrorThatNamesTheFile) {
  const Log log = random_log(2000, 20);
  for (const auto write : {write_csv, write_npz}) {
    const std::string full = error_of([&] { write(log, "/dev/full"); });
    EXPECT_NE(full.find("/dev/full"), std::string::npos) << full;
    EXPECT_NE(full.find("No space left"), std::string::npos) << full;
    EXPECT_TRUE(fs::exists("/dev/full"));
    const fs::path nowhere = folder_ / "missing" / "log";
    const std::string missing = error_of([&] { write(log, nowhere); });
    EXPECT_NE(missing.find(nowhere.string()), std::string::npos) << missing;
  }
}

}  // namespace
}  // namespace aplomb

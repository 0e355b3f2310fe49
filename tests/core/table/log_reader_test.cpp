#include "aplomb/core/table/log_reader.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "support/temporary_folder.hpp"

namespace aplomb {
namespace {

Log some_log() {
  Log log({"time_s", "com_x_m", "cop_x_m"});
  for (int row = 0; row < 100; ++row) {
    log.append(
        std::array{0.001 * row, std::sin(row), row % 3 == 0 ? std::numeric_limits<double>::quiet_NaN() : 1e-3 * row});
  }
  return log;
}

void expect_same(const Log& read, const Log& written, double tolerance) {
  ASSERT_EQ(read.columns(), written.columns());
  ASSERT_EQ(read.num_rows(), written.num_rows());
  for (std::size_t row = 0; row < read.num_rows(); ++row) {
    for (std::size_t column = 0; column < read.columns().size(); ++column) {
      const double a = read.at(row, column), b = written.at(row, column);
      EXPECT_TRUE(std::isnan(b) ? std::isnan(a) : std::abs(a - b) <= tolerance) << row << " " << column;
    }
  }
}

TEST(LogReader, ReadsBackWhatWasWritten) {
  const test::TemporaryFolder folder;
  const Log log = some_log();
  write_npz(log, folder.path() / "log.npz");
  write_csv(log, folder.path() / "log.csv");
  expect_same(read_log(folder.path() / "log.npz"), log, 0.0);
  expect_same(read_log(folder.path() / "log.csv"), log, 1e-9);
}

TEST(LogReader, RefusesAFileThatIsCutOffAnywhere) {
  const test::TemporaryFolder folder;
  for (const char* name : {"log.npz", "log.csv"}) {
    const auto file = folder.path() / name;
    const Log log = some_log();
    std::string(name) == "log.npz" ? write_npz(log, file) : write_csv(log, file);
    const std::string whole = read_file(file, 1 << 20);
    // What follows the last member of a zip file is its directory, which a log is read without.
    const std::size_t end = whole.find("PK\x01\x02") == whole.npos ? whole.size() : whole.find("PK\x01\x02") + 3;
    for (std::size_t size = 1; size < end; size += 13) {
      write_file(file, whole.substr(0, size));
      const bool is_whole_lines = std::string(name) == "log.csv" && whole[size - 1] == '\n';
      if (!is_whole_lines) {
        EXPECT_THROW(read_log(file), FileError) << name << " of " << size << " bytes";
      }
    }
  }
}

TEST(LogReader, SurvivesEveryChangedByteOfTheFirstMember) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "log.npz";
  write_npz(some_log(), file);
  const std::string whole = read_file(file, 1 << 20);
  for (std::size_t at = 0; at < 180; ++at) {
    for (const char byte : {'\0', '\x7f', '\xff'}) {
      std::string changed = whole;
      changed[at] = byte;
      write_file(file, changed);
      try {
        read_log(file);
      } catch (const Error&) {  // refused, or read as another name or number: both are well
      }
    }
  }
}

TEST(LogReader, NamesTheLineWithoutANumber) {
  const test::TemporaryFolder folder;
  write_file(folder.path() / "log.csv", "a,b\n1,2\n3,x\n");
  try {
    read_log(folder.path() / "log.csv");
    FAIL() << "was read";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("log.csv:3"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace aplomb

#include "aplomb/core/table/table_file.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/table/npz.hpp"
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

Log read_own(const std::filesystem::path& file) { return read_table(file, {.is_own = true}).table; }

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

TEST(NpzArrays, AnArrayInFortransOrderHasTheSameElements) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "array.npz";
  // As NumPy stores the (2, 3) array ((1, 2, 3), (4, 5, 6)) whose first index runs fastest.
  write_npz_arrays({{.name = "a", .shape = {2, 3}, .values = {1.0, 4.0, 2.0, 5.0, 3.0, 6.0}}}, file);
  std::string bytes = read_file(file, 100'000);
  const std::string_view rows = "'fortran_order': False", columns = "'fortran_order': True ";
  bytes.replace(bytes.find(rows), rows.size(), columns);
  const std::size_t begin = bytes.find("\x93NUMPY"), end = bytes.find("PK\x01\x02");
  const std::uint32_t crc = crc32(std::string_view(bytes).substr(begin, end - begin));
  bytes.replace(end + 16, 4, reinterpret_cast<const char*>(&crc), 4);
  const std::vector<NpzArray> arrays = parse_npz_arrays(bytes, file);
  ASSERT_EQ(arrays.size(), 1u);
  EXPECT_EQ(arrays[0].shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(arrays[0].values, (std::vector<double>{1.0, 2.0, 3.0, 4.0, 5.0, 6.0}));
}

TEST(TableFile, ReadsBackWhatWasWritten) {
  const test::TemporaryFolder folder;
  const Log log = some_log();
  write_npz(log, folder.path() / "log.npz");
  write_csv(log, folder.path() / "log.csv");
  expect_same(read_own(folder.path() / "log.npz"), log, 0.0);
  expect_same(read_own(folder.path() / "log.csv"), log, 1e-9);
}

TEST(TableFile, RefusesAFileThatIsCutOffAnywhere) {
  const test::TemporaryFolder folder;
  for (const char* name : {"log.npz", "log.csv"}) {
    const auto file = folder.path() / name;
    const Log log = some_log();
    std::string(name) == "log.npz" ? write_npz(log, file) : write_csv(log, file);
    const std::string whole = read_file(file, 1 << 20);
    for (std::size_t size = 1; size < whole.size(); size += size + 30 < whole.size() ? 13 : 1) {
      write_file(file, whole.substr(0, size));
      const bool is_whole_lines = std::string(name) == "log.csv" && whole[size - 1] == '\n';
      if (!is_whole_lines) {
        EXPECT_THROW(read_own(file), FileError) << name << " of " << size << " bytes";
      }
    }
  }
}

TEST(TableFile, SurvivesEveryChangedByteOfTheFirstMember) {
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
        read_own(file);
      } catch (const Error&) {  // refused, or read as another name or number: both are well
      }
    }
  }
}

TEST(TableFile, NamesTheLineWithoutANumber) {
  const test::TemporaryFolder folder;
  write_file(folder.path() / "log.csv", "a,b\n1,2\n3,x\n");
  try {
    read_own(folder.path() / "log.csv");
    FAIL() << "was read";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("log.csv:3"), std::string::npos) << error.what();
  }
}

TEST(TableFile, RefusesAnEmptyFieldOnlyInAFileOfItsOwn) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "table.csv";
  write_file(file,
             "\xEF\xBB\xBF"
             "a,\"b, \"\"c\"\"\"\r\n1,\r\n\r\n+3, 4");
  const TableFile read = read_table(file);
  EXPECT_EQ(read.table.columns(), (std::vector<std::string>{"a", "b, \"c\""}));
  EXPECT_TRUE(std::isnan(read.table.at(0, 1)));
  EXPECT_EQ(read.table.at(1, 0), 3.0);
  EXPECT_EQ(read.lines, (std::vector<int>{2, 4}));
  EXPECT_THROW(read_own(file), FileError);
  write_file(file, "a,b\n1,\n");
  EXPECT_THROW(read_own(file), FileError);
  write_file(file, "a\n1\n\n2\n");
  EXPECT_THROW(read_own(file), FileError);
}

TEST(TableFile, RefusesAnNpzWithAChangedNumber) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "log.npz";
  write_npz(some_log(), file);
  std::string bytes = read_file(file, 1 << 20);
  bytes[bytes.find("PK\x03\x04", 4) - 1] ^= 1;  // the last byte of the first column
  write_file(file, bytes);
  EXPECT_THROW(read_table(file), FileError);
}

TEST(TableFile, RefusesAnNpzWhoseMembersShareTheirBytes) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "log.npz";
  Log log({"a"});
  for (int row = 0; row < 1000; ++row) log.append(std::array{1.0 * row});
  write_npz(log, file);
  // A directory of 100 entries for the one member: 100 times the file's size in memory.
  std::string bytes = read_file(file, 1 << 20);
  const std::size_t directory = bytes.find("PK\x01\x02"), end = bytes.find("PK\x05\x06");
  const std::string entry = bytes.substr(directory, end - directory);
  std::string tail = bytes.substr(end);
  tail[10] = 100;
  bytes.resize(directory);
  for (int i = 0; i < 100; ++i) bytes += entry;
  write_file(file, bytes + tail);
  try {
    read_table(file);
    FAIL() << "was read";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("overlap"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace aplomb

#include "aplomb/report/result_files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_folder.hpp"
#include "aplomb/report/result_json.hpp"
#include "report/sample_result.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

class ResultFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "aplomb-result-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_)) found.push_back(entry.path().filename());
    std::ranges::sort(found);
    return found;
  }
  std::string bytes_of(const std::string& name) const {
    std::ifstream input(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(input), {}};
  }
  void write(const test::Sample& sample, const std::set<LogFormat>& formats) const {
    write_result_files(sample.result, sample.log, sample.page, formats, folder_);
  }

  fs::path folder_;
};

using Names = std::vector<std::string>;

TEST_F(ResultFiles, AreTheFilesOfTheContract) {
  write(test::sample_run(), {LogFormat::csv, LogFormat::npz});
  EXPECT_EQ(names(), (Names{"log.csv", "log.npz", "metrics.json", "report.html", "timing.json"}));
  EXPECT_EQ(bytes_of("metrics.json"), to_json(test::sample_run().result) + "\n");
}

TEST_F(ResultFiles, HaveOnlyTheRequestedLogsThatExist) {
  write(test::sample_run(), {});
  EXPECT_EQ(names(), (Names{"metrics.json", "report.html", "timing.json"}));
  write(test::sample_without_log(), {LogFormat::csv});
  EXPECT_EQ(names(), (Names{"metrics.json", "report.html", "timing.json"}));
}

TEST_F(ResultFiles, AreTheSameBytesForTheSameRun) {
  write(test::sample_run(), {LogFormat::csv, LogFormat::npz});
  std::vector<std::string> first;
  for (const std::string& name : names()) first.push_back(bytes_of(name));
  write(test::sample_run(), {LogFormat::csv, LogFormat::npz});
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(bytes_of(names()[i]), first[i]) << names()[i];
}

TEST_F(ResultFiles, AreRecognisedByTheNextRun) {
  const test::Sample sample = test::sample_run();
  for (int run = 0; run < 2; ++run) {
    OutputFolder out(folder_ / "out");
    write_result_files(sample.result, sample.log, sample.page, {}, out.path());
    out.commit();
  }
  EXPECT_EQ(names(), Names{"out"});
}

TEST_F(ResultFiles, AMissingFolderIsAnErrorThatNamesTheFile) {
  try {
    const test::Sample sample = test::sample_run();
    write_result_files(sample.result, sample.log, sample.page, {}, folder_ / "missing");
    FAIL() << "no error";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("missing/metrics.json"), std::string::npos) << error.what();
  }
}

TEST(LogFormats, AreReadFromTheOptionsText) {
  EXPECT_EQ(parse_log_formats("csv,npz"), (std::set{LogFormat::csv, LogFormat::npz}));
  EXPECT_EQ(parse_log_formats("npz"), std::set{LogFormat::npz});
  EXPECT_TRUE(parse_log_formats("").empty());
  EXPECT_THROW(parse_log_formats("csv,xml"), UnknownName);
  EXPECT_THROW(parse_log_formats("csv,,npz"), UnknownName);
}

}  // namespace
}  // namespace aplomb

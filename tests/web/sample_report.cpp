// Writes the reports that the browser tests open: sample_report FOLDER [--long]

#include <cstdio>
#include <filesystem>
#include <set>
#include <string_view>
#include <vector>

#include "aplomb/report/result_files.hpp"
#include "report/sample_result.hpp"
#include "report/sample_scene.hpp"

namespace {

void write(const std::filesystem::path& folder, const aplomb::test::Sample& sample,
           const std::set<aplomb::LogFormat>& formats, const std::vector<aplomb::ReportChapter>& chapters = {}) {
  std::filesystem::create_directories(folder);
  aplomb::write_result_files(sample.result, sample.log, sample.page, formats, folder, chapters);
}

void write_samples(const std::filesystem::path& folder) {
  const std::set formats = {aplomb::LogFormat::csv, aplomb::LogFormat::mcap};
  write(folder / "passed", aplomb::test::sample_run(), formats);
  write(folder / "failed", aplomb::test::failed_sample_run(), formats);
  write(folder / "curves", aplomb::test::sample_of_curves(), formats);
  write(folder / "many_runs", aplomb::test::sample_of_many_runs(), formats);
  write(folder / "moving", aplomb::test::sample_of_motion(2.0), formats);
  write(folder / "slower", aplomb::test::sample_of_motion(3.0, 0, /*period_s=*/3.0), formats);
  write(folder / "damaged", aplomb::test::sample_without_log(), formats);
  std::filesystem::resize_file(folder / "damaged" / "report.html", 1000);
  write(folder / "without_log", aplomb::test::sample_without_log(), formats);
  const aplomb::test::Sample run = aplomb::test::sample_run(), many = aplomb::test::sample_of_many_runs();
  write(folder / "story", aplomb::test::sample_without_log(), formats,
        {{.title = "First", .text = "<img src=x>", .parts = {{run.log, run.page}, {many.log, many.page}}},
         {.title = "Second", .text = "It ends well.", .parts = {{run.log, run.page}}}});
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_long = argc == 3 && std::string_view(argv[2]) == "--long";
  if (argc != 2 && !is_long) {
    std::fputs("usage: sample_report FOLDER [--long]\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  if (is_long) {
    // Ten minutes: as many rows and columns as a run of a robot with 34 joints keeps of them.
    const aplomb::test::Sample sample =
        aplomb::test::sample_of_motion(600.0, 170, /*period_s=*/2.0, /*rows_per_s=*/100);
    write(folder / "long", sample, {aplomb::LogFormat::npz});
  } else {
    write_samples(folder);
  }
  return 0;
}

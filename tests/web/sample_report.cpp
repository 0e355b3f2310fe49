// Writes the reports that the browser test opens: sample_report FOLDER

#include <cstdio>
#include <filesystem>
#include <vector>

#include "aplomb/report/result_files.hpp"
#include "report/sample_result.hpp"
#include "report/sample_scene.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: sample_report FOLDER\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  const auto write = [&](const char* name, const aplomb::test::Sample& sample,
                         const std::vector<aplomb::ReportChapter>& chapters = {}) {
    std::filesystem::create_directories(folder / name);
    aplomb::write_result_files(sample.result, sample.log, sample.page, {aplomb::LogFormat::csv}, folder / name,
                               chapters);
  };
  write("passed", aplomb::test::sample_run());
  write("failed", aplomb::test::failed_sample_run());
  write("many_runs", aplomb::test::sample_of_many_runs());
  write("moving", aplomb::test::sample_of_motion(2.0));
  write("slower", aplomb::test::sample_of_motion(3.0, 0, /*period_s=*/3.0));
  write("damaged", aplomb::test::sample_without_log());
  std::filesystem::resize_file(folder / "damaged" / "report.html", 1000);
  write("without_log", aplomb::test::sample_without_log());
  const aplomb::test::Sample run = aplomb::test::sample_run(), many = aplomb::test::sample_of_many_runs();
  write("story", aplomb::test::sample_without_log(),
        {{.title = "First", .text = "<img src=x>", .parts = {{run.log, run.page}, {many.log, many.page}}},
         {.title = "Second", .text = "It ends well.", .parts = {{run.log, run.page}}}});
  return 0;
}

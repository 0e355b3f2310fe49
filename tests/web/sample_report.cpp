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

/// A story with replays: at the top with a sentence for each phase, and in its chapter; a mesh in a colour of its own.
void write_tale(const std::filesystem::path& folder) {
  aplomb::test::Sample top = aplomb::test::sample_of_motion(2.0);
  aplomb::SceneShape mesh{.kind = aplomb::SceneShape::Kind::mesh,
                          .points = {{0.1, 0, 0.5}, {0.3, 0, 0.5}, {0.1, 0.2, 0.5}, {0.1, 0, 0.7}}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  mesh.colour = {0.9, 0.1, 0.9};
  top.page.scene->nodes[0].shapes.push_back(mesh);
  aplomb::test::Sample part = top;
  top.page.scene->phases = {{0.0, "It stands."}, {0.5, "It is pushed."}, {0.7, "It squats."}};
  top.page.tables = {{.title = "The steps",
                      .about = "",
                      .header = {"step", "quantity", "simulation", "paper (hardware)", "verdict"},
                      .rows = {{"1 demonstrate", "a quantity with rather a long name [mm]", "70.0 / 70.0, 41 markers",
                                "not reported", "pass"},
                               {"", "another quantity [mm]", "2.5 / 3.5", "left to future work", "FAIL"},
                               {"2 stand up", "a third", "3.5", "solver tolerance", "-"}}}};
  part.page.tables.clear();
  write(folder, top, {}, {{.title = "Only", .text = "It squats again.", .parts = {{part.log, part.page}}}});
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
  write_tale(folder / "tale");
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

#include "aplomb/motion/grade/grade.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/output_folder.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/core/parallel.hpp"
#include "aplomb/core/version.hpp"
#include "aplomb/motion/formats/motion_file.hpp"
#include "aplomb/present/grade_page.hpp"
#include "aplomb/report/result_files.hpp"
#include "aplomb/report/result_json.hpp"
#include "shared/motion_request.hpp"
#include "shared/table.hpp"
#include "shared/write_into.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

struct GradeRequest {
  std::vector<std::string> motions;
  std::string robot;
  std::optional<std::string> out, at_least;
  std::shared_ptr<MotionReading> reading;
  std::size_t jobs = 1;
  bool json = false;
};

/// One motion: its grade, or the reason why it was not read.
struct Graded {
  GradedMotion motion;
  Result result;
  std::vector<std::string> reading;
};

Result result_of(const GradeRequest& request, const MotionGrade& grade, const std::string& robot_sha256) {
  Result result;
  result.verb = "grade";
  result.metrics = grade.metrics;
  result.provenance = {.version = version(), .commit = commit(), .robot_sha256 = robot_sha256, .seed = 0};
  if (request.at_least) {
    const Check check{.metric = "grade_points",
                      .rule = Check::Rule::above,
                      .bound = static_cast<double>(grade_points(request.at_least->front())) - 0.5,
                      .reason = fmt::format("--at-least {}", *request.at_least)};
    result.checks.push_back(judge(check, result.metrics));
  }
  return result;
}

std::vector<std::string> reading_lines(const MotionFile& file) {
  std::vector<std::string> lines;
  for (const std::string& line : file.proved) lines.push_back("reading: " + line);
  for (const std::string& line : file.assumed) lines.push_back("assumed: " + line);
  for (const std::string& line : file.findings) lines.push_back("finding: " + line);
  return lines;
}

/// Names of the motions' folders: the files' stems, which must differ.
std::vector<std::string> names_of(const std::vector<std::string>& motions) {
  std::set<std::string> seen;
  std::vector<std::string> names;
  for (const std::string& motion : motions) {
    names.push_back(fs::path(motion).stem().string());
    if (seen.insert(names.back()).second) continue;
    names.back() = fs::path(motion).filename().string();
    if (!seen.insert(names.back()).second) {
      throw InvalidValue(fmt::format("two motions are called '{}'; grade them one after the other", names.back()));
    }
  }
  return names;
}

std::string csv_of(const std::vector<Graded>& all) {
  std::vector<std::string> columns;
  for (const Graded& one : all) {
    if (!one.motion.refused.empty()) continue;
    for (const auto& [name, value] : one.motion.grade.metrics.entries()) columns.push_back(name);
    break;
  }
  std::string text = "motion";
  for (const std::string& column : columns) text += "," + column;
  text += "\n";
  for (const Graded& one : all) {
    text += one.motion.name;
    for (const std::string& column : columns) {
      const MetricValue* value = one.motion.refused.empty() ? one.motion.grade.metrics.find(column) : nullptr;
      const bool is_null = value == nullptr || std::holds_alternative<std::monostate>(*value);
      text += "," + (is_null ? std::string() : to_text(*value));
    }
    text += "\n";
  }
  return text;
}

void write_one(const Graded& graded, const RobotModel& robot, const fs::path& folder) {
  write_result_files(graded.result, graded.motion.grade.log,
                     grade_page(graded.motion.grade, robot, graded.motion.name, graded.reading),
                     {LogFormat::csv, LogFormat::npz}, folder);
}

void write_all(const std::vector<Graded>& all, const Result& summary, const RobotModel& robot, const fs::path& folder) {
  std::vector<GradedMotion> motions;
  for (const Graded& one : all) {
    motions.push_back(one.motion);
    if (!one.motion.refused.empty()) continue;
    fs::create_directory(folder / one.motion.name);
    write_one(one, robot, folder / one.motion.name);
  }
  write_file(folder / "grades.csv", csv_of(all));
  ReportPage page;
  page.title = fmt::format("{} motions on {}", all.size(), robot.name());
  page.about = "Each motion has a report of its own in a folder of its name.";
  for (const Graded& one : all) {
    if (!one.motion.refused.empty()) page.notes.push_back(one.motion.refused);
  }
  page.tables = {grades_table(motions)};
  write_result_files(summary, Log(), page, {}, folder);
}

Graded grade_file(const GradeRequest& request, const RobotModel& robot, const std::string& sha256, std::size_t index,
                  const std::string& name) {
  Graded graded;
  graded.motion.name = name;
  const bool is_alone = request.motions.size() == 1;
  try {
    const MotionFile file = read_motion(request.motions[index], robot, *request.reading);
    graded.motion.grade = grade_motion(robot, file.motion);
    graded.reading = reading_lines(file);
    graded.result = result_of(request, graded.motion.grade, sha256);
  } catch (const Error& error) {
    if (is_alone) throw;
    graded.motion.refused = error.what();
  }
  return graded;
}

/// Of many motions: how many have each grade. A motion that was not read is below every grade.
Result summary_of(const GradeRequest& request, const std::vector<Graded>& all, const std::string& sha256) {
  Result summary;
  summary.verb = "grade";
  summary.provenance = {.version = version(), .commit = commit(), .robot_sha256 = sha256, .seed = 0};
  std::int64_t num_refused = 0, worst = 4;
  for (const Graded& one : all) {
    num_refused += !one.motion.refused.empty();
    if (one.motion.refused.empty()) worst = std::min<std::int64_t>(worst, grade_points(one.motion.grade.grade));
  }
  summary.metrics.set("motions", static_cast<std::int64_t>(all.size()));
  summary.metrics.set("motions_not_read", num_refused);
  summary.metrics.set("grade_points",
                      num_refused == static_cast<std::int64_t>(all.size()) ? MetricValue() : MetricValue(worst));
  if (request.at_least) {
    const double bound = static_cast<double>(grade_points(request.at_least->front())) - 0.5;
    summary.checks.push_back(
        judge({.metric = "grade_points", .rule = Check::Rule::above, .bound = bound}, summary.metrics));
    summary.checks.push_back(
        judge({.metric = "motions_not_read", .rule = Check::Rule::below, .bound = 0.5}, summary.metrics));
  }
  return summary;
}

int grade_command(const GradeRequest& request) {
  std::optional<OutputFolder> folder;  // first, so that an unwritable folder is reported before the work
  if (request.out) folder.emplace(*request.out);
  const RobotModel robot = RobotModel::load(request.robot);
  const std::string sha256 = sha256_of_file(robot.urdf().file);
  const std::vector<std::string> names = names_of(request.motions);
  std::vector<Graded> all(names.size());
  for_each_parallel(all.size(), request.jobs,
                    [&](std::size_t i) { all[i] = grade_file(request, robot, sha256, i, names[i]); });
  const bool is_alone = all.size() == 1;
  const bool none_is_read = std::ranges::all_of(all, [](const Graded& one) { return !one.motion.refused.empty(); });
  if (none_is_read) throw Error(all.front().motion.refused);
  const Result summary = is_alone ? all.front().result : summary_of(request, all, sha256);
  if (folder) {
    write_into(*folder, *request.out, [&](const fs::path& path) {
      is_alone ? write_one(all.front(), robot, path) : write_all(all, summary, robot, path);
    });
    folder->commit();
  }
  std::vector<GradedMotion> motions;
  for (const Graded& one : all) motions.push_back(one.motion);
  if (request.json) {
    print(to_json(summary) + "\n");
  } else if (is_alone) {
    const ReportPage page = grade_page(all.front().motion.grade, robot, names.front(), all.front().reading);
    for (const std::string& line : page.notes) print(line + "\n");
    for (const PageTable& table : page.tables)
      print(fmt::format("\n{}\n{}", table.title, aligned_table(table.header, table.rows)));
  } else {
    const PageTable table = grades_table(motions);
    print(aligned_table(table.header, table.rows));
  }
  for (const Graded& one : all) {
    if (!one.motion.refused.empty()) tell(fmt::format("not read: {}\n", one.motion.refused));
  }
  const bool is_short = std::ranges::any_of(all, [](const Graded& one) { return !one.motion.refused.empty(); });
  return summary.any_check_fails() || is_short ? kCheckFailed : kSuccess;
}

}  // namespace

Action add_grade(CLI::App& program) {
  auto request = std::make_shared<GradeRequest>();
  CLI::App* verb = add_verb(program, "grade", "is this motion feasible for the robot?",
                            "  aplomb grade dance.csv --robot g1 --out out/dance\n"
                            "  aplomb grade motions/*.csv --robot g1 --jobs 4 --at-least C --out out/grades\n\n"
                            "Exit 1 when a motion is below --at-least, or when one of several could not be read.\n"
                            "docs/motions.md has the rules of the grade and the formats.\n");
  verb->add_option("MOTION", request->motions, "motions, CSV or NPZ")->required();
  verb->add_option("--robot", request->robot, "robot: a name of `aplomb list`, a URDF, an MJCF or a YAML")->required();
  verb->add_option("--out", request->out, "folder for grades, logs and reports")->type_name("DIR");
  verb->add_option("--at-least", request->at_least, "fail below this grade")
      ->check(CLI::IsMember({"A", "B", "C", "D", "E"}))
      ->type_name("GRADE");
  request->reading = add_motion_reading(*verb);
  verb->add_option("--jobs", request->jobs, "motions graded at the same time")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  verb->add_flag("--json", request->json, "print metrics.json instead of a table");
  return [request] { return grade_command(*request); };
}

}  // namespace aplomb

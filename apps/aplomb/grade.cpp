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
#include "aplomb/retarget/repair/repair.hpp"
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
  bool repair = false;
  bool json = false;
};

/// A mended motion with its own grade.
struct Mended {
  RepairedMotion motion;
  MotionFormat format = MotionFormat::csv;
  std::string file;  ///< name of the file that is written
  MotionGrade grade;
  Result result;
};

/// One motion: its grade, or the reason why it was not read.
struct Graded {
  GradedMotion motion;
  Result result;
  std::vector<std::string> reading;
  std::optional<Mended> mended;
};

/// What the grade is judged by: that of the mended motion where there is one.
std::string judged_key(const GradeRequest& request) {
  return request.repair ? "repaired_grade_points" : "grade_points";
}

Result result_of(const GradeRequest& request, const Metrics& metrics, const std::string& key,
                 const std::string& robot_sha256) {
  Result result;
  result.verb = "grade";
  result.metrics = metrics;
  result.provenance = {.version = version(), .commit = commit(), .robot_sha256 = robot_sha256, .seed = 0};
  if (request.at_least) {
    const Check check{.metric = key,
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

/// One line for each motion, as given or as mended.
std::string csv_of(const std::vector<Graded>& all, bool mended) {
  const auto metrics_of = [mended](const Graded& one) -> const Metrics& {
    return mended ? one.mended->result.metrics : one.result.metrics;
  };
  std::vector<std::string> columns;
  for (const Graded& one : all) {
    if (!one.motion.refused.empty()) continue;
    for (const auto& [name, value] : metrics_of(one).entries()) columns.push_back(name);
    break;
  }
  std::string text = "motion";
  for (const std::string& column : columns) text += "," + column;
  text += "\n";
  for (const Graded& one : all) {
    text += one.motion.name;
    for (const std::string& column : columns) {
      const MetricValue* value = one.motion.refused.empty() ? metrics_of(one).find(column) : nullptr;
      const bool is_null = value == nullptr || std::holds_alternative<std::monostate>(*value);
      text += "," + (is_null ? std::string() : to_text(*value));
    }
    text += "\n";
  }
  return text;
}

std::vector<std::string> repair_lines(const Mended& mended) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("repair: bodies are moved by {:.1f} cm in the mean, {:.1f} cm at most",
                              100.0 * mended.motion.body_change_mean_m, 100.0 * mended.motion.body_change_max_m));
  for (const std::string& line : mended.motion.changes) lines.push_back("repair: " + line);
  for (const std::string& line : mended.motion.unmended) lines.push_back("not mended: " + line);
  for (const std::string& line : still_broken(mended.grade)) lines.push_back("not mended: " + line);
  return lines;
}

ReportPage page_of(const Graded& graded, const RobotModel& robot) {
  ReportPage page = grade_page(graded.motion.grade, robot, graded.motion.name, graded.reading);
  if (!graded.mended) return page;
  page.about += " The repaired motion has a report of its own in the folder 'repaired'.";
  page.tables.insert(page.tables.begin(), repair_table(graded.motion.grade, graded.mended->grade));
  const std::vector<std::string> lines = repair_lines(*graded.mended);
  page.notes.insert(page.notes.end(), lines.begin(), lines.end());
  return page;
}

void write_one(const Graded& graded, const RobotModel& robot, const fs::path& folder) {
  write_result_files(graded.result, graded.motion.grade.log, page_of(graded, robot), {LogFormat::csv, LogFormat::npz},
                     folder);
  if (!graded.mended) return;
  const Mended& mended = *graded.mended;
  write_motion(mended.motion.motion, robot, mended.format, folder / mended.file);
  fs::create_directory(folder / "repaired");
  write_result_files(mended.result, mended.grade.log,
                     grade_page(mended.grade, robot, graded.motion.name + ", repaired", repair_lines(mended)),
                     {LogFormat::csv, LogFormat::npz}, folder / "repaired");
}

PageTable mended_table(const std::vector<Graded>& all) {
  std::vector<GradedMotion> after;
  for (const Graded& one : all) {
    after.push_back({.name = one.motion.name, .refused = one.motion.refused});
    if (one.mended) after.back().grade = one.mended->grade;
  }
  PageTable table = grades_table(after);
  table.title = "The same motions, repaired";
  return table;
}

void write_all(const std::vector<Graded>& all, const Result& summary, const RobotModel& robot, const fs::path& folder) {
  std::vector<GradedMotion> motions;
  for (const Graded& one : all) {
    motions.push_back(one.motion);
    if (!one.motion.refused.empty()) continue;
    fs::create_directory(folder / one.motion.name);
    write_one(one, robot, folder / one.motion.name);
  }
  write_file(folder / "grades.csv", csv_of(all, false));
  const bool are_mended = std::ranges::any_of(all, [](const Graded& one) { return one.mended.has_value(); });
  if (are_mended) write_file(folder / "repaired.csv", csv_of(all, true));
  ReportPage page;
  page.title = fmt::format("{} motions on {}", all.size(), robot.name());
  page.about = "Each motion has a report of its own in a folder of its name.";
  for (const Graded& one : all) {
    if (!one.motion.refused.empty()) page.notes.push_back(one.motion.refused);
  }
  page.tables = {grades_table(motions)};
  if (are_mended) page.tables.push_back(mended_table(all));
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
    Metrics metrics = graded.motion.grade.metrics;
    if (request.repair) {
      Mended mended{.motion = repair_motion(robot, file.motion), .format = file.format};
      const fs::path given = request.motions[index];
      mended.file = given.stem().string() + "_repaired" + given.extension().string();
      mended.grade = grade_motion(robot, mended.motion.motion);
      mended.result = result_of(request, mended.grade.metrics, "grade_points", sha256);
      metrics.set("repaired_grade", std::string(1, mended.grade.grade));
      metrics.set("repaired_grade_points", static_cast<std::int64_t>(grade_points(mended.grade.grade)));
      for (const auto& [key, value] : mended.grade.metrics.entries()) {
        if (key.ends_with("_ratio") && key != "flight_ratio" && !key.ends_with("_max_ratio"))
          metrics.set("repaired_" + key, value);
      }
      metrics.set("body_change_mean_m", mended.motion.body_change_mean_m);
      metrics.set("body_change_max_m", mended.motion.body_change_max_m);
      metrics.set("unmended",
                  static_cast<std::int64_t>(mended.motion.unmended.size() + still_broken(mended.grade).size()));
      graded.mended = std::move(mended);
    }
    graded.result = result_of(request, metrics, judged_key(request), sha256);
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
  std::int64_t num_refused = 0, worst = 4, worst_mended = 4;
  for (const Graded& one : all) {
    num_refused += !one.motion.refused.empty();
    if (one.motion.refused.empty()) worst = std::min<std::int64_t>(worst, grade_points(one.motion.grade.grade));
    if (one.mended) worst_mended = std::min<std::int64_t>(worst_mended, grade_points(one.mended->grade.grade));
  }
  summary.metrics.set("motions", static_cast<std::int64_t>(all.size()));
  summary.metrics.set("motions_not_read", num_refused);
  const bool is_null = num_refused == static_cast<std::int64_t>(all.size());
  summary.metrics.set("grade_points", is_null ? MetricValue() : MetricValue(worst));
  if (request.repair) summary.metrics.set("repaired_grade_points", is_null ? MetricValue() : MetricValue(worst_mended));
  if (request.at_least) {
    const double bound = static_cast<double>(grade_points(request.at_least->front())) - 0.5;
    summary.checks.push_back(
        judge({.metric = judged_key(request), .rule = Check::Rule::above, .bound = bound}, summary.metrics));
    summary.checks.push_back(
        judge({.metric = "motions_not_read", .rule = Check::Rule::below, .bound = 0.5}, summary.metrics));
  }
  return summary;
}

int grade_command(const GradeRequest& request) {
  if (request.repair && !request.out) throw InvalidValue("--repair writes the mended motion: give --out DIR");
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
    const ReportPage page = page_of(all.front(), robot);
    for (const std::string& line : page.notes) print(line + "\n");
    for (const PageTable& table : page.tables)
      print(fmt::format("\n{}\n{}", table.title, aligned_table(table.header, table.rows)));
  } else {
    const PageTable table = grades_table(motions);
    print(aligned_table(table.header, table.rows));
    if (request.repair) {
      const PageTable mended = mended_table(all);
      print(fmt::format("\n{}\n{}", mended.title, aligned_table(mended.header, mended.rows)));
    }
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
                            "  aplomb grade motions/*.csv --robot g1 --jobs 4 --at-least C --out out/grades\n"
                            "  aplomb grade dance.csv --robot g1 --repair --out out/mended\n\n"
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
  verb->add_flag("--repair", request->repair,
                 "also write the nearest motion with still feet on the floor and the ZMP between them, graded again");
  verb->add_flag("--json", request->json, "print metrics.json instead of a table");
  return [request] { return grade_command(*request); };
}

}  // namespace aplomb

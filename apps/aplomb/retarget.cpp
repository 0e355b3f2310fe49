#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/output_folder.hpp"
#include "aplomb/core/files/partial_results.hpp"
#include "aplomb/core/files/scratch_folder.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/core/files/text_parts.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/core/parallel.hpp"
#include "aplomb/core/progress.hpp"
#include "aplomb/core/table/csv.hpp"
#include "aplomb/core/version.hpp"
#include "aplomb/present/retarget_report.hpp"
#include "aplomb/present/scene/retarget_scene.hpp"
#include "aplomb/report/result_files.hpp"
#include "aplomb/report/result_json.hpp"
#include "aplomb/report/summary_table.hpp"
#include "aplomb/retarget/chair_search.hpp"
#include "aplomb/retarget/given_contacts.hpp"
#include "retarget/file_bundle.hpp"
#include "retarget/motion_input.hpp"
#include "shared/load_robot.hpp"
#include "shared/quantity.hpp"
#include "shared/resumption.hpp"
#include "shared/table.hpp"
#include "shared/write_into.hpp"
#include "shared/write_planned.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

struct RetargetRequest : SubjectRequest {
  std::vector<std::string> motions, forces;
  std::string robot = "sarcos_real";
  std::optional<std::string> robot_model, map, contacts, out;
  std::optional<std::string> chair_height;  ///< a number [m], or kAutomatic
  std::size_t rise = 1, jobs = num_cores();
  std::string mode = "priced";
  bool no_zmp = false, sit_down = false, whole = false, force = false, json = false;
  std::string options;  ///< as they were given; finished motions are kept for the same ones
};

constexpr const char* kAutomatic = "auto";

enum class Outcome { passed, failed, error };

const char* outcome_name(Outcome outcome) {
  return outcome == Outcome::passed ? "pass" : outcome == Outcome::failed ? "fail" : "error";
}

/// Accepts a height, or the word for the lowest one.
CLI::Validator chair_height() {
  const CLI::Validator height = quantity(0.01, 2.0, "m");
  return CLI::Validator(
      [height](std::string& text) {
        if (text == kAutomatic) return std::string();
        const std::string message = height(text);
        return message.empty() ? message : fmt::format("{}; or '{}'", message, kAutomatic);
      },
      "");
}

/// Outcome of one motion.
struct Item {
  Outcome outcome = Outcome::error;
  std::string failure;  ///< error message
  std::string files;    ///< result folder, packed by pack_folder()
  std::string json, shown;
  std::string figures;  ///< cells of its table row, separated by tabs

  bool holds() const { return outcome == Outcome::passed; }
  std::string text() const { return join_parts({outcome_name(outcome), failure, files, json, shown, figures}); }
  static Item from(std::string_view text) {
    const std::vector<std::string> parts = split_parts(text);
    if (parts.size() != 6) throw InvalidValue(kDamagedItem);
    for (const Outcome outcome : {Outcome::passed, Outcome::failed, Outcome::error}) {
      if (parts[0] == outcome_name(outcome)) return {outcome, parts[1], parts[2], parts[3], parts[4], parts[5]};
    }
    throw InvalidValue(kDamagedItem);
  }
};

const std::vector<std::string> kHeader{"motion",          "outcome",       "frames",
                                       "infeasible",      "markers [mm]",  "CoM shift [mm]",
                                       "ZMP margin [mm]", "speed [rad/s]", "reason"};

/// Cells of a motion's row; the last one is why it failed.
std::string figures_of(const Retargeted& made, const Result& result) {
  std::string reason = made.forbidden_by();
  for (const CheckOutcome& outcome : result.checks) {
    if (!outcome.ok && reason.empty()) reason = outcome.check.metric + ": " + outcome.check.reason;
  }
  return fmt::format("{}\t{}\t{:.1f}\t{:.1f}\t{:.1f}\t{:.2f}\t{}", made.frames.size(), made.infeasible_frames,
                     1e3 * made.marker_rms, 1e3 * made.com_target_shift_max, 1e3 * made.zmp_margin_min,
                     made.joint_speed_max, reason.empty() ? "-" : reason);
}

class RetargetWork {
 public:
  explicit RetargetWork(const RetargetRequest& request)
      : request_(request),
        folder_(request.out ? std::make_unique<OutputFolder>(*request.out) : nullptr),
        kept_(request.out ? std::make_unique<PartialResults>(*request.out, work()) : nullptr),
        robot_(load_robot(request.robot, request.robot_model)),
        motions_(find_motions(request.motions, request.forces)),
        items_(motions_.size()) {
    if (request.chair_height && *request.chair_height != kAutomatic)
      options_.chair_height = std::stod(*request.chair_height);
    if (request.contacts) contacts_ = read_contact_schedule(*request.contacts);
    if (request.map) options_.links = read_link_map(*request.map);
    options_.mode = request.no_zmp ? RetargetMode::frames : retarget_mode(request.mode);
    options_.rise = request.rise - 1;
    options_.clip = request.sit_down ? ClipKind::sit_down : request.whole ? ClipKind::whole : ClipKind::rise;
    sha256_ = sha256_of_file(robot_.urdf().file);
  }

  int run() {
    if (kept_) tell_resumption(*kept_, "motions");
    make_all();
    if (motions_.size() == 1 && !items_[0].failure.empty()) throw InvalidValue(items_[0].failure);
    if (folder_) {
      write_into(*folder_, *request_.out, [&](const auto& path) { write(path); });
      check_interrupt();
      kept_->require_unchanged_inputs();
      folder_->commit();
      kept_->remove();
    }
    show();
    return std::ranges::all_of(items_, &Item::holds) ? kSuccess : kCheckFailed;
  }

 private:
  PartialResults::Work work() const {
    return {{"options", sha256(request_.options)}, {"aplomb", fmt::format("{} ({})", version(), commit())}};
  }

  /// Name of a finished motion in the .partial folder; independent of the other motions.
  static std::string key_of(const MotionInput& motion) {
    const std::string files = join_parts({motion.name, motion.path.string(), motion.forces.value_or("").string()});
    return "motion_" + sha256(files).substr(0, 16);
  }

  void make_all() {
    Progress progress("retarget", static_cast<double>(motions_.size()));
    progress.update(0.0);
    std::mutex mutex;
    std::size_t done = 0;
    for_each_parallel(motions_.size(), request_.jobs, [&](std::size_t i) {
      make(i);
      const std::lock_guard lock(mutex);
      progress.update(static_cast<double>(++done));
    });
  }

  /// Retargets one motion. An error does not stop the others; it is not kept, since its cause may be repaired.
  void make(std::size_t i) {
    const InputFiles::Item inputs;
    const std::string key = key_of(motions_[i]);
    const std::optional<std::string> text = kept_ ? kept_->read(key) : std::nullopt;
    if (text) {
      items_[i] = Item::from(*text);
      return;
    }
    try {
      make_files(motions_[i], items_[i]);
    } catch (const UnfitChair& error) {
      items_[i] = {.outcome = Outcome::error, .failure = fmt::format("{}; give --chair-height", error.what())};
      return;
    } catch (const Error& error) {
      items_[i] = {.outcome = Outcome::error, .failure = error.what()};
      return;
    }
    if (kept_) kept_->write(key, items_[i].text());
  }

  void make_files(const MotionInput& motion, Item& item) const {
    const auto begin = std::chrono::steady_clock::now();
    HumanTrial trial = read_motion(motion, request_);
    if (contacts_) trial = with_contacts(std::move(trial), *contacts_);
    if (!request_.force) require_matching_subject(trial, motion.path.string());
    std::optional<ChairSearch> search;
    if (request_.chair_height == kAutomatic) search = find_lowest_chair(trial, robot_, options_);
    Retargeted made = search ? std::move(search->plan) : retarget_on_nearest_chair(trial);
    made.trajectory.robot_sha256 = sha256_;
    RetargetOutput output = describe(made, robot_, motion.name);
    if (options_.chair_height) judge_chair(*options_.chair_height, made, output);
    if (search) add_chair_search(*search, made, output);
    if (request_.out) output.page.scene = make_retarget_scene(trial, robot_, made);
    output.result.provenance.scenario_sha256 = motion.sha256;
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    output.result.timing.set("wall_s", wall);
    output.result.timing.set("frames_per_s", static_cast<double>(made.frames.size()) / wall);
    if (folder_) item.files = packed(output, made);
    item.outcome = output.result.all_checks_hold() ? Outcome::passed : Outcome::failed;
    item.json = to_json(output.result);
    item.shown = result_text(output.result, output.page.tables);
    for (const std::string& note : output.page.notes) item.shown += fmt::format("note: {}\n", note);
    item.figures = figures_of(made, output.result);
  }

  /// Plans on the given chair. Where the robot cannot sit on it: on the nearest one on which it can.
  Retargeted retarget_on_nearest_chair(const HumanTrial& trial) const {
    RetargetOptions options = options_;
    for (int attempt = 0; attempt < 3; ++attempt) {
      try {
        return retarget(trial, robot_, options);
      } catch (const UnfitChair& error) {
        if (!options_.chair_height) throw;
        options.chair_height = error.nearest_m();
      }
    }
    return retarget(trial, robot_, options);
  }

  /// A plan on another chair than the given one fails by that.
  static void judge_chair(double given, const Retargeted& made, RetargetOutput& output) {
    constexpr double kSameChair = 1e-3;  // [m]
    if (std::abs(made.seated.chair_height - given) < kSameChair) return;
    const bool is_too_low = made.seated.chair_height > given;
    const std::string reason =
        fmt::format("the given chair of {:.3f} m is too {} for this robot's legs", given, is_too_low ? "low" : "high");
    output.result.checks.push_back(judge({"chair_height_m", is_too_low ? Check::Rule::below : Check::Rule::above,
                                          given + (is_too_low ? kSameChair : -kSameChair), reason},
                                         output.result.metrics));
    output.page.notes.push_back(fmt::format("{}; planned on the nearest one on which it can sit, {:.3f} m high", reason,
                                            made.seated.chair_height));
  }

  /// The files of one motion's result, written in a private folder inside the unfinished result.
  std::string packed(const RetargetOutput& output, const Retargeted& made) const {
    const ScratchFolder folder(folder_->path() / "motion", *request_.out);
    try {
      write_planned(output, made, folder.path());
      return pack_folder(folder.path());
    } catch (const FileError& error) {  // a full disk is no fault of the motion: it ends the command
      std::string what = error.what();
      const std::string hidden = folder.path().string();
      if (what.starts_with(hidden)) what.replace(0, hidden.size(), *request_.out);
      throw std::runtime_error(what);
    }
  }

  void write(const fs::path& path) const {
    if (motions_.size() == 1) return unpack_folder(items_[0].files, path);
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (items_[i].failure.empty()) unpack_folder(items_[i].files, path / motions_[i].name);
    }
    std::string csv = "motion,outcome,reason\n";
    for (const std::vector<std::string>& row : rows()) {
      csv += fmt::format("{},{},{}\n", csv_field(row[0]), row[1], row.back() == "-" ? "" : csv_field(row.back()));
    }
    write_file(path / "motions.csv", csv);
    Result all{.verb = "retarget", .scenario = request_.robot};
    all.provenance = {.version = version(), .commit = commit(), .robot_sha256 = sha256_};
    all.metrics.set("motions", static_cast<std::int64_t>(items_.size()));
    all.metrics.set("motions_failed", std::ranges::count_if(items_, [](const Item& item) { return !item.holds(); }));
    all.checks.push_back(judge({"motions_failed", Check::Rule::equals, std::int64_t{0}}, all.metrics));
    ReportPage page{.title = fmt::format("{} motions on {}", items_.size(), request_.robot)};
    page.tables.push_back({.title = "Motions", .header = kHeader, .rows = rows()});
    write_result_files(all, Log(), page, {}, path);
  }

  std::vector<std::vector<std::string>> rows() const {
    std::vector<std::vector<std::string>> made;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      std::vector<std::string> row{motions_[i].name, outcome_name(items_[i].outcome)};
      for (std::string_view rest = items_[i].figures; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\t'), rest.size());
        row.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
      row.resize(kHeader.size(), "-");
      if (!items_[i].failure.empty()) row.back() = items_[i].failure;
      made.push_back(row);
    }
    return made;
  }

  void show() const {
    for (const Item& item : items_) {
      if (!item.failure.empty()) tell(fmt::format("skipped: {}\n", item.failure));
    }
    if (motions_.size() == 1) {
      print(request_.json ? items_[0].json + "\n" : items_[0].shown);
    } else if (request_.json) {
      std::string text;
      for (const Item& item : items_) {
        if (!item.json.empty()) text += (text.empty() ? "" : ",\n") + item.json;
      }
      print("[" + text + "]\n");
    } else {
      print(aligned_table(kHeader, rows()));
    }
    if (request_.out) tell(fmt::format("report: {}\n", (fs::path(*request_.out) / "report.html").string()));
  }

  const RetargetRequest& request_;
  std::unique_ptr<OutputFolder> folder_;  ///< first, so that an unwritable folder is reported before the work
  std::unique_ptr<PartialResults> kept_;  ///< before all that reads a file: it records them
  RobotModel robot_;
  RetargetOptions options_;
  std::optional<ContactSchedule> contacts_;
  std::string sha256_;
  std::vector<MotionInput> motions_;
  std::vector<Item> items_;
};

}  // namespace

Action add_retarget(CLI::App& program) {
  auto request = std::make_shared<RetargetRequest>();
  CLI::App* verb =
      add_verb(program, "retarget", "Map a person's rise from a chair to a balanced robot motion.",
               "  aplomb human sts.c3d --out out/sts && aplomb retarget out/sts --robot sarcos_real --out out/rise\n"
               "  aplomb retarget sts.c3d --robot talos --out out/talos      a recording, analysed first\n"
               "  aplomb retarget out/sts --robot coman --chair-height 0.28 --out out/coman\n"
               "  aplomb retarget out/sts --robot talos --chair-height auto       from how low a chair can it rise?\n"
               "  aplomb retarget recordings/ --robot g1 --jobs 4 --out out/all   every motion of a folder\n\n"
               "The whole motion is solved at once, with the forces of feet, seat and hands: the centre of mass\n"
               "stays near the person's, the markers after it, within CoP, friction, torque, speed and joint limits.\n"
               "Writes trajectory.csv, .npz, .mot, contacts.yaml, log.csv, metrics.json, report.html.\n"
               "docs/retargeting.md has the equations.\n\n"
               "Exit 0: done, and every check held; 1: a check failed (docs/metrics.md has their reasons);\n"
               "2: bad input, nothing is written. An interrupted command resumes where it stopped.");
  verb->add_option("MOTION", request->motions, "folders of `aplomb human`, recordings, folders of either")->required();
  verb->add_option("--robot", request->robot, "a name from `aplomb list`, a URDF or a robot's YAML")
      ->capture_default_str();
  verb->add_option("--robot-model", request->robot_model, "URDF with other inertias, as `aplomb identify` writes it")
      ->type_name("URDF");
  verb->add_option("--chair-height", request->chair_height,
                   "height of the robot's chair [m]; default: from its leg length;\n"
                   "auto: the lowest one from which the robot can follow the motion")
      ->type_name("M")
      ->check(chair_height());
  verb->add_option("--contacts", request->contacts,
                   "contacts of the person with seat and arm rests, instead of those\n"
                   "that are found, as `aplomb human` writes them to contacts.yaml")
      ->type_name("YAML");
  verb->add_option("--map", request->map, "lines `SEGMENT: LINK` that override the map of segments to links")
      ->type_name("YAML");
  verb->add_option("--forces", request->forces, "force plates of each recording; default: NAME_grf.mot beside it")
      ->type_name("FILE");
  add_subject_options(*verb, *request);
  verb->add_option("--rise", request->rise, "which rise of a recording, from 1")->check(count_of("rises", 1, 10000));
  CLI::Option* sit_down = verb->add_flag("--sit-down", request->sit_down, "plan the sit-down number --rise instead");
  verb->add_flag("--whole", request->whole, "plan the whole recording: every rise and sit-down, or none")
      ->excludes(sit_down);
  verb->add_option("--mode", request->mode,
                   "priced: the whole motion with its forces, the CoM as a cost;\n"
                   "hard: the CoM as an equation;\n"
                   "frames: each frame alone, without forces (Mistry et al. 2010)")
      ->capture_default_str()
      ->check(CLI::IsMember({"frames", "hard", "priced"}));
  verb->add_flag("--no-zmp", request->no_zmp, "the same as --mode frames");
  verb->add_flag("--force", request->force, "continue although the force plates contradict the subject's model");
  verb->add_option("--jobs", request->jobs, "motions processed in parallel")
      ->type_name("J")
      ->check(count_of("parallel motions", 1, 64));
  verb->add_option("--out", request->out, "folder for the results")->type_name("DIR");
  verb->add_flag("--json", request->json, "print the result as JSON");
  return [request, verb] {
    check_subject(*request);
    request->options = options_text(*verb, {"--out", "--jobs", "--json"});
    return RetargetWork(*request).run();
  };
}

}  // namespace aplomb

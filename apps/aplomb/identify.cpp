#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/output_folder.hpp"
#include "aplomb/core/files/pending_file.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/core/progress.hpp"
#include "aplomb/core/table/table_file.hpp"
#include "aplomb/identify/next_postures.hpp"
#include "aplomb/pipeline/measure_postures.hpp"
#include "aplomb/present/identify_report.hpp"
#include "aplomb/report/result_files.hpp"
#include "aplomb/report/result_json.hpp"
#include "aplomb/report/summary_table.hpp"
#include "shared/quantity.hpp"
#include "shared/table.hpp"
#include "shared/write_identified.hpp"
#include "shared/write_into.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

struct IdentifyRequest {
  std::string postures, robot, model = "auto";
  std::optional<std::string> out;
  bool make_example = false, is_spatial = false, estimates_biases = false, json = false;
  PostureExperiment example;
  IdentifyOptions options;
  ReadOptions read;
  int next = 0;
};

int make_example_file(const IdentifyRequest& request) {
  const std::filesystem::path file(request.postures);
  const std::string ending = file.extension().string();
  if (ending != ".csv" && ending != ".npz") {
    throw FileError({file.string()}, fmt::format("ends in '{}'; a posture file is .csv or .npz", ending));
  }
  PendingFile pending(file);  // first, so that an unwritable folder is reported before the work
  const RobotModel robot = RobotModel::load(request.robot);
  require_standing(robot);
  PostureExperiment example = request.example;
  example.is_spatial = request.is_spatial;
  example.seed = request.options.seed;
  Progress progress("postures", example.postures);
  const Log log = measure_postures(robot, example, [&](double done) { progress.update(done); });
  progress.finish();
  pending.fill([&](const auto& path) { ending == ".csv" ? write_csv(log, path) : write_npz(log, path); });
  pending.place();
  print(fmt::format("{}: {} postures of {} held in simulation\n", file.string(), log.num_rows(), robot.name()));
  const std::string cad = robot.description().cad;
  tell(fmt::format("next: aplomb identify {} --robot {} --out out/identify\n", file.string(), robot.name()));
  if (!cad.empty())
    tell(fmt::format("({} is {} with other masses: the estimate starts from the CAD model, {})\n", robot.name(), cad,
                     cad));
  return kSuccess;
}

/// Result of an identification, from postures at rest or from a motion.
struct Outcome {
  IdentifyOutput output;
  std::map<int, Inertia> body_inertias;
};

std::string note_on(const std::vector<FoundBias>& biases) {
  return biases.empty()
             ? "These postures cannot distinguish joint-zero or moment offsets from mass errors: none was estimated."
             : "Joint-zero and moment offsets were estimated too, without the 10 % held out; the 10-fold scores "
               "are not independent of them.";
}

Outcome find_masses(const IdentifyRequest& request, const RobotModel& robot, const RobotModel& cad) {
  PostureSet set = read_postures(request.postures, cad, request.read);
  if (set.sensors.is_moving) {
    const MovingFit fit = fit_moving(cad, set, request.options.noise);
    return {describe(cad, set, fit), fit.body_inertias};
  }
  Identification found = identify(cad, set, request.options);
  std::vector<FoundBias> biases;
  if (request.estimates_biases) {
    CorrectedPostures corrected = without_biases(cad, set, found, request.options);
    set = std::move(corrected.set);
    biases = std::move(corrected.biases);
    set.notes.push_back(note_on(biases));
    found = identify(cad, set, request.options);
  }
  std::optional<PathErrors> truth;
  const bool has_truth = !robot.description().cad.empty();
  if (has_truth) truth = path_errors(robot, cad, found, stand_up_path(robot));
  Outcome outcome{describe(cad, set, found, request.options, truth), found.body_inertias};
  if (!biases.empty()) outcome.output.page.tables.push_back(found_bias_table(biases));
  if (request.next > 0)
    outcome.output.page.tables.push_back(next_posture_table(cad, set, found, request.options, request.next));
  return outcome;
}

int identify_command(const IdentifyRequest& request) {
  if (request.make_example) return make_example_file(request);
  const auto begin = std::chrono::steady_clock::now();
  std::optional<OutputFolder> folder;  // first, so that an unwritable folder is reported before the work
  if (request.out) folder.emplace(*request.out);
  const RobotModel robot = RobotModel::load(request.robot);
  const std::string& named_cad = robot.description().cad;
  const RobotModel cad = RobotModel::load(named_cad.empty() ? request.robot : named_cad);
  auto [output, body_inertias] = find_masses(request, robot, cad);
  output.result.provenance.robot_sha256 = sha256_of_file(cad.urdf().file);
  output.result.provenance.scenario_sha256 = sha256_of_file(request.postures);
  output.result.timing.set("wall_s", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  if (folder) {
    const auto& inertias = body_inertias;
    const IdentifyOutput& whole = output;
    write_into(*folder, *request.out, [&](const auto& path) { write_identified(whole, cad, inertias, path); });
    check_interrupt();
    folder->commit();
  }
  print(request.json ? to_json(output.result) + "\n" : result_text(output.result, output.page.tables));
  for (const std::string& note : output.page.notes) tell(fmt::format("note: {}\n", note));
  if (request.next > 0 && !request.json) {
    const PageTable& table = output.page.tables.back();
    print("\n" + table.title + ". " + table.about + "\n" + aligned_table(table.header, table.rows));
  }
  if (folder) {
    const std::filesystem::path out(*request.out);
    tell(fmt::format("report: {}\ncorrected robot: {}\n", (out / "report.html").string(),
                     (out / "identified.urdf").string()));
  }
  return output.result.any_check_fails() ? kCheckFailed : kSuccess;
}

/// Replaces CLI::Range, whose message prints 1e-9 as 0.
CLI::Validator between(double low, double high) {
  return CLI::Validator(
      [low, high](std::string& text) {
        double value = 0.0;
        const bool is_inside = CLI::detail::lexical_cast(text, value) && value >= low && value <= high;
        return is_inside ? std::string() : fmt::format("'{}' is not a number from {:g} to {:g}", text, low, high);
      },
      "");
}

void add_options(CLI::App& verb, IdentifyRequest& request) {
  verb.add_option("POSTURES", request.postures, "posture file, .csv or .npz, to read; with --make-example, to write")
      ->required();
  verb.add_option("--robot", request.robot, "robot of `aplomb list`, or its URDF: the CAD to start from")->required();
  verb.add_option("--out", request.out, "folder for identified.urdf, metrics.json, the log and report.html")
      ->type_name("DIR");
  verb.add_option("--model", request.model,
                  "auto, sagittal (5 links, 15 parameters) or spatial (4 parameters per link)")
      ->check(CLI::IsMember({"auto", "sagittal", "spatial"}))
      ->capture_default_str();
  verb.add_option("--absent-joints-at", request.read.absent_joints_at,
                  "posture with the angles of joints that the file lacks")
      ->type_name("POSTURE");
  MeasurementNoise& noise = request.options.noise;
  const auto number = [&](const char* name, double& value, const char* about) {
    verb.add_option(name, value, about)->type_name("NUMBER")->check(between(1e-9, 1e3))->capture_default_str();
  };
  number("--cop-noise-m", noise.cop_m, "standard deviation of one CoP reading");
  number("--vertical-force-noise-n", noise.vertical_force_n,
         "standard deviation of one vertical force that comes with a CoP");
  number("--joint-noise-rad", noise.joint_rad, "standard deviation of one joint angle");
  number("--force-noise-n", noise.force_n, "standard deviation of a wrench's force");
  number("--moment-noise-nm", noise.moment_nm, "standard deviation of a wrench's moment");
  number("--torque-noise-nm", noise.torque_nm, "standard deviation of a joint torque");
  verb.add_option("--prior-weight", request.options.prior_weight,
                  "weight of the CAD prior; default: by cross-validation")
      ->type_name("NUMBER")
      ->check(between(1e-9, 1e9));
  verb.add_flag("--estimate-biases", request.estimates_biases,
                "estimate and subtract observable joint-zero and moment offsets");
  verb.add_option("--next", request.next, "also propose this many postures to measure next")
      ->type_name("N")
      ->check(count_of("postures", 1, 200));
  verb.add_option("--seed", request.options.seed, "seed of the hold-out split, or of the example")
      ->type_name("N")
      ->capture_default_str();
  verb.add_flag("--json", request.json, "print the result as JSON");
  verb.add_flag("--make-example", request.make_example,
                "write POSTURES, a new file, from simulation instead of reading it");
  verb.add_option("--postures", request.example.postures, "with --make-example: number of postures")
      ->type_name("N")
      ->check(count_of("postures", 8, 10000))
      ->capture_default_str();
  verb.add_flag("--spatial", request.is_spatial, "with --make-example: also trunk, arms and lateral lean");
}

}  // namespace

Action add_identify(CLI::App& program) {
  auto request = std::make_shared<IdentifyRequest>();
  // Noise of --make-example for each foot: both feet together then have 2 mm and 2 N.
  request->options.noise.cop_m = 0.0028;
  request->options.noise.vertical_force_n = 1.4;
  CLI::App* verb =
      add_verb(program, "identify", "Identify a robot's masses from static postures and contact forces.",
               "  aplomb identify --make-example postures.csv --robot sarcos_real\n"
               "  aplomb identify postures.csv --robot sarcos_real --out out/identify\n"
               "  aplomb identify mine.csv --robot my_robot.urdf --out out/mine --next 10\n\n"
               "A posture file has a header line and a row for each posture: `posture` (a number; rows\n"
               "with the same one are averaged), an angle for each joint (`left_knee_rad`), and for each\n"
               "foot `left_foot_cop_x_m`, `left_foot_cop_y_m` and `left_foot_fz_n` in the foot link's frame,\n"
               "or its wrench `left_foot_fx_n` ... `left_foot_mz_nm`. docs/identification.md has all columns.\n"
               "The estimate of a robot whose YAML names its `cad` starts from that model; the robot's own\n"
               "masses are only used to report the error of the result.\n\n"
               "Exit 0: done; 1: the estimate predicts held-out postures worse than the CAD; 2: bad input.");
  add_options(*verb, *request);
  return [request] {
    using Model = IdentifyOptions::Model;
    request->options.model = request->model == "sagittal"  ? Model::sagittal
                             : request->model == "spatial" ? Model::spatial
                                                           : Model::automatic;
    return identify_command(*request);
  };
}

}  // namespace aplomb

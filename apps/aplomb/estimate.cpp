#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numbers>
#include <optional>

#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/output_folder.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/core/version.hpp"
#include "aplomb/estimate/estimate_log.hpp"
#include "aplomb/present/estimate_page.hpp"
#include "aplomb/report/result_files.hpp"
#include "aplomb/report/result_json.hpp"
#include "aplomb/report/summary_table.hpp"
#include "shared/quantity.hpp"
#include "shared/write_into.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

struct EstimateRequest {
  std::string log, robot;
  std::optional<std::string> out;
  double gyroscope_noise = 0.007;    ///< [deg/s/√Hz]
  double accelerometer_noise = 120;  ///< [µg/√Hz]
  bool json = false;
};

BaseEstimator::Settings settings_of(const EstimateRequest& request) {
  BaseEstimator::Settings settings;
  settings.imu = {.gyroscope = request.gyroscope_noise * std::numbers::pi / 180.0,
                  .accelerometer = request.accelerometer_noise * 9.81e-6,
                  .gyroscope_bias = 5e-6,
                  .accelerometer_bias = 3e-5};
  settings.mounting_rad = 0.1 * std::numbers::pi / 180.0;
  return settings;
}

int estimate_command(const EstimateRequest& request) {
  std::optional<OutputFolder> folder;  // first, so that an unwritable folder is reported before the work
  if (request.out) folder.emplace(*request.out);
  const RobotModel robot = RobotModel::load(request.robot);
  const EstimatedLog estimated = estimate_log(read_table(request.log), robot, settings_of(request));
  Result result;
  result.verb = "estimate";
  result.metrics = estimated.metrics;
  result.provenance = {
      .version = version(), .commit = commit(), .robot_sha256 = sha256_of_file(robot.urdf().file), .seed = 0};
  if (folder) {
    write_into(*folder, *request.out, [&](const std::filesystem::path& path) {
      write_result_files(result, estimated.log, estimate_page(estimated, robot.name()),
                         {LogFormat::csv, LogFormat::npz}, path);
    });
    folder->commit();
  }
  print(request.json ? to_json(result) + "\n" : summary_table(result, wants_colours(STDOUT_FILENO)));
  for (const std::string& note : estimated.notes) tell(note + "\n");
  return kSuccess;
}

}  // namespace

Action add_estimate(CLI::App& program) {
  auto request = std::make_shared<EstimateRequest>();
  CLI::App* verb = add_verb(program, "estimate", "base pose and twist from a robot's recorded sensors",
                            "  aplomb estimate walk.csv --robot talos --out out/estimate\n\n"
                            "The log is CSV or NPZ, at a constant rate, and begins with the robot at rest.\n"
                            "docs/simulation.md lists its columns.\n");
  verb->add_option("LOG", request->log, "log of the robot's sensors, CSV or NPZ")->required();
  verb->add_option("--robot", request->robot, "robot: a name of `aplomb list`, a URDF or a YAML")->required();
  verb->add_option("--gyroscope-noise", request->gyroscope_noise, "noise density")
      ->type_name("DEG/S/SQRT(HZ)")
      ->check(quantity(1e-6, 10.0, "deg/s/sqrt(Hz)"))
      ->capture_default_str();
  verb->add_option("--accelerometer-noise", request->accelerometer_noise, "noise density")
      ->type_name("UG/SQRT(HZ)")
      ->check(quantity(1e-3, 1e6, "ug/sqrt(Hz)"))
      ->capture_default_str();
  verb->add_option("--out", request->out, "folder for the estimate, metrics and report")->type_name("DIR");
  verb->add_flag("--json", request->json, "print metrics.json instead of a table");
  return [request] { return estimate_command(*request); };
}

}  // namespace aplomb

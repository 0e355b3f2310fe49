#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "aplomb/core/error.hpp"
#include "aplomb/motion/formats/motion_file.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "shared/motion_request.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

struct ConvertRequest {
  std::string in, out, robot;
  std::optional<std::string> to;
  std::optional<double> to_fps;
  std::shared_ptr<MotionReading> reading;
  bool json = false;
};

std::string_view ending_of(MotionFormat format) {
  if (format == MotionFormat::csv || format == MotionFormat::csv_named) return ".csv";
  return format == MotionFormat::gmr ? ".pkl" : ".npz";
}

MotionFormat format_of(const ConvertRequest& request) {
  const std::string ending = std::filesystem::path(request.out).extension().string();
  if (ending != ".csv" && ending != ".npz" && ending != ".pkl") {
    throw InvalidValue(
        fmt::format("'{}': the name of a motion ends in .csv, .npz or .pkl (--to chooses the format)", request.out));
  }
  if (!request.to)
    return ending == ".csv" ? MotionFormat::csv : ending == ".pkl" ? MotionFormat::gmr : MotionFormat::training;
  const MotionFormat format = motion_format(*request.to);
  if (ending != ending_of(format)) {
    throw InvalidValue(fmt::format("'{}': --to {} writes {} files", request.out, *request.to, ending_of(format)));
  }
  return format;
}

int convert_command(const ConvertRequest& request) {
  const MotionFormat format = format_of(request);
  const RobotModel robot = RobotModel::load(request.robot);
  const MotionFile read = read_motion(request.in, robot, *request.reading);
  const RobotMotion motion = request.to_fps ? resampled(read.motion, *request.to_fps) : read.motion;
  write_motion(motion, robot, format, request.out);
  if (request.json) {
    const nlohmann::ordered_json document = {{"in", request.in},
                                             {"format", to_string(read.format)},
                                             {"frames", read.motion.num_frames()},
                                             {"fps", read.motion.rate_hz},
                                             {"reading", read.proved},
                                             {"assumed", read.assumed},
                                             {"findings", read.findings},
                                             {"out", request.out},
                                             {"written_format", to_string(format)},
                                             {"written_frames", motion.num_frames()},
                                             {"written_fps", motion.rate_hz}};
    print(document.dump(2) + "\n");
    return kSuccess;
  }
  print(motion_file_text(read));
  print(fmt::format("written   {}: {}, {} frames, {:g} frames/s\n", request.out, to_string(format), motion.num_frames(),
                    motion.rate_hz));
  return kSuccess;
}

}  // namespace

Action add_convert(CLI::App& program) {
  auto request = std::make_shared<ConvertRequest>();
  CLI::App* verb =
      add_verb(program, "convert", "a robot's motion from one tool's format to another's",
               "  aplomb convert dance.csv dance.npz --robot g1\n"
               "  aplomb convert dance.csv dance.npz --robot g1 --to training-breadth-first --to-fps 50\n\n"
               "docs/motions.md lists the formats, and what each file can prove about itself.\n");
  verb->add_option("IN", request->in, "motion: .csv, .npz or .pkl")->required();
  verb->add_option("OUT", request->out, "file to write: .csv, .npz or .pkl")->required();
  verb->add_option("--robot", request->robot, "robot: a name of `aplomb list`, a URDF, an MJCF or a YAML")->required();
  verb->add_option(
          "--to", request->to,
          fmt::format("format to write: {} (default: csv, training or gmr)", fmt::join(motion_format_names(), ", ")))
      ->type_name("FORMAT");
  verb->add_option("--to-fps", request->to_fps, "resample to this rate")->check(CLI::Range(1.0, 10000.0));
  request->reading = add_motion_reading(*verb);
  verb->add_flag("--json", request->json, "print the reading as JSON");
  return [request] { return convert_command(*request); };
}

}  // namespace aplomb

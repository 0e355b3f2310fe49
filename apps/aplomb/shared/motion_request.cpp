#include "shared/motion_request.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace aplomb {

std::shared_ptr<MotionReading> add_motion_reading(CLI::App& verb) {
  auto reading = std::make_shared<MotionReading>();
  const std::map<std::string, QuaternionOrder> orders = {{"xyzw", QuaternionOrder::xyzw},
                                                         {"wxyz", QuaternionOrder::wxyz}};
  verb.add_option("--quaternion", reading->quaternion, "order of the quaternions in the file")
      ->transform(CLI::CheckedTransformer(orders))
      ->type_name("xyzw/wxyz");
  verb.add_option("--joint-order", reading->joint_order,
                  "order of the joints in the file: depth-first, breadth-first, or joints")
      ->type_name("ORDER");
  verb.add_option("--fps", reading->fps, "frames a second, where the file does not say it")
      ->check(CLI::Range(1.0, 10000.0));
  return reading;
}

std::string motion_file_text(const MotionFile& file) {
  std::string text = fmt::format("format    {}: {} frames, {:g} frames/s, {:.2f} s\n", to_string(file.format),
                                 file.motion.num_frames(), file.motion.rate_hz, file.motion.duration_s());
  for (const std::string& line : file.proved) text += fmt::format("reading   {}\n", line);
  for (const std::string& line : file.assumed) text += fmt::format("assumed   {}\n", line);
  for (const std::string& line : file.findings) text += fmt::format("finding   {}\n", line);
  return text;
}

}  // namespace aplomb

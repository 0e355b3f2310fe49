#include "shared/write_identified.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/report/result_files.hpp"

namespace aplomb {
void require_standing(const RobotModel& robot) {
  const RobotDescription& description = robot.description();
  if (!description.soles[0] || !description.soles[1] || !description.postures.contains("half_sitting")) {
    throw InvalidValue(
        fmt::format("{} needs two soles and the posture half_sitting in its YAML to hold standing postures; "
                    "`aplomb info URDF --write-yaml` writes a first version",
                    robot.name()));
  }
}

void write_identified(const IdentifyOutput& output, const RobotModel& cad, const std::map<int, Inertia>& body_inertias,
                      const std::filesystem::path& folder) {
  write_urdf_with_inertias(cad.urdf().file, link_inertias(cad, body_inertias), folder / "identified.urdf");
  const std::filesystem::path& yaml = cad.description().file;
  if (!yaml.empty()) {
    // Drop the key `urdf`: it would be used instead of identified.urdf beside the YAML.
    std::string text;
    const std::string original = read_file(yaml, std::size_t{1} << 24);
    for (std::size_t begin = 0; begin < original.size();) {
      const std::size_t end = std::min(original.find('\n', begin), original.size() - 1) + 1;
      const std::string line = original.substr(begin, end - begin);
      if (line.starts_with("about:")) {
        text += fmt::format("about: {} with the masses that `aplomb identify` found.\n", cad.name());
      } else if (!line.starts_with("urdf:")) {
        text += line;
      }
      begin = end;
    }
    write_file(folder / "identified.yaml", text);
  }
  write_result_files(output.result, output.log, output.page, {LogFormat::csv, LogFormat::npz}, folder);
}

}  // namespace aplomb

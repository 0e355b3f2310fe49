#include "aplomb/robot/robot_file.hpp"

#include <algorithm>
#include <array>

#include "aplomb/robot/mjcf/mjcf.hpp"
#include "aplomb/robot/package_path.hpp"
#include "aplomb/robot/urdf/xml_scan.hpp"

namespace aplomb {

bool is_robot_path(std::string_view name_or_path) {
  constexpr std::array kEndings = {".urdf", ".xml", ".mjcf", ".yaml"};
  const std::filesystem::path path(name_or_path);
  return path.has_parent_path() || std::ranges::find(kEndings, path.extension().string()) != kEndings.end();
}

Urdf read_robot_file(const std::filesystem::path& file) {
  const std::filesystem::path found = is_package_uri(file.string()) ? find_package_file(file.string()) : file;
  const std::string text = read_xml_file(found);
  return is_mjcf(text) ? read_mjcf(found) : parse_urdf(text, found);
}

}  // namespace aplomb

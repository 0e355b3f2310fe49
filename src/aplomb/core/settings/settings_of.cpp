#include "aplomb/core/settings/settings_of.hpp"

#include <fmt/format.h>

namespace aplomb::setting {

std::string to_text(double value) { return fmt::format("{}", value); }
std::string to_text(std::int64_t value) { return fmt::format("{}", value); }
std::string to_text(bool value) { return value ? "true" : "false"; }
std::string to_text(const Eigen::Vector3d& value) {
  return fmt::format("[{}, {}, {}]", value.x(), value.y(), value.z());
}
std::string to_text(const std::string& value) {
  YamlNode node;
  node.kind = YamlNode::Kind::scalar;
  node.text = value;
  return to_yaml(node);
}

void read(const YamlView& view, double& value) { value = view.number(); }
void read(const YamlView& view, int& value) { value = static_cast<int>(view.integer()); }
void read(const YamlView& view, std::int64_t& value) { value = view.integer(); }
void read(const YamlView& view, bool& value) { value = view.boolean(); }
void read(const YamlView& view, std::string& value) { value = view.text(); }
void read(const YamlView& view, Eigen::Vector3d& value) { value = view.vector3(); }

}  // namespace aplomb::setting

#include <tinyxml2.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/robot/mesh/mesh_formats.hpp"
#include "aplomb/robot/mesh/surface_mesh.hpp"
#include "aplomb/robot/urdf/xml_scan.hpp"

namespace aplomb {
namespace {

using tinyxml2::XMLElement;

constexpr std::size_t kMostBytes = 50'000'000;  // as of read_urdf

std::string attribute(const XMLElement& element, const char* name) {
  const char* value = element.Attribute(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// <color rgba="..."> of a <material>.
std::optional<Colour> colour_in(const XMLElement& material) {
  const XMLElement* element = material.FirstChildElement("color");
  if (element == nullptr) return std::nullopt;
  const std::string text = attribute(*element, "rgba");
  std::string_view left = text;
  Colour colour{};
  for (double& part : colour) {
    const std::optional<double> number = take_number(left);
    if (!number) return std::nullopt;
    part = std::clamp(*number, 0.0, 1.0);
  }
  return colour;
}

bool has_known_shape(const XMLElement& visual) {
  const XMLElement* geometry = visual.FirstChildElement("geometry");
  const XMLElement* shape = geometry == nullptr ? nullptr : geometry->FirstChildElement();
  if (shape == nullptr) return false;
  constexpr const char* kKnown[] = {"box", "sphere", "cylinder", "capsule", "mesh"};
  return std::ranges::any_of(kKnown, [&](const char* name) { return std::strcmp(name, shape->Name()) == 0; });
}

}  // namespace

std::map<std::string, std::vector<std::optional<Colour>>> visual_colours(const std::filesystem::path& urdf) {
  std::map<std::string, std::vector<std::optional<Colour>>> colours;
  const std::string bytes = read_file(urdf, kMostBytes);
  const std::string file = urdf.string();
  XmlScanner scanner(bytes, file);
  while (scanner.next()) continue;  // rejects input that could exhaust the parser
  tinyxml2::XMLDocument document;
  document.Parse(bytes.data(), bytes.size());
  const XMLElement* robot = document.Error() ? nullptr : document.RootElement();
  if (robot == nullptr || std::strcmp(robot->Name(), "robot") != 0) return colours;
  std::map<std::string, std::optional<Colour>> named;
  const auto learn = [&](const XMLElement& material) {
    if (const std::optional<Colour> colour = colour_in(material)) named[attribute(material, "name")] = colour;
  };
  // A name may be used before the <material> that has its colour.
  for (auto* one = robot->FirstChildElement("material"); one != nullptr; one = one->NextSiblingElement("material"))
    learn(*one);
  const auto for_visuals = [&](const auto& action) {
    for (auto* link = robot->FirstChildElement("link"); link != nullptr; link = link->NextSiblingElement("link")) {
      for (auto* one = link->FirstChildElement("visual"); one != nullptr; one = one->NextSiblingElement("visual")) {
        if (has_known_shape(*one)) action(attribute(*link, "name"), one->FirstChildElement("material"));
      }
    }
  };
  for_visuals([&](const std::string&, const XMLElement* material) {
    if (material != nullptr) learn(*material);
  });
  for_visuals([&](const std::string& link, const XMLElement* material) {
    std::optional<Colour> colour;
    if (material != nullptr) colour = colour_in(*material);
    if (material != nullptr && !colour) {
      if (const auto found = named.find(attribute(*material, "name")); found != named.end()) colour = found->second;
    }
    colours[link].push_back(colour);
  });
  return colours;
}

}  // namespace aplomb

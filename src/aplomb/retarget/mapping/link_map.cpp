#include "aplomb/retarget/mapping/link_map.hpp"

#include "aplomb/core/error.hpp"
#include "aplomb/core/settings/yaml.hpp"
#include "aplomb/retarget/retarget.hpp"

namespace aplomb {
namespace {

/// The body for a segment by its name; -1 when the robot has nothing like it.
int body_for(const std::string& name, const Limbs& limbs) {
  if (name == "pelvis") return limbs.pelvis;
  if (name == "head" || name == "skull" || (name.size() == 2 && name[0] == 'C')) return limbs.head;
  const bool is_left = name.starts_with("left_");
  if (!is_left && !name.starts_with("right_")) return limbs.trunk;  // lumbar, thorax, vertebrae
  const std::size_t side = is_left ? 0 : 1;
  const std::string part = name.substr(is_left ? 5 : 6);
  const Limbs::Leg& leg = limbs.legs[side];
  const Limbs::Arm& arm = limbs.arms[side];
  if (part == "thigh") return leg.thigh;
  if (part == "shank") return leg.shank;
  for (const char* foot : {"foot", "talus", "forefoot", "hallux", "toes"}) {
    if (part == foot) return leg.foot;
  }
  if (part == "clavicle" || part == "scapula") return limbs.trunk;
  if (!arm.is_there) return -1;
  if (part == "upper_arm") return arm.upper_arm;
  if (part == "forearm") return arm.forearm;
  return arm.hand;  // hand, thumb and fingers
}

}  // namespace

LinkMap make_link_map(const Skeleton& skeleton, const RobotModel& robot, const Limbs& limbs,
                      const std::map<std::string, std::string>& given) {
  for (const auto& [segment, link] : given) {
    skeleton.segment(segment);
    if (link != "none") robot.frame(link);
  }
  LinkMap map;
  for (const Segment& segment : skeleton.segments) {
    LinkMap::Entry entry{.segment = segment.name, .body = body_for(segment.name, limbs)};
    if (entry.body >= 0) entry.link = robot.tree().bodies[static_cast<std::size_t>(entry.body)].link;
    if (const auto found = given.find(segment.name); found != given.end()) {
      entry.is_given = true;
      entry.link = found->second == "none" ? "" : found->second;
      entry.body = entry.link.empty() ? -1 : body_of(robot, entry.link);
    }
    map.entries.push_back(entry);
  }
  return map;
}

std::map<std::string, std::string> read_link_map(const std::filesystem::path& file) {
  const YamlNode root = read_yaml(file);
  if (root.kind != YamlNode::Kind::map) {
    throw FileError(root.origin.place(), "a map of segments to links is wanted, as `left_hand: left_wrist_link`");
  }
  std::map<std::string, std::string> given;
  for (const YamlEntry& entry : root.entries) {
    if (entry.value.kind != YamlNode::Kind::scalar) {
      throw FileError(entry.value.origin.place(),
                      "the link of segment '" + entry.key + "' must be a name (or `none`, to leave its markers out)");
    }
    given[entry.key] = entry.value.text;
  }
  return given;
}

}  // namespace aplomb

#include "aplomb/robot/urdf/urdf_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

using Index = std::unordered_map<std::string_view, int>;

template <class Part>  // UrdfLink or UrdfJoint
Index index_by_name(const Urdf& urdf, const std::vector<Part>& parts, std::string_view kind) {
  Index index;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto [known, is_new] = index.emplace(parts[i].name, static_cast<int>(i));
    if (!is_new) {
      throw FileError({urdf.file.string(), parts[i].line},
                      fmt::format("{} '{}': this name is already that of the {} on line {}; names must be unique", kind,
                                  parts[i].name, kind, parts[static_cast<std::size_t>(known->second)].line));
    }
  }
  return index;
}

[[noreturn]] void refuse_name(const Urdf& urdf, const UrdfJoint& joint, std::string_view role, std::string_view kind,
                              const std::string& name, const Index& index) {
  std::vector<std::string> known;
  for (const auto& [known_name, i] : index) known.emplace_back(known_name);
  std::ranges::sort(known);
  throw FileError({urdf.file.string(), joint.line}, fmt::format("joint '{}': its {} '{}' is no {} of this file; {}",
                                                                joint.name, role, name, kind, suggestion(name, known)));
}

int index_of(const Urdf& urdf, const UrdfJoint& joint, std::string_view role, const std::string& link,
             const Index& links) {
  const auto found = links.find(link);
  if (found == links.end()) refuse_name(urdf, joint, role, "link", link, links);
  return found->second;
}

/// The root: the only link that is no joint's child.
int find_root(const Urdf& urdf, const std::vector<int>& joint_above) {
  int root = -1;
  for (std::size_t link = 0; link < joint_above.size(); ++link) {
    if (joint_above[link] >= 0) continue;
    if (root >= 0) {
      const UrdfLink& second = urdf.links[link];
      throw FileError({urdf.file.string(), second.line},
                      fmt::format("link '{}': no joint moves it, nor link '{}': a robot has one root; join them",
                                  second.name, urdf.links[static_cast<std::size_t>(root)].name));
    }
    root = static_cast<int>(link);
  }
  return root;
}

/// Throws FileError with the links of a loop. Every link has one parent joint, so walking up from a link that is not
/// connected to the root ends in a loop.
[[noreturn]] void refuse_loop(const Urdf& urdf, std::size_t link, const Index& links,
                              const std::vector<int>& joint_above) {
  std::vector<bool> is_seen(urdf.links.size(), false);
  while (!is_seen[link]) {
    is_seen[link] = true;
    const UrdfJoint& joint = urdf.joints[static_cast<std::size_t>(joint_above[link])];
    link = static_cast<std::size_t>(links.at(joint.parent));
  }
  const UrdfJoint& closing = urdf.joints[static_cast<std::size_t>(joint_above[link])];
  throw FileError({urdf.file.string(), closing.line},
                  fmt::format("joint '{}': link '{}' is its own ancestor: the joints form a loop; aplomb reads trees",
                              closing.name, closing.child));
}

void check_all_reached(const Urdf& urdf, const UrdfStructure& structure, const Index& links,
                       const std::vector<int>& joint_above) {
  std::vector<bool> is_reached(urdf.links.size(), false);
  std::vector<int> open;
  if (structure.root >= 0) open.push_back(structure.root);
  while (!open.empty()) {
    const auto link = static_cast<std::size_t>(open.back());
    open.pop_back();
    is_reached[link] = true;
    for (const int joint : structure.joints_below[link])
      open.push_back(structure.child[static_cast<std::size_t>(joint)]);
  }
  const auto lost = std::ranges::find(is_reached, false);
  if (lost != is_reached.end()) {
    refuse_loop(urdf, static_cast<std::size_t>(lost - is_reached.begin()), links, joint_above);
  }
}

std::string names_of(const std::vector<const UrdfJoint*>& joints) {
  constexpr std::size_t kShown = 4;
  std::string names;
  for (std::size_t i = 0; i < std::min(kShown, joints.size()); ++i) names += (i > 0 ? ", " : "") + joints[i]->name;
  if (joints.size() > kShown) names += fmt::format(" and {} more", joints.size() - kShown);
  return names;
}

void note_joints(Urdf& urdf, std::string_view what, const std::function<bool(const UrdfJoint&)>& holds) {
  std::vector<const UrdfJoint*> found;
  for (const UrdfJoint& joint : urdf.joints) {
    const bool is_own = joint.type == UrdfJoint::Type::revolute || joint.type == UrdfJoint::Type::continuous ||
                        joint.type == UrdfJoint::Type::prismatic;
    if (is_own && !joint.is_mimic() && holds(joint)) found.push_back(&joint);
  }
  if (!found.empty()) urdf.notes.push_back(fmt::format("{} (joint {})", what, names_of(found)));
}

}  // namespace

UrdfStructure find_structure(const Urdf& urdf) {
  const std::string file = urdf.file.string();
  if (urdf.links.empty()) throw FileError({file}, "the robot has no <link>");
  const Index links = index_by_name(urdf, urdf.links, "link");
  const Index joints = index_by_name(urdf, urdf.joints, "joint");
  UrdfStructure structure;
  structure.joints_below.resize(urdf.links.size());
  std::vector<int> joint_above(urdf.links.size(), -1);
  for (std::size_t i = 0; i < urdf.joints.size(); ++i) {
    const UrdfJoint& joint = urdf.joints[i];
    const int parent = index_of(urdf, joint, "parent", joint.parent, links);
    const int child = index_of(urdf, joint, "child", joint.child, links);
    if (joint.is_mimic() && !joints.contains(joint.mimics)) {
      refuse_name(urdf, joint, "mimicked joint", "joint", joint.mimics, joints);
    }
    int& above = joint_above[static_cast<std::size_t>(child)];
    if (above >= 0) {
      const UrdfJoint& first = urdf.joints[static_cast<std::size_t>(above)];
      throw FileError({file, joint.line},
                      fmt::format("joint '{}': link '{}' is already the child of joint '{}' of line {}; "
                                  "a link has one parent",
                                  joint.name, joint.child, first.name, first.line));
    }
    above = static_cast<int>(i);
    structure.joints_below[static_cast<std::size_t>(parent)].push_back(static_cast<int>(i));
    structure.child.push_back(child);
  }
  structure.root = find_root(urdf, joint_above);
  check_all_reached(urdf, structure, links, joint_above);
  return structure;
}

void note_limits(Urdf& urdf) {
  note_joints(urdf, "no effort limit is given: taken as unlimited",
              [](auto& joint) { return std::isinf(joint.effort); });
  note_joints(urdf, "no velocity limit is given: taken as unlimited",
              [](auto& joint) { return std::isinf(joint.velocity); });
  note_joints(urdf, "the effort limit is zero: nothing drives it", [](auto& joint) { return joint.effort == 0.0; });
  note_joints(urdf, "lower and upper limit are equal: it cannot move",
              [](auto& joint) { return joint.lower == joint.upper; });
}

}  // namespace aplomb

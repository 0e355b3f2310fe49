#include "aplomb/robot/dynamics/plausibility_merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ranges>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/urdf/urdf_structure.hpp"

namespace aplomb {
namespace {

bool is_base_joint(const UrdfJoint& joint) {
  return joint.type == UrdfJoint::Type::floating || joint.type == UrdfJoint::Type::planar;
}

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Where a locked joint holds its child: at its placement, and a mimic joint at its offset from there.
Eigen::Isometry3d locked_pose(const UrdfJoint& joint) {
  if (!joint.is_mimic() || joint.mimic_offset == 0.0) return joint.T_parent_joint;
  if (joint.type == UrdfJoint::Type::prismatic) {
    return joint.T_parent_joint * Eigen::Translation3d(joint.mimic_offset * joint.axis);
  }
  return joint.T_parent_joint * Eigen::AngleAxisd(joint.mimic_offset, joint.axis);
}

/// A link on its way into the tree: fixed to body `body` at T, or the start of a new body below it, its joint at T.
struct Pending {
  int link = 0;
  int joint = -1;  // the moving joint above, -1 for a link that is fixed to its parent
  int body = -1;
  Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
};

class Merger {
 public:
  Merger(const Urdf& urdf, InertiaPolicy policy)
      : urdf_(urdf), structure_(find_structure(urdf)), is_locked_(urdf.joints.size(), false) {
    lock(&UrdfJoint::is_mimic, "they mimic other joints, and are held where they are while those are at zero");
    if (policy == InertiaPolicy::repair) {
      const std::vector<bool> moves_mass = find_moved_mass();
      const auto moves_nothing = [&](const UrdfJoint& joint) {
        return !moves_mass[static_cast<std::size_t>(&joint - urdf_.joints.data())];
      };
      lock(moves_nothing, "nothing that they move has a mass");
    }
  }

  BodyTree merge() {
    // A stack of our own instead of recursion: a file may hold a chain of any length.
    open_.push_back({.link = structure_.root});
    while (!open_.empty()) {
      const Pending next = open_.back();
      open_.pop_back();
      place(next);
    }
    return std::move(tree_);
  }

 private:
  /// Locks the moving joints for which `holds`, and notes their names.
  void lock(const std::function<bool(const UrdfJoint&)>& holds, std::string_view why) {
    std::string names;
    for (std::size_t i = 0; i < urdf_.joints.size(); ++i) {
      const UrdfJoint& joint = urdf_.joints[i];
      if (joint.type == UrdfJoint::Type::fixed || is_locked_[i] || !holds(joint)) continue;
      is_locked_[i] = true;
      names += (names.empty() ? "" : ", ") + joint.name;
    }
    if (!names.empty()) tree_.notes.push_back(fmt::format("locked joints: {} ({})", names, why));
  }

  /// For each joint, whether a link below it has mass or inertia.
  std::vector<bool> find_moved_mass() const {
    std::vector<int> links = {structure_.root};  // parents before children
    for (std::size_t i = 0; i < links.size(); ++i) {
      for (const int joint : structure_.joints_below[at(links[i])]) links.push_back(structure_.child[at(joint)]);
    }
    std::vector<bool> link_has_mass(urdf_.links.size()), joint_moves_mass(urdf_.joints.size());
    for (const int link : links | std::views::reverse) {
      const Inertia& inertia = urdf_.links[at(link)].inertia;
      bool has_mass = inertia.mass != 0.0 || !inertia.about_com.isZero(0.0);
      for (const int joint : structure_.joints_below[at(link)]) {
        joint_moves_mass[at(joint)] = link_has_mass[at(structure_.child[at(joint)])];
        has_mass = has_mass || joint_moves_mass[at(joint)];
      }
      link_has_mass[at(link)] = has_mass;
    }
    return joint_moves_mass;
  }

  void place(const Pending& next) {
    const UrdfLink& link = urdf_.links[at(next.link)];
    if (!(link.inertia.mass >= 0.0) || !std::isfinite(link.inertia.mass)) {
      throw FileError(
          {urdf_.file.string(), link.inertial_line},
          fmt::format("link '{}': mass is {} kg; it must be finite and not negative", link.name, link.inertia.mass));
    }
    LinkPlacement placement{.link = link.name, .body = next.body, .T_body_link = next.T};
    const bool is_new_body = next.joint >= 0 || next.body < 0;
    if (is_new_body) {
      placement = {.link = link.name, .body = static_cast<int>(tree_.bodies.size())};
      tree_.bodies.push_back({link.name, next.joint, next.body, Inertia{}, next.T});
    }
    Inertia& inertia = tree_.bodies[at(placement.body)].inertia;
    inertia = is_new_body ? link.inertia : joined(inertia, transformed(placement.T_body_link, link.inertia));
    tree_.links.push_back(placement);
    for (const int joint : structure_.joints_below[at(next.link)] | std::views::reverse) {
      open_.push_back(below(placement, joint));
    }
  }

  Pending below(const LinkPlacement& parent, int joint_index) const {
    const UrdfJoint& joint = urdf_.joints[at(joint_index)];
    const bool is_fixed = joint.type == UrdfJoint::Type::fixed || is_locked_[at(joint_index)];
    return {.link = structure_.child[at(joint_index)],
            .joint = is_fixed ? -1 : joint_index,
            .body = parent.body,
            .T = parent.T_body_link * (is_fixed ? locked_pose(joint) : joint.T_parent_joint)};
  }

  const Urdf& urdf_;
  UrdfStructure structure_;
  std::vector<bool> is_locked_;  // by joint
  std::vector<Pending> open_;
  BodyTree tree_;
};

/// Every robot's base is free here, so an empty world above a floating joint is left out.
void drop_world(const Urdf& urdf, BodyTree& tree) {
  const auto is_world = [](const LinkPlacement& link) { return link.body == 0; };
  const UrdfJoint& joint = urdf.joints[at(tree.bodies[1].joint)];
  const char* freed =
      joint.type == UrdfJoint::Type::planar ? "planar, taken as free in all six directions" : "floating";
  tree.notes.push_back(fmt::format("joint '{}' is {}: link '{}' is the free base, link '{}' above it is left out",
                                   joint.name, freed, tree.bodies[1].link, tree.bodies[0].link));
  std::erase_if(tree.links, is_world);
  tree.bodies.erase(tree.bodies.begin());
  for (LinkPlacement& link : tree.links) --link.body;
  for (RigidBody& body : tree.bodies) --body.parent;
  tree.bodies.front().joint = -1;
  tree.bodies.front().T_parent_joint.setIdentity();
}

}  // namespace

BodyTree merge_fixed_links(const Urdf& urdf, InertiaPolicy policy) {
  BodyTree tree = Merger(urdf, policy).merge();
  const auto is_below_base_joint = [&urdf](const RigidBody& body) {
    return body.joint >= 0 && is_base_joint(urdf.joints[at(body.joint)]);
  };
  const Inertia& root = tree.bodies.front().inertia;
  const bool is_root_empty = root.mass == 0.0 && root.about_com.isZero(0.0);
  const auto num_below_root = std::ranges::count(tree.bodies, 0, &RigidBody::parent);
  if (is_root_empty && num_below_root == 1 && is_below_base_joint(tree.bodies[1])) drop_world(urdf, tree);

  const auto misplaced = std::ranges::find_if(tree.bodies, is_below_base_joint);
  if (misplaced != tree.bodies.end()) {
    const UrdfJoint& joint = urdf.joints[at(misplaced->joint)];
    throw FileError({urdf.file.string(), joint.line},
                    fmt::format("joint '{}': a floating or planar joint may only stand between an empty root link and "
                                "the rest of the robot, whose base is free anyway; elsewhere use revolute, continuous, "
                                "prismatic or fixed",
                                joint.name));
  }
  return tree;
}

}  // namespace aplomb

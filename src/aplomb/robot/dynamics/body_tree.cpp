#include "aplomb/robot/dynamics/body_tree.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
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

/// Pose of the child link of a locked joint in the parent link: the joint at zero, or a mimic joint at its offset.
Eigen::Isometry3d locked_pose(const UrdfJoint& joint) {
  if (!joint.is_mimic() || joint.mimic_offset == 0.0) return joint.T_parent_joint;
  if (joint.type == UrdfJoint::Type::prismatic) {
    return joint.T_parent_joint * Eigen::Translation3d(joint.mimic_offset * joint.axis);
  }
  return joint.T_parent_joint * Eigen::AngleAxisd(joint.mimic_offset, joint.axis);
}

/// A link to be placed in the tree: fixed to body `body` at T, or the start of a new body below it, its joint at T.
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
    lock(&UrdfJoint::is_mimic, "they mimic other joints, and are held at their position for those at zero");
    if (policy == InertiaPolicy::repair) {
      const std::vector<bool> moves_mass = find_moved_mass();
      const auto moves_nothing = [&](const UrdfJoint& joint) {
        return !moves_mass[static_cast<std::size_t>(&joint - urdf_.joints.data())];
      };
      lock(moves_nothing, "nothing that they move has a mass");
    }
  }

  BodyTree merge() {
    // An explicit stack instead of recursion: a file may hold a chain of any length.
    open_.push_back({.link = structure_.root});
    while (!open_.empty()) {
      const Pending next = open_.back();
      open_.pop_back();
      place(next);
    }
    return std::move(tree_);
  }

 private:
  /// Locks the moving joints for which `holds` is true, and adds a note with their names.
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

/// Every base is floating, so an empty world link above a floating joint is dropped.
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

/// Builds the bodies without checking them: fixed links merged, mimic joints locked (with `repair` also joints
/// that move no mass), an empty root above a floating joint dropped. Throws FileError on a negative mass, and on a
/// floating or planar joint elsewhere.
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

/// Checks that the bodies are physically possible, and repairs inertias where the policy says so.
class BodyChecker {
 public:
  BodyChecker(const Urdf& urdf, BodyTree& tree) : urdf_(urdf), tree_(tree), child_of_(tree.bodies.size(), -1) {
    for (std::size_t i = 1; i < tree.bodies.size(); ++i) {
      int& child = child_of_[static_cast<std::size_t>(tree.bodies[i].parent)];
      child = child == -1 ? static_cast<int>(i) : kSeveral;
    }
  }

  void check(InertiaPolicy policy) {
    for (std::size_t i = 0; i < tree_.bodies.size(); ++i) {
      RigidBody& body = tree_.bodies[i];
      if (body.inertia.mass > 0.0) {
        check_inertia(body, policy);
      } else {
        check_massless(body, child_of_[i]);
      }
    }
    // Requires the checks above: every chain of massless bodies begins and ends with a mass.
    for (const RigidBody& body : tree_.bodies) {
      if (body.parent > 0 && body.inertia.mass > 0.0 && is_massless(parent_of(body))) check_axes(body);
    }
  }

 private:
  static constexpr int kSeveral = -2;

  const RigidBody& parent_of(const RigidBody& body) const {
    return tree_.bodies[static_cast<std::size_t>(body.parent)];
  }
  const UrdfJoint& joint_of(const RigidBody& body) const { return urdf_.joints[static_cast<std::size_t>(body.joint)]; }
  static bool is_massless(const RigidBody& body) { return body.inertia.mass == 0.0; }

  [[noreturn]] void refuse(const RigidBody& body, std::string_view why) const {
    const auto num_merged = std::ranges::count(tree_.links, &body - tree_.bodies.data(), &LinkPlacement::body) - 1;
    const std::string with = num_merged > 0 ? fmt::format(" with {} fixed to it", num_merged) : "";
    const UrdfLink& link = urdf_.link(body.link);
    const int line = link.inertial_line > 0 ? link.inertial_line : link.line;
    throw FileError({urdf_.file.string(), line}, fmt::format("link '{}'{}: {}", body.link, with, why));
  }

  void check_inertia(RigidBody& body, InertiaPolicy policy) {
    const std::string why = impossibility(body.inertia);
    if (why.empty()) return;
    const bool is_finite = body.inertia.about_com.allFinite() && body.inertia.com.allFinite();
    if (policy == InertiaPolicy::refuse || !is_finite) {
      refuse(body, fmt::format("its inertia {}; correct it, or write `inertia: repair` into the robot's YAML to take "
                               "the nearest possible one",
                               why));
    }
    const Inertia repaired = nearest_possible(body.inertia);
    const double scale = std::max(body.inertia.about_com.norm(), repaired.about_com.norm());
    const double change = (repaired.about_com - body.inertia.about_com).norm() / scale;
    tree_.notes.push_back(
        fmt::format("link '{}': its inertia {}; replaced by the nearest possible one, a change of "
                    "{:.1f} %",
                    body.link, why, 100.0 * change));
    body.inertia = repaired;
  }

  void check_massless(const RigidBody& body, int child) const {
    constexpr std::string_view kRemedy = "give it an <inertial> with a mass above zero, or make its joint fixed";
    if (body.parent < 0) refuse(body, "the root has no mass, but it is the free base; give it an <inertial>");
    if (!body.inertia.about_com.isZero(0.0)) refuse(body, "it has an inertia, but no mass; give it a mass above zero");
    const std::string moves = fmt::format("joint '{}' moves it, but it has no mass", joint_of(body).name);
    if (child == -1) refuse(body, fmt::format("{}; {}", moves, kRemedy));
    if (child == kSeveral) {
      refuse(body,
             fmt::format("{} and several joints below (inside a multi-axis joint there is one); {}", moves, kRemedy));
    }
  }

  /// The twists of the joints of a multi-axis joint must be linearly independent in a generic posture, or the mass
  /// matrix is singular.
  void check_axes(const RigidBody& last) const {
    constexpr std::size_t kFreedoms = 6;
    std::vector<const RigidBody*> row = {&last};
    while (is_massless(parent_of(*row.back()))) row.push_back(&parent_of(*row.back()));
    std::ranges::reverse(row);
    if (row.size() > kFreedoms) {
      refuse(last,
             fmt::format("{} joints in a row move it through links without mass; more than {} are not independent",
                         row.size(), kFreedoms));
    }
    Eigen::MatrixXd twists(6, static_cast<Eigen::Index>(row.size()));  // angular over linear
    Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
    for (std::size_t i = 0; i < row.size(); ++i) {
      const UrdfJoint& joint = joint_of(*row[i]);
      const double angle = 0.7 + 0.4 * static_cast<double>(i);
      T = T * row[i]->T_parent_joint;
      const Eigen::Vector3d axis = T.linear() * joint.axis;
      const bool slides = joint.type == UrdfJoint::Type::prismatic;
      const auto column = static_cast<Eigen::Index>(i);
      twists.col(column).head<3>() = slides ? Eigen::Vector3d::Zero() : axis;
      twists.col(column).tail<3>() = slides ? axis : T.translation().cross(axis);
      if (slides) {
        T = T * Eigen::Translation3d(angle * joint.axis);
      } else {
        T = T * Eigen::AngleAxisd(angle, joint.axis);
      }
    }
    Eigen::FullPivLU<Eigen::MatrixXd> decomposition(twists);
    if (decomposition.setThreshold(1e-9).rank() < static_cast<Eigen::Index>(row.size())) {
      refuse(last,
             fmt::format("joints '{}' to '{}' move it through links without mass, and two of them in the same way; "
                         "turn an axis, or give the links between them a mass",
                         joint_of(*row.front()).name, joint_of(last).name));
    }
  }

  const Urdf& urdf_;
  BodyTree& tree_;
  std::vector<int> child_of_;  // the only body below each body, -1 for none, kSeveral
};

}  // namespace

std::vector<int> BodyTree::chain(int body, int top) const {
  std::vector<int> bodies_up;
  for (; body > 0 && body != top; body = bodies[static_cast<std::size_t>(body)].parent) bodies_up.push_back(body);
  return bodies_up;
}

BodyTree build_body_tree(const Urdf& urdf, InertiaPolicy policy) {
  BodyTree tree = merge_fixed_links(urdf, policy);
  BodyChecker(urdf, tree).check(policy);
  return tree;
}

}  // namespace aplomb

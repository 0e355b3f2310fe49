#include "aplomb/robot/dynamics/plausibility.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/dynamics/plausibility_merge.hpp"

namespace aplomb {
namespace {

class Judge {
 public:
  Judge(const Urdf& urdf, BodyTree& tree) : urdf_(urdf), tree_(tree), child_of_(tree.bodies.size(), -1) {
    for (std::size_t i = 1; i < tree.bodies.size(); ++i) {
      int& child = child_of_[static_cast<std::size_t>(tree.bodies[i].parent)];
      child = child == -1 ? static_cast<int>(i) : kSeveral;
    }
  }

  void judge(InertiaPolicy policy) {
    for (std::size_t i = 0; i < tree_.bodies.size(); ++i) {
      RigidBody& body = tree_.bodies[i];
      if (body.inertia.mass > 0.0) {
        judge_inertia(body, policy);
      } else {
        judge_massless(body, child_of_[i]);
      }
    }
    // Only now is it known that every row of massless bodies hangs on a mass and ends in one.
    for (const RigidBody& body : tree_.bodies) {
      if (body.parent > 0 && body.inertia.mass > 0.0 && is_massless(parent_of(body))) judge_axes(body);
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

  void judge_inertia(RigidBody& body, InertiaPolicy policy) {
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
        fmt::format("link '{}': its inertia {}; the nearest possible one is taken instead, a change "
                    "of {:.1f} %",
                    body.link, why, 100.0 * change));
    body.inertia = repaired;
  }

  void judge_massless(const RigidBody& body, int child) const {
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

  /// The joints of a multi-axis joint must move the mass at its end each in a way of its own, or the mass matrix is
  /// singular: their twists, in some posture without special angles, are linearly independent.
  void judge_axes(const RigidBody& last) const {
    constexpr std::size_t kFreedoms = 6;
    std::vector<const RigidBody*> row = {&last};
    while (is_massless(parent_of(*row.back()))) row.push_back(&parent_of(*row.back()));
    std::ranges::reverse(row);
    if (row.size() > kFreedoms) {
      refuse(last,
             fmt::format("{} joints in a row move it through links without mass; more than {} cannot be told apart",
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

BodyTree build_body_tree(const Urdf& urdf, InertiaPolicy policy) {
  BodyTree tree = merge_fixed_links(urdf, policy);
  Judge(urdf, tree).judge(policy);
  return tree;
}

}  // namespace aplomb

#include "aplomb/robot/guess/guess_limbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace aplomb {
namespace {

constexpr std::size_t kLegJoints = 3;      // least number of joints of a leg
constexpr double kMirrorTolerance = 0.03;  // largest asymmetry over the robot's extent: real robots are not symmetric
constexpr double kShortestDrop = 0.2;      // least height of the CoM above the feet over the robot's extent

/// Two ends of chains that are each other's mirror image.
struct Pair {
  std::array<int, 2> end{-1, -1};
  int meet = 0;
  Eigen::Vector3d sideways = Eigen::Vector3d::Zero();  ///< unit, from end[1] to end[0]

  std::array<int, 2> branches(const NeutralTree& tree) const {
    return {tree.chain(meet, end[0]).front(), tree.chain(meet, end[1]).front()};
  }
};

int axis_of(const Eigen::Vector3d& unit) {
  Eigen::Index axis = 0;
  unit.cwiseAbs().maxCoeff(&axis);
  return static_cast<int>(axis);
}

double height(const NeutralTree& tree, const Pair& pair, const Eigen::Vector3d& up) {
  return 0.5 * up.dot(tree.position(pair.end[0]) + tree.position(pair.end[1]));
}

/// All pairs of leaves that mirror each other across the plane through the root that is normal to `axis`.
std::vector<Pair> mirrored_pairs(const NeutralTree& tree, int axis) {
  const double tolerance = kMirrorTolerance * tree.extent();
  const std::vector<int> leaves = tree.leaves_below(0);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    for (std::size_t j = i + 1; j < leaves.size(); ++j) {
      const Eigen::Vector3d first = tree.position(leaves[i]);
      Eigen::Vector3d mirrored = tree.position(leaves[j]);
      mirrored[axis] *= -1.0;
      if ((first - mirrored).norm() > tolerance || std::abs(first[axis]) < 0.5 * tolerance) continue;
      Pair pair{.end = {leaves[i], leaves[j]}, .meet = tree.meeting_point(leaves[i], leaves[j])};
      if (tree.chain(pair.meet, leaves[i]).size() != tree.chain(pair.meet, leaves[j]).size()) continue;
      if (first[axis] < 0.0) std::swap(pair.end[0], pair.end[1]);
      pair.sideways = Eigen::Vector3d::Unit(axis);
      pairs.push_back(pair);
    }
  }
  return pairs;
}

bool is_leg_long(const NeutralTree& tree, const Pair& pair) {
  return tree.chain(pair.meet, pair.end[0]).size() >= kLegJoints;
}

struct Stance {
  Pair feet;
  Eigen::Vector3d up = Eigen::Vector3d::UnitZ();
  double drop = 0.0;  ///< height of the CoM above the feet [m]
};

/// Finds the pair that is lowest below the CoM. A URDF should have z up; other axes are tried only when no pair has a
/// vertical mirror plane with z up.
Stance find_stance(const NeutralTree& tree, const Eigen::Vector3d& com) {
  Stance best;
  const auto try_axes = [&](int sideways, const Eigen::Vector3d& up) {
    bool has_pair = false;
    for (const Pair& pair : mirrored_pairs(tree, sideways)) {
      if (!is_leg_long(tree, pair)) continue;
      has_pair = true;
      const double drop = up.dot(com) - height(tree, pair, up);
      if (drop > best.drop) best = {pair, up, drop};
    }
    return has_pair;
  };
  const bool has_y = try_axes(1, Eigen::Vector3d::UnitZ()), has_x = try_axes(0, Eigen::Vector3d::UnitZ());
  if (has_y || has_x) return best;
  for (const int axis : {1, 0}) {
    for (const double sign : {1.0, -1.0}) try_axes(2, sign * Eigen::Vector3d::Unit(axis));
  }
  return best;
}

/// Reason why these ends are not the feet of a biped; empty when they are.
std::string objection(const NeutralTree& tree, const Stance& stance) {
  const std::array<int, 2> legs = stance.feet.branches(tree);
  const double feet_height = height(tree, stance.feet, stance.up);
  if (stance.drop < kShortestDrop * tree.extent()) return "its lowest pair of limbs is too high for legs";
  const auto is_in_leg = [&](int body) { return tree.is_below(body, legs[0]) || tree.is_below(body, legs[1]); };
  for (const Pair& other : mirrored_pairs(tree, axis_of(stance.feet.sideways))) {
    if (is_in_leg(other.end[0]) || is_in_leg(other.end[1])) continue;
    if (height(tree, other, stance.up) < feet_height + 0.2 * stance.drop) return "it has more than two legs";
  }
  for (int body = 1; body < tree.size(); ++body) {
    if (!is_in_leg(body) && stance.up.dot(tree.position(body)) < feet_height - 0.05 * stance.drop) {
      return fmt::format("link '{}' is lower than the ends of its lowest pair of limbs", tree.body(body).link);
    }
  }
  // Legs have the CoM of the rest above their hips; arms have it below their shoulders.
  const double hips = 0.5 * stance.up.dot(tree.position(legs[0]) + tree.position(legs[1]));
  const double carried = stance.up.dot(tree.com_without({legs[0], legs[1]}));
  if (carried < hips - 0.1 * (hips - feet_height)) return "its lowest pair of limbs are arms: they hang on the body";
  return {};
}

/// Finds arms and trunk. The arms are the heaviest pair other than the legs; their palms are the hands, the body where
/// they meet is the trunk. Without arms the trunk is the heaviest body above the pelvis.
void find_arms(const NeutralTree& tree, const std::vector<Pair>& pairs, const std::array<int, 2>& legs,
               GuessedLimbs& limbs) {
  const auto is_in_leg = [&](int body) { return tree.is_below(body, legs[0]) || tree.is_below(body, legs[1]); };
  for (int body = 0; body < tree.size(); ++body) {
    const bool is_above = limbs.up.dot(tree.position(body) - tree.position(limbs.pelvis)) > 0.0;
    const bool is_heavier =
        limbs.trunk == limbs.pelvis || tree.body(body).inertia.mass > tree.body(limbs.trunk).inertia.mass;
    if (is_above && is_heavier && !is_in_leg(body)) limbs.trunk = body;
  }
  double heaviest = 0.0;
  for (const Pair& pair : pairs) {
    const std::array<int, 2> branches = pair.branches(tree);
    const auto holds_leg = [&](int branch) { return tree.is_below(legs[0], branch) || tree.is_below(legs[1], branch); };
    if (std::ranges::any_of(branches, holds_leg) || std::ranges::any_of(branches, is_in_leg)) continue;
    const double mass = tree.mass_below(branches[0]) + tree.mass_below(branches[1]);
    const bool is_limb = tree.chain(pair.meet, pair.end[0]).size() >= 2;  // eyes have one joint each
    if (!is_limb || mass <= heaviest) continue;
    heaviest = mass;
    limbs.hand = {tree.palm_of(branches[0]), tree.palm_of(branches[1])};
    limbs.trunk = pair.meet;
  }
}

/// Finds the head: the highest branch of the trunk other than a limb, if above the trunk's origin and in the middle.
void find_head(const NeutralTree& tree, GuessedLimbs& limbs) {
  if (limbs.hand[0] < 0) return;  // without arms, head and trunk cannot be told apart
  double highest = limbs.up.dot(tree.position(limbs.trunk));
  const double tolerance = kMirrorTolerance * tree.extent();
  for (int body = 1; body < tree.size(); ++body) {
    if (tree.body(body).parent != limbs.trunk) continue;
    const auto holds = [&](int end) { return end >= 0 && tree.is_below(end, body); };
    if (std::ranges::any_of(limbs.foot, holds) || std::ranges::any_of(limbs.hand, holds)) continue;
    const int palm = tree.palm_of(body);
    const double top = limbs.up.dot(tree.position(palm));
    if (top <= highest || std::abs(limbs.sideways.dot(tree.position(palm))) > tolerance) continue;
    highest = top;
    limbs.head = palm;
  }
}

}  // namespace

NeutralTree::NeutralTree(const RobotModel& model) : model_(&model) {
  // Forward kinematics by hand: RobotTerms would hold a Jacobian for every body.
  const RobotState neutral = model.neutral_state();
  for (const RigidBody& body : model.tree().bodies) {
    Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
    if (body.parent >= 0) {
      const auto joint_index = static_cast<Eigen::Index>(poses_.size()) - 1;
      const Joint& joint = model.joints()[static_cast<std::size_t>(joint_index)];
      const double q = neutral.q[7 + joint_index];
      T = pose(body.parent) * body.T_parent_joint;
      if (joint.is_prismatic) {
        T.translate(q * joint.axis);
      } else {
        T.rotate(Eigen::AngleAxisd(q, joint.axis));
      }
    }
    poses_.push_back(T);
  }
}

Eigen::Vector3d NeutralTree::axis(int joint) const {
  return pose(joint + 1).linear() * model_->joints()[static_cast<std::size_t>(joint)].axis;
}

bool NeutralTree::is_below(int body, int ancestor) const {
  while (body > ancestor) body = this->body(body).parent;  // parents come before children
  return body == ancestor;
}

int NeutralTree::meeting_point(int first, int second) const {
  while (!is_below(second, first)) first = body(first).parent;
  return first;
}

std::vector<int> NeutralTree::chain(int ancestor, int body) const {
  std::vector<int> bodies = model_->tree().chain(body, ancestor);
  std::ranges::reverse(bodies);
  return bodies;
}

std::vector<int> NeutralTree::leaves_below(int body) const {
  std::vector<bool> has_child(poses_.size(), false);
  for (int i = 1; i < size(); ++i) has_child[static_cast<std::size_t>(this->body(i).parent)] = true;
  std::vector<int> leaves;
  for (int i = body; i < size(); ++i) {
    if (!has_child[static_cast<std::size_t>(i)] && is_below(i, body)) leaves.push_back(i);
  }
  return leaves;
}

int NeutralTree::palm_of(int body) const {
  const std::vector<int> leaves = leaves_below(body);
  int palm = leaves.front();
  for (const int leaf : leaves) palm = meeting_point(palm, leaf);
  return palm;
}

double NeutralTree::mass_below(int body) const {
  double mass = 0.0;
  for (int i = body; i < size(); ++i) {
    if (is_below(i, body)) mass += this->body(i).inertia.mass;
  }
  return mass;
}

Eigen::Vector3d NeutralTree::com_without(const std::vector<int>& branches) const {
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  double mass = 0.0;
  for (int i = 0; i < size(); ++i) {
    if (std::ranges::any_of(branches, [&](int branch) { return is_below(i, branch); })) continue;
    mass += body(i).inertia.mass;
    moment += body(i).inertia.mass * (pose(i) * body(i).inertia.com);
  }
  return moment / mass;  // the root has mass
}

double NeutralTree::extent() const {
  Eigen::Vector3d least = position(0), most = position(0);
  for (int i = 1; i < size(); ++i) {
    least = least.cwiseMin(position(i));
    most = most.cwiseMax(position(i));
  }
  return (most - least).maxCoeff();
}

LimbSearch guess_limbs(const NeutralTree& tree) {
  const Eigen::Vector3d com = tree.com_without({});
  const Stance stance = find_stance(tree, com);
  if (stance.drop <= 0.0) return {std::nullopt, "no two limbs of three joints or more mirror each other below it"};
  if (std::string why = objection(tree, stance); !why.empty()) return {std::nullopt, why};
  GuessedLimbs limbs{.up = stance.up,
                     .sideways = stance.feet.sideways,
                     .pelvis = stance.feet.meet,
                     .trunk = stance.feet.meet,
                     .foot = stance.feet.end};
  find_arms(tree, mirrored_pairs(tree, axis_of(limbs.sideways)), stance.feet.branches(tree), limbs);
  find_head(tree, limbs);
  return {limbs, {}};
}

}  // namespace aplomb

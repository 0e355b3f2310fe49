#include "aplomb/robot/guess/guess_feet.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace aplomb {
namespace {

class FeetFinder {
 public:
  FeetFinder(const NeutralTree& tree, GuessedLimbs& limbs, std::span<const std::filesystem::path> package_roots)
      : tree_(tree), limbs_(limbs), package_roots_(package_roots), forward_(limbs.sideways.cross(limbs.up)) {
    if (forward_.sum() < 0.0) forward_ *= -1.0;  // an axis of the root, until toes or knees indicate the opposite
  }

  Feet find() {
    const std::array<int, 2> ends = limbs_.foot;
    skip_toes();
    if (!is_foot_long()) {  // perhaps its mesh lies on its side
      limbs_.foot = ends;
      read_as(ColladaUpAxis::obeyed);
      skip_toes();
      if (!is_foot_long()) {
        limbs_.foot = ends;
        read_as(ColladaUpAxis::ignored);
        skip_toes();
      }
    }
    Feet feet;
    feet.is_reversed = forward_votes() < 0;
    if (feet.is_reversed) forward_ *= -1.0;
    const Eigen::Vector3d left = limbs_.up.cross(forward_);
    if (left.dot(limbs_.sideways) < 0.0) {
      limbs_.sideways = left;
      std::swap(limbs_.foot[0], limbs_.foot[1]);
      std::swap(limbs_.hand[0], limbs_.hand[1]);
    }
    feet.R_root_world << forward_, left, limbs_.up;
    for (std::size_t side = 0; side < 2; ++side) feet.foot[side] = foot_at(limbs_.foot[side]);
    return feet;
  }

 private:
  void read_as(ColladaUpAxis up_axis) {
    up_axis_ = up_axis;
    shapes_.clear();
  }

  const FootShape& shape_of(int body) {
    const auto found = shapes_.find(body);
    if (found != shapes_.end()) return found->second;
    return shapes_.emplace(body, foot_shape(tree_.model(), body, package_roots_, up_axis_)).first->second;
  }

  std::optional<RestingPlane> plane_of(int body, const FootShape& shape) const {
    const Eigen::Matrix3d R_body_root = tree_.pose(body).linear().transpose();
    std::optional<RestingPlane> plane = find_resting_plane(shape, R_body_root * limbs_.up, R_body_root * forward_);
    if (!plane) return std::nullopt;
    constexpr double kNarrowest = 0.025;  // least sole width over leg length; narrower is a line or point contact
    const bool is_sole =
        std::min(plane->sole_length(), plane->sole_width()) > kNarrowest * (leg_length(body) - plane->sole.z);
    return is_sole ? plane : std::nullopt;
  }

  double leg_length(int foot) const {  // from the hip to the foot's origin [m]
    return (tree_.position(tree_.chain(limbs_.pelvis, foot).front()) - tree_.position(foot)).norm();
  }

  bool is_foot_long() {
    const std::optional<RestingPlane> plane = plane_of(limbs_.foot[0], shape_of(limbs_.foot[0]));
    return plane && plane->sole_length() > 0.8 * plane->sole_width();
  }

  Foot foot_at(int body) {
    Foot foot{.body = body, .leg = find_leg(tree_, limbs_, body), .shape = shape_of(body)};
    foot.plane = plane_of(body, foot.shape);
    return foot;
  }

  /// Chooses as the foot, of the last three bodies of each leg, the one with the largest sole that reaches the ground.
  /// A body without readable shapes is not taken for a toe: without its meshes a foot would be passed over for a knee.
  void skip_toes() {
    constexpr double kLevel = 0.015;  // [m] largest height difference of parts on one level ground
    const std::vector<int> chain = tree_.chain(limbs_.pelvis, limbs_.foot[0]);
    std::size_t num_toes = 0;
    double largest = 0.0, lowest = 0.0;
    for (std::size_t toes = 0; toes < 3 && toes + 3 <= chain.size(); ++toes) {
      const int body = chain[chain.size() - 1 - toes];
      if (shape_of(body).from.empty()) break;
      const std::optional<RestingPlane> plane = plane_of(body, shape_of(body));
      if (!plane) continue;
      const double ground = limbs_.up.dot(tree_.position(body)) + plane->sole.z;
      if (largest > 0.0 && ground > lowest + kLevel) continue;
      lowest = ground;
      const double area = plane->sole_length() * plane->sole_width();
      if (area <= largest) continue;
      largest = area;
      num_toes = toes;
    }
    for (int& foot : limbs_.foot) {
      for (std::size_t i = 0; i < num_toes; ++i) foot = tree_.body(foot).parent;
    }
  }

  /// Votes for the forward direction, decided by two of three: the toes are in front of the ankle, the knees move
  /// forward, and by convention an axis of the root points forward.
  int forward_votes() {
    int votes = 1;
    const int body = limbs_.foot[0];
    const Leg leg = find_leg(tree_, limbs_, body);
    if (leg.flexion != 0.0) {
      votes += leg.flexion * tree_.axis(leg.knee).cross(limbs_.up).dot(forward_) > 0.0 ? 1 : -1;
    }
    const std::optional<RestingPlane> plane = plane_of(body, shape_of(body));
    constexpr double kOffCentre = 0.1;  // least significant offset of the foot's centre, over its length
    if (plane && std::abs(plane->forward_share - 0.5) > kOffCentre) votes += plane->forward_share > 0.5 ? 1 : -1;
    return votes;
  }

  const NeutralTree& tree_;
  GuessedLimbs& limbs_;
  std::span<const std::filesystem::path> package_roots_;
  Eigen::Vector3d forward_;  // in the root's frame
  ColladaUpAxis up_axis_ = ColladaUpAxis::ignored;
  std::map<int, FootShape> shapes_;  // by body; a cache, since meshes are slow to read
};

}  // namespace

Feet find_feet(const NeutralTree& tree, GuessedLimbs& limbs, std::span<const std::filesystem::path> package_roots) {
  return FeetFinder(tree, limbs, package_roots).find();
}

}  // namespace aplomb

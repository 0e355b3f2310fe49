#include "aplomb/robot/guess/guess.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/guess/guess_feet.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

constexpr std::string_view kSides[] = {"left", "right"};
constexpr double kEnoughTorque = 0.6;  // accepted ratio of static torque to its limit: leaves 40 % for motion

double rounded(double value, double unit) { return std::round(value / unit) * unit; }

Sole moved(const Sole& sole, const Eigen::Vector3d& by) {
  constexpr double kUnit = 1e-4;  // [m] lengths in the YAML are rounded to this
  return {.x_min = rounded(sole.x_min + by.x(), kUnit),
          .x_max = rounded(sole.x_max + by.x(), kUnit),
          .y_min = rounded(sole.y_min + by.y(), kUnit),
          .y_max = rounded(sole.y_max + by.y(), kUnit),
          .z = rounded(sole.z + by.z(), kUnit)};
}

class Guesser {
 public:
  Guesser(const Urdf& urdf, std::span<const std::filesystem::path> package_roots)
      : urdf_(urdf), package_roots_(package_roots), model_(make_model()), tree_(*model_) {}

  Guess guess() {
    description().about = fmt::format("Guessed from {}: {} joints, {:.1f} kg.", urdf_.file.filename().string(),
                                      model_->num_joints(), model_->mass());
    guess_actuation();
    LimbSearch search = guess_limbs(tree_);
    if (!search.limbs) {
      missing("roles, soles and postures: the robot does not stand on two legs ({})", search.why_not);
      return std::move(guess_);
    }
    limbs_ = *search.limbs;
    feet_ = find_feet(tree_, limbs_, package_roots_);
    for (const Foot& foot : feet_.foot) require_shapes(foot);
    if (feet_.is_reversed) found("forward: against the root link's axis, where toes and knees point");
    name_roles();
    if (place_sole(kLeft) && place_sole(kRight)) {
      guess_posture();
    } else {
      description().soles = {};
    }
    return std::move(guess_);
  }

 private:
  template <typename... Arguments>
  void found(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    guess_.found.push_back(fmt::format(text, std::forward<Arguments>(arguments)...));
  }
  template <typename... Arguments>
  void missing(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    guess_.missing.push_back(fmt::format(text, std::forward<Arguments>(arguments)...));
  }
  RobotDescription& description() { return guess_.description; }
  const std::string& link_of(int body) const { return tree_.body(body).link; }

  /// The robot without roles. Inconsistent inertias are repaired where needed.
  std::unique_ptr<RobotModel> make_model() {
    description().name = urdf_.file.stem().string();
    description().urdf = urdf_.file;
    try {
      return std::make_unique<RobotModel>(urdf_, guess_.description);
    } catch (const FileError& error) {
      description().inertia = InertiaPolicy::repair;
      auto repaired = std::make_unique<RobotModel>(urdf_, guess_.description);
      std::string why = error.what();
      const std::string file = urdf_.file.string();
      if (why.starts_with(file)) why.replace(0, file.size(), urdf_.file.filename().string());
      found("inertia: repair, since the robot is impossible as it is ({})", why);
      return repaired;
    }
  }

  /// A sole is a shape that was seen: without one there is nothing to guess it from.
  void require_shapes(const Foot& foot) const {
    if (!foot.shape.from.empty()) return;
    if (foot.shape.unreadable.empty()) {
      throw FileError(
          {urdf_.file.string()},
          fmt::format("the foot '{}' has no shapes, from which its sole could be guessed; add a <collision> "
                      "with a box as large as the sole, or write roles and soles into a YAML yourself",
                      link_of(foot.body)));
    }
    throw FileError({urdf_.file.string()},
                    fmt::format("the foot '{}' cannot be seen, so that its sole cannot be guessed: {}; get the robot's "
                                "meshes into that place, or add a <collision> with a box as large as the sole",
                                link_of(foot.body), foot.shape.unreadable));
  }

  void name_roles() {
    Roles& roles = description().roles;
    roles.pelvis = link_of(limbs_.pelvis);
    roles.trunk = link_of(limbs_.trunk);
    found("pelvis: '{}', where the legs meet", roles.pelvis);
    const bool has_arms = limbs_.hand[0] >= 0;
    found("trunk: '{}', {}", roles.trunk, has_arms ? "which carries the arms" : "the heaviest link besides the legs");
    name_head(roles.head);
    for (std::size_t side = 0; side < 2; ++side) {
      roles.foot[side] = link_of(limbs_.foot[side]);
      if (has_arms) roles.hand[side] = link_of(limbs_.hand[side]);
    }
    if (has_arms) {
      found("hands: '{}' (left) and '{}' (right), the ends of the arms", roles.hand[0], roles.hand[1]);
    } else {
      missing("hands: no other two limbs mirror each other");
    }
  }

  void name_head(std::string& head) {
    if (limbs_.head >= 0) {
      head = link_of(limbs_.head);
      found("head: '{}', the highest branch of the trunk", head);
      return;
    }
    if (limbs_.hand[0] >= 0) head = fixed_head();
    if (head.empty()) {
      missing("head: nothing in the middle rises above the arms");
    } else {
      found("head: '{}', the highest part that is fixed to the trunk", head);
    }
  }

  /// Of the links fixed to the trunk, the one with the highest CoM above the shoulder; empty when there is none.
  std::string fixed_head() const {
    const int shoulder = tree_.chain(limbs_.trunk, limbs_.hand[0]).front();
    double highest = limbs_.up.dot(tree_.position(shoulder));
    std::string head;
    for (const LinkPlacement& link : model_->tree().links) {
      const Inertia& inertia = urdf_.link(link.link).inertia;
      if (link.body != limbs_.trunk || link.link == link_of(limbs_.trunk) || inertia.mass == 0.0) continue;
      const double top = limbs_.up.dot(tree_.pose(limbs_.trunk) * (link.T_body_link * inertia.com));
      if (top <= highest) continue;
      highest = top;
      head = link.link;
    }
    return head;
  }

  /// The link that is fixed to the foot, has the sole's axes and is nearest to its plane; nullptr when there is none.
  const LinkPlacement* aligned_link(int body, const RestingPlane& plane) const {
    constexpr double kAligned = 0.02;  // [rad] tolerance for angles that were rounded in the file
    constexpr double kAsNear = 1e-3;   // [m] closer than this counts as equal distance; then the shorter name wins
    const LinkPlacement* best = nullptr;
    double nearest = 0.0;
    for (const LinkPlacement& link : model_->tree().links) {
      const Eigen::Matrix3d off = link.T_body_link.linear().transpose() * plane.R_body_sole;
      if (link.body != body || Eigen::AngleAxisd(off).angle() > kAligned) continue;
      const double distance = std::abs(plane.R_body_sole.col(2).dot(link.T_body_link.translation()) - plane.sole.z);
      const bool is_as_near = best != nullptr && std::abs(distance - nearest) < kAsNear;
      const bool is_better = is_as_near ? link.link.size() < best->link.size() : distance < nearest;
      if (best != nullptr && !is_better) continue;
      best = &link;
      nearest = distance;
    }
    return best;
  }

  /// Describes the sole in the frame of a link with the same axes, or else in a new frame at the sole's centre.
  bool place_sole(std::size_t side) {
    const Foot& foot = feet_.foot[side];
    if (!foot.plane) {
      missing("soles, postures: link '{}' is not flat below; a robot on such feet does not stand still by itself",
              link_of(foot.body));
      return false;
    }
    RestingPlane plane = *foot.plane;
    std::string& role = description().roles.foot[side];
    Eigen::Vector3d origin = plane.sole.centre();
    if (const LinkPlacement* link = aligned_link(foot.body, plane)) {
      const Eigen::Matrix3d R = link->T_body_link.linear();
      plane = find_resting_plane(foot.shape, R.col(2), R.col(0)).value_or(plane);
      origin = R.transpose() * link->T_body_link.translation();
      role = link->link;
    } else {
      role = fmt::format("{}_sole", kSides[side]);
      const auto is_taken = [this](const std::string& name) {
        return std::ranges::find(urdf_.links, name, &UrdfLink::name) != urdf_.links.end() ||
               std::ranges::find(urdf_.joints, name, &UrdfJoint::name) != urdf_.joints.end();
      };
      while (is_taken(role)) role += "_frame";
      Eigen::Isometry3d T_body_sole(plane.R_body_sole);
      T_body_sole.translation() = plane.R_body_sole * origin;
      description().frames[role] = {link_of(foot.body), T_body_sole};
    }
    description().soles[side] = moved(plane.sole, -origin);
    found("{}_foot: '{}', its sole {:.0f} x {:.0f} mm from the {} of '{}'", kSides[side], role,
          1e3 * plane.sole_length(), 1e3 * plane.sole_width(), foot.shape.from, link_of(foot.body));
    return true;
  }

  void guess_actuation() {
    RobotTerms terms(*model_, {});
    Actuation& actuation = description().actuation;
    const bool says_armature =
        std::ranges::any_of(urdf_.joints, [](const UrdfJoint& joint) { return joint.armature.has_value(); });
    if (!says_armature) {
      actuation.armature = 0.01;
      found("actuation: torque, with {} kg m^2 of rotor inertia at every joint: an assumption, as no URDF says",
            actuation.armature);
    }
    const auto is_dead = [](const Joint& joint) { return joint.effort == 0.0; };
    const auto num_dead = std::ranges::count_if(model_->joints(), is_dead);
    if (num_dead == 0) return;
    const double height = tree_.extent();
    actuation.default_effort = std::max(1.0, std::round(0.2 * model_->mass() * kGravity * height));
    found("actuation: {} joints have an effort limit of 0 or none; {} N m are assumed", num_dead,
          actuation.default_effort);
  }

  /// Tries less and less knee flexion, at ever larger trunk lean, until the static torques are well inside their
  /// limits.
  std::optional<FoundPosture> best_posture(const RobotModel& model) const {
    std::optional<FoundPosture> best;
    for (const double lean : {0.0, 0.05, -0.05, 0.1, -0.1, 0.2, -0.2}) {
      for (const double bend : {0.6, 0.4, 0.2, 0.0}) {
        const FoundPosture posture = solve_posture(model, posture_request(bend, lean));
        constexpr double kClose = 1e-3;  // [m], [rad] residual of a solved posture
        const bool stands = posture.feet_error < kClose && posture.com_error < kClose;
        if (stands && (!best || posture.torque_ratio < best->torque_ratio)) best = posture;
        if (best && best->torque_ratio < kEnoughTorque) return best;
      }
    }
    return best;
  }

  void guess_posture() {
    const RobotModel model(urdf_, guess_.description);
    const std::optional<FoundPosture> best = best_posture(model);
    if (!best) {
      missing("postures: within the joints' limits the feet cannot be flat and level with the CoM above their middle");
      return;
    }
    auto& angles = description().postures["half_sitting"];
    for (int i = 0; i < model.num_joints(); ++i) {
      const double angle = best->state.q[7 + i];
      if (angle != 0.0) angles[model.joints()[static_cast<std::size_t>(i)].name] = angle;
    }
    found("half_sitting: CoM {:.2f} mm from the middle of the soles, trunk {:.1f} degrees from upright",
          1e3 * best->com_error, best->trunk_error * 180.0 / std::numbers::pi);
    if (best->torque_ratio > kEnoughTorque) {
      found("half_sitting: joint '{}' needs {:.0f} % of its torque limit to hold it", best->torque_joint,
            100.0 * best->torque_ratio);
    }
  }

  PostureRequest posture_request(double bend, double lean) const {
    PostureRequest request;
    const Eigen::Matrix3d R_world_root = feet_.R_root_world.transpose();
    request.R_world_pelvis = R_world_root * tree_.pose(limbs_.pelvis).linear();
    request.R_world_trunk = R_world_root * tree_.pose(limbs_.trunk).linear();
    request.trunk_lean = lean;
    if (tree_.is_below(limbs_.trunk, limbs_.pelvis)) {
      for (const int body : tree_.chain(limbs_.pelvis, limbs_.trunk)) request.waist.push_back(body - 1);
    }
    std::array<Eigen::Vector3d, 2> centre;
    for (std::size_t side = 0; side < 2; ++side) {
      const Foot& foot = feet_.foot[side];
      request.legs[side] = foot.leg;
      centre[side] = R_world_root * (tree_.pose(foot.body) * (foot.plane->R_body_sole * foot.plane->sole.centre()));
      if (foot.leg.knee < 0) continue;
      // Where the joint limits allow both directions, the knee is assumed to move forward.
      const double forward = tree_.axis(foot.leg.knee).cross(limbs_.up).dot(feet_.R_root_world.col(0));
      const double sign = foot.leg.flexion != 0.0 ? foot.leg.flexion : forward > 0.0 ? 1.0 : -1.0;
      request.knee[side] = sign * bend;
    }
    request.stance_width = centre[kLeft].y() - centre[kRight].y();
    return request;
  }

  const Urdf& urdf_;
  std::span<const std::filesystem::path> package_roots_;
  Guess guess_;
  std::unique_ptr<RobotModel> model_;
  NeutralTree tree_;
  GuessedLimbs limbs_;
  Feet feet_;
};

}  // namespace

Guess guess_description(const Urdf& urdf, std::span<const std::filesystem::path> package_roots) {
  return Guesser(urdf, package_roots).guess();
}

}  // namespace aplomb

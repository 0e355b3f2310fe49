#pragma once

// Private to robot/: the part of guess_description that uses the shape of the kinematic tree.
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// The bodies of a robot with its joints at zero (or the nearest limit), in the root's frame. Body i is moved by joint
/// i − 1; body 0 is the root.
class NeutralTree {
 public:
  explicit NeutralTree(const RobotModel& model);

  const RobotModel& model() const { return *model_; }
  int size() const { return static_cast<int>(poses_.size()); }
  const Eigen::Isometry3d& pose(int body) const { return poses_[static_cast<std::size_t>(body)]; }
  Eigen::Vector3d position(int body) const { return pose(body).translation(); }
  Eigen::Vector3d axis(int joint) const;  ///< unit axis of a joint
  const RigidBody& body(int body) const { return model_->tree().bodies[static_cast<std::size_t>(body)]; }

  int meeting_point(int first, int second) const;        ///< lowest common ancestor
  bool is_below(int body, int ancestor) const;           ///< true also for the body itself
  std::vector<int> chain(int ancestor, int body) const;  ///< the bodies below `ancestor`, down to `body`
  std::vector<int> leaves_below(int body) const;         ///< the body itself when it is a leaf
  int palm_of(int body) const;                           ///< lowest descendant above all leaves of `body`
  double mass_below(int body) const;                     ///< mass of the body and its descendants [kg]
  Eigen::Vector3d com_without(const std::vector<int>& branches) const;  ///< CoM without the bodies in these branches
  double extent() const;  ///< the largest distance between two bodies' origins along an axis [m]

 private:
  const RobotModel* model_;
  std::vector<Eigen::Isometry3d> poses_;  ///< T_root_body
};

/// Body index of each role; −1 where the robot has no such body.
struct GuessedLimbs {
  Eigen::Vector3d up, sideways;  ///< unit axes of the root's frame; `sideways` points from foot[1] to foot[0]
  int pelvis = 0, trunk = 0, head = -1;
  std::array<int, 2> foot{-1, -1};  ///< ends of the two lowest chains; not yet left and right
  std::array<int, 2> hand{-1, -1};  ///< same order as `foot`
};

struct LimbSearch {
  std::optional<GuessedLimbs> limbs;
  std::string why_not;  ///< the reason when the robot is no biped; otherwise empty
};

/// Legs are the two lowest chains of three joints or more that mirror each other; the axes follow from them. Arms are
/// the heaviest other pair.
LimbSearch guess_limbs(const NeutralTree& tree);

}  // namespace aplomb

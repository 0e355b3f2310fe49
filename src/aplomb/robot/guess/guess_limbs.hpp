#pragma once

// Private to robot/: what guess_description finds out from the shape of a robot's tree.
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
  Eigen::Vector3d axis(int joint) const;  ///< of a joint
  const RigidBody& body(int body) const { return model_->tree().bodies[static_cast<std::size_t>(body)]; }

  int meeting_point(int first, int second) const;        ///< the lowest body that carries both
  bool is_below(int body, int ancestor) const;           ///< or the same
  std::vector<int> chain(int ancestor, int body) const;  ///< the bodies below `ancestor`, down to `body`
  std::vector<int> leaves_below(int body) const;         ///< itself, when nothing hangs on it
  int palm_of(int body) const;                           ///< the lowest body below that carries all leaves below
  double mass_below(int body) const;                     ///< with its own
  Eigen::Vector3d com_without(const std::vector<int>& branches) const;  ///< of all bodies but those below
  double extent() const;  ///< the largest distance between two bodies' origins along an axis [m]

 private:
  const RobotModel* model_;
  std::vector<Eigen::Isometry3d> poses_;  ///< T_root_body
};

/// Which body is what; −1 where the robot has none.
struct GuessedLimbs {
  Eigen::Vector3d up, sideways;  ///< unit axes of the root's frame; `sideways` points from foot[1] to foot[0]
  int pelvis = 0, trunk = 0, head = -1;
  std::array<int, 2> foot{-1, -1};  ///< ends of the two lowest chains; not yet left and right
  std::array<int, 2> hand{-1, -1};  ///< in the same order
};

struct LimbSearch {
  std::optional<GuessedLimbs> limbs;
  std::string why_not;  ///< a sentence when the robot does not stand on two legs
};

/// Legs are the two lowest chains of three joints or more that mirror each other; the axes follow from them. Arms are
/// the heaviest other pair.
LimbSearch guess_limbs(const NeutralTree& tree);

}  // namespace aplomb

#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "aplomb/identify/model/body_motion.hpp"
#include "aplomb/robot/shapes/capsule.hpp"

namespace aplomb {

/// Detects self-collision with a capsule for every collision shape. Pairs of bodies that are connected by a joint, or
/// that already touch in the posture `free`, are not checked. Meshes are ignored.
class SelfCollision {
 public:
  SelfCollision(const RobotModel& robot, const RobotState& free);  ///< `robot` must outlive this object
  bool collides(const RobotState& state);

 private:
  bool overlaps(const Capsule& first, const Capsule& second) const;
  BodyMotions motions_;
  std::vector<Capsule> capsules_;
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;
};

}  // namespace aplomb

#pragma once

// Private to robot/: feet and forward direction of a robot, from its legs and the geometry of its feet.
#include <array>
#include <filesystem>
#include <optional>
#include <span>

#include "aplomb/robot/guess/guess_limbs.hpp"
#include "aplomb/robot/guess/guess_posture.hpp"
#include "aplomb/robot/guess/guess_soles.hpp"

namespace aplomb {

struct Foot {
  int body = -1;
  Leg leg;
  FootShape shape;
  std::optional<RestingPlane> plane;  ///< absent when the underside of the foot is not flat
};

struct Feet {
  std::array<Foot, 2> foot;      ///< left, right
  Eigen::Matrix3d R_root_world;  ///< columns: forward, left and up in the root's frame
  bool is_reversed = false;      ///< forward is the root's negative axis
};

/// Finds the feet at the ends of the legs (where there are toe bodies, the foot is the body with the largest sole),
/// which way is forward, and which foot is the left one; feet and hands of `limbs` are put into that order.
Feet find_feet(const NeutralTree& tree, GuessedLimbs& limbs, std::span<const std::filesystem::path> package_roots);

}  // namespace aplomb

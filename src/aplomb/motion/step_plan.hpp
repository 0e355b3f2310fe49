#pragma once

#include <Eigen/Geometry>
#include <array>
#include <utility>
#include <vector>

#include "aplomb/motion/com_reference.hpp"
#include "aplomb/motion/foot_step.hpp"

namespace aplomb {

/// Quasi-static footsteps: the CoM moves above the support foot, the swing foot is lifted, moved and put down, the CoM
/// moves to the middle of both. A foot's position is the centre of its sole.
class StepPlan {
 public:
  struct Foot {
    Eigen::Vector3d offset = Eigen::Vector3d::Zero();    ///< relative to its initial position [m]
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< [m/s]
    bool is_lifted = false;
  };

  StepPlan() = default;  ///< both feet stay in place
  explicit StepPlan(std::vector<FootStep> steps) : steps_(std::move(steps)) {}

  bool has_steps() const { return !steps_.empty(); }
  Foot at(int side, double time_s) const;
  /// The support foot of a step, from the middle of unloading to the middle of loading of the swing foot; otherwise
  /// `present`.
  int reference_side(double time_s, int present) const;
  /// CoM path of these steps, as horizontal offsets from the initial mid-point of both soles.
  std::vector<ComReference::Point> com_points(const std::array<Eigen::Vector3d, 2>& soles) const;

 private:
  std::vector<FootStep> steps_;
};

}  // namespace aplomb

#pragma once

#include <Eigen/Geometry>
#include <array>
#include <utility>
#include <vector>

#include "aplomb/motion/com_reference.hpp"
#include "aplomb/motion/foot_step.hpp"

namespace aplomb {

/// Where both feet shall be, and which of them carries, over time, in quasi-static steps: the CoM goes above one foot,
/// the other is lifted, moved and put down, the CoM goes to the middle of both. A foot's point is that of its sole's
/// centre.
class StepPlan {
 public:
  struct Foot {
    Eigen::Vector3d offset = Eigen::Vector3d::Zero();    ///< from where it is at the start [m]
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< [m/s]
    bool is_lifted = false;
  };

  StepPlan() = default;  ///< both feet stay
  explicit StepPlan(std::vector<FootStep> steps) : steps_(std::move(steps)) {}

  bool has_steps() const { return !steps_.empty(); }
  Foot at(int side, double time_s) const;
  /// The foot that carries while the other is in the air, from the middle of unloading to that of loading; else
  /// `present`.
  int reference_side(double time_s, int present) const;
  /// The way of the CoM that goes with it, as offsets from above the middle of both soles.
  std::vector<ComReference::Point> com_points(const std::array<Eigen::Vector3d, 2>& soles) const;

 private:
  std::vector<FootStep> steps_;
};

}  // namespace aplomb

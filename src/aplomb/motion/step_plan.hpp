#pragma once

#include <Eigen/Geometry>
#include <array>
#include <vector>

#include "aplomb/motion/com_reference.hpp"

namespace aplomb {

/// One quasi-static step: the CoM goes above the other foot, the foot is lifted, moved and put down, the CoM goes to
/// the middle of both.
struct QuasiStaticStep {
  int foot = 1;  ///< kLeft or kRight
  double start_s = 0.0;
  double shift_s = 1.5, swing_s = 1.0, return_s = 1.5;
  Eigen::Vector3d move = Eigen::Vector3d::Zero();  ///< in the world's axes at the start [m]
  double lift = 0.0;                               ///< of the highest point [m]
  double end_s() const { return start_s + shift_s + swing_s + return_s; }
};

/// Where both feet shall be, and which of them carries, over time. A foot's point is that of its sole's centre.
class StepPlan {
 public:
  struct Foot {
    Eigen::Vector3d offset = Eigen::Vector3d::Zero();    ///< from where it is at the start [m]
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< [m/s]
    bool is_lifted = false;
  };

  StepPlan() = default;  ///< both feet stay
  explicit StepPlan(std::vector<QuasiStaticStep> steps) : steps_(std::move(steps)) {}

  bool has_steps() const { return !steps_.empty(); }
  Foot at(int side, double time_s) const;
  /// The foot that carries while the other is in the air, from the middle of the shift to that of the return; else
  /// `present`.
  int reference_side(double time_s, int present) const;
  /// The way of the CoM that goes with it, as offsets from above the middle of both soles.
  std::vector<ComReference::Point> com_points(const std::array<Eigen::Vector3d, 2>& soles) const;

 private:
  std::vector<QuasiStaticStep> steps_;
};

}  // namespace aplomb

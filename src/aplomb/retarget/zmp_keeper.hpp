#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/retarget/planned_forces.hpp"

namespace aplomb {

/// The floor under both feet, and how far the ZMP must stay inside it.
struct SupportArea {
  std::vector<Eigen::Vector2d> polygon;  ///< hull of both soles, counter-clockwise [m]
  double margin = 0.0;                   ///< that is asked for [m]

  double distance(const Eigen::Vector2d& point) const;          ///< to the edge, positive inside [m]
  Eigen::Vector2d nearest(const Eigen::Vector2d& point) const;  ///< point of the area inside the margin [m]
};

/// The soles in the posture q, and a margin of a tenth of a sole's length (at most a third of its width).
SupportArea support_area(const RobotModel& robot, const Eigen::VectorXd& q);

/// The shift of the centre of mass, x and y by frame, that brings the ZMP inside the margin: what is missing from
/// `first` on is the demand of shift_for_zmp.
Eigen::Matrix2Xd zmp_shift(const PlannedForces& plan, const SupportArea& area, Eigen::Index first, double rate_hz);

/// Smallest distance of the ZMP to the edge from `first` on [m].
double zmp_margin(const PlannedForces& plan, const SupportArea& area, Eigen::Index first);

}  // namespace aplomb

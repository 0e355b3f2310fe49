#pragma once

#include <Eigen/Core>

#include "aplomb/retarget/clip/planned_forces.hpp"
#include "aplomb/robot/limbs.hpp"
#include "aplomb/robot/support_region.hpp"

namespace aplomb {

/// The floor under both feet, and how far the ZMP must stay inside it. While the seat carries, the ZMP is between feet
/// and hips: a body that is thrown forward with its ZMP behind the hips would lift its feet and tip over the seat.
struct SupportArea {
  SupportRegion region;       ///< of both soles
  double margin = 0.0;        ///< that is asked for [m]
  double least_margin = 0.0;  ///< that is enough at the person's own speed [m]
  double seat_x = 0.0;        ///< the ZMP's least x on the seat: where the hips are [m]
};

/// The soles and hips in the posture q, and margins of 0.15 and 0.1 of a sole's length (at most half and a third of its
/// width).
SupportArea support_area(const RobotModel& robot, const Limbs& limbs, const Eigen::VectorXd& q);

/// The shift of the centre of mass, x and y by frame, that brings the ZMP inside the margin: what is missing from
/// `first` on, and on the seat before it, is the demand of shift_for_zmp.
Eigen::Matrix2Xd zmp_shift(const PlannedForces& plan, const SupportArea& area, Eigen::Index first, double rate_hz);

/// Smallest distance of the ZMP to the edge from `first` on [m].
double zmp_margin(const PlannedForces& plan, const SupportArea& area, Eigen::Index first);

/// How far behind the hips the ZMP comes before `first` [m].
double zmp_behind_seat(const PlannedForces& plan, const SupportArea& area, Eigen::Index first);

}  // namespace aplomb

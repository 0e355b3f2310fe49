#pragma once

#include <Eigen/Core>

#include "aplomb/retarget/clip/planned_forces.hpp"
#include "aplomb/robot/limbs.hpp"
#include "aplomb/robot/support_region.hpp"

namespace aplomb {

/// Support region of both feet, and the margin of the ZMP to its edge. While the seat carries load, the ZMP must not be
/// behind the hips: a body that is thrown forward like that would lift its feet and tip over the seat.
struct SupportArea {
  SupportRegion region;       ///< support region of both soles
  double margin = 0.0;        ///< intended margin [m]
  double least_margin = 0.0;  ///< margin that is sufficient at the person's own speed [m]
  double seat_x = 0.0;        ///< smallest x of the ZMP on the seat: position of the hips [m]
};

/// Support area of the posture q, with margins of 0.15 and 0.1 of a sole's length (at most half and a third of its
/// width).
SupportArea support_area(const RobotModel& robot, const Limbs& limbs, const Eigen::VectorXd& q);

/// Shift of the centre of mass, x and y by frame, that brings the ZMP inside the margin from `first` on, and in front
/// of the hips before it. The ZMP violation is the input of com_shift_for_zmp.
Eigen::Matrix2Xd zmp_shift(const PlannedForces& plan, const SupportArea& area, Eigen::Index first, double rate_hz);

/// Smallest distance of the ZMP to the edge from `first` on [m].
double zmp_margin(const PlannedForces& plan, const SupportArea& area, Eigen::Index first);

/// Largest distance of the ZMP behind the hips before `first` [m].
double zmp_behind_seat(const PlannedForces& plan, const SupportArea& area, Eigen::Index first);

}  // namespace aplomb

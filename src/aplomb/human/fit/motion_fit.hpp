#pragma once

#include <functional>

#include "aplomb/human/fit/marker_fit.hpp"
#include "aplomb/human/marker_results.hpp"

namespace aplomb {

/// Fits a frame without an initial guess: starts from postures between standing and sitting and keeps the best fit.
/// False with fewer than six markers.
bool find_posture(MarkerFit& fit, const SubjectModel& subject, std::span<const Eigen::Vector3d> seen,
                  Eigen::VectorXd& q);

/// Fits all frames outwards from the one with the most markers, each starting from its neighbour's posture. Where
/// markers are missing it does so twice, the second time with the skin drift of the first pass (skin_drift.hpp). A head
/// without markers is kept upright and turned with the chest. Throws InvalidValue when no frame shows six
/// markers.
MotionFit fit_motion(const SubjectModel& subject, const RobotModel& robot, const MarkerTrack& track,
                     const std::function<void(double)>& on_progress = {});

}  // namespace aplomb

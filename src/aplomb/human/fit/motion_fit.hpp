#pragma once

#include <functional>

#include "aplomb/human/fit/marker_fit.hpp"
#include "aplomb/human/marker_results.hpp"

namespace aplomb {

/// A posture for a frame without one nearby: the best of standing and sitting starts. False with fewer than six
/// markers.
bool find_posture(MarkerFit& fit, const SubjectModel& subject, std::span<const Eigen::Vector3d> seen,
                  Eigen::VectorXd& q);

/// Fits all frames from the one with the most markers outwards, each from its neighbour's posture. Where markers are
/// missing it does so twice, the second time with the skin's drift that the first one showed (skin_drift.hpp). Where no
/// marker is on the head, it is held upright and turned with the chest. Throws InvalidValue when no frame shows six
/// markers.
MotionFit fit_motion(const SubjectModel& subject, const RobotModel& robot, const MarkerTrack& track,
                     const std::function<void(double)>& on_progress = {});

}  // namespace aplomb

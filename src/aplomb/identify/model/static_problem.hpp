#pragma once

#include "aplomb/identify/model.hpp"
#include "aplomb/identify/model/sagittal_model.hpp"
#include "aplomb/identify/postures.hpp"

namespace aplomb {

/// Spatial model at rest: m and h of every body that has a mass in the CAD.
StaticProblem spatial_problem(const RobotModel& cad, const PostureSet& set, const MeasurementNoise& noise);

/// Sagittal model at rest: m, hx and hz of each planar link.
StaticProblem sagittal_problem(const RobotModel& cad, const SagittalModel& model, const PostureSet& set,
                               const MeasurementNoise& noise);

}  // namespace aplomb

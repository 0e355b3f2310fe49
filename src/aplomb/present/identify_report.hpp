#pragma once

#include "aplomb/core/result.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/identify/identification.hpp"
#include "aplomb/identify/moving_fit.hpp"
#include "aplomb/identify/sensor_bias.hpp"
#include "aplomb/report/plot.hpp"

namespace aplomb {

/// RMS error of the horizontal CoM along a path, against a simulated robot whose true masses are known [m].
struct PathErrors {
  double identified = 0.0, least_squares = 0.0, cad = 0.0;
  double height = 0.0;  ///< height error of the identified CoM, which static postures hardly observe
};

/// Result, log and report of an identification.
struct IdentifyOutput {
  Result result;
  Log log;
  ReportPage page;
};

/// Metrics, the paper's figure (predicted CoM and measured CoP over postures), and tables of scores, parameters with
/// confidence intervals, base parameters and sensors. `truth` is absent outside of simulation.
IdentifyOutput describe(const RobotModel& cad, const PostureSet& set, const Identification& found,
                        const IdentifyOptions& options, const std::optional<PathErrors>& truth);

/// The metrics alone, without log and page: for many runs.
IdentifyOutput metrics_only(const PostureSet& set, const Identification& found, const std::optional<PathErrors>& truth);

/// The report of a fit to a recorded motion: hold-out error of the net contact wrench, joint friction, links.
IdentifyOutput describe(const RobotModel& cad, const PostureSet& set, const MovingFit& fit);

PageTable found_bias_table(const std::vector<FoundBias>& biases);  ///< constant sensor errors that were estimated

/// The `count` best postures to measure next, with the CoM uncertainty after them and after random ones.
PageTable next_posture_table(const RobotModel& cad, const PostureSet& set, const Identification& found,
                             const IdentifyOptions& options, int count);

/// Errors of an identification along a path of the true robot.
PathErrors path_errors(const RobotModel& truth, const RobotModel& cad, const Identification& found,
                       const std::vector<RobotState>& path);

}  // namespace aplomb

#include "aplomb/human/mass_adjustment.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace aplomb {
namespace {

using Parameters = MassParameters::Vector;
using Residuals = Eigen::Matrix<double, 5, Eigen::Dynamic>;  ///< CoP x, y [m]; force x, y, z [N]

constexpr int kMaxIterations = 12;
// What is left between a good model and plates: the CoP within the 2 cm that the paper asks for. Forces count
// less: soft tissue makes their swings some 8 % larger than those of rigid segments, whatever the masses are.
constexpr double kCopDeviation = 0.02, kForceDeviation = 40.0;
constexpr double kForceFactor = 2.0;
constexpr double kFewestSure = 0.15;  // of the windows' frames: with fewer all are taken

/// Least squares of the residuals in the fitted windows over the parameters.
class Fit {
 public:
  Fit(const SegmentMotion& segments, const Skeleton& skeleton, const GroundForces& forces,
      const std::vector<FrameRange>& windows, const MassAdjustmentOptions& options)
      : segments_(segments), skeleton_(skeleton), forces_(forces), options_(options) {
    const CentroidalMotion body = centroidal_motion(segments, skeleton, options.cutoff_hz);
    const double least = 0.2 * body.mass * kGravity;
    for (const FrameRange& window : windows) {
      for (Eigen::Index i = window.first; i <= window.last; ++i) {
        if (std::min(body.force(2, i), forces.sum(i).force.z()) > least) frames_.push_back(i);
      }
    }
    leave_unsure_frames();
    // Neighbouring frames of a low-passed signal tell the same.
    independent_ = std::min(1.0, 2.0 * options.cutoff_hz / segments.rate_hz());
  }

  int solve(Parameters& parameters, Parameters& deviation) const {
    deviation = options_.prior;
    if (frames_.empty()) return 0;
    int iteration = 0;
    while (iteration < kMaxIterations) {
      ++iteration;
      Eigen::Matrix<double, 6, 6> normal = options_.prior.cwiseAbs2().cwiseInverse().asDiagonal();
      Parameters gradient = normal * parameters;
      accumulate(parameters, normal, gradient);
      const Eigen::LDLT<Eigen::Matrix<double, 6, 6>> factor(normal);
      const Parameters step = -factor.solve(gradient);
      parameters += step;
      deviation = factor.solve(Eigen::Matrix<double, 6, 6>::Identity()).diagonal().cwiseSqrt();
      if (step.cwiseAbs().maxCoeff() < 1e-6) break;
    }
    return iteration;
  }

 private:
  void leave_unsure_frames() {
    if (options_.is_sure.empty()) return;
    std::vector<Eigen::Index> sure;
    std::ranges::copy_if(frames_, std::back_inserter(sure),
                         [&](Eigen::Index i) { return options_.is_sure[static_cast<std::size_t>(i)] != 0; });
    if (static_cast<double>(sure.size()) >= kFewestSure * static_cast<double>(frames_.size()))
      frames_ = std::move(sure);
  }

  Residuals residuals(const Parameters& parameters) const {
    const Skeleton tried = with_mass_parameters(skeleton_, MassParameters::from(parameters));
    const CentroidalMotion body = centroidal_motion(segments_, tried, options_.cutoff_hz);
    Residuals errors(5, static_cast<Eigen::Index>(frames_.size()));
    for (Eigen::Index i = 0; i < errors.cols(); ++i) {
      const Eigen::Index frame = frames_[static_cast<std::size_t>(i)];
      const Wrench measured = forces_.sum(frame);
      errors.col(i) << body.cop(frame, forces_.plane_height) - centre_of_pressure(measured, forces_.plane_height),
          body.force.col(frame) - measured.force;
    }
    return errors;
  }

  void accumulate(const Parameters& parameters, Eigen::Matrix<double, 6, 6>& normal, Parameters& gradient) const {
    const Residuals errors = residuals(parameters);
    std::array<Residuals, 6> slopes;
    for (int k = 0; k < 6; ++k) {
      constexpr double kStep = 1e-4;
      Parameters ahead = parameters;
      ahead[k] += kStep;
      slopes[static_cast<std::size_t>(k)] = (residuals(ahead) - errors) / kStep;
    }
    const Eigen::Matrix<double, 5, 1> weights = channel_weights(errors);
    for (int row = 0; row < 6; ++row) {
      const Residuals weighted = weights.asDiagonal() * slopes[static_cast<std::size_t>(row)];
      gradient[row] += weighted.cwiseProduct(errors).sum();
      for (int column = 0; column < 6; ++column) {
        normal(row, column) += weighted.cwiseProduct(slopes[static_cast<std::size_t>(column)]).sum();
      }
    }
  }

  /// 1 / variance of each channel: its own residual, but never below what plates and markers resolve, and never above
  /// what a good model leaves, since a bad start says nothing of the noise.
  Eigen::Matrix<double, 5, 1> channel_weights(const Residuals& errors) const {
    Eigen::Matrix<double, 5, 1> least, most;
    least << 1e-3, 1e-3, 1.0, 1.0, 1.0;
    most << kCopDeviation, kCopDeviation, kForceDeviation, kForceDeviation, kForceDeviation;
    Eigen::Matrix<double, 5, 1> deviation = errors.cwiseAbs2().rowwise().mean().cwiseSqrt();
    deviation.tail<3>() *= kForceFactor;
    deviation = deviation.cwiseMax(least).cwiseMin(most);
    return independent_ * deviation.cwiseAbs2().cwiseInverse();
  }

  const SegmentMotion& segments_;
  const Skeleton& skeleton_;
  const GroundForces& forces_;
  const MassAdjustmentOptions& options_;
  std::vector<Eigen::Index> frames_;
  double independent_ = 1.0;
};

}  // namespace

void split_windows(const std::vector<FrameRange>& windows, std::vector<FrameRange>& fitted,
                   std::vector<FrameRange>& judged) {
  fitted.clear();
  judged.clear();
  if (windows.empty()) return;
  if (windows.size() == 1) {
    const FrameRange& whole = windows.front();
    for (Eigen::Index quarter = 0; quarter < 4; ++quarter) {
      const FrameRange part{whole.first + quarter * whole.size() / 4,
                            whole.first + (quarter + 1) * whole.size() / 4 - 1};
      (quarter % 2 == 0 ? fitted : judged).push_back(part);
    }
    return;
  }
  const std::size_t count = std::max<std::size_t>(1, 2 * windows.size() / 5);
  fitted.assign(windows.begin(), windows.begin() + static_cast<std::ptrdiff_t>(count));
  judged.assign(windows.begin() + static_cast<std::ptrdiff_t>(count), windows.end());
}

MassAdjustment adjust_masses(const SegmentMotion& segments, const Skeleton& skeleton, const GroundForces& forces,
                             const std::vector<FrameRange>& windows, const MassAdjustmentOptions& options) {
  MassAdjustment made;
  made.judged_windows = windows;
  Parameters parameters = Parameters::Zero();
  if (!options.is_frozen) {
    split_windows(windows, made.fitted_windows, made.judged_windows);
    const Fit fit(segments, skeleton, forces, made.fitted_windows, options);
    made.num_iterations = fit.solve(parameters, made.deviation);
  }
  const CentroidalMotion before = centroidal_motion(segments, skeleton, options.cutoff_hz);
  const CentroidalMotion tried =
      centroidal_motion(segments, with_mass_parameters(skeleton, MassParameters::from(parameters)), options.cutoff_hz);
  made.before = plate_agreement(before, forces, windows);
  made.judged_before = plate_agreement(before, forces, made.judged_windows);
  made.judged_after = plate_agreement(tried, forces, made.judged_windows);
  if (!options.is_frozen) {  // judged; what is handed on may use all that is known
    const Fit fit(segments, skeleton, forces, windows, options);
    made.num_iterations += fit.solve(parameters, made.deviation);
  }
  made.parameters = MassParameters::from(parameters);
  made.skeleton = with_mass_parameters(skeleton, made.parameters);
  const CentroidalMotion after = centroidal_motion(segments, made.skeleton, options.cutoff_hz);
  made.after = plate_agreement(after, forces, windows);
  made.verdict_before = judge(made.judged_before, before.mass);
  made.verdict = judge(made.judged_after, after.mass);
  return made;
}

}  // namespace aplomb

#include "aplomb/human/subject/mass_adjustment.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include "aplomb/human/plates/plate_agreement.hpp"
#include "aplomb/human/plates/plate_places.hpp"
#include "aplomb/human/subject/motion_uncertainty.hpp"
#include "aplomb/human/subject/skin_cutoff.hpp"

namespace aplomb {
namespace {

using Parameters = MassParameters::Vector;
using Square = Eigen::Matrix<double, MassParameters::kCount, MassParameters::kCount>;
using Channels = Eigen::Matrix<double, 5, 1>;
using Residuals = Eigen::Matrix<double, 5, Eigen::Dynamic>;  ///< CoP x, y [m]; force x, y, z [N]
using Slopes = std::array<Residuals, MassParameters::kCount>;

constexpr int kMaxIterations = 25;
constexpr double kHuber = 1.345;  // robust standard deviations: 95 % efficiency for normal errors (Huber 1981)
// Smallest robust deviation as a fraction of a good model's errors: the resolution of plates and markers.
constexpr double kBestLevel = 0.05;
// Cut-off of the instruments, as a fraction of the data's. At a half, gaps of markers still moved the trunk's CoM by
// centimetres.
constexpr double kSlopesCutoff = 0.25;

/// Residuals of a good model [m, m, N, N, N]: the CoP within the 2 cm that Mistry et al. (2010) require.
Channels good_errors() { return (Channels() << 0.02, 0.02, 20.0, 20.0, 20.0).finished(); }

/// Weights of the channels. Forces count half: with soft tissue they vary by some 8 % more than with rigid segments,
/// whatever the masses.
Channels importance() { return (Channels() << 1.0, 1.0, 0.5, 0.5, 0.5).finished(); }

/// Robust standard deviation of each row: 1.4826 × median magnitude, as for normal errors.
Channels robust_deviations(const Residuals& errors) {
  Channels found;
  std::vector<double> sizes(static_cast<std::size_t>(errors.cols()));
  for (Eigen::Index row = 0; row < errors.rows(); ++row) {
    for (Eigen::Index i = 0; i < errors.cols(); ++i) sizes[static_cast<std::size_t>(i)] = std::abs(errors(row, i));
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::ranges::nth_element(sizes, middle);
    found[row] = 1.4826 * *middle;
  }
  return found;
}

/// Sums over the fitted windows: at the solution the residuals are uncorrelated with the instruments.
struct Equations {
  Square normal;       ///< instruments · slopes
  Square information;  ///< slopes · slopes, for the posterior covariance
  Parameters gradient;
};

/// The equations of one trial.
///
/// The slopes (derivatives of the residuals by the parameters) contain the same noisy accelerations as the residuals:
/// where markers are lost, least squares would choose the masses with which noise moves the CoP least (in sit-to-stand
/// a trunk CoM that is centimetres too low). Therefore the residuals are multiplied by slopes low-passed at a quarter
/// of the cut-off, which have a thirtieth of the noise (instrumental variables: unbiased as long as instruments and
/// errors are not correlated).
class TrialEquations {
 public:
  TrialEquations(const SegmentMotion& segments, const Skeleton& skeleton, const GroundForces& forces,
                 const std::vector<FrameRange>& windows, const MassAdjustmentOptions& options, double skin_cutoff_hz)
      : segments_(segments), skeleton_(skeleton), forces_(forces), options_(options), skin_cutoff_hz_(skin_cutoff_hz) {
    const CentroidalMotion body = centroidal_motion(segments, skeleton, options.cutoff_hz, skin_cutoff_hz);
    const double least = 0.2 * body.mass * kGravity;
    for (const FrameRange& window : windows) {
      for (Eigen::Index i = window.first; i <= window.last; ++i) {
        if (std::min(body.force(2, i), forces.sum(i).force.z()) > least) frames_.push_back(i);
      }
    }
    weigh_frames();
  }

  bool is_empty() const { return frames_.empty(); }

  void accumulate(const Parameters& parameters, Equations& equations) const {
    const double slow = kSlopesCutoff * options_.cutoff_hz;
    const Residuals errors = residuals(parameters, options_.cutoff_hz);
    const Slopes own = slopes(parameters, errors, options_.cutoff_hz);
    const Slopes instruments = slopes(parameters, residuals(parameters, slow), slow);
    const Residuals weights = weights_of(errors);
    for (std::size_t i = 0; i < own.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      const Residuals instrument = weights.cwiseProduct(instruments[i]);
      equations.gradient[row] += instrument.cwiseProduct(errors).sum();
      for (std::size_t k = 0; k < own.size(); ++k) {
        const auto column = static_cast<Eigen::Index>(k);
        equations.normal(row, column) += instrument.cwiseProduct(own[k]).sum();
        equations.information(row, column) += weights.cwiseProduct(own[i]).cwiseProduct(own[k]).sum();
      }
    }
  }

 private:
  /// Sets the frames' weights, normalised such that the weight of the windows against the prior does not depend on lost
  /// markers: the residuals are mainly errors of the model, which are similar in every rise.
  void weigh_frames() {
    frame_weights_.setOnes(static_cast<Eigen::Index>(frames_.size()));
    if (frames_.empty()) return;
    for (std::size_t i = 0; i < frames_.size() && !options_.lost_markers.empty(); ++i) {
      // A lost marker adds as much error as a complete frame has.
      const double lost = options_.lost_markers[static_cast<std::size_t>(frames_[i])];
      frame_weights_[static_cast<Eigen::Index>(i)] = 1.0 / (1.0 + lost * lost);
    }
    // Neighbouring frames of a low-passed signal are correlated.
    const double independent = std::min(1.0, 2.0 * options_.cutoff_hz / segments_.rate_hz());
    frame_weights_ *= independent / frame_weights_.mean();
  }

  Residuals residuals(const Parameters& parameters, double cutoff_hz) const {
    const Skeleton tried = with_mass_parameters(skeleton_, MassParameters::from(parameters));
    const CentroidalMotion body = centroidal_motion(segments_, tried, cutoff_hz, skin_cutoff_hz_);
    Residuals errors(5, static_cast<Eigen::Index>(frames_.size()));
    for (Eigen::Index i = 0; i < errors.cols(); ++i) {
      const Eigen::Index frame = frames_[static_cast<std::size_t>(i)];
      const Wrench measured = forces_.sum(frame);
      errors.col(i) << body.cop(frame, forces_.plane_height) - centre_of_pressure(measured, forces_.plane_height),
          body.force.col(frame) - measured.force;
    }
    return errors;
  }

  Slopes slopes(const Parameters& parameters, const Residuals& errors, double cutoff_hz) const {
    constexpr double kStep = 1e-4;
    Slopes found;
    for (std::size_t k = 0; k < found.size(); ++k) {
      Parameters ahead = parameters;
      ahead[static_cast<Eigen::Index>(k)] += kStep;
      found[k] = (residuals(ahead, cutoff_hz) - errors) / kStep;
    }
    return found;
  }

  /// Weight 1 / variance of every residual, reduced for outliers (Huber's loss). The deviations keep the ratios of
  /// good_errors(); their common scale is that of the worst channel, but at most 1, since the residuals of a poor
  /// initial guess say nothing about the noise.
  Residuals weights_of(const Residuals& errors) const {
    const Channels own = robust_deviations(errors).cwiseMax(kBestLevel * good_errors()).cwiseMin(good_errors());
    const double level = own.cwiseQuotient(good_errors()).maxCoeff();
    const Channels factors = (importance().array() / (level * good_errors().array())).square();
    const Residuals sizes = own.cwiseInverse().asDiagonal() * errors.cwiseAbs();
    const Residuals shares = (kHuber / sizes.array().max(kHuber)).matrix() * frame_weights_.asDiagonal();
    const double evidence = frame_weights_.sum();
    return factors.cwiseProduct((evidence / shares.rowwise().sum().array()).matrix()).asDiagonal() * shares;
  }

  const SegmentMotion& segments_;
  const Skeleton& skeleton_;
  const GroundForces& forces_;
  const MassAdjustmentOptions& options_;
  double skin_cutoff_hz_;
  std::vector<Eigen::Index> frames_;
  Eigen::VectorXd frame_weights_;
};

/// Gauss-Newton over the equations of one or several trials and the prior; returns the number of iterations.
int solve(const std::vector<const TrialEquations*>& trials, const Parameters& deviations, Parameters& parameters,
          Square& covariance) {
  const Square prior = deviations.cwiseAbs2().cwiseInverse().asDiagonal();
  covariance = deviations.cwiseAbs2().asDiagonal();
  if (std::ranges::all_of(trials, [](const TrialEquations* trial) { return trial->is_empty(); })) return 0;
  int iteration = 0;
  while (iteration < kMaxIterations) {
    ++iteration;
    Equations equations{.normal = prior, .information = prior, .gradient = prior * parameters};
    for (const TrialEquations* trial : trials) {
      if (!trial->is_empty()) trial->accumulate(parameters, equations);
    }
    const Parameters step = -equations.normal.partialPivLu().solve(equations.gradient);
    parameters += step;
    covariance = equations.information.ldlt().solve(Square::Identity());
    if (step.cwiseAbs().maxCoeff() < 1e-6) break;
  }
  return iteration;
}

/// Fits, judges and fits again.
class Adjuster {
 public:
  explicit Adjuster(const PlateTrial& trial) : trial_(trial) {
    result_.skin_cutoff_hz = std::min(trial.options.cutoff_hz, kSkinCutoff);
    result_.covariance = trial.options.prior.cwiseAbs2().asDiagonal();
  }

  /// Finds the skin's cut-off in `windows`, which are then the fitted ones.
  void set_fitted(std::vector<FrameRange> windows) {
    result_.fitted_windows = std::move(windows);
    result_.skin_cutoff_hz = skin_cutoff(trial_.segments, trial_.mean_body, trial_.forces, result_.fitted_windows,
                                         trial_.options.lost_markers, trial_.options.cutoff_hz);
  }

  TrialEquations equations(const std::vector<FrameRange>& windows) const {
    return {trial_.segments, trial_.mean_body, trial_.forces, windows, trial_.options, result_.skin_cutoff_hz};
  }

  /// Judges parameters that were fitted without `windows`.
  void judge_in(std::vector<FrameRange> windows, const Parameters& parameters) {
    result_.judged_windows = std::move(windows);
    const CentroidalMotion before = motion_of(trial_.mean_body);
    const CentroidalMotion tried = motion_of(with_parameters(parameters));
    result_.before = plate_agreement(before, trial_.forces, trial_.windows);
    result_.judged_before = plate_agreement(before, trial_.forces, result_.judged_windows);
    result_.judged_after = plate_agreement(tried, trial_.forces, result_.judged_windows);
    result_.verdict_before = judge(result_.judged_before, before.mass);
    result_.verdict = judge(result_.judged_after, tried.mass);
    judge_offset();
    judge_shift();
    MotionUncertainty uncertainty =
        motion_uncertainty(trial_.segments, tried, {trial_.mean_body, parameters, result_.covariance},
                           trial_.forces.plane_height, trial_.options.marker_variance);
    rescale(error_scale(tried, uncertainty, trial_.forces, result_.fitted_windows), uncertainty);
    result_.judged_within_two_deviations =
        fraction_within_two_deviations(tried, uncertainty, trial_.forces, result_.judged_windows);
  }

  /// Rejects plates so far from the mean body that no adjustment of its masses is plausible.
  void judge_offset() {
    result_.mean_body_offset = std::hypot(result_.before.cop_x.mean, result_.before.cop_y.mean);
    if (result_.mean_body_offset < kOffsetLimit) return;
    result_.verdict = {
        false,
        fmt::format("the plates disagree: their CoP is {:.1f} cm from that of the mean body on the mean ({:+.1f} cm "
                    "forwards, {:+.1f} cm to the left), more than bodies differ by: are they where the file says? {}",
                    100.0 * result_.mean_body_offset, -100.0 * result_.before.cop_x.mean,
                    -100.0 * result_.before.cop_y.mean, result_.verdict.text)};
  }

  /// Rejects plates of which one is significantly off its place.
  void judge_shift() {
    result_.plate_shift =
        largest_plate_shift(trial_.segments, trial_.mean_body, trial_.forces, trial_.windows, trial_.options.prior,
                            trial_.options.cutoff_hz, trial_.options.lost_markers);
    if (!result_.plate_shift || result_.plate_shift->deviations < kShiftLimit) return;
    const PlateShift& shift = *result_.plate_shift;
    result_.verdict = {
        false, fmt::format("the plates disagree: {} seems to be {:.1f} cm off its place ({:+.1f} cm forwards, {:+.1f} "
                           "cm to the left; {:.1f} standard deviations): is it where the file says? {}",
                           shift.plate.empty() ? "the plates' origin" : fmt::format("plate '{}'", shift.plate),
                           100.0 * shift.shift.norm(), 100.0 * shift.shift.x(), 100.0 * shift.shift.y(),
                           shift.deviations, result_.verdict.text)};
  }

  /// Adopts the final parameters.
  void adopt(const Parameters& parameters, const Square& covariance) {
    result_.parameters = MassParameters::from(parameters);
    result_.covariance = covariance;
    result_.deviation = covariance.diagonal().cwiseSqrt();
    result_.skeleton = with_parameters(parameters);
    const CentroidalMotion after = motion_of(result_.skeleton);
    result_.after = plate_agreement(after, trial_.forces, trial_.windows);
    result_.uncertainty = motion_uncertainty(trial_.segments, after, {trial_.mean_body, parameters, covariance},
                                             trial_.forces.plane_height, trial_.options.marker_variance);
    if (!trial_.options.is_frozen) {
      rescale(error_scale(after, result_.uncertainty, trial_.forces, trial_.windows), result_.uncertainty);
    }
  }

  MassAdjustment& result() { return result_; }

 private:
  Skeleton with_parameters(const Parameters& parameters) const {
    return with_mass_parameters(trial_.mean_body, MassParameters::from(parameters));
  }
  CentroidalMotion motion_of(const Skeleton& masses) const {
    return centroidal_motion(trial_.segments, masses, trial_.options.cutoff_hz, result_.skin_cutoff_hz);
  }

  const PlateTrial& trial_;
  MassAdjustment result_;
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

MassAdjustment adjust_masses(const PlateTrial& trial) {
  Adjuster adjuster(trial);
  MassAdjustment& result = adjuster.result();
  Parameters parameters = Parameters::Zero();
  std::vector<FrameRange> fitted, judged = trial.windows;
  if (!trial.options.is_frozen) {
    split_windows(trial.windows, fitted, judged);
    adjuster.set_fitted(fitted);
    const TrialEquations equations = adjuster.equations(result.fitted_windows);
    result.num_iterations = solve({&equations}, trial.options.prior, parameters, result.covariance);
  }
  adjuster.judge_in(judged, parameters);
  Square covariance = result.covariance;
  if (!trial.options.is_frozen) {  // validation is done: the result is fitted to all windows
    const TrialEquations equations = adjuster.equations(trial.windows);
    result.num_iterations += solve({&equations}, trial.options.prior, parameters, covariance);
  }
  adjuster.adopt(parameters, covariance);
  return std::move(result);
}

std::vector<MassAdjustment> adjust_masses_together(const std::vector<PlateTrial>& trials) {
  std::vector<Adjuster> adjusters;
  for (const PlateTrial& trial : trials) {
    adjusters.emplace_back(trial).set_fitted(trial.windows);
  }
  std::vector<TrialEquations> equations;
  for (std::size_t i = 0; i < trials.size(); ++i) equations.push_back(adjusters[i].equations(trials[i].windows));
  const auto fitted_without = [&](std::size_t left_out, Square& covariance, int& num_iterations) {
    std::vector<const TrialEquations*> others;
    for (std::size_t k = 0; k < trials.size(); ++k) {
      if (k != left_out) others.push_back(&equations[k]);
    }
    Parameters parameters = Parameters::Zero();
    num_iterations += solve(others, trials.front().options.prior, parameters, covariance);
    return parameters;
  };
  std::vector<MassAdjustment> results;
  Square covariance;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    MassAdjustment& result = adjusters[i].result();
    // The trial itself gives nothing: the skin's cut-off is the prior's, too.
    result.fitted_windows.clear();
    result.skin_cutoff_hz = std::min(trials[i].options.cutoff_hz, kSkinCutoff);
    const Parameters parameters = fitted_without(i, result.covariance, result.num_iterations);
    adjusters[i].judge_in(trials[i].windows, parameters);
  }
  int num_iterations = 0;
  const Parameters parameters = fitted_without(trials.size(), covariance, num_iterations);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    adjusters[i].result().num_iterations += num_iterations;
    adjusters[i].set_fitted(trials[i].windows);
    adjusters[i].adopt(parameters, covariance);
    results.push_back(std::move(adjusters[i].result()));
  }
  return results;
}

}  // namespace aplomb

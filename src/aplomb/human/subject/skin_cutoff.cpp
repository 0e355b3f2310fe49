#include "aplomb/human/subject/skin_cutoff.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/core/math/zero_phase.hpp"

namespace aplomb {
namespace {

constexpr double kSpread = 0.2;      ///< standard deviation of the prior of ln(cut-off / kSkinCutoff)
constexpr double kMost = 2.0;        ///< largest distance below the prior, in its standard deviations
constexpr double kResolution = 0.5;  ///< [N] errors below it are the plates' own
constexpr double kStep = 0.95;       ///< ratio of one tried cut-off to the next higher one

/// Negative logarithm of the likelihood (the variance of each force's errors unknown) times the prior, twice.
class Score {
 public:
  Score(const SegmentMotion& segments, const Skeleton& skeleton, const GroundForces& forces,
        const std::vector<FrameRange>& windows, const std::vector<int>& lost_markers, double cutoff_hz)
      : com_(segments.with_masses(skeleton).com.topRows<2>()), rate_hz_(segments.rate_hz()) {
    for (const Segment& segment : skeleton.segments) mass_ += segment.inertia.mass;
    double num_frames = 0.0;
    for (const FrameRange& window : windows) num_frames += static_cast<double>(window.size());
    measured_.resize(2, static_cast<Eigen::Index>(num_frames));
    Eigen::Index column = 0;
    for (const FrameRange& window : windows) {
      for (Eigen::Index i = window.first; i <= window.last; ++i) {
        frames_.push_back(i);
        weights_.push_back(weight(lost_markers, i));
        measured_.col(column++) = forces.sum(i).force.head<2>();
      }
    }
    for (const double weight : weights_) sum_of_weights_ += weight;
    num_independent_ = sum_of_weights_ * std::min(1.0, 2.0 * cutoff_hz / rate_hz_);
  }

  double operator()(double skin_cutoff_hz) const {
    const Eigen::MatrixXd com = ZeroPhaseFilter(skin_cutoff_hz, rate_hz_).filtered(com_);
    const Eigen::MatrixXd acceleration = central_difference(central_difference(com, rate_hz_), rate_hz_);
    Eigen::Array2d squares = Eigen::Array2d::Zero();
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      squares += weights_[i] *
                 (mass_ * acceleration.col(frames_[i]) - measured_.col(static_cast<Eigen::Index>(i))).array().square();
    }
    const Eigen::Array2d variance = squares / sum_of_weights_ + kResolution * kResolution;
    const double away = std::log(skin_cutoff_hz / kSkinCutoff) / kSpread;
    return num_independent_ * variance.log().sum() + away * away;
  }

 private:
  /// Where markers are lost the posture is less certain, which is not the skin's motion.
  static double weight(const std::vector<int>& lost_markers, Eigen::Index frame) {
    const double lost = lost_markers.empty() ? 0.0 : lost_markers[static_cast<std::size_t>(frame)];
    return 1.0 / (1.0 + lost * lost);
  }

  Eigen::MatrixXd com_, measured_;
  std::vector<Eigen::Index> frames_;
  std::vector<double> weights_;
  double rate_hz_ = 0.0, mass_ = 0.0, sum_of_weights_ = 0.0, num_independent_ = 0.0;
};

}  // namespace

double skin_cutoff(const SegmentMotion& segments, const Skeleton& skeleton, const GroundForces& forces,
                   const std::vector<FrameRange>& windows, const std::vector<int>& lost_markers, double cutoff_hz) {
  const double highest = std::min(cutoff_hz, segments.bandwidth_hz());
  if (windows.empty()) return std::min(highest, kSkinCutoff);
  const Score score(segments, skeleton, forces, windows, lost_markers, cutoff_hz);
  double best = highest, least = score(highest);
  const double lowest = kSkinCutoff * std::exp(-kMost * kSpread);
  for (double tried = kStep * highest; tried > lowest; tried *= kStep) {
    const double value = score(tried);
    if (value >= least) continue;
    least = value;
    best = tried;
  }
  return best;
}

}  // namespace aplomb

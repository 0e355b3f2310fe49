#include "aplomb/human/plates/plate_agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace aplomb {
namespace {

constexpr double kLeastLoad = 0.1;        ///< fraction of body weight below which a CoP is not compared
constexpr double kLeastVariation = 0.03;  ///< standard deviation of the vertical force that tells motions apart, ditto

ErrorFigures figures(std::vector<double> errors) {
  ErrorFigures found;
  if (errors.empty()) return found;
  const auto count = static_cast<double>(errors.size());
  for (double& error : errors) {
    found.rms += error * error / count;
    found.mean += error / count;
    error = std::abs(error);
  }
  found.rms = std::sqrt(found.rms);
  std::ranges::sort(errors);
  found.p95 = errors[static_cast<std::size_t>(std::ceil(0.95 * count)) - 1];
  found.max = errors.back();
  return found;
}

std::string centimetres(double metres) { return fmt::format("{:.1f} cm", 100.0 * metres); }

std::string disagreement(const char* along, const ErrorFigures& cop, const char* ahead, const char* behind) {
  std::string text = fmt::format("CoP {} differs by {} RMS ({} at p95, {} at worst)", along, centimetres(cop.rms),
                                 centimetres(cop.p95), centimetres(cop.max));
  if (std::abs(cop.mean) > 0.5 * cop.rms) {
    text += fmt::format(", on the mean the prediction is {} {}", centimetres(std::abs(cop.mean)),
                        cop.mean > 0.0 ? ahead : behind);
  } else {
    text += ", in turns to both sides: the motion or the times disagree rather than the masses";
  }
  return text;
}

using Channels = Eigen::Matrix<double, 5, 1>;  ///< CoP x, y [m]; force x, y, z [N]

/// Values of `path` (one column per frame) at a place between frames, by linear interpolation.
Channels between(const Eigen::Matrix<double, 5, Eigen::Dynamic>& path, double place) {
  const double inside = std::clamp(place, 0.0, static_cast<double>(path.cols() - 1));
  const auto before = std::min<Eigen::Index>(static_cast<Eigen::Index>(inside), path.cols() - 2);
  const double part = inside - static_cast<double>(before);
  return (1.0 - part) * path.col(before) + part * path.col(before + 1);
}

/// Compares predicted and measured CoP and force at several lags.
class LagSearch {
 public:
  LagSearch(const CentroidalMotion& body, const GroundForces& forces, const std::vector<FrameRange>& windows)
      : predicted_(5, body.num_frames()), measured_(5, body.num_frames()) {
    const double least = kClearLoad * body.mass * kGravity;
    for (Eigen::Index i = 0; i < body.num_frames(); ++i) {
      predicted_.col(i) << body.cop(i, forces.plane_height), body.force.col(i);
      const Wrench sum = forces.sum(i);
      measured_.col(i) << centre_of_pressure(sum, forces.plane_height), sum.force;
    }
    for (const FrameRange& window : windows) {
      for (Eigen::Index i = window.first; i <= window.last; ++i) {
        if (std::min(predicted_(4, i), measured_(4, i)) > least) frames_.push_back(i);
      }
    }
  }

  /// Variance of the differences relative to good ones, summed over the channels, with the prediction `lag_frames`
  /// earlier.
  double mismatch(double lag_frames) const {
    Channels sum = Channels::Zero(), squares = Channels::Zero();
    double count = 0.0;
    for (const Eigen::Index i : frames_) {
      const Channels error = between(predicted_, static_cast<double>(i) - lag_frames) - measured_.col(i);
      if (!error.allFinite()) continue;
      sum += error;
      squares += error.cwiseAbs2();
      count += 1.0;
    }
    if (count == 0.0) return 0.0;
    const Channels good = (Channels() << 0.02, 0.02, 20.0, 20.0, 20.0).finished();
    return ((squares / count - (sum / count).cwiseAbs2()).array() / good.array().square()).sum();
  }

 private:
  static constexpr double kClearLoad = 0.3;  ///< fraction of body weight above which a CoP is clear
  Eigen::Matrix<double, 5, Eigen::Dynamic> predicted_, measured_;
  std::vector<Eigen::Index> frames_;
};

}  // namespace

PlateAgreement plate_agreement(const CentroidalMotion& body, const GroundForces& forces,
                               const std::vector<FrameRange>& windows) {
  std::vector<double> cop[2], force[3], measured_z;
  PlateAgreement found;
  const double weight = body.mass * kGravity;
  double worst = 0.0;
  for (const FrameRange& window : windows) {
    for (Eigen::Index i = window.first; i <= window.last; ++i) {
      const Wrench measured = forces.sum(i);
      const Wrench predicted = body.wrench(i);
      for (int axis : {0, 1, 2}) force[axis].push_back(predicted.force[axis] - measured.force[axis]);
      measured_z.push_back(measured.force.z());
      ++found.num_frames;
      if (std::min(measured.force.z(), predicted.force.z()) < kLeastLoad * weight) continue;
      const Eigen::Vector2d error =
          centre_of_pressure(predicted, forces.plane_height) - centre_of_pressure(measured, forces.plane_height);
      for (int axis : {0, 1}) cop[axis].push_back(error[axis]);
      if (error.cwiseAbs().maxCoeff() <= worst) continue;
      worst = error.cwiseAbs().maxCoeff();
      found.worst_time_s = body.time_s(i);
      found.worst_load_ratio = measured.force.z() / weight;
    }
  }
  found.cop_x = figures(std::move(cop[0]));
  found.cop_y = figures(std::move(cop[1]));
  found.force_x = figures(std::move(force[0]));
  found.force_y = figures(std::move(force[1]));
  found.force_z = figures(std::move(force[2]));
  const ErrorFigures load = figures(std::move(measured_z));
  const double variation = std::sqrt(std::max(0.0, load.rms * load.rms - load.mean * load.mean));
  if (variation > kLeastVariation * weight) found.force_z_unexplained = found.force_z.rms / variation;
  return found;
}

Verdict judge(const PlateAgreement& agreement, double mass) {
  const bool fits_x = agreement.cop_x.rms < kCopLimit, fits_y = agreement.cop_y.rms < kCopLimit;
  const bool is_explained = agreement.force_z_unexplained.value_or(0.0) < kUnexplainedLimit;
  std::string text = fits_x && fits_y && is_explained ? "the plates agree: " : "the plates disagree: ";
  if (fits_x && fits_y) {
    text += fmt::format("CoP within {} RMS forwards and {} sideways", centimetres(agreement.cop_x.rms),
                        centimetres(agreement.cop_y.rms));
  }
  if (!fits_x) text += disagreement("forwards", agreement.cop_x, "too far forwards", "too far back");
  if (!fits_x && !fits_y) text += "; ";
  if (!fits_y) text += disagreement("sideways", agreement.cop_y, "too far left", "too far right");
  text += fmt::format("; the largest CoP error is at {:.2f} s, where the plates carry {:.0f} % of body weight",
                      agreement.worst_time_s, 100.0 * agreement.worst_load_ratio);
  if (!is_explained) {
    text += fmt::format(
        "; the motion does not explain the vertical force (error {:.0f} % of its variation): are these the forces of "
        "another trial?",
        100.0 * *agreement.force_z_unexplained);
  }
  const double weight = mass * kGravity;
  if (std::abs(agreement.force_z.mean) > 0.02 * weight) {
    text += fmt::format("; the vertical force is {:.0f} N too {} on the mean: mass or a contact beside the plates",
                        std::abs(agreement.force_z.mean), agreement.force_z.mean > 0.0 ? "large" : "small");
  }
  return {fits_x && fits_y && is_explained, text};
}

double plate_lag(const CentroidalMotion& body, const GroundForces& forces, const std::vector<FrameRange>& windows) {
  if (body.num_frames() < 3 || windows.empty()) return 0.0;
  const Eigen::VectorXd measured = forces.vertical();
  double mean = 0.0, squares = 0.0, count = 0.0;
  for (const FrameRange& window : windows) {
    const auto part = measured.segment(window.first, window.size()).array();
    mean += part.sum();
    squares += part.square().sum();
    count += static_cast<double>(window.size());
  }
  mean /= count;
  if (std::sqrt(std::max(0.0, squares / count - mean * mean)) < kLeastVariation * body.mass * kGravity) return 0.0;
  const LagSearch search(body, forces, windows);
  double best_lag = 0.0, best = search.mismatch(0.0);
  for (int millisecond = -50; millisecond <= 50; ++millisecond) {
    const double lag = 1e-3 * millisecond;
    const double here = search.mismatch(lag * body.rate_hz);
    if (here < best) {
      best = here;
      best_lag = lag;
    }
  }
  return best_lag;
}

}  // namespace aplomb

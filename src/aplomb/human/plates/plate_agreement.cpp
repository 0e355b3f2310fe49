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

/// Variance of the difference of predicted and measured vertical force [N²], with the prediction `lag_frames` earlier.
double mismatch(const CentroidalMotion& body, const Eigen::VectorXd& measured, const std::vector<FrameRange>& windows,
                double lag_frames) {
  double sum = 0.0, squares = 0.0, count = 0.0;
  for (const FrameRange& window : windows) {
    for (Eigen::Index i = window.first; i <= window.last; ++i) {
      const double place =
          std::clamp(static_cast<double>(i) - lag_frames, 0.0, static_cast<double>(body.num_frames() - 1));
      const auto before = std::min<Eigen::Index>(static_cast<Eigen::Index>(place), body.num_frames() - 2);
      const double part = place - static_cast<double>(before);
      const double predicted = (1.0 - part) * body.force(2, before) + part * body.force(2, before + 1);
      const double error = predicted - measured[i];
      sum += error;
      squares += error * error;
      count += 1.0;
    }
  }
  return count > 0.0 ? squares / count - (sum / count) * (sum / count) : 0.0;
}

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
  double best_lag = 0.0, best = mismatch(body, measured, windows, 0.0);
  for (int millisecond = -50; millisecond <= 50; ++millisecond) {
    const double lag = 1e-3 * millisecond;
    const double here = mismatch(body, measured, windows, lag * body.rate_hz);
    if (here < best) {
      best = here;
      best_lag = lag;
    }
  }
  return best_lag;
}

}  // namespace aplomb

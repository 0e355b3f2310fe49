#include "aplomb/human/subject/motion_uncertainty.hpp"

#include <algorithm>
#include <cmath>

#include "aplomb/human/subject/mass_parameters.hpp"

namespace aplomb {
namespace {

constexpr double kStillForce = 0.004;  ///< fraction of body weight: force error of a motion without skin motion
constexpr double kPriorSamples = 8.0;  ///< independent samples that the guess without plates is worth
constexpr double kLeastLoad = 0.1;     ///< fraction of body weight below which a CoP is not compared

/// CoP errors over their standard deviations, in the frames of `windows` in which the CoP is compared.
std::vector<Eigen::Array2d> normalised_errors(const CentroidalMotion& body, const MotionUncertainty& uncertainty,
                                              const GroundForces& forces, const std::vector<FrameRange>& windows) {
  std::vector<Eigen::Array2d> errors;
  for (const FrameRange& window : windows) {
    for (Eigen::Index i = window.first; i <= window.last; ++i) {
      const Wrench measured = forces.sum(i);
      if (std::min(measured.force.z(), body.force(2, i)) < kLeastLoad * body.mass * kGravity) continue;
      const Eigen::Vector2d error =
          body.cop(i, forces.plane_height) - centre_of_pressure(measured, forces.plane_height);
      errors.emplace_back(error.array() / uncertainty.cop.col(i).array());
    }
  }
  return errors;
}

/// Standard deviation of the horizontal force [N].
Eigen::Vector2d force_deviation(const CentroidalMotion& whole, const CentroidalMotion& body) {
  const double still = kStillForce * body.mass * kGravity;
  const Eigen::Array2d removed = (whole.force - body.force).topRows<2>().array().square().rowwise().mean();
  return (removed + still * still).sqrt();
}

}  // namespace

MotionUncertainty motion_uncertainty(const SegmentMotion& segments, const CentroidalMotion& body,
                                     const MassEstimate& masses, double plane_height,
                                     const Matrix3Xd& marker_variance) {
  constexpr double kStep = 1e-3;
  constexpr int kCount = MassParameters::kCount;
  const Eigen::Index count = body.num_frames();
  std::vector<Matrix3Xd> com_slopes;
  std::vector<Eigen::Matrix2Xd> cop_slopes;
  for (Eigen::Index k = 0; k < kCount; ++k) {
    MassParameters::Vector ahead = masses.parameters, behind = masses.parameters;
    ahead[k] += kStep;
    behind[k] -= kStep;
    const auto motion_at = [&](const MassParameters::Vector& at) {
      return centroidal_motion(segments, with_mass_parameters(masses.mean_body, MassParameters::from(at)),
                               body.cutoff_hz, body.skin_cutoff_hz);
    };
    const CentroidalMotion after = motion_at(ahead), before = motion_at(behind);
    com_slopes.emplace_back((after.com - before.com) / (2.0 * kStep));
    cop_slopes.emplace_back((after.cop_path(plane_height) - before.cop_path(plane_height)) / (2.0 * kStep));
  }
  const Skeleton adjusted = with_mass_parameters(masses.mean_body, MassParameters::from(masses.parameters));
  const Eigen::Vector2d force = force_deviation(centroidal_motion(segments, adjusted, body.cutoff_hz), body);
  MotionUncertainty found{.com = Matrix3Xd::Zero(3, count), .cop = Eigen::Matrix2Xd::Zero(2, count), .force = force};
  for (Eigen::Index i = 0; i < count; ++i) {
    Eigen::Matrix<double, 3, kCount> com;
    Eigen::Matrix<double, 2, kCount> cop;
    for (int k = 0; k < kCount; ++k) {
      com.col(k) = com_slopes[static_cast<std::size_t>(k)].col(i);
      cop.col(k) = cop_slopes[static_cast<std::size_t>(k)].col(i);
    }
    const Eigen::Vector3d markers =
        marker_variance.cols() == count ? Eigen::Vector3d(marker_variance.col(i)) : Eigen::Vector3d::Zero();
    found.com.col(i) = ((com * masses.covariance * com.transpose()).diagonal() + markers).cwiseSqrt();
    const double lever = (body.com(2, i) - plane_height) / body.force(2, i);
    found.cop.col(i) =
        ((cop * masses.covariance * cop.transpose()).diagonal() + markers.head<2>() + lever * lever * force.cwiseAbs2())
            .cwiseSqrt();
  }
  return found;
}

Eigen::Vector2d error_scale(const CentroidalMotion& body, const MotionUncertainty& uncertainty,
                            const GroundForces& forces, const std::vector<FrameRange>& windows) {
  const double independent = std::min(1.0, 2.0 * body.cutoff_hz / body.rate_hz);
  Eigen::Array2d sum = Eigen::Array2d::Constant(kPriorSamples);
  double count = kPriorSamples;
  for (const Eigen::Array2d& error : normalised_errors(body, uncertainty, forces, windows)) {
    sum += independent * error.square();
    count += independent;
  }
  return (sum / count).sqrt();
}

void rescale(const Eigen::Vector2d& scale, MotionUncertainty& uncertainty) {
  uncertainty.com.topRows<2>() = scale.asDiagonal() * uncertainty.com.topRows<2>();
  uncertainty.cop = scale.asDiagonal() * uncertainty.cop;
  uncertainty.force = scale.asDiagonal() * uncertainty.force;
}

double fraction_within_two_deviations(const CentroidalMotion& body, const MotionUncertainty& uncertainty,
                                      const GroundForces& forces, const std::vector<FrameRange>& windows) {
  const std::vector<Eigen::Array2d> errors = normalised_errors(body, uncertainty, forces, windows);
  double within = 0.0;
  for (const Eigen::Array2d& error : errors) within += static_cast<double>((error.abs() <= 2.0).count());
  return errors.empty() ? 0.0 : within / (2.0 * static_cast<double>(errors.size()));
}

}  // namespace aplomb

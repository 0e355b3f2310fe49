#pragma once

#include <vector>

#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/plate_judgement.hpp"

namespace aplomb {

/// Mass distribution about which the uncertainty is computed.
struct MassEstimate {
  const Skeleton& mean_body;              ///< before the adjustment
  MassParameters::Vector parameters;      ///< of the adjustment; zero without
  MassParameters::Covariance covariance;  ///< posterior, or prior without plates
};

/// Uncertainty of CoM and CoP of `body`, as far as the motion shows it: the masses' (linearised), the markers'
/// (`marker_variance`; empty: none) and, in the CoP, that of the horizontal force, whose lever is the CoM's height. The
/// force's is guessed from the part of the motion that was removed as the skin's, and 0.4 % of body weight.
MotionUncertainty motion_uncertainty(const SegmentMotion& segments, const CentroidalMotion& body,
                                     const MassEstimate& masses, double plane_height, const Matrix3Xd& marker_variance);

/// Root mean square of the CoP errors over their standard deviations, forwards and sideways, in `windows`. The prior,
/// worth 8 independent samples, is 1; without windows the result is that.
Eigen::Vector2d error_scale(const CentroidalMotion& body, const MotionUncertainty& uncertainty,
                            const GroundForces& forces, const std::vector<FrameRange>& windows);

/// Multiplies all standard deviations along x and y by `scale`.
void rescale(const Eigen::Vector2d& scale, MotionUncertainty& uncertainty);

/// Fraction of the CoP samples (x and y) in `windows` whose error is within two standard deviations.
double fraction_within_two_deviations(const CentroidalMotion& body, const MotionUncertainty& uncertainty,
                                      const GroundForces& forces, const std::vector<FrameRange>& windows);

}  // namespace aplomb

#include "aplomb/human/centroidal_motion.hpp"

#include <algorithm>

#include "aplomb/core/math/zero_phase.hpp"
#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

/// CoM and angular momentum through one filter.
struct Smoothed {
  Smoothed(const MassMotion& masses, const ZeroPhaseFilter& filter, double mass, double rate_hz)
      : com(filter.filtered(masses.com)), about_origin(filter.filtered(masses.angular_momentum)) {
    const Matrix3Xd velocity = central_difference(com, rate_hz);
    about_com = about_origin;
    for (Eigen::Index i = 0; i < com.cols(); ++i) {
      about_com.col(i) -= mass * Eigen::Vector3d(com.col(i)).cross(Eigen::Vector3d(velocity.col(i)));
    }
  }
  Matrix3Xd com, about_origin, about_com;
};

/// Moment about the origin that balances the weight.
Eigen::Vector3d weight_moment(const CentroidalMotion& body, Eigen::Index frame) {
  return Eigen::Vector3d(body.com.col(frame)).cross(Eigen::Vector3d(0.0, 0.0, body.mass * kGravity));
}

/// Replaces the part of `whole` in the moment about the origin, k̇ + c × m c̈ + c × m g e_z, by that of `body`.
void replace_motion(const Smoothed& whole, CentroidalMotion& body) {
  const Matrix3Xd rate = central_difference(whole.about_com, body.rate_hz);
  const Matrix3Xd acceleration = central_difference(central_difference(whole.com, body.rate_hz), body.rate_hz);
  for (Eigen::Index i = 0; i < body.num_frames(); ++i) {
    const Eigen::Vector3d com = body.com.col(i), force = body.force.col(i), before = whole.com.col(i);
    const Eigen::Vector3d force_before = body.mass * (acceleration.col(i) + Eigen::Vector3d(0.0, 0.0, kGravity));
    body.moment.col(i) +=
        body.angular_momentum_rate.col(i) - rate.col(i) + com.cross(force) - before.cross(force_before);
  }
}

}  // namespace

Eigen::Matrix2Xd CentroidalMotion::cop_path(double z) const {
  Eigen::Matrix2Xd path(2, num_frames());
  for (Eigen::Index i = 0; i < num_frames(); ++i) path.col(i) = cop(i, z);
  return path;
}

CentroidalMotion centroidal_motion(const SegmentMotion& segments, const Skeleton& skeleton, double cutoff_hz,
                                   double skin_cutoff_hz) {
  const double own_cutoff_hz = std::min(cutoff_hz, segments.bandwidth_hz());
  const double rate = segments.rate_hz();
  CentroidalMotion body{.rate_hz = rate,
                        .start_s = segments.start_s(),
                        .cutoff_hz = cutoff_hz,
                        .own_cutoff_hz = own_cutoff_hz,
                        .skin_cutoff_hz = std::min(own_cutoff_hz, skin_cutoff_hz)};
  for (const Segment& segment : skeleton.segments) body.mass += segment.inertia.mass;
  const MassMotion masses = segments.with_masses(skeleton);
  const Smoothed whole(masses, ZeroPhaseFilter(own_cutoff_hz, rate), body.mass, rate);
  body.com = whole.com;
  body.angular_momentum = whole.about_com;
  body.moment = central_difference(whole.about_origin, rate);
  for (Eigen::Index i = 0; i < body.num_frames(); ++i) body.moment.col(i) += weight_moment(body, i);
  const bool has_skin = body.skin_cutoff_hz < own_cutoff_hz;
  if (has_skin) {
    const Smoothed slow(masses, ZeroPhaseFilter(body.skin_cutoff_hz, rate), body.mass, rate);
    body.com.topRows<2>() = slow.com.topRows<2>();
    body.angular_momentum = slow.about_com;
  }
  body.com_velocity = central_difference(body.com, rate);
  body.com_acceleration = central_difference(body.com_velocity, rate);
  body.angular_momentum_rate = central_difference(body.angular_momentum, rate);
  body.force = body.mass * body.com_acceleration;
  body.force.row(2).array() += body.mass * kGravity;
  // The moment of the slower motion: k̇ + c × F in place of the same of the whole motion.
  if (has_skin) replace_motion(whole, body);
  return body;
}

SmoothMotion smooth_motion(const HumanMotion& motion, double cutoff_hz) {
  SmoothMotion smooth{.q = motion.q};
  make_quaternions_continuous(smooth.q);
  smooth.q = ZeroPhaseFilter(cutoff_hz, motion.rate_hz).filtered(smooth.q);
  for (Eigen::Index i = 0; i < smooth.q.cols(); ++i) smooth.q.col(i).segment<4>(3).normalize();
  smooth.v = velocities(smooth.q, motion.rate_hz);
  smooth.a = central_difference(smooth.v, motion.rate_hz);
  return smooth;
}

}  // namespace aplomb

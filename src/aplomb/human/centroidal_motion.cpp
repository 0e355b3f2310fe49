#include "aplomb/human/centroidal_motion.hpp"

#include <algorithm>

#include "aplomb/core/math/zero_phase.hpp"
#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {

Eigen::Matrix2Xd CentroidalMotion::cop_path(double z) const {
  Eigen::Matrix2Xd path(2, num_frames());
  for (Eigen::Index i = 0; i < num_frames(); ++i) path.col(i) = cop(i, z);
  return path;
}

CentroidalMotion centroidal_motion(const SegmentMotion& segments, const Skeleton& skeleton, double cutoff_hz) {
  const double own_cutoff_hz = std::min(cutoff_hz, segments.bandwidth_hz());
  const ZeroPhaseFilter filter(own_cutoff_hz, segments.rate_hz());
  const double rate = segments.rate_hz();
  CentroidalMotion body{
      .rate_hz = rate, .start_s = segments.start_s(), .cutoff_hz = cutoff_hz, .own_cutoff_hz = own_cutoff_hz};
  for (const Segment& segment : skeleton.segments) body.mass += segment.inertia.mass;
  const MassMotion masses = segments.with_masses(skeleton);
  body.com = filter.filtered(masses.com);
  body.com_velocity = central_difference(body.com, rate);
  body.com_acceleration = central_difference(body.com_velocity, rate);
  const Matrix3Xd about_origin = filter.filtered(masses.angular_momentum);
  body.moment = central_difference(about_origin, rate);
  body.force = body.mass * body.com_acceleration;
  body.force.row(2).array() += body.mass * kGravity;
  body.angular_momentum = about_origin;
  for (Eigen::Index i = 0; i < body.num_frames(); ++i) {
    const Eigen::Vector3d com = body.com.col(i);
    body.moment.col(i) += com.cross(Eigen::Vector3d(0.0, 0.0, body.mass * kGravity));
    body.angular_momentum.col(i) -= body.mass * com.cross(Eigen::Vector3d(body.com_velocity.col(i)));
  }
  body.angular_momentum_rate = central_difference(body.angular_momentum, rate);
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

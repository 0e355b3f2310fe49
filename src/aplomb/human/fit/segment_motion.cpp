#include "aplomb/human/fit/segment_motion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "aplomb/core/error.hpp"
#include "aplomb/core/math/bandwidth.hpp"
#include "aplomb/core/math/zero_phase.hpp"
#include "aplomb/human/human_robot.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

constexpr double kPalm = -0.06;  ///< [m] middle of the palm of the mean body below its wrist

void check(const HumanMotion& motion, Eigen::Index nq) {
  if (motion.q.rows() != nq) {
    throw InvalidValue(
        fmt::format("the motion has {} coordinates per frame, this skeleton's robot {}", motion.q.rows(), nq));
  }
  if (motion.num_frames() == 0) throw InvalidValue("the motion has no frames");
  if (!(motion.rate_hz > 0.0))
    throw InvalidValue(fmt::format("the rate of the motion is {} Hz, valid: above 0", motion.rate_hz));
  for (Eigen::Index i = 0; i < motion.num_frames(); ++i) {
    if (!motion.q.col(i).allFinite()) {
      throw InvalidValue(fmt::format("frame {} of the motion has a value that is not finite", i + 1));
    }
  }
}

double length_of_leg(const Skeleton& skeleton, const Sole& sole) {
  double length = -sole.z;
  for (int i = skeleton.segment("left_foot"); i > 0; i = skeleton.segments[static_cast<std::size_t>(i)].parent) {
    const Segment& segment = skeleton.segments[static_cast<std::size_t>(i)];
    if (segment.parent > 0) length += segment.joint.norm();
  }
  return length;
}

}  // namespace

Eigen::MatrixXd velocities(const Eigen::MatrixXd& q, double rate_hz) {
  Eigen::MatrixXd continuous = q;
  make_quaternions_continuous(continuous);
  const Eigen::MatrixXd rate = central_difference(continuous, rate_hz);
  Eigen::MatrixXd v(q.rows() - 1, q.cols());
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const Eigen::Quaterniond turn(Eigen::Vector4d(continuous.col(i).segment<4>(3).normalized()));
    const Eigen::Quaterniond turn_rate(Eigen::Vector4d(rate.col(i).segment<4>(3)));
    v.col(i).head<3>() = turn.conjugate() * Eigen::Vector3d(rate.col(i).head<3>());
    v.col(i).segment<3>(3) = 2.0 * (turn.conjugate() * turn_rate).vec();
  }
  v.bottomRows(q.rows() - 7) = rate.bottomRows(q.rows() - 7);
  return v;
}

SegmentMotion::SegmentMotion(const Skeleton& skeleton, const HumanMotion& motion)
    : num_frames_(motion.num_frames()), rate_hz_(motion.rate_hz), start_s_(motion.start_s) {
  const RobotModel robot = human_robot(skeleton);
  check(motion, robot.nq());
  std::vector<FrameId> frames;
  for (const Segment& segment : skeleton.segments) frames.push_back(robot.frame(segment.name));
  segments_.resize(frames.size());
  for (OneSegment& segment : segments_) {
    segment.position = segment.velocity = segment.angular_velocity = Matrix3Xd::Zero(3, num_frames_);
    segment.rotation.resize(9, num_frames_);
  }
  RobotTerms terms(robot, frames);
  const Eigen::MatrixXd v = velocities(motion.q, rate_hz_);
  for (Eigen::Index i = 0; i < num_frames_; ++i) {
    terms.update({motion.q.col(i), v.col(i)});
    for (std::size_t k = 0; k < frames.size(); ++k) {
      const FrameTerms& at = terms.frame(frames[k]);
      segments_[k].position.col(i) = at.T_world_frame.translation();
      segments_[k].velocity.col(i) = at.velocity.head<3>();
      segments_[k].angular_velocity.col(i) = at.velocity.tail<3>();
      segments_[k].rotation.col(i) = at.T_world_frame.linear().reshaped();
    }
  }
  for (const int side : {kLeft, kRight}) {
    foot_[side] = skeleton.segment(robot.description().roles.foot[side]);
    soles_[side] = *robot.description().soles[side];
    hand_[side] = skeleton.segment(robot.description().roles.hand[side]);
  }
  palm_.z() = kPalm * skeleton.segments[static_cast<std::size_t>(hand_[kLeft])].scale.z();
  leg_length_ = length_of_leg(skeleton, soles_[kLeft]);
  floor_height_ = find_floor();
  is_planted_ = {stays(kLeft), stays(kRight)};
  const MassMotion body = with_masses(skeleton);
  bandwidth_hz_ = std::max(signal_bandwidth(body.com, NoiseShape::flat, rate_hz_),
                           signal_bandwidth(body.angular_momentum, NoiseShape::differentiated, rate_hz_));
}

double SegmentMotion::find_floor() const {
  std::vector<double> heights;
  for (Eigen::Index i = 0; i < num_frames_; ++i) {
    heights.push_back(std::min((foot_pose(kLeft, i) * soles_[kLeft].centre()).z(),
                               (foot_pose(kRight, i) * soles_[kRight].centre()).z()));
  }
  const auto middle = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 2);
  std::nth_element(heights.begin(), middle, heights.end());
  return *middle;
}

bool SegmentMotion::stays(int side) const {
  constexpr double kPlanted = 0.1;  // [m] largest way of a planted foot's ankle along an axis
  const Matrix3Xd& ankle = segments_[static_cast<std::size_t>(foot_[side])].position;
  return (ankle.rowwise().maxCoeff() - ankle.rowwise().minCoeff()).maxCoeff() < kPlanted;
}

Eigen::Isometry3d SegmentMotion::pose(int segment, Eigen::Index frame) const {
  const OneSegment& one = segments_[static_cast<std::size_t>(segment)];
  Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
  T.linear() = one.rotation.col(frame).reshaped(3, 3);
  T.translation() = one.position.col(frame);
  return T;
}

MassMotion SegmentMotion::with_masses(const Skeleton& skeleton) const {
  MassMotion sum{Matrix3Xd::Zero(3, num_frames_), Matrix3Xd::Zero(3, num_frames_)};
  double mass = 0.0;
  for (std::size_t k = 0; k < segments_.size(); ++k) {
    const Inertia& inertia = skeleton.segments[k].inertia;
    const OneSegment& segment = segments_[k];
    mass += inertia.mass;
    for (Eigen::Index i = 0; i < num_frames_; ++i) {
      const Eigen::Map<const Eigen::Matrix3d> R(segment.rotation.col(i).data());
      const Eigen::Vector3d omega = segment.angular_velocity.col(i);
      const Eigen::Vector3d arm = R * inertia.com;
      const Eigen::Vector3d position = segment.position.col(i) + arm;
      const Eigen::Vector3d velocity = segment.velocity.col(i) + omega.cross(arm);
      sum.com.col(i) += inertia.mass * position;
      sum.angular_momentum.col(i) +=
          inertia.mass * position.cross(velocity) + R * (inertia.about_com * (R.transpose() * omega));
    }
  }
  sum.com /= mass;
  return sum;
}

}  // namespace aplomb

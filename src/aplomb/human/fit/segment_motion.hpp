#pragma once

#include <Eigen/Geometry>
#include <array>
#include <vector>

#include "aplomb/human/human_motion.hpp"
#include "aplomb/human/skeleton/skeleton.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

/// v of every column of q (RobotState) by central differences: base twist in base axes, joint rates.
Eigen::MatrixXd velocities(const Eigen::MatrixXd& q, double rate_hz);

/// CoM and angular momentum of the whole body, one column per frame, in the motion's frame.
struct MassMotion {
  Matrix3Xd com;               ///< [m]
  Matrix3Xd angular_momentum;  ///< about the frame's origin [kg m²/s]
};

/// Poses and velocities of all segments over a motion, from which CoM and momentum follow for any mass distribution.
class SegmentMotion {
 public:
  /// Uses the fitted motion, unfiltered. Throws InvalidValue when `motion` is not of this skeleton, is empty or
  /// has a value that is not finite.
  SegmentMotion(const Skeleton& skeleton, const HumanMotion& motion);

  Eigen::Index num_frames() const { return num_frames_; }
  double rate_hz() const { return rate_hz_; }
  double start_s() const { return start_s_; }
  double time_s(Eigen::Index frame) const { return start_s_ + static_cast<double>(frame) / rate_hz_; }

  /// CoM and momentum with the inertias of `skeleton`, which must have the same segments as the constructor's.
  MassMotion with_masses(const Skeleton& skeleton) const;

  Eigen::Isometry3d pose(int segment, Eigen::Index frame) const;
  Eigen::Isometry3d foot_pose(int side, Eigen::Index frame) const { return pose(foot_[side], frame); }
  const Sole& sole(int side) const { return soles_[side]; }
  Eigen::Vector3d palm(int side, Eigen::Index frame) const { return pose(hand_[side], frame) * palm_; }
  Eigen::Vector3d mid_hip(Eigen::Index frame) const { return pose(0, frame).translation(); }
  bool is_planted(int side) const { return is_planted_[side]; }  ///< the foot stays within 10 cm
  double leg_length() const { return leg_length_; }              ///< sole to hip of a straight leg [m]
  /// Frequency above which CoM and angular momentum are marker noise only; infinite when it cannot be determined.
  double bandwidth_hz() const { return bandwidth_hz_; }
  double floor_height() const { return floor_height_; }  ///< median height of the lower sole's centre [m]

 private:
  struct OneSegment {
    Matrix3Xd position, velocity, angular_velocity;     ///< of the segment frame's origin
    Eigen::Matrix<double, 9, Eigen::Dynamic> rotation;  ///< R_world_segment, by columns
  };
  double find_floor() const;
  bool stays(int side) const;

  Eigen::Index num_frames_ = 0;
  double rate_hz_ = 0.0, start_s_ = 0.0, leg_length_ = 0.0, floor_height_ = 0.0, bandwidth_hz_ = 0.0;
  std::vector<OneSegment> segments_;
  std::array<int, 2> foot_{}, hand_{};
  Eigen::Vector3d palm_ = Eigen::Vector3d::Zero();  ///< in the hand's frame, whose origin is the wrist
  std::array<Sole, 2> soles_;
  std::array<bool, 2> is_planted_{};
};

}  // namespace aplomb

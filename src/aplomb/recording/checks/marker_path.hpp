#pragma once

#include <Eigen/Core>
#include <cstddef>

namespace aplomb {

/// Path of one marker through the frames: where its next sample is expected, and how far from there it may be. A marker
/// is expected at the extrapolation of its last two positions, within noise and a limb's acceleration.
class MarkerPath {
 public:
  explicit MarkerPath(double dt) : dt_(dt) {}

  /// False before the first sample and after a gap of more than 0.2 s: then nothing is extrapolated.
  bool is_known(std::size_t frame) const { return length_ >= 1 && elapsed(frame) <= kLongestGap; }
  Eigen::Vector3d expected(std::size_t frame) const { return position_ + elapsed(frame) * velocity_; }
  double tolerance(std::size_t frame) const {
    const double tolerance = kNoise + kAcceleration * dt_ * dt_ + kGapSpeed * (elapsed(frame) - dt_);
    // A single position gives no velocity: allow limb speeds of up to 10 m/s.
    return length_ < 2 ? tolerance + kLimbSpeed * elapsed(frame) : tolerance;
  }
  bool has_velocity() const { return length_ >= 2; }
  bool jumps(std::size_t frame, const Eigen::Vector3d& position) const {
    return is_known(frame) && !((position - expected(frame)).norm() <= tolerance(frame));
  }

  void restart(std::size_t frame, const Eigen::Vector3d& position) {
    velocity_.setZero();
    take(frame, position);
    length_ = 1;
  }
  void follow(std::size_t frame, const Eigen::Vector3d& position) {
    velocity_ = (position - position_) / elapsed(frame);
    take(frame, position);
    length_ = 2;
  }

  static constexpr double kLongestGap = 0.2;  ///< [s] after a longer gap nothing is extrapolated

 private:
  static constexpr double kNoise = 0.02;          // [m]
  static constexpr double kAcceleration = 200.0;  // [m/s²] largest acceleration of a limb
  static constexpr double kGapSpeed = 2.0;        // [m/s] uncertainty of the velocity during a gap
  static constexpr double kLimbSpeed = 10.0;      // [m/s]

  double elapsed(std::size_t frame) const { return static_cast<double>(frame - frame_) * dt_; }
  void take(std::size_t frame, const Eigen::Vector3d& position) {
    position_ = position;
    frame_ = frame;
  }

  double dt_;  ///< [s] between frames
  Eigen::Vector3d position_ = Eigen::Vector3d::Zero(), velocity_ = Eigen::Vector3d::Zero();
  std::size_t frame_ = 0;
  int length_ = 0;  ///< number of positions since the last jump, at most 2
};

}  // namespace aplomb

#pragma once

#include <Eigen/Core>

#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/robot/sensor_readings.hpp"

namespace aplomb {

/// Estimates the vertical force of a seat, which no sensor measures, from the robot's momentum and what feet and hands
/// measure. With p_z the vertical momentum, F the measured forces and r the estimate,
///   r = K (p_z − p_z(0) − ∫ (F − m g + r) dt),   ṙ = K (F_seat − r):
/// a low-pass of the true force that differentiates nothing.
class SeatLoad {
 public:
  explicit SeatLoad(double at_start_n) : estimate_(at_start_n), started_with_(at_start_n) {}

  /// `other_n`: vertical force of all other contacts [N]. Never allocates.
  void update(const RobotTerms& terms, double other_n);
  double estimate() const { return estimate_; }  ///< [N]

 private:
  double estimate_, started_with_;
  bool has_begun_ = false;
  double start_ = 0.0, sum_ = 0.0;  ///< p_z(0) [N s]; the integral [N s]
};

}  // namespace aplomb

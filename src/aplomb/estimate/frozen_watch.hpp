#pragma once

#include <Eigen/Core>

namespace aplomb {

/// Notices a sensor that repeats its reading although it should not: one whose readings always differed while the robot
/// was at rest, by their noise, or any while the robot moves in a way that it should have shown.
class FrozenWatch {
 public:
  static constexpr int kFrozenTicks = 4;  ///< repetitions in a row; fewer are lost packets

  explicit FrozenWatch(Eigen::Index num_values);  ///< allocates

  /// Once a tick; never allocates. `moves`: other sensors show a motion that this one should have shown.
  bool update(const Eigen::Ref<const Eigen::VectorXd>& values, bool moves);
  bool is_frozen() const { return is_frozen_; }

 private:
  static constexpr int kWatchedTicks = 100, kNoisyTicks = 95;  // readings at first, and those that differ with noise

  Eigen::VectorXd last_;
  int watched_ = 0, changed_ = 0, repeated_ = 0;
  bool is_frozen_ = false;
};

}  // namespace aplomb

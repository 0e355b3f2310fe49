#include "aplomb/estimate/frozen_watch.hpp"

#include <limits>

namespace aplomb {

FrozenWatch::FrozenWatch(Eigen::Index num_values)
    : last_(Eigen::VectorXd::Constant(num_values, std::numeric_limits<double>::quiet_NaN())) {}

bool FrozenWatch::update(const Eigen::Ref<const Eigen::VectorXd>& values, bool moves) {
  const bool is_repeated = values == last_;  // not the first one, which is compared with no number
  last_ = values;
  repeated_ = is_repeated ? repeated_ + 1 : 0;
  if (watched_ < kWatchedTicks) {
    ++watched_;
    if (!is_repeated) ++changed_;
  }
  const bool is_noisy = watched_ == kWatchedTicks && changed_ >= kNoisyTicks;
  // Once frozen it stays so until it changes, even if the motion ends.
  is_frozen_ = repeated_ >= kFrozenTicks && (is_frozen_ || is_noisy || moves);
  return is_frozen_;
}

}  // namespace aplomb

#include "aplomb/retarget/frames/return_to_rest.hpp"

#include <algorithm>

namespace aplomb {

void return_to_rest(Eigen::Index begin, Eigen::Index end, Eigen::Matrix3Xd& signals) {
  constexpr Eigen::Index kSpan = 3;  // columns over which the rate is taken
  signals.rightCols(signals.cols() - begin).setZero();
  if (begin < 1) return;
  const Eigen::Index before = std::max<Eigen::Index>(0, begin - 1 - kSpan);
  const Eigen::Vector3d from = signals.col(begin - 1);
  Eigen::Vector3d rate = Eigen::Vector3d::Zero();  // per column
  if (before < begin - 1) rate = (from - signals.col(before)) / static_cast<double>(begin - 1 - before);
  const auto duration = static_cast<double>(end - begin + 1);
  for (Eigen::Index i = begin; i < std::min(end, signals.cols()); ++i) {
    const double u = static_cast<double>(i - begin + 1) / duration;
    const double u3 = u * u * u;
    signals.col(i) = (1.0 - u3 * (10.0 - 15.0 * u + 6.0 * u * u)) * from +
                     (u - u3 * (6.0 - 8.0 * u + 3.0 * u * u)) * duration * rate;
  }
}

}  // namespace aplomb

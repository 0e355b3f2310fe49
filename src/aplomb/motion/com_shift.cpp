#include "aplomb/motion/com_shift.hpp"

namespace aplomb {

Eigen::VectorXd com_shift_for_zmp(const Eigen::VectorXd& zmp_shift, const Eigen::VectorXd& b, double rate_hz) {
  // Thomas algorithm for  −w d(i−1) + (1 + 2 w) d(i) − w d(i+1) = zmp_shift(i),  w = b rate².
  const Eigen::Index count = zmp_shift.size();
  Eigen::VectorXd upper = Eigen::VectorXd::Zero(count), shift = Eigen::VectorXd::Zero(count);
  for (Eigen::Index i = 1; i + 1 < count; ++i) {
    const double w = b[i] * rate_hz * rate_hz;
    const double pivot = 1.0 + 2.0 * w - w * upper[i - 1];
    upper[i] = w / pivot;
    shift[i] = (zmp_shift[i] + w * shift[i - 1]) / pivot;
  }
  for (Eigen::Index i = count - 2; i > 0; --i) shift[i] += upper[i] * shift[i + 1];
  return shift;
}

}  // namespace aplomb

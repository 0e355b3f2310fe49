#include "aplomb/retarget/clip/smoother.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace aplomb {

Smoother::Smoother(Eigen::Index num_samples, double rate_hz, double cutoff_hz) : size_(num_samples), factor_(4, size_) {
  const double lambda = std::pow(rate_hz / (2.0 * std::numbers::pi * cutoff_hz), 6);
  // Bands of 1 + λ DᵀD, D the third difference (−1, 3, −3, 1): band k holds (i, i − k).
  constexpr double kDifference[4] = {-1.0, 3.0, -3.0, 1.0};
  factor_.setZero();
  factor_.row(0).setOnes();
  for (Eigen::Index first = 0; first + 3 < size_; ++first) {
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j <= i; ++j) factor_(i - j, first + i) += lambda * kDifference[i] * kDifference[j];
    }
  }
  for (Eigen::Index i = 0; i < size_; ++i) {
    for (Eigen::Index k = std::min<Eigen::Index>(3, i); k >= 1; --k) {  // L(i, i − k), from left to right
      const Eigen::Index j = i - k;
      double sum = factor_(k, i);
      for (Eigen::Index m = k + 1; m <= std::min<Eigen::Index>(3, i); ++m) {
        if (m - k <= 3) sum -= factor_(m, i) * factor_(m - k, j) * factor_(0, i - m);
      }
      factor_(k, i) = sum / factor_(0, j);
    }
    for (Eigen::Index k = 1; k <= std::min<Eigen::Index>(3, i); ++k) {
      factor_(0, i) -= factor_(k, i) * factor_(k, i) * factor_(0, i - k);
    }
  }
}

void Smoother::smooth(Eigen::MatrixXd& samples) const {
  for (Eigen::Index i = 0; i < size_; ++i) {
    for (Eigen::Index k = 1; k <= std::min<Eigen::Index>(3, i); ++k) {
      samples.col(i) -= factor_(k, i) * samples.col(i - k);
    }
  }
  for (Eigen::Index i = 0; i < size_; ++i) samples.col(i) /= factor_(0, i);
  for (Eigen::Index i = size_ - 1; i >= 0; --i) {
    for (Eigen::Index k = 1; k <= std::min<Eigen::Index>(3, size_ - 1 - i); ++k) {
      samples.col(i) -= factor_(k, i + k) * samples.col(i + k);
    }
  }
}

void smooth_postures(const Smoother& smoother, Eigen::MatrixXd& q) {
  const Eigen::Quaterniond middle(Eigen::Vector4d(q.col(q.cols() / 2).segment<4>(3)));
  Eigen::MatrixXd channels(q.rows() - 1, q.cols());
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const Eigen::AngleAxisd turn(middle.conjugate() * Eigen::Quaterniond(Eigen::Vector4d(q.col(i).segment<4>(3))));
    const double angle = turn.angle() > std::numbers::pi ? turn.angle() - 2.0 * std::numbers::pi : turn.angle();
    channels.col(i).head<3>() = q.col(i).head<3>();
    channels.col(i).segment<3>(3) = angle * turn.axis();
    channels.col(i).tail(q.rows() - 7) = q.col(i).tail(q.rows() - 7);
  }
  smoother.smooth(channels);
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const Eigen::Vector3d turn = channels.col(i).segment<3>(3);
    const double angle = turn.norm();
    const Eigen::Vector3d axis = angle > 0.0 ? Eigen::Vector3d(turn / angle) : Eigen::Vector3d::UnitX();
    q.col(i).head<3>() = channels.col(i).head<3>();
    q.col(i).segment<4>(3) = (middle * Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis))).coeffs();
    q.col(i).tail(q.rows() - 7) = channels.col(i).tail(q.rows() - 7);
  }
}

}  // namespace aplomb

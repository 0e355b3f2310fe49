#include "aplomb/control/task_priority/standing_support.hpp"

#include <algorithm>

namespace aplomb {

Eigen::Vector2d StandingSupport::clamp(const Eigen::Vector2d& point, double scale) const {
  const int side = kinematics_->reference_side();
  const Eigen::Vector2d from = kinematics_->sole_centre(side).head<2>();
  Eigen::Vector2d along = kinematics_->sole_centre(1 - side).head<2>() - from;
  if (is_lifted_[static_cast<std::size_t>(1 - side)]) along.setZero();
  const double length2 = along.squaredNorm();
  const double position = length2 > 0.0 ? std::clamp((point - from).dot(along) / length2, 0.0, 1.0) : 0.0;
  const Eigen::Vector2d centre = from + position * along;
  const Eigen::Vector2d ahead = kinematics_->pose(kinematics_->foot(side)).linear().col(0).head<2>().normalized();
  const Eigen::Vector2d left(-ahead.y(), ahead.x());
  const Eigen::Vector2d half = 0.5 * scale * sole_size(side);
  return centre + std::clamp(ahead.dot(point - centre), -half.x(), half.x()) * ahead +
         std::clamp(left.dot(point - centre), -half.y(), half.y()) * left;
}

Eigen::Vector2d StandingSupport::sole_size(int side) const {
  const Sole& sole = *model_->description().soles[side];
  return {sole.x_max - sole.x_min, sole.y_max - sole.y_min};
}

double StandingSupport::stance_width() const {
  if (is_lifted_[kLeft] || is_lifted_[kRight]) return 0.0;
  return (kinematics_->sole_centre(kLeft) - kinematics_->sole_centre(kRight)).norm();
}

double StandingSupport::left_share(const Eigen::Vector2d& zmp) const {
  if (is_lifted_[kLeft] || is_lifted_[kRight]) return is_lifted_[kLeft] ? 0.0 : 1.0;
  const Eigen::Vector2d right = kinematics_->sole_centre(kRight).head<2>();
  const Eigen::Vector2d along = kinematics_->sole_centre(kLeft).head<2>() - right;
  return std::clamp((zmp - right).dot(along) / std::max(along.squaredNorm(), 1e-9), 0.0, 1.0);
}

}  // namespace aplomb

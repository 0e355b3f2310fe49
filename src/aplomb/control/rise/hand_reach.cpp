#include "aplomb/control/rise/hand_reach.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <optional>
#include <string>

#include "aplomb/control/controller.hpp"

namespace aplomb {
namespace {

// Over the leg length, 0.76 m of a person's: 3 cm/s, at which a touch is soft, for 3 cm; tuned.
constexpr double kSpeed = 0.04, kReach = 0.04;  // [1/s], [-]
constexpr double kEase = 0.05;                  // [s] in which the speed comes up and goes down; tuned
constexpr double kReturnRate = 4.0;             // [1/s] with which a released hand goes back to the plan; tuned
constexpr double kDamping = 1e-4;               // [m²] of the arm's equations, which are singular for a straight arm

}  // namespace

HandReach::HandReach(const RobotModel& model, FrameId hand, double leg_length)
    : hand_(hand), speed_(kSpeed * leg_length), reach_(kReach * leg_length) {
  const std::string& trunk = model.description().roles.trunk;
  joints_ = model.joint_chain(hand, trunk.empty() ? std::nullopt : std::optional(model.frame(trunk)));
  const auto size = static_cast<Eigen::Index>(joints_.size());
  jacobian_.setZero(3, size);
  angle_.setZero(size);
  rate_.setZero(size);
}

void HandReach::update(const RobotTerms& terms, bool is_wanted, bool bears) {
  const double step = kControlPeriod / kEase;
  const bool seeks = is_wanted && !bears && lowered_ < reach_;
  pace_ = bears ? 0.0 : pace_ + std::clamp((seeks ? 1.0 : 0.0) - pace_, -step, step);
  if (!is_wanted && !bears) {
    rate_ = -kReturnRate * angle_;
    lowered_ -= kControlPeriod * kReturnRate * lowered_;
    angle_ += kControlPeriod * rate_;
    return;
  }
  const auto& whole = terms.frame(hand_).jacobian;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    jacobian_.col(static_cast<Eigen::Index>(i)) = whole.col(6 + joints_[i]).head<3>();
  }
  Eigen::Matrix3d square;
  square.noalias() = jacobian_ * jacobian_.transpose();
  square.diagonal().array() += kDamping;
  const Eigen::Vector3d multiplier = square.ldlt().solve(Eigen::Vector3d(0.0, 0.0, -pace_ * speed_));
  rate_.noalias() = jacobian_.transpose() * multiplier;
  angle_ += kControlPeriod * rate_;
  lowered_ += kControlPeriod * pace_ * speed_;
}

void HandReach::add_to(Eigen::Ref<Eigen::VectorXd> angle, Eigen::Ref<Eigen::VectorXd> rate) const {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    angle[joints_[i]] += angle_[static_cast<Eigen::Index>(i)];
    rate[joints_[i]] += rate_[static_cast<Eigen::Index>(i)];
  }
}

}  // namespace aplomb

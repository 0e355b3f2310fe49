#include "aplomb/control/task_priority/drive_loads.hpp"

#include <algorithm>

namespace aplomb {
namespace {

// Lag of a joint behind its command above which it counts as blocked: an allowance [rad], and a multiple of the lag at
// which the servo spring has the drive's full torque. Tuned.
constexpr double kLagAllowance = 0.05, kFullTorqueLags = 3.0;
constexpr double kLeastLimit = 1e-9;  // [N m] avoids a division by zero for a joint without torque limit

}  // namespace

DriveLoads::DriveLoads(const RobotModel& model, const Eigen::VectorXd& stiffness, double torque_scale)
    : scaled_limit_(model.num_joints()),
      load_per_rad_(model.num_joints()),
      largest_drift_(model.num_joints()),
      static_load_(Eigen::VectorXd::Zero(model.num_joints())),
      spring_load_(Eigen::VectorXd::Zero(model.num_joints())) {
  for (int i = 0; i < model.num_joints(); ++i) {
    const double effort = model.joints()[static_cast<std::size_t>(i)].effort;
    scaled_limit_[i] = std::max(torque_scale * effort, kLeastLimit);
    load_per_rad_[i] = stiffness[i] / std::max(effort, kLeastLimit);
    largest_drift_[i] = kLagAllowance + kFullTorqueLags * effort / stiffness[i];
  }
}

void DriveLoads::measure(const Eigen::Ref<const Eigen::VectorXd>& commanded,
                         const Eigen::Ref<const Eigen::VectorXd>& measured) {
  drift_ = (commanded - measured).cwiseAbs().maxCoeff();
  spring_load_ = (commanded - measured).cwiseProduct(load_per_rad_);
  largest_spring_load_ = spring_load_.cwiseAbs().maxCoeff();
}

void DriveLoads::hold(const Eigen::VectorXd& static_torque) {
  static_load_ = static_torque.cwiseQuotient(scaled_limit_);
}

}  // namespace aplomb

#include "aplomb/control/task_priority/comfort_posture.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace aplomb {
namespace {

constexpr double kLargestFactor =
    0.1 / kControlPeriod;  // [1/s] at most a tenth of the error per tick, for stability with narrow joint ranges

}  // namespace

ComfortPosture::ComfortPosture(const RobotModel& model, const Eigen::VectorXd& start, TaskPriority::Comfort comfort,
                               double gain)
    : angles_(start), factor_(model.num_joints()), rates_(Eigen::VectorXd::Zero(model.num_joints())) {
  for (int i = 0; i < model.num_joints(); ++i) {
    const Joint& joint = model.joints()[static_cast<std::size_t>(i)];
    const bool is_endless = !std::isfinite(joint.upper - joint.lower);
    const double range = is_endless ? 2.0 * std::numbers::pi : std::max(joint.upper - joint.lower, 1e-3);
    factor_[i] = std::min(2.0 * gain / (range * range), kLargestFactor);
    if (comfort == TaskPriority::Comfort::middle && !is_endless) angles_[i] = 0.5 * (joint.upper + joint.lower);
  }
}

}  // namespace aplomb

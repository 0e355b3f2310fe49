#include "aplomb/control/failsafe/fall_watch.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

constexpr double kTilt = std::numbers::pi / 3.0;  // [rad] more than at the start
constexpr int kTiltedTicks = 20;
constexpr double kCaptureMargin = 0.2;  // of the CoM's height; a body that leans so far needs a step of that length
constexpr int kLostTicks = 100;
constexpr double kCarried = 0.7;      // of the weight: less on the feet, and something else carries
constexpr double kLoaded = 0.05;      // of the weight
constexpr double kDifference = 1e-4;  // [s]: step along the velocity, for the CoM's velocity

double com_height(const RobotModel& model, RobotState posture) {
  model.stand_on_soles(posture);
  TreeKinematics kinematics(model);
  kinematics.update(posture.q);
  return std::max(kinematics.com().z(), 1e-2);
}

}  // namespace

FallWatch::FallWatch(const RobotModel& model, const RobotState& start, const RobotState& standing)
    : height_(com_height(model, standing)),
      omega_(std::sqrt(kGravity / height_)),
      up_at_start_(base_orientation(start.q).conjugate() * Eigen::Vector3d::UnitZ()),
      kinematics_(model),
      moved_(start.q) {
  for (Side side : {kLeft, kRight}) {
    const auto& sole = model.description().soles[side];
    if (!sole) continue;
    const FrameId frame = model.frame(model.description().roles.foot[side]);
    const LinkPlacement& placement = model.tree().links[static_cast<std::size_t>(frame)];
    Foot foot{.side = side, .body = placement.body, .corners = {}};
    const auto corners = sole->corners();
    for (std::size_t i = 0; i < 4; ++i) foot.corners[i] = placement.T_body_link * corners[i];
    feet_.push_back(foot);
  }
  points_.reserve(8);
  support_.reserve(8);
}

double FallWatch::capture_margin(const BelievedState& believed) {
  const RobotState& state = believed.state();
  kinematics_.update(state.q);
  const Eigen::Vector3d com = kinematics_.com();
  points_.clear();
  for (const Foot& foot : feet_) {
    if (believed.load(foot.side) < kLoaded) continue;  // an unknown load counts as one
    for (const Eigen::Vector3d& corner : foot.corners) {
      points_.emplace_back(kinematics_.point(foot.body, corner).head<2>());
    }
  }
  if (points_.empty()) return 0.0;
  support_.update(points_, 1e-6);
  // The CoM after a short step along the velocity; the base moves along its own axes, turned into the world's.
  moved_ = state.q;
  const Eigen::Quaterniond R = base_orientation(state.q);
  moved_.head<3>() += kDifference * (R * state.v.head<3>());
  const Eigen::Vector3d turn = 0.5 * kDifference * state.v.segment<3>(3);
  moved_.segment<4>(3) = (R * Eigen::Quaterniond(1.0, turn.x(), turn.y(), turn.z())).normalized().coeffs();
  joint_positions(moved_) += kDifference * joint_velocities(state.v);
  kinematics_.update(moved_);
  // Relative to the soles: ground that moves carries the robot along.
  Eigen::Vector2d velocity = (kinematics_.com() - com).head<2>() / kDifference;
  std::size_t at = 0;
  for (const Foot& foot : feet_) {
    if (believed.load(foot.side) < kLoaded) continue;
    for (const Eigen::Vector3d& corner : foot.corners) {
      const Eigen::Vector2d moved = kinematics_.point(foot.body, corner).head<2>();
      velocity -= (moved - points_[at++]) / (kDifference * static_cast<double>(points_.size()));
    }
  }
  return support_.signed_distance(com.head<2>() + velocity / omega_);
}

void FallWatch::update(const BelievedState& believed) {
  const double left = believed.load(kLeft), right = believed.load(kRight);
  const double on_feet = (feet_.size() < 2 ? std::max(left, right) : left + right);
  is_carried_elsewhere_ = on_feet < kCarried;
  if (!believed.is_known()) {
    tilted_ticks_ = lost_ticks_ = 0;
    return;
  }
  const double up = (base_orientation(believed.state().q) * up_at_start_).z();
  tilted_ticks_ = up < std::cos(kTilt) ? tilted_ticks_ + 1 : 0;
  const bool is_watched = up < std::cos(kWatchedTilt) && on_feet >= kCarried;
  const bool is_lost = is_watched && capture_margin(believed) < -kCaptureMargin * height_;
  lost_ticks_ = is_lost ? lost_ticks_ + 1 : 0;
}

bool FallWatch::is_tilted() const { return tilted_ticks_ >= kTiltedTicks; }
bool FallWatch::is_capture_point_lost() const { return lost_ticks_ >= kLostTicks; }

}  // namespace aplomb

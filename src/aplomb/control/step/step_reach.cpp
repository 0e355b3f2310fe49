#include "aplomb/control/step/step_reach.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/limbs.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

constexpr double kStraight = 0.98;  // of the leg's length: a straighter knee has no speed left along the leg; tuned
constexpr double kGap = 1.25;       // least distance of the sole centres, over the sole width

/// Angular momentum about the CoM, over the rate of the trunk's rotation about an axis, of the least joint velocities
/// that keep feet and CoM in place [kg m²].
double rotating_inertia(const RobotTerms& terms, std::span<const FrameId> feet, int axis) {
  const Eigen::Index nv = terms.mass_matrix().cols();
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(6 * static_cast<Eigen::Index>(feet.size()) + 6, nv);
  Eigen::VectorXd wanted = Eigen::VectorXd::Zero(rows.rows());
  Eigen::Index row = 0;
  for (FrameId foot : feet) {
    rows.middleRows<6>(row) = terms.frame(foot).jacobian;
    row += 6;
  }
  rows.middleRows<3>(row) = terms.com_jacobian();
  rows.block<3, 3>(row + 3, 3).setIdentity();
  wanted[row + 3 + axis] = 1.0;
  const Eigen::VectorXd v = rows.completeOrthogonalDecomposition().solve(wanted);
  return (terms.momentum_matrix().row(3 + axis) * v).value();
}

}  // namespace

StepReach::StepReach(const RobotModel& model, const RobotState& start) {
  const Limbs limbs = find_limbs(model);
  const RobotDescription& description = model.description();
  RobotState standing = start;
  model.stand_on_soles(standing);
  std::vector<FrameId> frames, feet;
  for (std::size_t side = 0; side < 2; ++side) {
    feet.push_back(model.frame(description.roles.foot[side]));
    for (int joint : {limbs.legs[side].hip, limbs.legs[side].ankle}) {
      frames.push_back(model.frame(model.joints()[static_cast<std::size_t>(joint)].link));
    }
  }
  frames.insert(frames.end(), feet.begin(), feet.end());
  RobotTerms terms(model, frames);
  terms.update(standing);
  leg_length_ = kStraight * limbs.leg_length();
  std::array<double, 2> across{};
  for (std::size_t side = 0; side < 2; ++side) {
    const Eigen::Vector3d hip = terms.frame(frames[2 * side]).T_world_frame.translation();
    const Eigen::Vector3d ankle = terms.frame(frames[2 * side + 1]).T_world_frame.translation();
    const Sole& sole = *description.soles[side];
    const Eigen::Vector3d centre = terms.frame(feet[side]).T_world_frame * sole.centre();
    neutral_[side] = (hip - terms.com() + centre - ankle).head<2>();
    hip_above_com_ += 0.5 * (hip - terms.com()).z();
    ankle_height_ += 0.5 * (ankle - centre).z();
    least_width_ += 0.5 * kGap * (sole.y_max - sole.y_min);
    across[side] = centre.y();
  }
  start_width_ = std::abs(across[kLeft] - across[kRight]);
  const double scale = terms.mass() * std::max(terms.com().z(), 1e-2);
  for (int axis : {0, 1}) lunge_[axis] = rotating_inertia(terms, feet, axis) / scale;
}

double StepReach::radius(double com_height) const {
  const double high = com_height + hip_above_com_ - ankle_height_;
  return std::sqrt(std::max(leg_length_ * leg_length_ - high * high, 0.0));
}

double StepReach::com_height(double radius) const {
  return std::sqrt(std::max(leg_length_ * leg_length_ - radius * radius, 0.0)) - hip_above_com_ + ankle_height_;
}

}  // namespace aplomb

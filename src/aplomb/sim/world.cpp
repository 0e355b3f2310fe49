#include "aplomb/sim/world.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace aplomb {
namespace {

constexpr double kChairWidth = 0.50, kChairThickness = 0.04, kChairBack = 0.40;  // [m], an ordinary chair

double rear_of(const Chair& chair) { return chair.hip_x + chair.forward + kChairOverhang - chair.depth; }

}  // namespace

Box Chair::seat() const {
  return {.position = {rear_of(*this) + 0.5 * depth, 0.0, height - 0.5 * kChairThickness},
          .size = {depth, kChairWidth, kChairThickness},
          .surface = {.friction = friction}};
}

Eigen::Isometry3d Chair::T_world_seat() const {
  const Eigen::Vector3d pivot(hip_x, 0.0, height);
  return Eigen::Translation3d(pivot) * Eigen::AngleAxisd(pitch, Eigen::Vector3d::UnitY()) *
         Eigen::Translation3d(seat().position - pivot);
}

Box Chair::back() const {
  return {.position = {rear_of(*this) - 0.5 * kChairThickness, 0.0, height + 0.5 * kChairBack},
          .size = {kChairThickness, kChairWidth, kChairBack},
          .surface = {.friction = friction}};
}

Box Chair::arm_rest(int side) const {
  const ArmRest& rest = arm_rests[static_cast<std::size_t>(side)];
  const double length = hip_x + forward + rest.reach - rear_of(*this);
  return {
      .position = {rear_of(*this) + 0.5 * length, side == kLeft ? rest.aside : -rest.aside, height + 0.5 * rest.height},
      .size = {length, kArmRestWidth, rest.height},
      .surface = {.friction = friction}};
}

Eigen::Isometry3d Support::pose_at(double time_s) const {
  Eigen::Isometry3d T_world_support = Eigen::Isometry3d::Identity();
  T_world_support.translation() = position;
  T_world_support.linear() =
      (Eigen::AngleAxisd(pitch, Eigen::Vector3d::UnitY()) * Eigen::AngleAxisd(roll, Eigen::Vector3d::UnitX()))
          .toRotationMatrix();
  if (!motion) return T_world_support;
  const double moved = motion->at(time_s).position;
  switch (motion->axis) {
    case SupportMotion::Axis::x:
    case SupportMotion::Axis::y:
    case SupportMotion::Axis::z:
      T_world_support.translation()[static_cast<int>(motion->axis)] += moved;
      break;
    case SupportMotion::Axis::roll:
      T_world_support.linear() = Eigen::AngleAxisd(moved, Eigen::Vector3d::UnitX()) * T_world_support.linear();
      break;
    case SupportMotion::Axis::pitch:
      T_world_support.linear() = Eigen::AngleAxisd(moved, Eigen::Vector3d::UnitY()) * T_world_support.linear();
      break;
  }
  return T_world_support;
}

const Support* World::support_of(int side) const {
  const auto found = std::ranges::find_if(supports, [side](const Support& support) { return support.carries[side]; });
  return found == supports.end() ? nullptr : &*found;
}

Eigen::Isometry3d World::ground_at(int side, double time_s) const {
  const Support* support = support_of(side);
  return support == nullptr ? Eigen::Isometry3d::Identity() : support->pose_at(time_s);
}

bool World::is_level() const {
  return std::ranges::all_of(supports, [](const Support& support) {
    const bool stays = !support.motion || support.motion->axis == SupportMotion::Axis::x ||
                       support.motion->axis == SupportMotion::Axis::y;
    return support.pitch == 0.0 && support.roll == 0.0 && stays;
  });
}

Eigen::Vector3d Push::force_at(double time_s) const {
  const double phase = (time_s - start_s) / duration_s;
  if (phase < 0.0 || phase >= 1.0) return Eigen::Vector3d::Zero();
  if (shape == Shape::box && ramp_s > 0.0) {
    const double from_end = std::min(time_s - start_s, start_s + duration_s - time_s);
    return std::min(from_end / ramp_s, 1.0) * peak_force;
  }
  return shape == Shape::box ? peak_force : Eigen::Vector3d(peak_force * std::sin(std::numbers::pi * phase));
}

}  // namespace aplomb

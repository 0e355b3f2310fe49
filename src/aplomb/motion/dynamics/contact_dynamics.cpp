#include "aplomb/motion/dynamics/contact_dynamics.hpp"

#include <algorithm>
#include <cassert>

#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

std::vector<FrameId> links_of(const RobotModel& model, const ContactPlan& plan) {
  std::vector<FrameId> links;
  for (const ContactPlan::Contact& contact : plan.contacts) links.push_back(model.frame(contact.link));
  return links;
}

std::vector<FrameId> each_once(std::vector<FrameId> frames) {
  std::ranges::sort(frames);
  frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  return frames;
}

}  // namespace

ContactDynamics::ContactDynamics(const RobotModel& model, const ContactPlan& plan)
    : plan_(plan),
      links_(links_of(model, plan)),
      terms_(model, each_once(links_)),
      dynamics_(model, links_),
      state_(model.neutral_state()),
      a_(Eigen::VectorXd::Zero(model.nv())),
      wrenches_(links_.size()) {}

void ContactDynamics::update(const RobotState& state, const Eigen::VectorXd& a) {
  state_ = state;
  a_ = a;
  terms_.update(state);
}

const Eigen::Isometry3d& ContactDynamics::T_world_link(std::size_t contact) const {
  return terms_.frame(links_[contact]).T_world_frame;
}

Eigen::Vector3d ContactDynamics::point(std::size_t contact) const {
  return T_world_link(contact) * plan_.contacts[contact].point;
}

Wrench ContactDynamics::in_link(std::size_t contact, const Vector6d& wrench) const {
  const Eigen::Matrix3d R_link_world = T_world_link(contact).linear().transpose();
  const Eigen::Vector3d force = R_link_world * wrench.head<3>();
  return {.force = force, .moment = R_link_world * wrench.tail<3>() + plan_.contacts[contact].point.cross(force)};
}

const Eigen::VectorXd& ContactDynamics::torque(std::span<const Vector6d> wrenches) {
  assert(wrenches.size() == wrenches_.size());
  for (std::size_t i = 0; i < wrenches.size(); ++i) {
    const Eigen::Vector3d force = wrenches[i].head<3>();
    wrenches_[i] = {.force = force, .moment = wrenches[i].tail<3>() + point(i).cross(force)};
  }
  return dynamics_.compute(state_, a_, wrenches_);
}

Vector6d ContactDynamics::total_wrench() {
  const Eigen::VectorXd& all = dynamics_.compute(state_, a_);
  const Eigen::Quaterniond R_world_base = base_orientation(state_.q);
  const Eigen::Vector3d force = R_world_base * all.head<3>();
  Vector6d wrench;
  wrench << force, R_world_base * all.segment<3>(3) + state_.q.head<3>().cross(force);
  return wrench;
}

}  // namespace aplomb

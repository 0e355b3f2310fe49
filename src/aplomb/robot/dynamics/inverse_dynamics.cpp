#include "aplomb/robot/dynamics/inverse_dynamics.hpp"

#include <cassert>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include "aplomb/robot/dynamics/pinocchio_model.hpp"

namespace aplomb {

struct InverseDynamics::Work {
  explicit Work(const PinocchioModel& rigid_bodies)
      : shared(rigid_bodies),
        data(rigid_bodies.model),
        external(static_cast<std::size_t>(rigid_bodies.model.njoints), pinocchio::Force::Zero()) {}
  const PinocchioModel& shared;
  pinocchio::Data data;
  std::vector<pinocchio::JointIndex> joints;  ///< joints that move the links
  std::vector<pinocchio::Force> external;     ///< by joint, in the joint's frame
};

InverseDynamics::InverseDynamics(const RobotModel& model, std::span<const FrameId> links)
    : work_(std::make_unique<Work>(model.pinocchio())) {
  for (const FrameId link : links) {
    work_->joints.push_back(work_->shared.frames[static_cast<std::size_t>(link)].joint);
  }
}
InverseDynamics::InverseDynamics(InverseDynamics&&) noexcept = default;
InverseDynamics::~InverseDynamics() = default;

const Eigen::VectorXd& InverseDynamics::compute(const RobotState& state, const Eigen::VectorXd& a,
                                                std::span<const Wrench> wrenches) {
  assert(wrenches.size() == work_->joints.size());
  pinocchio::Data& data = work_->data;
  pinocchio::forwardKinematics(work_->shared.model, data, state.q);
  for (pinocchio::Force& force : work_->external) force.setZero();
  for (std::size_t i = 0; i < wrenches.size(); ++i) {
    const pinocchio::JointIndex joint = work_->joints[i];
    work_->external[joint] += data.oMi[joint].actInv(pinocchio::Force(wrenches[i].force, wrenches[i].moment));
  }
  return pinocchio::rnea(work_->shared.model, data, state.q, state.v, a, work_->external);
}

const Eigen::VectorXd& InverseDynamics::compute(const RobotState& state, const Eigen::VectorXd& a) {
  // With Ref arguments, Pinocchio's precompiled instantiation is used.
  const Eigen::Ref<const Eigen::VectorXd> q(state.q), v(state.v), acceleration(a);
  return pinocchio::rnea(work_->shared.model, work_->data, q, v, acceleration);
}

}  // namespace aplomb

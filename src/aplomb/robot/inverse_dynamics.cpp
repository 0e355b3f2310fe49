#include "aplomb/robot/inverse_dynamics.hpp"

#include <pinocchio/algorithm/rnea.hpp>

#include "aplomb/robot/pinocchio_model.hpp"

namespace aplomb {

struct InverseDynamics::Work {
  explicit Work(const PinocchioModel& rigid_bodies) : model(rigid_bodies.model), data(model) {}
  const pinocchio::Model& model;
  pinocchio::Data data;
};

InverseDynamics::InverseDynamics(const RobotModel& model) : work_(std::make_unique<Work>(model.pinocchio())) {}
InverseDynamics::InverseDynamics(InverseDynamics&&) noexcept = default;
InverseDynamics::~InverseDynamics() = default;

const Eigen::VectorXd& InverseDynamics::compute(const RobotState& state, const Eigen::VectorXd& acceleration) {
  // As Ref, it is the library's own instantiation.
  const Eigen::Ref<const Eigen::VectorXd> q(state.q), v(state.v), a(acceleration);
  return pinocchio::rnea(work_->model, work_->data, q, v, a);
}

}  // namespace aplomb

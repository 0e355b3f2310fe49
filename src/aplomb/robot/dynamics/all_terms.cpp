#include "aplomb/robot/dynamics/all_terms.hpp"

#include <pinocchio/algorithm/compute-all-terms.hpp>

#include "aplomb/robot/dynamics/pinocchio_model.hpp"

namespace aplomb {

struct AllTerms::Work {
  explicit Work(const PinocchioModel& rigid_bodies) : model(rigid_bodies.model), data(model) {}
  const pinocchio::Model& model;
  pinocchio::Data data;
};

AllTerms::AllTerms(const RobotModel& model) : work_(std::make_unique<Work>(model.pinocchio())) {}
AllTerms::~AllTerms() = default;

void AllTerms::update(const RobotState& state) {
  pinocchio::computeAllTerms(work_->model, work_->data, state.q, state.v);
}

}  // namespace aplomb

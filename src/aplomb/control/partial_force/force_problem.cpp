#include "aplomb/control/partial_force/force_problem.hpp"

#include <numeric>

namespace aplomb {

ForceContact::ForceContact(std::string its_name, int num_rows, int nv)
    : name(std::move(its_name)),
      jacobian(Eigen::MatrixXd::Zero(num_rows, nv)),
      acceleration(Eigen::VectorXd::Zero(num_rows)),
      force(Eigen::VectorXd::Zero(num_rows)),
      weight(Eigen::VectorXd::Ones(num_rows)) {}

int ForceProblem::num_force_rows() const {
  int rows = 0;
  for (const ForceContact& contact : contacts) rows += contact.num_rows();
  return rows;
}

LevelOrder ForceProblem::as_listed() const {
  LevelOrder order(levels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

ForceSolution::ForceSolution(const ForceProblem& problem, int nv)
    : acceleration(Eigen::VectorXd::Zero(nv)), torque(Eigen::VectorXd::Zero(nv - 6)) {
  for (const ForceContact& contact : problem.contacts) force.push_back(Eigen::VectorXd::Zero(contact.num_rows()));
}

}  // namespace aplomb

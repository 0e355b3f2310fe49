#pragma once

#include <cstdint>

#include "aplomb/core/error.hpp"

namespace aplomb {

/// Upper bound on the work of a computation with many postures: the linear systems that it may solve in all. They are
/// counted, not timed, so that the same input has the same answer on every machine.
class SolverBudget {
 public:
  explicit SolverBudget(std::int64_t linear_systems) : left_(linear_systems), total_(linear_systems) {}

  void spend(std::int64_t linear_systems) { left_ -= linear_systems; }
  bool is_spent() const { return left_ < 0; }
  std::int64_t left() const { return left_; }
  std::int64_t spent() const { return total_ - left_; }
  std::int64_t total() const { return total_; }

 private:
  std::int64_t left_, total_;
};

/// A computation that ended because its budget is spent.
class BudgetSpent : public InvalidValue {
 public:
  using InvalidValue::InvalidValue;
};

}  // namespace aplomb

#pragma once

#include <memory>

#include "aplomb/robot/robot_model.hpp"

namespace aplomb {

/// Pinocchio's `computeAllTerms`: the baseline for RobotTerms in `aplomb bench`, used nowhere else.
class AllTerms {
 public:
  explicit AllTerms(const RobotModel& model);  ///< `model` must outlive this object
  ~AllTerms();
  void update(const RobotState& state);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace aplomb

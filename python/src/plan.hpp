#pragma once

#include <memory>

#include "aplomb/motion/trajectory.hpp"

namespace aplomb::python {

/// A motion plan, shared with the runs that follow it.
struct Plan {
  std::shared_ptr<const MotionPlan> motion;
};

}  // namespace aplomb::python

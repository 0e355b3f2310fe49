#pragma once

#include "aplomb/robot/dynamics/inertia.hpp"

namespace aplomb {

/// What is known better than the model while the robot works: the inertia that one body has by now, with what it
/// carries. Written by identify, read by control, passed on by scenario.
struct ModelCorrection {
  int body = 0;     ///< index in BodyTree::bodies
  Inertia inertia;  ///< in the body's frame
};

}  // namespace aplomb

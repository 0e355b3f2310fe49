#pragma once

#include "aplomb/robot/dynamics/inertia.hpp"

namespace aplomb {

/// Online correction of the model: the current inertia of one body, including its payload. Estimated by identify/,
/// passed to the controller by the run.
struct ModelCorrection {
  int body = 0;     ///< index in BodyTree::bodies
  Inertia inertia;  ///< in the body's frame
};

}  // namespace aplomb

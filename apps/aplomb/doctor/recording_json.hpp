#pragma once

#include <string>

#include "aplomb/recording/examine.hpp"

namespace aplomb {

/// What `aplomb doctor RECORDING --json` prints; its keys are in docs/recordings.md.
std::string recording_json(const Recording& motion, const Recording& forces, const Examination& examination);

}  // namespace aplomb

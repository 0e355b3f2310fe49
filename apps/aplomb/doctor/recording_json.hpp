#pragma once

#include <string>

#include "aplomb/recording/examine.hpp"

namespace aplomb {

/// Output of `aplomb doctor RECORDING --json`; docs/recordings.md lists the keys.
std::string recording_json(const Recording& motion, const Recording& forces, const Examination& examination);

}  // namespace aplomb

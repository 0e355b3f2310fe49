#pragma once

#include <memory>
#include <string>

#include "aplomb/motion/formats/motion_file.hpp"

namespace CLI {
class App;
}

namespace aplomb {

/// --quaternion, --joint-order, --fps: what the user says about a motion file.
std::shared_ptr<MotionReading> add_motion_reading(CLI::App& verb);

/// "reading", "assumed" and "finding" lines of a file, for a person.
std::string motion_file_text(const MotionFile& file);

}  // namespace aplomb

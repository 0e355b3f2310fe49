#pragma once

#include <string>

#include "aplomb/human/subject_builder.hpp"

namespace aplomb {

/// A marker set (YAML, as read_marker_set reads it) for the labels of an analysed recording: those that a set explains
/// with their landmarks, unknown ones with the segment that they move with. Labels that move with no segment are
/// comments.
std::string marker_set_text(const SubjectOutcome& outcome, const std::string& name);

}  // namespace aplomb

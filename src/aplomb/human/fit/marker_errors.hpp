#pragma once

#include "aplomb/human/marker_results.hpp"
#include "aplomb/human/subject_model.hpp"

namespace aplomb {

MarkerErrors marker_errors(const SubjectModel& subject, const MotionFit& fit);

}  // namespace aplomb

#pragma once

#include "report/sample_result.hpp"

namespace aplomb::test {

/// A made-up robot of four bodies that squats every `period_s` on its one foot, and is pushed from 0.5 to 0.7 s, with
/// more columns on request.
Sample sample_of_motion(double duration_s, int num_more_columns = 0, double period_s = 2.0, int rows_per_s = 1000);

}  // namespace aplomb::test

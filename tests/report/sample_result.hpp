#pragma once

#include "aplomb/core/result.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/report/plot.hpp"

namespace aplomb::test {

/// A made-up run for tests of what is written and shown: a body of 60 kg on two feet, pushed at 1 s, as a damped
/// oscillation. No simulation: only the shape of the data is like that of a real one.
struct Sample {
  Result result;
  Log log;
  ReportPage page;
};

Sample sample_run();
Sample failed_sample_run();    ///< the same with a broken check and hostile text in every field
Sample sample_without_log();   ///< as of a verb that has no time series
Sample sample_of_curves();     ///< curves that lie on each other, rounding errors, two references
Sample sample_of_many_runs();  ///< as of a repeated scenario with a search: tables, points, limits by direction

}  // namespace aplomb::test

#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "aplomb/pipeline/rise_planner.hpp"
#include "aplomb/report/live_server.hpp"
#include "aplomb/run/run.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// `aplomb run --live`: a page follows the simulation, which goes no faster than real time. The result is that of the
/// same run without it.
class LiveRun {
 public:
  /// `rise`: the plan of a rise with its person, or nullptr.
  LiveRun(const Scenario& scenario, const RunSetup& setup, std::shared_ptr<const RisePlan> rise)
      : scenario_(scenario), setup_(setup), rise_(std::move(rise)) {}

  /// The log so far, as run() gives it. Opens the page with the first rows and waits a while for somebody to look.
  void follow(const Log& log);
  /// The run is over, and this is its report.
  void finish(const RunResult& run, const ReportPage& page);

 private:
  void open(const Log& log);
  bool is_due(std::size_t row) const { return row % stride_ == 0; }

  const Scenario& scenario_;
  const RunSetup& setup_;
  std::shared_ptr<const RisePlan> rise_;
  std::optional<LiveServer> server_;
  std::size_t stride_ = 1, num_rows_ = 0;  ///< log rows between two instants of the page; log rows that it has
  double wall_start_s_ = 0.0;
};

}  // namespace aplomb

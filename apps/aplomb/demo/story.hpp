#pragma once

#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/present/identify_report.hpp"
#include "aplomb/report/report_chapter.hpp"
#include "rise/rise_results.hpp"

namespace aplomb {

/// Results of all steps of `aplomb demo`, for both styles; the masses are identified once.
struct DemoStory {
  std::vector<RiseResults> rises;
  IdentifyOutput identified;
};

/// Runs all steps. `on_step` gets what is being done, and its completed fraction as RisePlanner::StepReport does.
DemoStory make_demo_story(const RisePlanner::StepReport& on_step);

/// Metrics of every step, those of a rise prefixed with its style, and the checks on them.
Result result_of(const DemoStory& story);

/// The report's five chapters.
std::vector<ReportChapter> chapters_of(const DemoStory& story);

/// Each step with its result, the paper's result, and whether its checks hold.
PageTable summary_of(const DemoStory& story, const Result& result);

}  // namespace aplomb

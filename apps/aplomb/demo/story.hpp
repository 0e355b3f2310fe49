#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/pipeline/rise_planner.hpp"
#include "aplomb/present/human_report.hpp"
#include "aplomb/present/identify_report.hpp"
#include "aplomb/present/retarget_report.hpp"
#include "aplomb/report/report_chapter.hpp"
#include "aplomb/scenario/run_scenario.hpp"
#include "aplomb/scenario/scenario.hpp"

namespace aplomb {

/// Results of one rise: recorded person, plan, simulated robot.
struct DemoRise {
  std::string style;
  Scenario scenario;
  std::shared_ptr<const RisePlan> plan;
  HumanOutput person;
  RetargetOutput retargeted;
  RunResult run;
  ReportPage page;  ///< report of the run
};

/// Results of all steps of `aplomb demo`, for both styles; the masses are identified once.
struct DemoStory {
  std::vector<DemoRise> rises;
  IdentifyOutput identified;
};

/// Runs all steps. `on_progress` gets the completed fraction, 0 to 1.
DemoStory make_demo_story(const std::function<void(double done)>& on_progress);

/// Metrics of every step, those of a rise prefixed with its style, and the checks on them.
Result result_of(const DemoStory& story);

/// A length in millimetres, or "-" when there is none.
std::string millimetres(const Metrics& metrics, const std::string& name);

/// The report's five chapters.
std::vector<ReportChapter> chapters_of(const DemoStory& story);

/// Each step with its result, the paper's result, and whether its checks hold.
PageTable summary_of(const DemoStory& story, const Result& result);

}  // namespace aplomb

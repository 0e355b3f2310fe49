#pragma once

#include <functional>
#include <memory>
#include <optional>
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

/// Results of one rise: recorded person, plan, simulated robot. Of `aplomb rise`, and of each style of `aplomb demo`.
struct RiseResults {
  std::string name;  ///< of the recording
  Scenario scenario;
  std::shared_ptr<const RisePlan> plan;
  std::optional<HumanOutput> person;  ///< absent when it was analysed before
  RetargetOutput retargeted;
  RunResult run;
  ReportPage page;  ///< report of the run
};

/// Plans the scenario's rise, unless `planner` has that plan, and runs it. `on_run` gets the simulated time.
RiseResults run_rise(const std::string& name, Scenario scenario, RisePlanner& planner,
                     const std::function<void(double time_s)>& on_run);

/// Report of the identification that the plan was made with, judged by the simulated robot's true masses.
IdentifyOutput describe_identified(const RiseResults& rise);

/// A length in millimetres, or "-" when there is none.
std::string millimetres(const Metrics& metrics, const std::string& name);

// Chapters of a report on some rises.
ReportPart part_of(const std::string& name, const Log& log, const ReportPage& page,
                   const std::vector<std::string>& ids);  ///< plots of a page by id; the name is added to their titles
ReportChapter person_chapter(const std::vector<RiseResults>& rises, const std::vector<std::string>& plots);
ReportChapter masses_chapter(const RiseResults& rise, const IdentifyOutput& identified);
ReportChapter plan_chapter(const std::vector<RiseResults>& rises);
ReportChapter standing_up_chapter(const std::vector<RiseResults>& rises);

}  // namespace aplomb

#include "rise/rise_results.hpp"

#include <fmt/format.h>

#include <utility>

#include "aplomb/pipeline/measure_postures.hpp"
#include "aplomb/present/run_page.hpp"

namespace aplomb {

RiseResults run_rise(const std::string& name, Scenario scenario, RisePlanner& planner,
                     const std::function<void(double)>& on_run) {
  RiseResults rise{.name = name, .scenario = std::move(scenario)};
  rise.plan = plan_rise(rise.scenario, planner);
  if (const TrialAnalysis* person = rise.plan->person.get()) {
    rise.person = describe(*person, person->scaling ? &*person->scaling : nullptr);
  }
  rise.retargeted = describe(*rise.plan->retargeted, *rise.plan->believed, name);
  rise.run = run_scenario(rise.scenario, on_run, &planner);
  rise.page = run_page(rise.run, rise.scenario);
  return rise;
}

IdentifyOutput describe_identified(const RiseResults& rise) {
  const IdentifiedRobot& identified = *rise.plan->identified;
  const RobotModel& robot = *rise.run.setup.robot;
  const PathErrors truth = path_errors(robot, *identified.cad, identified.found, stand_up_path(robot));
  return describe(*identified.cad, identified.postures, identified.found, {}, truth);
}

std::string millimetres(const Metrics& metrics, const std::string& name) {
  const auto value = metrics.number(name);
  return value ? fmt::format("{:.1f}", 1e3 * *value) : "-";
}

}  // namespace aplomb

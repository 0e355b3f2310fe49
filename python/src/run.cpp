#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/data_dir.hpp"
#include "aplomb/core/parallel.hpp"
#include "aplomb/pipeline/stand_up.hpp"
#include "aplomb/present/comparison_report.hpp"
#include "aplomb/present/many_runs_page.hpp"
#include "aplomb/present/run_page.hpp"
#include "aplomb/present/scene/run_scene.hpp"
#include "aplomb/scenario/compare.hpp"
#include "aplomb/scenario/repeat.hpp"
#include "aplomb/scenario/run_scenario.hpp"
#include "aplomb/scenario/search.hpp"
#include "bindings.hpp"
#include "control.hpp"
#include "outcome.hpp"
#include "plan.hpp"

namespace aplomb::python {
namespace {

/// One run; `scenario` is absent for one that was not read from a scenario.
class PythonRun final : public Outcome {
 public:
  explicit PythonRun(RunResult run, std::shared_ptr<const Scenario> scenario = nullptr)
      : run_(std::move(run)), scenario_(std::move(scenario)) {}
  const Result& result() const override { return run_.result; }
  const Log& log() const override { return run_.log; }
  std::vector<std::string> notes() const override { return run_.notes; }
  ReportPage page() const override {
    ReportPage page = scenario_ ? run_page(run_, *scenario_) : run_page(run_);
    page.scene = make_run_scene(run_);
    return page;
  }
  const RunResult& run() const { return run_; }

 private:
  RunResult run_;
  std::shared_ptr<const Scenario> scenario_;
};

class PythonManyRuns final : public Outcome {
 public:
  PythonManyRuns(ManyRunsResult many, std::shared_ptr<const Scenario> scenario,
                 ReportPage (*make_page)(const Scenario&, const ManyRunsResult&))
      : many_(std::move(many)), scenario_(std::move(scenario)), page_(make_page) {}
  const Result& result() const override { return many_.result; }
  const Log& log() const override { return many_.table; }
  std::vector<std::string> notes() const override { return page().notes; }
  ReportPage page() const override { return page_(*scenario_, many_); }
  const std::string& csv() const { return many_.csv; }
  std::size_t size() const { return many_.records.size(); }

 private:
  ManyRunsResult many_;
  std::shared_ptr<const Scenario> scenario_;
  ReportPage (*page_)(const Scenario&, const ManyRunsResult&);
};

class PythonComparison final : public DescribedOutcome<ComparisonReport> {
 public:
  explicit PythonComparison(const Comparison& comparison) : DescribedOutcome(comparison_report(comparison)) {
    for (const ComparedRun& one : comparison.runs) {
      if (one.error.empty()) {
        runs_.emplace_back(one.controller, std::make_shared<PythonRun>(one.output));
      } else {
        errors_.emplace_back(one.controller, one.error);
      }
    }
  }
  const auto& runs() const { return runs_; }
  const auto& errors() const { return errors_; }

 private:
  std::vector<std::pair<std::string, std::shared_ptr<PythonRun>>> runs_;
  std::vector<std::pair<std::string, std::string>> errors_;
};

std::vector<Override> all_overrides(const std::vector<std::string>& set, nb::handle controller) {
  std::vector<Override> overrides = overrides_from(set);
  const std::vector<Override> chosen = choose_controller(controller);
  overrides.insert(overrides.end(), chosen.begin(), chosen.end());
  return overrides;
}

std::shared_ptr<const Scenario> load(const std::string& scenario, const std::vector<Override>& overrides) {
  return release_and([&] { return std::make_shared<const Scenario>(load_scenario(scenario, overrides)); });
}

std::size_t jobs_from(std::optional<std::int64_t> jobs) {
  constexpr std::int64_t kMostJobs = 1024;
  if (!jobs) return num_cores();
  if (*jobs < 1 || *jobs > kMostJobs) {
    throw InvalidValue(fmt::format("jobs is {}; valid are 1 to {}", *jobs, kMostJobs));
  }
  return static_cast<std::size_t>(*jobs);
}

std::unique_ptr<PythonRun> run_one(const std::string& name, const std::vector<std::string>& set, nb::object controller,
                                   nb::object progress) {
  const auto scenario = load(name, all_overrides(set, controller));
  Watch watch(std::move(progress), scenario->name, scenario->duration_s);
  return release_and([&] { return std::make_unique<PythonRun>(run_scenario(*scenario, watch.callback()), scenario); });
}

ManyRunsOptions options_of(Watch& watch, std::optional<std::int64_t> jobs) {
  return {.jobs = jobs_from(jobs),
          .on_progress = [show = watch.callback()](double done, double all) { show(done / all); }};
}

std::unique_ptr<PythonManyRuns> repeat(const std::string& name, std::int64_t runs, const std::vector<std::string>& set,
                                       nb::object controller, std::optional<std::int64_t> jobs, nb::object progress) {
  if (runs < 1 || runs > kMostRuns) throw InvalidValue(fmt::format("runs is {}; valid are 1 to {}", runs, kMostRuns));
  const auto scenario = load(name, all_overrides(set, controller));
  Watch watch(std::move(progress), scenario->name, 1.0);
  const ManyRunsOptions options = options_of(watch, jobs);
  return release_and([&] {
    return std::make_unique<PythonManyRuns>(repeat_scenario(*scenario, runs, options), scenario, repeat_page);
  });
}

std::unique_ptr<PythonManyRuns> search(const std::string& name, const std::vector<std::string>& set,
                                       nb::object controller, std::optional<std::int64_t> jobs, nb::object progress) {
  const auto scenario = load(name, all_overrides(set, controller));
  if (!scenario->search) {
    throw InvalidValue(
        fmt::format("scenario {} has no key 'search', which says what is searched; see docs/repeats.md", name));
  }
  Watch watch(std::move(progress), scenario->name, 1.0);
  const ManyRunsOptions options = options_of(watch, jobs);
  return release_and(
      [&] { return std::make_unique<PythonManyRuns>(search_limit(*scenario, options), scenario, search_page); });
}

std::unique_ptr<PythonComparison> compare(const std::string& name, nb::list controllers,
                                          const std::vector<std::string>& set, nb::object progress) {
  std::vector<Override> overrides = overrides_from(set);
  std::vector<std::string> kinds;
  for (const nb::handle controller : controllers) {
    const std::vector<Override> chosen = choose_controller(controller);
    if (chosen.empty()) throw InvalidValue("None is no controller; `aplomb.controllers()` names the kinds");
    kinds.push_back(chosen.front().value);
    if (chosen.size() < 2) continue;
    if (std::ranges::count(kinds, kPythonKind) > 1) {
      throw InvalidValue("a comparison has at most one controller that is a Python class");
    }
    overrides.push_back(chosen.back());
  }
  Watch watch(std::move(progress), name, static_cast<double>(kinds.size()));
  return release_and([&] {
    const auto show = watch.callback();
    const Comparison made = compare_controllers(
        name, kinds, overrides, [&](std::size_t run, double done) { show(static_cast<double>(run) + done); });
    return std::make_unique<PythonComparison>(made);
  });
}

std::unique_ptr<PythonRun> execute_plan(const Robot& robot, const Robot& believed, const Plan& plan,
                                        nb::object controller, double speed, double start_s, double hold_s,
                                        std::int64_t seed, nb::object progress) {
  const auto require = [](bool is_valid, const char* name, double value, const char* valid) {
    if (!is_valid) throw InvalidValue(fmt::format("{} is {}; valid is {}", name, value, valid));
  };
  require(speed > 0.0 && speed <= 10.0, "speed", speed, "above 0, at most 10");
  require(start_s >= 0.0 && start_s <= 3600.0, "start_s", start_s, "0 to 3600 s");
  require(hold_s >= 0.0 && hold_s <= 3600.0, "hold_s", hold_s, "0 to 3600 s");
  StandUpOptions options{.speed = speed, .start_s = start_s, .hold_s = hold_s, .seed = seed};
  if (!nb::isinstance<nb::str>(controller)) {
    throw InvalidValue("controller is not a kind's name (`aplomb.controllers()`); a class runs in aplomb.run");
  }
  options.controller = nb::cast<std::string>(controller);
  const Trajectory& trajectory = plan.motion->trajectory;
  Watch watch(std::move(progress), "stand_up", start_s + (trajectory.end_s() - trajectory.start_s) / speed + hold_s);
  options.on_progress = watch.callback();
  return release_and([&] {
    RunResult result = stand_up(*robot.model, *believed.model, *plan.motion, options);
    result.setup.robot = robot.model;  // owned instead of borrowed
    result.setup.believed = believed.model;
    return std::make_unique<PythonRun>(std::move(result));
  });
}

}  // namespace

void bind_run(nb::module_& module) {
  nb::class_<PythonRun, Outcome>(module, "Run", "One simulated run.")
      .def_prop_ro(
          "robot", [](const PythonRun& self) { return Robot{self.run().setup.robot}; }, "As simulated.")
      .def_prop_ro(
          "signals", [](const PythonRun& self) { return self.run().signals; },
          "Columns of the log that the controller logged.")
      .def("__repr__", [](const PythonRun& self) {
        return fmt::format("<aplomb.Run {}: {}>", self.result().scenario, self.result().verdict());
      });
  nb::class_<PythonManyRuns, Outcome>(module, "ManyRuns",
                                      "Many runs of one scenario, or a search; the log has one row a run.")
      .def_prop_ro("csv", &PythonManyRuns::csv, "One row a run, with everything, as CSV.")
      .def("__len__", &PythonManyRuns::size)
      .def("__repr__", [](const PythonManyRuns& self) {
        return fmt::format("<aplomb.ManyRuns of {}: {}>", self.result().scenario, self.result().verdict());
      });
  nb::class_<PythonComparison, Outcome>(module, "Comparison", "One scenario under several controllers.")
      .def_prop_ro(
          "runs",
          [](const PythonComparison& self) {
            nb::dict runs;
            for (const auto& [controller, run] : self.runs()) runs[controller.c_str()] = run;
            return runs;
          },
          "Run by controller.", nb::sig("def runs(self) -> dict[str, Run]"))
      .def_prop_ro(
          "errors",
          [](const PythonComparison& self) {
            nb::dict errors;
            for (const auto& [controller, error] : self.errors()) errors[controller.c_str()] = error;
            return errors;
          },
          "Why a controller could not run.", nb::sig("def errors(self) -> dict[str, str]"));
  module.def("run", &run_one, nb::arg("scenario"), nb::arg("set"), nb::arg("controller").none(),
             nb::arg("progress").none());
  module.def("repeat", &repeat, nb::arg("scenario"), nb::arg("runs"), nb::arg("set"), nb::arg("controller").none(),
             nb::arg("jobs").none(), nb::arg("progress").none());
  module.def("search", &search, nb::arg("scenario"), nb::arg("set"), nb::arg("controller").none(),
             nb::arg("jobs").none(), nb::arg("progress").none());
  module.def("compare", &compare, nb::arg("scenario"), nb::arg("controllers"), nb::arg("set"),
             nb::arg("progress").none());
  module.def("scenarios", &scenario_names, "Names of the scenarios that come with aplomb.");
  module.def("stand_up", &execute_plan, nb::arg("robot"), nb::arg("believed"), nb::arg("plan"), nb::kw_only(),
             nb::arg("controller") = "inverse_dynamics", nb::arg("speed") = 1.0, nb::arg("start_s") = 1.0,
             nb::arg("hold_s") = 3.0, nb::arg("seed") = 1, nb::arg("progress") = nb::none(),
             "Executes a planned rise in simulation and judges it: the robot has stood up and has not fallen.\n\n"
             "robot: the one that is simulated. believed: what plan and controller know of it.\n"
             "speed: 2 plays the plan in half the time. start_s: how long the robot sits still before [s].\n"
             "hold_s: how long it shall stand still after the plan's end [s].");
}

}  // namespace aplomb::python

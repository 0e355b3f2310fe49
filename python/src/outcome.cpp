#include "outcome.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/output_folder.hpp"
#include "aplomb/report/result_files.hpp"
#include "aplomb/report/result_json.hpp"
#include "aplomb/report/summary_table.hpp"
#include "bindings.hpp"

namespace aplomb::python {
namespace {

nb::list checks_of(const Outcome& outcome) {
  nb::list checks;
  for (const CheckOutcome& one : outcome.result().checks) {
    constexpr const char* kRules[] = {"equals", "below", "above"};
    nb::dict check;
    check["metric"] = one.check.metric;
    check["value"] = to_python(one.value);
    check[kRules[static_cast<int>(one.check.rule)]] = to_python(one.check.bound);
    check["ok"] = one.ok;
    checks.append(check);
  }
  return checks;
}

nb::list faults_of(const Outcome& outcome) {
  nb::list faults;
  for (const Fault& one : outcome.result().faults) {
    nb::dict fault;
    fault["name"] = one.name;
    fault["start_s"] = one.start_s;
    fault["fallback"] = one.fallback;
    faults.append(fault);
  }
  return faults;
}

std::string html_of(const Outcome& outcome) {
  return release_and([&] { return report_text(outcome.result(), outcome.log(), outcome.page()); });
}

void save(const Outcome& outcome, const std::filesystem::path& folder, const std::string& log) {
  const std::set<LogFormat> formats = parse_log_formats(log);
  release_and([&] {
    OutputFolder out(folder);
    write_result_files(outcome.result(), outcome.log(), outcome.page(), formats, out.path());
    check_interrupt();
    out.commit();
    return true;
  });
}

}  // namespace

void bind_outcome(nb::module_& module) {
  nb::class_<Outcome>(module, "Outcome",
                      "What every step returns: metrics, checks, a log as NumPy arrays, and a report with a replay.\n\n"
                      "In a notebook it shows itself.")
      .def_prop_ro(
          "metrics", [](const Outcome& self) { return to_python(self.result().metrics); },
          "Metrics by name; the unit is the name's suffix, None where a quantity does not exist. docs/metrics.md has "
          "every formula.",
          nb::sig("def metrics(self) -> dict[str, bool | int | float | str | list[float] | None]"))
      .def_prop_ro(
          "timing", [](const Outcome& self) { return to_python(self.result().timing); },
          "Computing times by name; apart from the metrics, which are the same for the same seed.",
          nb::sig("def timing(self) -> dict[str, float | None]"))
      .def_prop_ro("checks", &checks_of,
                   "Each check as a dict: metric, value, the bound under 'equals', 'below' or 'above', and ok.",
                   nb::sig("def checks(self) -> list[dict[str, object]]"))
      .def_prop_ro("faults", &faults_of, "Injected faults as dicts: name, start_s, fallback.",
                   nb::sig("def faults(self) -> list[dict[str, object]]"))
      .def_prop_ro(
          "verdict", [](const Outcome& self) { return self.result().verdict(); },
          "'pass', 'fail', or 'not_judged' without checks.")
      .def_prop_ro(
          "passed", [](const Outcome& self) { return self.result().all_checks_hold(); },
          "Whether there are checks and all of them hold.")
      .def_prop_ro("notes", &Outcome::notes, "Warnings and assumptions, one sentence each.")
      .def_prop_ro(
          "log", [](nb::pointer_and_handle<Outcome> self) { return columns_of(self.p->log(), self.h); },
          "The log: every column by name, a read-only float64 array (rows,) over the log's own memory.",
          nb::sig("def log(self) -> dict[str, numpy.typing.NDArray[numpy.float64]]"))
      .def(
          "to_pandas",
          [](nb::handle_t<Outcome> self) {
            return nb::module_::import_("aplomb._notebook").attr("to_pandas")(self);  // easier to write in Python
          },
          "The log as a pandas.DataFrame; of many runs one row a run, with everything.",
          nb::sig("def to_pandas(self) -> typing.Any"))
      .def(
          "table", [](const Outcome& self) { return summary_table(self.result()); },
          "Verdict, checks and metrics as text.")
      .def(
          "to_json", [](const Outcome& self) { return to_json(self.result()); }, "The text of metrics.json.")
      .def("html", &html_of, "The report as one self-contained HTML page, with plots and a replay in three dimensions.")
      .def(
          "report",
          [](const Outcome& self, const std::filesystem::path& file) {
            const std::string html = html_of(self);
            release_and([&] { return write_file(file, html), true; });
          },
          nb::arg("file"), "Writes the report to an HTML file, whole or not at all.")
      .def("save", &save, nb::arg("folder"), nb::arg("log") = "csv,npz",
           "Writes metrics.json, timing.json, the log and report.html into a folder, whole or not at all, as --out "
           "does.\n\n"
           "log: formats of the log, among csv, npz and mcap.");
}

}  // namespace aplomb::python

#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/core/table/table_file.hpp"
#include "aplomb/identify/identification.hpp"
#include "aplomb/pipeline/measure_postures.hpp"
#include "aplomb/present/identify_report.hpp"
#include "bindings.hpp"
#include "outcome.hpp"

namespace aplomb::python {
namespace {

/// A table of measured postures; `source` names it in errors.
struct Postures {
  Log table;
  std::string source;
};

Postures measure(const Robot& robot, int postures, bool spatial, std::uint64_t seed, nb::object progress) {
  constexpr int kMostPostures = 100'000;
  if (postures < 1 || postures > kMostPostures) {
    throw InvalidValue(fmt::format("postures is {}; valid are 1 to {}", postures, kMostPostures));
  }
  Watch watch(std::move(progress), "postures", postures);
  return release_and([&] {
    return Postures{
        measure_postures(*robot.model, {.postures = postures, .is_spatial = spatial, .seed = seed}, watch.callback()),
        "measured postures"};
  });
}

/// A table from a dict of columns.
Postures postures_from(const nb::dict& columns) {
  std::vector<std::string> names;
  std::vector<Eigen::VectorXd> values;
  for (const auto& [name, column] : columns) {
    names.push_back(nb::cast<std::string>(nb::str(name)));
    const Eigen::Index rows = values.empty() ? static_cast<Eigen::Index>(nb::len(column)) : values.front().size();
    values.push_back(vector_from(column, rows, names.back().c_str()));
  }
  Log table(names);
  std::vector<double> row(values.size());
  for (Eigen::Index i = 0; !values.empty() && i < values.front().size(); ++i) {
    for (std::size_t k = 0; k < values.size(); ++k) row[k] = values[k][i];
    table.append(row);
  }
  return {std::move(table), "the dict of postures"};
}

class IdentificationOutcome final : public DescribedOutcome<IdentifyOutput> {
 public:
  using DescribedOutcome::DescribedOutcome;
};

/// The robot as identified; a Robot, and what the identification found.
struct Identified : Robot {
  std::shared_ptr<IdentificationOutcome> outcome;
};

Identified identify_robot(const Postures& postures, const Robot& cad, const std::string& model, std::uint64_t seed,
                          std::optional<double> prior_weight) {
  IdentifyOptions options{.seed = seed, .prior_weight = prior_weight};
  if (model == "sagittal") {
    options.model = IdentifyOptions::Model::sagittal;
  } else if (model == "spatial") {
    options.model = IdentifyOptions::Model::spatial;
  } else if (model != "auto") {
    throw InvalidValue(fmt::format("model is '{}'; valid are auto, sagittal, spatial", model));
  }
  if (prior_weight && !(*prior_weight >= 0.0 && std::isfinite(*prior_weight))) {
    throw InvalidValue(fmt::format("prior_weight is {}; it must be a finite number >= 0", *prior_weight));
  }
  return release_and([&] {
    auto whole = std::make_shared<const IdentifiedRobot>(
        identify(postures.table, RobotModel(cad.model->urdf(), cad.model->description()), options, postures.source));
    IdentifyOutput output = describe(*whole->cad, whole->postures, whole->found, options, std::nullopt);
    output.result.provenance.robot_sha256 = sha256_of_file(cad.model->urdf().file);
    Identified identified;
    identified.model = std::shared_ptr<const RobotModel>(whole, &whole->model);
    identified.outcome = std::make_shared<IdentificationOutcome>(std::move(output));
    return identified;
  });
}

Postures read_table_of_postures(const std::filesystem::path& file) {
  return release_and([&] { return Postures{read_table(file).table, file.string()}; });
}

}  // namespace

void bind_identify(nb::module_& module) {
  nb::class_<Postures>(module, "Postures", "Measured postures: the columns of a posture file (docs/identification.md).")
      .def(nb::new_(&read_table_of_postures), nb::arg("file"), "Reads a posture file, CSV or NPZ.")
      .def_static("from_columns", &postures_from, nb::arg("columns"),
                  "From a dict of columns: 'posture', the joints' angles ('left_knee_rad'), and of each foot "
                  "'left_foot_cop_x_m', '..._cop_y_m', '..._fz_n'.",
                  nb::sig("def from_columns(columns: dict[str, numpy.typing.ArrayLike]) -> Postures"))
      .def_prop_ro(
          "columns", [](nb::pointer_and_handle<Postures> self) { return columns_of(self.p->table, self.h); },
          "Every column by name, a read-only float64 array.",
          nb::sig("def columns(self) -> dict[str, numpy.typing.NDArray[numpy.float64]]"))
      .def(
          "save",
          [](const Postures& self, const std::filesystem::path& file) {
            const std::string ending = file.extension().string();
            if (ending == ".csv") {
              write_csv(self.table, file);
            } else if (ending == ".npz") {
              write_npz(self.table, file);
            } else {
              throw FileError({file.string()}, fmt::format("ends in '{}'; a posture file is .csv or .npz", ending));
            }
          },
          nb::arg("file"), "Writes a posture file, .csv or .npz, for `aplomb identify`.")
      .def("__len__", [](const Postures& self) { return self.table.num_rows(); })
      .def("__repr__", [](const Postures& self) {
        return fmt::format("<aplomb.Postures: {} of {}>", self.table.num_rows(), self.source);
      });
  nb::class_<IdentificationOutcome, Outcome>(module, "IdentificationOutcome", "What an identification found.");
  nb::class_<Identified, Robot>(module, "Identified", "A robot whose CAD was corrected by measured postures.")
      .def_prop_ro(
          "outcome", [](const Identified& self) { return self.outcome; }, "Metrics and report of the identification.");
  module.def("measure_postures", &measure, nb::arg("robot"), nb::kw_only(), nb::arg("postures") = 88,
             nb::arg("spatial") = false, nb::arg("seed") = 1, nb::arg("progress") = nb::none(),
             "The posture experiment in simulation: the robot holds postures on its feet, its sensors are read.\n\n"
             "postures: how many. spatial: trunk, arms and lateral lean too, else in the sagittal plane.");
  module.def("identify", &identify_robot, nb::arg("postures"), nb::arg("cad"), nb::kw_only(), nb::arg("model") = "auto",
             nb::arg("seed") = 1, nb::arg("prior_weight") = nb::none(),
             "Masses and centres of mass of a robot from postures at rest.\n\n"
             "postures: of `measure_postures`, `Postures(file)` or `Postures.from_columns(dict)`.\n"
             "cad: the robot before the correction, `robot.cad`. model: 'auto', 'sagittal' or 'spatial'.\n"
             "seed: of the random splits. prior_weight: of the CAD; chosen by cross-validation when left out.");
}

}  // namespace aplomb::python

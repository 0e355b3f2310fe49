#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/core/interrupt.hpp"
#include "aplomb/core/progress.hpp"
#include "aplomb/core/result.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/scenario/overrides.hpp"

// What the files of the extension module `aplomb._aplomb` share. The Python package (python/aplomb) is a thin layer on
// it; docs/python.md is for its users.

namespace aplomb::python {

namespace nb = nanobind;

// ---- Arrays ---------------------------------------------------------------------------------------------------------
// Views: NumPy arrays over memory of ours, which `owner`, a Python object, keeps alive.

using Shape = std::initializer_list<std::size_t>;
using Strides = std::initializer_list<std::int64_t>;  ///< in numbers, not bytes; empty: row by row

/// Read-only. Without an owner the numbers are copied.
nb::object view(const double* data, Shape shape, nb::handle owner, Strides strides = {});
nb::object writable_view(double* data, Shape shape, nb::handle owner);
nb::object view(const Eigen::VectorXd& vector, nb::handle owner);
/// A matrix as it is, e.g. a Jacobian: rows are rows.
template <typename Matrix>
nb::object matrix_view(const Matrix& matrix, nb::handle owner) {
  static_assert(!Matrix::IsRowMajor);
  const auto rows = static_cast<std::size_t>(matrix.rows()), cols = static_cast<std::size_t>(matrix.cols());
  return view(matrix.data(), {rows, cols}, owner, {1, matrix.rows()});
}
/// A motion, one column per sample: in Python one row per sample.
template <typename Matrix>
nb::object samples_view(const Matrix& matrix, nb::handle owner) {
  static_assert(!Matrix::IsRowMajor);
  return view(matrix.data(), {static_cast<std::size_t>(matrix.cols()), static_cast<std::size_t>(matrix.rows())}, owner);
}
nb::dict columns_of(const Log& log, nb::handle owner);  ///< every column of a log, by name, without a copy
/// The three columns PREFIX_x_m, PREFIX_y_m, PREFIX_z_m of a log as (rows, 3).
nb::object points_of(const Log& log, const std::string& prefix, nb::handle owner);

/// A vector from anything that NumPy understands as real numbers. Throws InvalidValue, with the name that the user
/// knows it by, on another shape, another type, or a number that is not finite.
Eigen::VectorXd vector_from(nb::handle value, Eigen::Index size, const char* name);
/// The same into an existing vector of the right size. Allocates nothing for a contiguous array of float64.
void read_vector(nb::handle value, const char* name, Eigen::VectorXd& into);

// ---- Values ---------------------------------------------------------------------------------------------------------

nb::object to_python(const MetricValue& value);
nb::dict to_python(const Metrics& metrics);

/// A robot as Python holds it: models are shared, never borrowed.
struct Robot {
  std::shared_ptr<const RobotModel> model;
};
std::shared_ptr<const RobotModel> copy_of(const RobotModel& model);

/// What the package gives as ["KEY=VALUE", ...].
std::vector<Override> overrides_from(const std::vector<std::string>& texts);

// ---- Long work ------------------------------------------------------------------------------------------------------

/// Shows how far long work has come: None a bar on a terminal, False nothing, or else a function that is called with
/// the fraction done.
class Watch {
 public:
  Watch(nb::object progress, std::string label, double total);
  std::function<void(double done)> callback();  ///< may be called without the interpreter's lock

 private:
  nb::object function_;
  double total_;
  std::unique_ptr<Progress> bar_;
};

bool is_main_thread();  ///< Python handles Ctrl-C in this one

/// Calls `work` without the interpreter's lock. Ctrl-C stops it: Interrupted, in Python KeyboardInterrupt. In other
/// threads than Python's main thread it runs to its end, as every Python function does.
template <typename Work>
auto release_and(Work&& work) {
  std::optional<InterruptScope> scope;
  if (is_main_thread()) scope.emplace();
  const nb::gil_scoped_release release;
  auto result = work();
  if (scope) check_interrupt();  // it came too late for the work to notice
  return result;
}

// ---- The parts of the module ----------------------------------------------------------------------------------------

void bind_errors(nb::module_& module);
void bind_outcome(nb::module_& module);
void bind_robot(nb::module_& module);
void bind_person(nb::module_& module);
void bind_identify(nb::module_& module);
void bind_plan(nb::module_& module);
void bind_control(nb::module_& module);
void bind_run(nb::module_& module);

}  // namespace aplomb::python

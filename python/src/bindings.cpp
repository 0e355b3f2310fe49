#include "bindings.hpp"

#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <unistd.h>

#include <utility>

#include "aplomb/core/error.hpp"

namespace aplomb::python {
namespace {

/// NumPy's float64 array of a value, without a copy where it is one already.
nb::object as_array(nb::handle value, const char* name) {
  try {
    const nb::object array = nb::module_::import_("numpy").attr("asarray")(value);
    return array.attr("astype")("float64", nb::arg("order") = "C", nb::arg("casting") = "same_kind",
                                nb::arg("copy") = false);
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_TypeError) && !error.matches(PyExc_ValueError)) throw;
    throw InvalidValue(fmt::format("{} is not an array of real numbers: {}", name, nb::str(error.value()).c_str()));
  }
}

using Array = nb::ndarray<const double, nb::device::cpu>;

std::string shape_text(const Array& array) {
  std::string text;
  for (std::size_t i = 0; i < array.ndim(); ++i) text += fmt::format("{}{}", i > 0 ? ", " : "", array.shape(i));
  return fmt::format("({}{})", text, array.ndim() == 1 ? "," : "");
}

}  // namespace

nb::object view(const double* data, Shape shape, nb::handle owner, Strides strides) {
  return nb::cast(nb::ndarray<nb::numpy, const double>(data, shape, owner, strides));
}

nb::object writable_view(double* data, Shape shape, nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy, double>(data, shape, owner));
}

nb::object view(const Eigen::VectorXd& vector, nb::handle owner) {
  return view(vector.data(), {static_cast<std::size_t>(vector.size())}, owner);
}

nb::dict columns_of(const Log& log, nb::handle owner) {
  nb::dict columns;
  const std::size_t rows = log.num_rows();
  const auto stride = static_cast<std::int64_t>(log.columns().size());
  for (std::size_t i = 0; i < log.columns().size(); ++i) {
    columns[log.columns()[i].c_str()] = view(log.values().data() + i, {rows}, owner, {stride});
  }
  return columns;
}

nb::object points_of(const Log& log, const std::string& prefix, nb::handle owner) {
  const std::size_t first = log.index(prefix + "_x_m");
  if (log.index(prefix + "_y_m") != first + 1 || log.index(prefix + "_z_m") != first + 2) {
    throw InvalidValue(fmt::format("the columns {}_x_m, _y_m and _z_m are not side by side", prefix));
  }
  return view(log.values().data() + first, {log.num_rows(), 3}, owner,
              {static_cast<std::int64_t>(log.columns().size()), 1});
}

void read_vector(nb::handle value, const char* name, Eigen::VectorXd& into) {
  Array array;
  const bool is_direct = nb::try_cast(value, array, false) && array.ndim() == 1 && array.stride(0) == 1;
  if (!is_direct) array = nb::cast<Array>(as_array(value, name));
  if (array.ndim() != 1 || array.shape(0) != static_cast<std::size_t>(into.size())) {
    throw InvalidValue(fmt::format("{} has the shape {}; valid is ({},)", name, shape_text(array), into.size()));
  }
  into = Eigen::Map<const Eigen::VectorXd>(array.data(), into.size());
  for (Eigen::Index i = 0; i < into.size(); ++i) {
    if (!std::isfinite(into[i])) throw InvalidValue(fmt::format("{}[{}] is {}, not a finite number", name, i, into[i]));
  }
}

Eigen::VectorXd vector_from(nb::handle value, Eigen::Index size, const char* name) {
  Eigen::VectorXd vector(size);
  read_vector(value, name, vector);
  return vector;
}

nb::object to_python(const MetricValue& value) {
  return std::visit(
      [](const auto& one) -> nb::object {
        using Value = std::remove_cvref_t<decltype(one)>;
        if constexpr (std::is_same_v<Value, std::monostate>) {
          return nb::none();
        } else if constexpr (std::is_same_v<Value, bool>) {
          return nb::bool_(one);
        } else if constexpr (std::is_same_v<Value, std::int64_t>) {
          return nb::int_(one);
        } else if constexpr (std::is_same_v<Value, double>) {
          if (!std::isfinite(one)) return nb::none();  // as in metrics.json
          return nb::float_(one);
        } else if constexpr (std::is_same_v<Value, std::string>) {
          return nb::str(one.c_str(), one.size());
        } else {
          nb::list list;
          for (const double number : one) list.append(number);
          return list;
        }
      },
      value);
}

nb::dict to_python(const Metrics& metrics) {
  nb::dict values;
  for (const auto& [name, value] : metrics.entries()) values[name.c_str()] = to_python(value);
  return values;
}

std::shared_ptr<const RobotModel> copy_of(const RobotModel& model) {
  return std::make_shared<const RobotModel>(model.urdf(), model.description());
}

std::vector<Override> overrides_from(const std::vector<std::string>& texts) {
  std::vector<Override> overrides;
  for (const std::string& text : texts) overrides.push_back(parse_override(text));
  return overrides;
}

Watch::Watch(nb::object progress, std::string label, double total) : total_(total) {
  if (progress.is_none()) {
    bar_ = std::make_unique<Progress>(std::move(label), total);
    bar_->update(0.0);
  } else if (PyCallable_Check(progress.ptr()) != 0) {
    function_ = std::move(progress);
  } else if (progress.ptr() != Py_False) {
    throw InvalidValue(
        "progress is neither None (a bar on a terminal), nor False, nor a function of the fraction done");
  }
}

std::function<void(double)> Watch::callback() {
  return [this](double done) {
    if (bar_) bar_->update(done);
    if (!function_.is_valid()) return;
    const nb::gil_scoped_acquire acquire;
    function_(total_ > 0.0 ? done / total_ : 1.0);
  };
}

bool is_main_thread() { return ::gettid() == ::getpid(); }

void bind_errors(nb::module_& module) {
  // Translators are asked in the reverse order: the derived types come last.
  const nb::exception<Error> error(module, "Error");
  nb::handle(error).attr("__doc__") =
      "Base of the errors that a user can fix. The text says what is wrong, where, what is valid and what to do.";
  const nb::exception<FileError> file_error(module, "FileError", error);
  nb::handle(file_error).attr("__doc__") = "Invalid content of a file, or a file that cannot be read or written.";
  const nb::exception<InvalidValue> invalid_value(module, "InvalidValue", error);
  nb::handle(invalid_value).attr("__doc__") =
      "An argument out of range, of another shape, or inconsistent with others.";
  const nb::exception<UnknownName> unknown_name(module, "UnknownName", error);
  nb::handle(unknown_name).attr("__doc__") = "A name that does not exist; the text has the closest one.";
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Interrupted&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
}

}  // namespace aplomb::python

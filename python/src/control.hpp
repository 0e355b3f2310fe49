#pragma once

#include <string>
#include <vector>

#include "bindings.hpp"

namespace aplomb::python {

inline constexpr const char* kPythonKind = "python";  ///< kind of controller that is a Python class

/// Adds the kind to the registry; before any scenario is read.
void register_python_controllers();

/// What `controller=` of the Python functions may be: None, a kind's name, or a class. Returns the overrides that
/// choose it. Throws InvalidValue on anything else.
std::vector<Override> choose_controller(nb::handle controller);

}  // namespace aplomb::python

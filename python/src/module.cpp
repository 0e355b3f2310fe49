#include "aplomb/core/version.hpp"
#include "bindings.hpp"

NB_MODULE(_aplomb, module) {
  using namespace aplomb::python;
  nb::set_leak_warnings(false);  // objects that a program still holds when it ends are no fault
  module.doc() = "The compiled part of the package aplomb.";
  module.attr("__version__") = aplomb::version();
  module.attr("__commit__") = aplomb::commit();
  bind_errors(module);
  bind_outcome(module);
  bind_robot(module);
  bind_person(module);
  bind_identify(module);
  bind_plan(module);
  bind_control(module);
  bind_run(module);
}

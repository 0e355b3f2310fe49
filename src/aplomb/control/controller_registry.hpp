#pragma once

#include <any>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aplomb/control/controller.hpp"
#include "aplomb/control/controller_context.hpp"
#include "aplomb/core/settings/settings_of.hpp"

namespace aplomb {

/// A kind of controller that a scenario selects by `controller.kind: NAME` and configures by the block
/// `controller.NAME`.
struct ControllerKind {
  std::string name;   ///< lower-case letters, digits and underscores
  std::string about;  ///< one clause, for `aplomb list` and the documentation
  std::vector<Schema> keys;
  std::any defaults;  ///< settings of a scenario without the block
  std::function<std::any(const YamlView& block)> read;
  std::function<std::unique_ptr<Controller>(const ControllerContext&)> make;
  bool regulates_zmp = false;  ///< its runs have the metrics of ZMP regulation (docs/metrics.md, "Task priority")

  /// `make(context, settings)` returns a unique_ptr to the controller; it throws Error when the controller does not fit
  /// the robot.
  template <typename S, typename Make>
  static ControllerKind of(const std::string& name, std::string about, const SettingsOf<S>& settings, Make make) {
    return {.name = name,
            .about = std::move(about),
            .keys = settings.keys(),
            .defaults = S{},
            .read = [settings](const YamlView& block) { return std::any(settings.read(block)); },
            .make = [name, make = std::move(make)](const ControllerContext& context) -> std::unique_ptr<Controller> {
              return make(context, context.settings_of<S>(name));
            }};
  }
};

/// Adds a kind of controller to the built-in ones: from then on it runs in every scenario, by `run_scenario`,
/// `repeat_scenario` and `compare_controllers` alike. Call it at the start of `main`: the keys of scenario files are
/// fixed when the first scenario is read or the kinds are listed. Throws InvalidValue after that, on a name that is
/// taken, and on one that cannot be a key.
void register_controller(ControllerKind kind);

/// Built-in kinds first, then the registered ones in their order. After this call no kind can be registered.
const std::vector<ControllerKind>& controller_registry();
std::vector<std::string> controller_kinds();                        ///< names of all kinds
const ControllerKind& find_controller_kind(std::string_view name);  ///< throws UnknownName
std::map<std::string, std::any> default_controller_settings();      ///< by kind, for a ControllerContext

}  // namespace aplomb

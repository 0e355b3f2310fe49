#include "aplomb/scenario/keys/controller_keys.hpp"

#include "aplomb/control/controller_registry.hpp"
#include "aplomb/core/settings/settings_of.hpp"
#include "aplomb/scenario/keys/task_keys.hpp"

namespace aplomb {
namespace {

/// Keys that every kind of controller has.
const SettingsOf<ControllerRequest>& common_keys() {
  static const auto keys =
      SettingsOf<ControllerRequest>()
          .add(&ControllerRequest::kind, schema::choice("kind", controller_kinds(), "kind of controller"))
          .add(&ControllerRequest::gain_scale,
               schema::number("gain_scale", "multiplies the controller's feedback gains").above(0).at_most(100))
          .add(&ControllerRequest::has_failsafe,
               schema::boolean("failsafe", "the failsafe ladder is around the controller (docs/failsafe.md)"));
  return keys;
}

}  // namespace

/// Schema of the key `controller`. Keys of one kind of controller are in a block of its name. All blocks are checked,
/// only that of the chosen kind is used: one file can hold the settings of several controllers.
Schema controller_schema() {
  Schema schema = common_keys().schema("controller", "the controller and its settings");
  for (const ControllerKind& kind : controller_registry()) {
    schema.children.push_back(schema::map(kind.name, "only for kind " + kind.name + ": " + kind.about, kind.keys));
  }
  schema.children.push_back(tasks_schema());
  return schema;
}

ControllerRequest read_controller(const YamlView& view) {
  ControllerRequest request = common_keys().read(view);
  for (const ControllerKind& kind : controller_registry()) request.settings[kind.name] = kind.read(view[kind.name]);
  request.tasks = read_tasks(view["tasks"]);
  return request;
}

}  // namespace aplomb

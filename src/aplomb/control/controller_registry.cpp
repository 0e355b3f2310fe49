#include "aplomb/control/controller_registry.hpp"

#include <algorithm>
#include <atomic>

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/control/momentum_balance.hpp"
#include "aplomb/control/partial_force.hpp"
#include "aplomb/control/rise_control.hpp"
#include "aplomb/control/task_priority.hpp"
#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

bool is_key_character(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

class Registry {
 public:
  Registry() {
    add(JointPd::kind());
    add(RiseControl::kind());
    add(MomentumBalance::kind());
    add(PartialForce::kind());
    add(TaskPriority::kind());
  }

  void add(ControllerKind kind) {
    const std::string named = "controller '" + kind.name + "' cannot be registered: ";
    if (kind.name.empty() || !std::ranges::all_of(kind.name, is_key_character)) {
      throw InvalidValue(named + "a name consists of lower-case letters, digits and underscores");
    }
    if (kind.name == "kind" || kind.name == "gain_scale" || kind.name == "tasks") {
      throw InvalidValue(named + "this is a key that every controller has");
    }
    if (std::ranges::find(kinds_, kind.name, &ControllerKind::name) != kinds_.end()) {
      throw InvalidValue(named + "there is one with this name already");
    }
    if (is_closed_) {
      throw InvalidValue(named + "scenarios have been read already; register at the start of main");
    }
    kinds_.push_back(std::move(kind));
  }

  const std::vector<ControllerKind>& close() {
    is_closed_ = true;
    return kinds_;
  }

 private:
  std::vector<ControllerKind> kinds_;
  std::atomic<bool> is_closed_ = false;
};

Registry& registry() {
  static Registry all;
  return all;
}

}  // namespace

void register_controller(ControllerKind kind) { registry().add(std::move(kind)); }

const std::vector<ControllerKind>& controller_registry() { return registry().close(); }

std::vector<std::string> controller_kinds() {
  std::vector<std::string> names;
  for (const ControllerKind& kind : controller_registry()) names.push_back(kind.name);
  return names;
}

const ControllerKind& find_controller_kind(std::string_view name) {
  const std::vector<ControllerKind>& kinds = controller_registry();
  const auto found = std::ranges::find(kinds, name, &ControllerKind::name);
  if (found == kinds.end()) throw UnknownName("controller", std::string(name), "`aplomb list`", controller_kinds());
  return *found;
}

std::map<std::string, std::any> default_controller_settings() {
  std::map<std::string, std::any> settings;
  for (const ControllerKind& kind : controller_registry()) settings.emplace(kind.name, kind.defaults);
  return settings;
}

}  // namespace aplomb

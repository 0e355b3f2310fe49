// A user-defined controller for the installed program: a shared library that registers it by name.
//   aplomb run stand_balancer --plugin build/examples/10_plugin.so --set controller.kind=damped_springs
#include <memory>

#include "aplomb/control/controller_registry.hpp"

namespace {

/// Holds the posture of the start by springs and dampers, without a model:   τ = k (q* − q) − d q̇
class DampedSprings final : public aplomb::Controller {
 public:
  struct Settings {
    double stiffness = 2000.0;  ///< k [N m/rad]
    double damping = 100.0;     ///< d [N m s/rad]
  };
  DampedSprings(const aplomb::ControllerContext& context, const Settings& settings)
      : command_(context.model.num_joints()) {
    command_.position = context.start.q.tail(context.model.num_joints());
    command_.stiffness.setConstant(context.gain_scale * settings.stiffness);
    command_.damping.setConstant(context.gain_scale * settings.damping);
  }
  const aplomb::Command& step(const aplomb::SensorReadings&) override { return command_; }

 private:
  aplomb::Command command_;
};

}  // namespace

/// Called by `aplomb --plugin`, before a scenario is read.
extern "C" __attribute__((visibility("default"))) void aplomb_register_controllers() {
  using Settings = DampedSprings::Settings;
  const auto settings = aplomb::SettingsOf<Settings>()
                            .add(&Settings::stiffness,
                                 aplomb::schema::number("stiffness_nm_per_rad", "of each joint").above(0).at_most(1e6))
                            .add(&Settings::damping,
                                 aplomb::schema::number("damping_nm_s_per_rad", "of each joint").above(0).at_most(1e5));
  aplomb::register_controller(aplomb::ControllerKind::of(
      "damped_springs", "springs and dampers at all joints, without a model", settings,
      [](const auto& context, const auto& chosen) { return std::make_unique<DampedSprings>(context, chosen); }));
}

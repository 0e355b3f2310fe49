#include "aplomb/scenario/keys/controller_keys.hpp"

namespace aplomb {
namespace {

constexpr const char* kByRule = "from the CoM's height (docs/momentum_balance.md)";

Schema momentum_balance_schema() {
  return schema::map(
      "momentum_balance", "only for kind momentum_balance",
      {schema::choice("mode", {"lexicographic", "weighted"},
                      "how forces are found: linear rate strictly first, or the paper's weighted sum")
           .defaults_to("lexicographic"),
       schema::numbers("com_damping_per_s", 3, "G11: wanted CoM acceleration over velocity error, x, y, z")
           .in("1/s")
           .at_least(0)
           .at_most(1000)
           .when_absent(kByRule),
       schema::numbers("com_stiffness_per_s2", 3, "G12: wanted CoM acceleration over position error, x, y, z")
           .in("1/s^2")
           .at_least(0)
           .at_most(1e5)
           .when_absent(kByRule),
       schema::number("angular_damping_per_s", "G21: wanted rate of angular momentum over its error")
           .in("1/s")
           .at_least(0)
           .at_most(1000)
           .when_absent(kByRule),
       schema::number("contact_ramp_s", "over which a foot is taken up, or given up when it has lost the ground")
           .in("s")
           .at_least(0.001)
           .at_most(1)
           .defaults_to("0.02")});
}

MomentumBalanceRequest read_momentum_balance(const YamlView& view) {
  MomentumBalanceRequest request;
  if (view["mode"].text() == "weighted") request.mode = ContactForces::Mode::weighted;
  if (view.has("com_damping_per_s")) request.com_damping = view["com_damping_per_s"].vector3();
  if (view.has("com_stiffness_per_s2")) request.com_stiffness = view["com_stiffness_per_s2"].vector3();
  if (view.has("angular_damping_per_s")) request.angular_damping = view["angular_damping_per_s"].number();
  request.contact_ramp_s = view["contact_ramp_s"].number();
  return request;
}

}  // namespace

const std::vector<std::string>& controller_kinds() {
  static const std::vector<std::string> kinds = {"joint_pd", "inverse_dynamics", "momentum_balance", "partial_force",
                                                 "task_priority"};
  return kinds;
}

/// Keys that only one kind of controller knows live in a block of its name. Every block is checked, and the blocks of
/// the other kinds are not used, so that one file runs under each controller.
Schema controller_schema() {
  return schema::map(
      "controller", "who moves the joints",
      {schema::choice("kind", controller_kinds(), "the controller").defaults_to("joint_pd"),
       schema::number("gain_scale", "multiplies the controller's feedback gains")
           .above(0)
           .at_most(100)
           .defaults_to("1"),
       schema::map(
           "joint_pd", "only for kind joint_pd",
           {schema::boolean("feed_forward", "with a plan: its torques by inverse dynamics; without: as the paper")
                .defaults_to("false")}),
       schema::map("inverse_dynamics", "only for kind inverse_dynamics, which has no keys of its own", {}),
       momentum_balance_schema(), partial_force_schema(), task_priority_schema(), tasks_schema()});
}

ControllerRequest read_controller(const YamlView& view) {
  return {.kind = view["kind"].text(),
          .gain_scale = view["gain_scale"].number(),
          .feeds_forward = view["joint_pd"]["feed_forward"].boolean(),
          .momentum_balance = read_momentum_balance(view["momentum_balance"]),
          .partial_force = read_partial_force(view["partial_force"]),
          .task_priority = read_task_priority(view["task_priority"], view["tasks"])};
}

}  // namespace aplomb

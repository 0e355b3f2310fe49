#include "aplomb/control/builtin_kinds.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/control/momentum_balance.hpp"
#include "aplomb/control/partial_force.hpp"
#include "aplomb/control/rise_control.hpp"
#include "aplomb/control/task_priority.hpp"
#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

JointPd::Settings joint_pd_settings(const ControllerContext& context) {
  JointPd::Settings settings = context.settings_of<JointPd::Settings>("joint_pd");
  settings.gain_scale = context.gain_scale;
  settings.plan = context.plan;
  return settings;
}

}  // namespace

ControllerKind joint_pd_kind() {
  using Settings = JointPd::Settings;
  return ControllerKind::of(
      "joint_pd", "a spring and a damper at each joint, with the static torque as feed-forward",
      SettingsOf<Settings>().add(
          &Settings::feeds_forward,
          schema::boolean("feed_forward", "with a plan: its torques by inverse dynamics; without: as the paper")),
      [](const ControllerContext& context, const Settings&) {
        return std::make_unique<JointPd>(context.model, context.start, joint_pd_settings(context));
      });
}

namespace {

MomentumBalance::Settings momentum_balance_settings(const ControllerContext& context) {
  auto settings = context.settings_of<MomentumBalance::Settings>("momentum_balance");
  settings.gain_scale = context.gain_scale;
  settings.com_reference = context.com_reference;
  settings.plan = context.plan;
  settings.contacts.friction = context.ground_friction;
  for (const BelievedWall& wall : context.walls) {
    settings.contacts.planes.push_back({wall.position, wall.normal, wall.friction});
  }
  return settings;
}

}  // namespace

ControllerKind momentum_balance_kind() {
  using Settings = MomentumBalance::Settings;
  using Mode = decltype(Settings::mode);
  constexpr const char* kByRule = "from the CoM's height (docs/momentum_balance.md)";
  return ControllerKind::of(
      "momentum_balance", "balances by its linear and angular momentum (Lee & Goswami 2010)",
      SettingsOf<Settings>()
          .add(&Settings::mode,
               schema::choice("mode", {"lexicographic", "weighted"},
                              "how forces are found: linear rate strictly first, or the paper's weighted sum"),
               {Mode::lexicographic, Mode::weighted})
          .add(&Settings::com_damping,
               schema::numbers("com_damping_per_s", 3, "G11: wanted CoM acceleration over velocity error, x, y, z")
                   .in("1/s")
                   .at_least(0)
                   .at_most(1000)
                   .when_absent(kByRule))
          .add(&Settings::com_stiffness,
               schema::numbers("com_stiffness_per_s2", 3, "G12: wanted CoM acceleration over position error, x, y, z")
                   .in("1/s^2")
                   .at_least(0)
                   .at_most(1e5)
                   .when_absent(kByRule))
          .add(&Settings::angular_damping,
               schema::number("angular_damping_per_s", "G21: wanted rate of angular momentum over its error")
                   .in("1/s")
                   .at_least(0)
                   .at_most(1000)
                   .when_absent(kByRule))
          .add([](Settings& settings) -> double& { return settings.contacts.ramp_s; },
               schema::number("contact_ramp_s",
                              "time over which a foot's load limit rises after contact, and falls "
                              "after contact is lost")
                   .in("s")
                   .at_least(0.001)
                   .at_most(1)),
      [](const ControllerContext& context, const Settings&) {
        return std::make_unique<MomentumBalance>(context.model, context.start, momentum_balance_settings(context));
      });
}

ControllerKind inverse_dynamics_kind() {
  struct NoSettings {};
  return ControllerKind::of(
      "inverse_dynamics",
      "follows a plan from the seat to the feet; has no keys of its own and uses those of momentum_balance",
      SettingsOf<NoSettings>(), [](const ControllerContext& context, const NoSettings&) -> std::unique_ptr<Controller> {
        const MomentumBalance::Settings on_feet = momentum_balance_settings(context);
        if (!context.plan.plan) return std::make_unique<MomentumBalance>(context.model, context.start, on_feet);
        JointPd::Settings on_seat = joint_pd_settings(context);
        on_seat.feeds_forward = on_seat.finds_chair = true;
        if (context.model.description().actuation.kind == Actuation::Kind::servo) {
          context.notes.push_back("inverse_dynamics: the joints of robot " + context.model.name() +
                                  " are position-controlled; they follow the plan to its end as on the seat, without "
                                  "the momentum balance, which commands torques");
          return std::make_unique<JointPd>(context.model, context.start, on_seat);
        }
        return std::make_unique<RiseControl>(context.model, context.start, on_seat, on_feet);
      });
}

namespace {

/// The keys of partial_force: its settings, and one that belongs to hands, which the scenario adds.
struct PartialForceKeys : PartialForce::Settings {
  bool has_force_feedback = false;
};

constexpr const char* kLevels[] = {"limbs", "com", "posture"};  // in the order of PartialForce::Level

Schema level_changes_schema() {
  return schema::list(
      "level_changes", "when tasks exchange their levels; at the start: limbs that move, CoM, posture",
      schema::map("", "an order of the tasks, and from when on",
                  {schema::number("start_s", "when the change begins").in("s").at_least(0).at_most(3600).required(),
                   schema::choice("first", {"limbs", "com", "posture"}, "the highest level, below contacts and forces")
                       .required(),
                   schema::choice("second", {"limbs", "com", "posture"}, "the next").required()}));
}

PartialForce::LevelChange read_level_change(const YamlView& view) {
  const auto level = [](const YamlView& word) {
    return static_cast<std::size_t>(std::ranges::find(kLevels, word.text()) - std::begin(kLevels));
  };
  const std::size_t first = level(view["first"]), second = level(view["second"]);
  if (first == second) {
    throw FileError(view["second"].place(), "level_changes: first and second must be two tasks; the third is the last");
  }
  return {.start_s = view["start_s"].number(), .order = {first, second, 3 - first - second}};
}

void read_level_changes(const YamlView& view, PartialForceKeys& keys) {
  for (const YamlView& item : view.items()) {
    keys.level_changes.push_back(read_level_change(item));
    const auto count = keys.level_changes.size();
    if (count > 1 && keys.level_changes[count - 2].start_s > keys.level_changes.back().start_s) {
      throw FileError(item["start_s"].place(), "level_changes: each start_s must not be before the one before");
    }
  }
}

SettingsOf<PartialForceKeys> partial_force_keys() {
  using Keys = PartialForceKeys;
  const auto stiffness = [](std::string_view key, std::string_view about) {
    return schema::number(key, about).in("1/s^2").at_least(0).at_most(1e5);
  };
  const auto damping = [](std::string_view key, std::string_view about) {
    return schema::number(key, about).in("1/s").at_least(0).at_most(1000);
  };
  return SettingsOf<Keys>()
      .add(&Keys::law,
           schema::choice("law", {"bounded", "closed_form"},
                          "with the limits of contacts and torques, or the paper's law, which knows none"),
           {PartialForce::Law::bounded, PartialForce::Law::closed_form})
      .add([](Keys& keys) -> double& { return keys.gains.kp; },
           stiffness("stiffness_per_s2",
                     "Kp of the CoM and of limbs that move: wanted acceleration over position error"))
      .add([](Keys& keys) -> double& { return keys.gains.kd; },
           damping("damping_per_s", "Kd of the same: wanted acceleration over velocity error"))
      .add([](Keys& keys) -> double& { return keys.posture_gains.kp; },
           stiffness("posture_stiffness_per_s2", "Kp of the joints' posture"))
      .add([](Keys& keys) -> double& { return keys.posture_gains.kd; },
           damping("posture_damping_per_s", "Kd of the joints' posture"))
      .add(&Keys::has_force_feedback,
           schema::boolean("force_feedback", "whether the measured force of a hand is fed back"))
      .add([](Keys& keys) -> double& { return keys.feet[kLeft].ramp_s; },
           schema::number(
               "contact_ramp_s",
               "over which a foot's force comes or goes, at the fastest; 0: a foot becomes free or rigid at once")
               .in("s")
               .at_least(0)
               .at_most(10))
      .add([](Keys& keys) -> double& { return keys.feet[kLeft].load_rate; },
           schema::number("contact_load_rate_per_s",
                          "nor does a foot's load come or go faster than this, over the robot's weight")
               .in("1/s")
               .above(0)
               .at_most(1000))
      .add(level_changes_schema(), read_level_changes)
      .add([](Keys& keys) -> double& { return keys.level_ramp.ramp_s; },
           schema::number("level_ramp_s", "over which tasks exchange their levels, at the fastest; 0: at once")
               .in("s")
               .at_least(0)
               .at_most(10))
      .add([](Keys& keys) -> double& { return keys.level_ramp.torque_rate; },
           schema::number("level_torque_rate_m_per_s",
                          "nor does that move a torque faster than this, over the robot's weight")
               .in("m/s")
               .above(0)
               .at_most(1000))
      .add([](Keys& keys) -> PartialForce::FootShape& { return keys.feet[kLeft].shape; },
           schema::choice("foot_contact", {"flat", "edge", "point"},
                          "what a foot on the ground holds: all, all but the turn about its lateral axis, or a point"),
           {PartialForce::FootShape::flat, PartialForce::FootShape::edge, PartialForce::FootShape::point});
}

/// The wall nearest to a hand at the start.
const BelievedWall* wall_at_hand(const ControllerContext& context, Side side) {
  const std::string& hand = context.model.description().roles.hand[side];
  if (hand.empty() || context.walls.empty()) return nullptr;
  RobotTerms terms(context.model, std::vector<FrameId>{context.model.frame(hand)});
  terms.update(context.start);
  const Eigen::Vector3d at = terms.frame(context.model.frame(hand)).T_world_frame.translation();
  const auto distance = [&](const BelievedWall& wall) { return std::abs(wall.normal.dot(at - wall.position)); };
  return &*std::ranges::min_element(context.walls, {}, distance);
}

std::unique_ptr<PartialForce> make_partial_force(const ControllerContext& context, const PartialForceKeys& keys) {
  PartialForce::Settings settings = keys;
  settings.gain_scale = context.gain_scale;
  settings.com_reference = context.com_reference;
  settings.feet[kRight] = settings.feet[kLeft];
  for (Side side : {kLeft, kRight}) {
    settings.feet[side].friction = context.ground_friction[side];
    std::ranges::copy_if(context.steps, std::back_inserter(settings.feet[side].steps),
                         [side](const FootStep& step) { return step.foot == side; });
    if (!context.hands[side]) continue;
    const BelievedWall* wall = wall_at_hand(context, side);
    if (wall == nullptr) {
      throw FileError(context.place("reference.hands"),
                      "reference.hands: there is no wall (world.walls) or no such hand to press against it with");
    }
    settings.hands[side] = {.wall_point = wall->position,
                            .normal = wall->normal,
                            .friction = wall->friction,
                            .force = *context.hands[side],
                            .has_feedback = keys.has_force_feedback};
  }
  return std::make_unique<PartialForce>(context.model, context.start, settings);
}

}  // namespace

ControllerKind partial_force_kind() {
  return ControllerKind::of("partial_force",
                            "controls motion and a part of the contact forces in strict order (Del Prete et al. 2014)",
                            partial_force_keys(), make_partial_force);
}

ControllerKind task_priority_kind() {
  using Settings = TaskPriority::Settings;
  using ZmpError = TaskPriority::ZmpError;
  using Comfort = TaskPriority::Comfort;
  constexpr const char* kByRule = "from the CoM's height (docs/task_priority.md)";
  return ControllerKind::of(
      "task_priority", "joint increments from a strict hierarchy of tasks (Galdeano et al. 2014)",
      SettingsOf<Settings>()
          .add(&Settings::has_zmp_feedback, schema::boolean("zmp_feedback", "whether the measured ZMP shifts the CoM"))
          .add(&Settings::zmp_error,
               schema::choice("zmp_error", {"body", "feet"},
                              "of the whole body, or of each foot weighted by its load as in the paper"),
               {ZmpError::body, ZmpError::feet})
          .add(&Settings::zmp_kp, schema::number("zmp_kp", "shift of the CoM over a constant error of the ZMP")
                                      .at_least(0)
                                      .at_most(100)
                                      .when_absent(kByRule))
          .add(&Settings::zmp_kd_s, schema::number("zmp_kd_s", "the same for the error's rate")
                                        .in("s")
                                        .at_least(-1)
                                        .at_most(1)
                                        .when_absent(kByRule))
          .add(&Settings::zmp_bandwidth, schema::number("zmp_bandwidth_rad_per_s", "of the closed loop")
                                             .in("rad/s")
                                             .above(0)
                                             .at_most(1000)
                                             .when_absent(kByRule))
          .add(&Settings::is_trunk_upright,
               schema::boolean("trunk_upright", "a level for the trunk's orientation between the CoM and the tasks"))
          .add(&Settings::comfort,
               schema::choice("comfort", {"start", "middle"},
                              "the posture of the last level: that at the start, or the middle of the joints' ranges "
                              "as in the paper"),
               {Comfort::start, Comfort::middle})
          .add(&Settings::comfort_gain, schema::number("comfort_gain_rad2_per_s", "how strongly it attracts")
                                            .in("rad^2/s")
                                            .at_least(0)
                                            .at_most(100))
          .add(&Settings::joint_margin,
               schema::number("joint_margin_rad", "kept from the joints' limits").in("rad").at_least(0).at_most(1))
          .add(&Settings::torque_scale,
               schema::number("torque_scale", "how much stronger than their limits the drives are taken to be")
                   .above(0)
                   .at_most(100))
          .add(&Settings::joint_acceleration, schema::number("joint_acceleration_rad_per_s2", "limit for every joint")
                                                  .in("rad/s^2")
                                                  .above(0)
                                                  .at_most(1e5)
                                                  .when_absent("the joint's speed limit is reached in 0.2 s")),
      [](const ControllerContext& context, const Settings& keys) {
        Settings settings = keys;
        settings.com_reference = context.com_reference;
        settings.steps = StepPlan(context.steps);
        settings.tasks = context.tasks();
        settings.gain_scale = context.gain_scale;
        return std::make_unique<TaskPriority>(context.model, context.start, settings);
      });
}

}  // namespace aplomb

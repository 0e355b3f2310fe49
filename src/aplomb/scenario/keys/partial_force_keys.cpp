#include "aplomb/scenario/keys/partial_force_keys.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "aplomb/core/error.hpp"

namespace aplomb {

namespace {

constexpr const char* kTasks[] = {"limbs", "com", "posture"};  // as PartialForce::Level counts

Schema level_changes_schema() {
  return schema::list(
      "level_changes", "when tasks exchange their levels; at the start: limbs that move, CoM, posture",
      schema::map("", "an order of the tasks, and from when on",
                  {schema::number("start_s", "when the change begins").in("s").at_least(0).at_most(3600).required(),
                   schema::choice("first", {"limbs", "com", "posture"}, "the highest level, below contacts and forces")
                       .required(),
                   schema::choice("second", {"limbs", "com", "posture"}, "the next").required()}));
}

std::size_t task_of(const YamlView& view) {
  return static_cast<std::size_t>(std::ranges::find(kTasks, view.text()) - std::begin(kTasks));
}

LevelRamp::Change read_change(const YamlView& view) {
  const std::size_t first = task_of(view["first"]), second = task_of(view["second"]);
  if (first == second) {
    throw FileError(view["second"].place(), "level_changes: first and second must be two tasks; the third is the last");
  }
  return {.start_s = view["start_s"].number(), .order = {first, second, 3 - first - second}};
}

}  // namespace

Schema partial_force_schema() {
  return schema::map(
      "partial_force", "only for kind partial_force",
      {schema::choice("law", {"bounded", "closed_form"},
                      "with the limits of contacts and torques, or the paper's law, which knows none")
           .defaults_to("bounded"),
       schema::number("stiffness_per_s2",
                      "Kp of the CoM and of limbs that move: wanted acceleration over position error")
           .in("1/s^2")
           .at_least(0)
           .at_most(1e5)
           .defaults_to("100"),
       schema::number("damping_per_s", "Kd of the same: wanted acceleration over velocity error")
           .in("1/s")
           .at_least(0)
           .at_most(1000)
           .defaults_to("20"),
       schema::number("posture_stiffness_per_s2", "Kp of the joints' posture")
           .in("1/s^2")
           .at_least(0)
           .at_most(1e5)
           .defaults_to("100"),
       schema::number("posture_damping_per_s", "Kd of the joints' posture")
           .in("1/s")
           .at_least(0)
           .at_most(1000)
           .defaults_to("20"),
       schema::boolean("force_feedback", "whether the measured force of a hand is fed back").defaults_to("false"),
       schema::number(
           "contact_ramp_s",
           "over which a foot's force comes or goes, at the fastest; 0: a foot becomes free or rigid at once")
           .in("s")
           .at_least(0)
           .at_most(10)
           .defaults_to("0.1"),
       schema::number("contact_load_rate_per_s",
                      "nor does a foot's load come or go faster than this, over the robot's weight")
           .in("1/s")
           .above(0)
           .at_most(1000)
           .defaults_to("6"),
       level_changes_schema(),
       schema::number("level_ramp_s", "over which tasks exchange their levels, at the fastest; 0: at once")
           .in("s")
           .at_least(0)
           .at_most(10)
           .defaults_to("0.5"),
       schema::number("level_torque_rate_m_per_s",
                      "nor does that move a torque faster than this, over the robot's weight")
           .in("m/s")
           .above(0)
           .at_most(1000)
           .defaults_to("0.5"),
       schema::choice("foot_contact", {"flat", "edge", "point"},
                      "what a foot on the ground holds: all, all but the turn about its lateral axis, or a point")
           .defaults_to("flat")});
}

PartialForceRequest read_partial_force(const YamlView& view) {
  PartialForceRequest request;
  if (view["law"].text() == "closed_form") request.law = PartialForce::Law::closed_form;
  request.gains = {.kp = view["stiffness_per_s2"].number(), .kd = view["damping_per_s"].number()};
  request.posture_gains = {.kp = view["posture_stiffness_per_s2"].number(),
                           .kd = view["posture_damping_per_s"].number()};
  request.has_force_feedback = view["force_feedback"].boolean();
  request.contact_ramp_s = view["contact_ramp_s"].number();
  request.contact_load_rate = view["contact_load_rate_per_s"].number();
  for (const YamlView& change : view["level_changes"].items()) {
    request.level_changes.push_back(read_change(change));
    const auto count = request.level_changes.size();
    if (count > 1 && request.level_changes[count - 2].start_s > request.level_changes.back().start_s) {
      throw FileError(change["start_s"].place(), "level_changes: each start_s must not be before the one before");
    }
  }
  request.level_ramp = {.ramp_s = view["level_ramp_s"].number(),
                        .torque_rate = view["level_torque_rate_m_per_s"].number()};
  const std::string& shape = view["foot_contact"].text();
  if (shape == "edge") request.foot_shape = FootContact::Shape::edge;
  if (shape == "point") request.foot_shape = FootContact::Shape::point;
  return request;
}

}  // namespace aplomb

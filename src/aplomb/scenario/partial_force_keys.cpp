#include "aplomb/scenario/partial_force_keys.hpp"

namespace aplomb {

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
           .defaults_to("10"),
       schema::number("damping_per_s", "Kd of the same: wanted acceleration over velocity error")
           .in("1/s")
           .at_least(0)
           .at_most(1000)
           .defaults_to("5"),
       schema::number("posture_stiffness_per_s2", "Kp of the joints' posture")
           .in("1/s^2")
           .at_least(0)
           .at_most(1e5)
           .defaults_to("10"),
       schema::number("posture_damping_per_s", "Kd of the joints' posture")
           .in("1/s")
           .at_least(0)
           .at_most(1000)
           .defaults_to("5"),
       schema::boolean("force_feedback", "whether the measured force of a hand is fed back").defaults_to("false"),
       schema::number(
           "contact_ramp_s",
           "over which a foot's force comes or goes, at the fastest; 0: a foot becomes free or rigid at once")
           .in("s")
           .at_least(0)
           .at_most(10)
           .defaults_to("0.1"),
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
  const std::string& shape = view["foot_contact"].text();
  if (shape == "edge") request.foot_shape = FootContact::Shape::edge;
  if (shape == "point") request.foot_shape = FootContact::Shape::point;
  return request;
}

}  // namespace aplomb

#include "aplomb/scenario/reference_keys.hpp"

#include "aplomb/core/error.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/robot/statics.hpp"
#include "aplomb/scenario/limb_keys.hpp"

namespace aplomb {
namespace {

Schema sine_schema() {
  return schema::map(
             "sine", "a sinusoid about where the CoM is at the start",
             {schema::choice("axis", {"x", "y", "z"}, "along which world axis").defaults_to("z"),
              schema::number("amplitude_m", "half of the way").in("m").at_least(0).at_most(10),
              schema::number("amplitude_per_com_height", "half of the way over the CoM's height")
                  .at_least(0)
                  .at_most(1),
              schema::number("period_s", "of one cycle").in("s").at_least(0.05).at_most(3600).required(),
              schema::number("phase_rad", "when it begins").in("rad").at_least(-10).at_most(10).defaults_to("0"),
              schema::number("start_s", "when it begins").in("s").at_least(0).at_most(3600).defaults_to("0"),
              schema::number("ramp_s", "over which the amplitude is faded in; 0: at full speed from the start")
                  .in("s")
                  .at_least(0)
                  .at_most(3600)
                  .when_absent("one period")})
      .exactly_one_of({"amplitude_m", "amplitude_per_com_height"});
}

Schema points_schema(std::string_view key, std::string_view about) {
  return schema::list(
      key, about,
      schema::map(
          "", "where the CoM shall be, and when",
          {schema::number("time_s", "later than that of the point before").in("s").above(0).at_most(3600).required(),
           schema::numbers("offset_m", 3, "from where the CoM is at the start")
               .in("m")
               .at_least(-10)
               .at_most(10)
               .required()}));
}

}  // namespace

Schema reference_schema() {
  return schema::map(
      "reference", "what the robot shall do, for controllers that follow one",
      {schema::choice_or_map(
           "com", {"hold", "feet_midpoint"}, "the CoM: stay, keep above the feet's mid-point as it moves, or a motion",
           {sine_schema(), points_schema("points", "a path from point to point with the least jerk, at rest in each"),
            points_schema("targets",
                          "points that the reference follows through a third-order filter, "
                          "from the time of each on"),
            schema::number("trajectory_time_s", "of the filter that follows `targets`")
                .in("s")
                .above(0.01)
                .at_most(3600)
                .defaults_to("1")
                .only_with("targets"),
            schema::choice("height", {"prescribed", "free"},
                           "whether the reference is one of the CoM's height too, or of its place above "
                           "the ground alone")
                .defaults_to("prescribed")})
           .exactly_one_of({"sine", "points", "targets"})
           .defaults_to("hold"),
       hands_schema(), feet_schema()});
}

ComRequest read_com_reference(const YamlView& reference) {
  const YamlView com = reference["com"];
  ComRequest request;
  if (!com.is_map()) {
    if (com.text() == "feet_midpoint") request.kind = ComRequest::Kind::feet_midpoint;
    return request;
  }
  request.is_height_free = com["height"].text() == "free";
  if (com.has("sine")) {
    const YamlView sine = com["sine"];
    request.kind = ComRequest::Kind::sine;
    request.axis = sine["axis"].text() == "x" ? 0 : sine["axis"].text() == "y" ? 1 : 2;
    request.is_per_com_height = sine.has("amplitude_per_com_height");
    request.sine = {.amplitude = sine[request.is_per_com_height ? "amplitude_per_com_height" : "amplitude_m"].number(),
                    .period_s = sine["period_s"].number(),
                    .phase = sine["phase_rad"].number(),
                    .ramp_s = sine[sine.has("ramp_s") ? "ramp_s" : "period_s"].number()};
    request.begin_s = sine["start_s"].number();
    return request;
  }
  const bool is_filtered = com.has("targets");
  request.kind = is_filtered ? ComRequest::Kind::targets : ComRequest::Kind::points;
  request.trajectory_time_s = com["trajectory_time_s"].number();
  double last_s = 0.0;
  for (const YamlView& point : com[is_filtered ? "targets" : "points"].items()) {
    if (!(point["time_s"].number() > last_s)) {
      throw FileError(point["time_s"].place(), "reference.com: each time_s must be later than the one before");
    }
    last_s = point["time_s"].number();
    request.points.push_back({.time_s = last_s, .offset = point["offset_m"].vector3()});
  }
  return request;
}

namespace {

struct Stance {
  StandingFeet feet;
  Eigen::Vector3d com;
};

Stance stance_of(const RobotModel& robot, const RobotState& start) {
  RobotTerms terms(robot, sole_frames(robot));
  terms.update(start);
  Stance stance{.com = terms.com()};
  const auto frames = sole_frames(robot);
  for (int side : {kLeft, kRight}) {
    const auto& sole = robot.description().soles[side];
    if (!sole) continue;
    const FrameId foot = robot.frame(robot.description().roles.foot[side]);
    stance.feet.midpoint += terms.frame(foot).T_world_frame * sole->centre() / static_cast<double>(frames.size());
  }
  return stance;
}

ComReference reference_of(const ComRequest& request, const RobotModel& robot, const RobotState& start) {
  const auto [feet, com] = stance_of(robot, start);
  switch (request.kind) {
    case ComRequest::Kind::sine: {
      FadedSine sine = request.sine;
      if (request.is_per_com_height) sine.amplitude *= com.z() - feet.midpoint.z();
      return ComReference::sine(com, request.axis, sine, request.begin_s);
    }
    case ComRequest::Kind::targets:
      return ComReference::filtered(com, request.points, request.trajectory_time_s);
    case ComRequest::Kind::points:
      return ComReference::path(com, request.points);
    case ComRequest::Kind::feet_midpoint:
      return ComReference::feet_midpoint(com, feet);
    case ComRequest::Kind::hold:
      break;
  }
  return ComReference::hold(com);
}

}  // namespace

double com_height(const RobotModel& robot, const RobotState& start) {
  const Stance stance = stance_of(robot, start);
  return stance.com.z() - stance.feet.midpoint.z();
}

ComReference make_com_reference(const ComRequest& request, const RobotModel& robot, const RobotState& start) {
  ComReference reference = reference_of(request, robot, start);
  if (request.is_height_free) reference.leave_height_free();
  return reference;
}

}  // namespace aplomb

#include "aplomb/scenario/keys/reference_keys.hpp"

#include <numbers>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "aplomb/scenario/keys/limb_keys.hpp"
#include "aplomb/scenario/keys/plan_keys.hpp"

namespace aplomb {
namespace {

Schema sine_schema() {
  return schema::map(
             "sine", "a sinusoid",
             {schema::choice("axis", {"x", "y", "z"}, "along which world axis").defaults_to("z"),
              schema::number("amplitude_m", "half of the way").in("m").at_least(0).at_most(10),
              schema::number("amplitude_per_com_height", "half of the way over the CoM's height")
                  .at_least(0)
                  .at_most(1),
              schema::number("period_s", "of one cycle").in("s").at_least(0.05).at_most(3600).required(),
              schema::choice("swings", {"about", "below", "above"},
                             "about where the CoM is at the start, or between there and two amplitudes below or above; "
                             "the last two begin at rest, whatever the phase")
                  .defaults_to("about"),
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

struct Soles {
  std::array<Eigen::Vector3d, 2> centre{Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
  Eigen::Vector3d midpoint = Eigen::Vector3d::Zero();
  Eigen::Vector3d com;
};

Soles soles_of(const RobotModel& robot, const RobotState& start) {
  RobotTerms terms(robot, sole_frames(robot));
  terms.update(start);
  Soles soles{.com = terms.com()};
  const auto count = static_cast<double>(sole_frames(robot).size());
  for (int side : {kLeft, kRight}) {
    const auto& sole = robot.description().soles[side];
    if (!sole) continue;
    const FrameId foot = robot.frame(robot.description().roles.foot[side]);
    soles.centre[side] = terms.frame(foot).T_world_frame * sole->centre();
    soles.midpoint += soles.centre[side] / count;
  }
  return soles;
}

}  // namespace

double com_height(const RobotModel& robot, const RobotState& start) {
  const Soles soles = soles_of(robot, start);
  return soles.com.z() - soles.midpoint.z();
}

StepPlan make_step_plan(const ComRequest& request, const RobotModel& robot, const RobotState& start) {
  return StepPlan(make_steps(request.steps, com_height(robot, start)));
}

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
       hands_schema(), feet_schema(), trajectory_schema()});
}

ComRequest read_com_reference(const YamlView& reference) {
  const YamlView com = reference["com"];
  ComRequest request;
  request.steps = read_steps(reference["feet"]);
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
    if (const std::string& swings = sine["swings"].text(); swings != "about") {
      const double sign = swings == "above" ? 1.0 : -1.0;
      request.sine.phase = -sign * 0.5 * std::numbers::pi;
      request.sine.offset = sign * request.sine.amplitude;
    }
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

ComReference reference_of(const ComRequest& request, const RobotModel& robot, const RobotState& start) {
  const Soles soles = soles_of(robot, start);
  const StandingFeet feet{.midpoint = soles.midpoint};
  if (!request.steps.empty() && request.kind == ComRequest::Kind::hold) {
    return ComReference::path(soles.com, make_step_plan(request, robot, start).com_points(soles.centre));
  }
  switch (request.kind) {
    case ComRequest::Kind::sine: {
      FadedSine sine = request.sine;
      if (request.is_per_com_height) {
        sine.amplitude *= soles.com.z() - soles.midpoint.z();
        sine.offset *= soles.com.z() - soles.midpoint.z();
      }
      return ComReference::sine(soles.com, request.axis, sine, request.begin_s);
    }
    case ComRequest::Kind::targets:
      return ComReference::filtered(soles.com, request.points, request.trajectory_time_s);
    case ComRequest::Kind::points:
      return ComReference::path(soles.com, request.points);
    case ComRequest::Kind::feet_midpoint:
      return ComReference::feet_midpoint(soles.com, feet);
    case ComRequest::Kind::hold:
      break;
  }
  return ComReference::hold(soles.com);
}

}  // namespace

ComReference make_com_reference(const ComRequest& request, const RobotModel& robot, const RobotState& start) {
  ComReference reference = reference_of(request, robot, start);
  if (request.is_height_free) reference.leave_height_free();
  return reference;
}

}  // namespace aplomb

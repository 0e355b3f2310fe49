#include "aplomb/motion/com_request.hpp"

#include <array>

#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

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

double com_height(const RobotModel& robot, const RobotState& start) {
  const Soles soles = soles_of(robot, start);
  return soles.com.z() - soles.midpoint.z();
}

std::vector<FootStep> make_steps(const std::vector<StepRequest>& requests, double com_height) {
  std::vector<FootStep> steps;
  for (const StepRequest& request : requests) {
    FootStep step = request.step;
    if (request.is_step_per_height) step.step *= com_height;
    if (request.is_lift_per_height) step.lift *= com_height;
    steps.push_back(step);
  }
  return steps;
}

StepPlan make_step_plan(const ComRequest& request, const RobotModel& robot, const RobotState& start) {
  return StepPlan(make_steps(request.steps, com_height(robot, start)));
}

ComReference make_com_reference(const ComRequest& request, const RobotModel& robot, const RobotState& start) {
  ComReference reference = reference_of(request, robot, start);
  if (request.is_height_free) reference.leave_height_free();
  return reference;
}

}  // namespace aplomb

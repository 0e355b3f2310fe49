#include "aplomb/control/tasks/make_task.hpp"

#include <fmt/format.h>

#include <cmath>

#include "aplomb/control/tasks/gaze_task.hpp"
#include "aplomb/control/tasks/joint_task.hpp"
#include "aplomb/control/tasks/pose_task.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

constexpr double kRate = 5.0;       // [1/s] rate at which task errors decay: a tenth of the CoM's, which has priority
constexpr double kTurnSpeed = 1.0;  // [rad/s] speed limit with which rotation errors are closed. Tuned
constexpr double kMoveSpeed = 0.3;  // [√(g length)] the same for position errors, as for the CoM

std::unique_ptr<Task> make_joint_task(const TaskSpec& spec, const RobotModel& model) {
  std::vector<JointTask::Target> targets;
  for (const auto& [name, angle] : spec.joint_angles) {
    const int index = model.joint(name);
    const Joint& joint = model.joints()[static_cast<std::size_t>(index)];
    if (angle < joint.lower || angle > joint.upper) {
      throw InvalidValue(fmt::format("a task moves joint {} of {} to {:g} rad, outside of its limits {:g} and {:g}",
                                     name, model.name(), angle, joint.lower, joint.upper));
    }
    targets.push_back({.joint = index, .angle = angle});
  }
  if (targets.empty()) throw InvalidValue("a task of kind joint needs joints, such as {HEAD_J1: 0.2}");
  return std::make_unique<JointTask>(std::move(targets), TaskGains{.rate_per_s = kRate, .speed = kTurnSpeed});
}

}  // namespace

std::vector<FrameId> frames_of(const std::vector<TaskSpec>& specs, const RobotModel& model) {
  std::vector<FrameId> frames;
  for (const TaskSpec& spec : specs) {
    if (spec.kind != TaskSpec::Kind::joint) frames.push_back(model.frame(spec.link));
    if (spec.kind == TaskSpec::Kind::relative) frames.push_back(model.frame(spec.relative_to));
  }
  return frames;
}

std::unique_ptr<Task> make_task(const TaskSpec& spec, const RobotModel& model, const StandingKinematics& start,
                                double length) {
  const TaskGains move{.rate_per_s = kRate, .speed = kMoveSpeed * std::sqrt(kGravity * length)};
  const TaskGains turn{.rate_per_s = kRate, .speed = kTurnSpeed};
  const auto pose = [&](PoseTask::Part part, std::optional<FrameId> other) {
    return std::make_unique<PoseTask>(part, model.frame(spec.link), other, spec.reference, start, move, turn, length);
  };
  switch (spec.kind) {
    case TaskSpec::Kind::pose:
      return pose(PoseTask::Part::pose, std::nullopt);
    case TaskSpec::Kind::position:
      return pose(PoseTask::Part::position, std::nullopt);
    case TaskSpec::Kind::orientation:
      return pose(PoseTask::Part::orientation, std::nullopt);
    case TaskSpec::Kind::relative:
      return pose(PoseTask::Part::pose, model.frame(spec.relative_to));
    case TaskSpec::Kind::gaze:
      return std::make_unique<GazeTask>(model.frame(spec.link), spec.gaze_point, start, turn);
    case TaskSpec::Kind::joint:
      break;
  }
  return make_joint_task(spec, model);
}

}  // namespace aplomb

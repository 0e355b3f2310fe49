#include "aplomb/scenario/fit_robot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "aplomb/core/error.hpp"
#include "aplomb/core/text_file.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

std::vector<std::string> link_names(const RobotModel& robot) {
  std::vector<std::string> names;
  for (const UrdfLink& link : robot.urdf().links) names.push_back(link.name);
  return names;
}

/// The link that plays `role`, or the next best; empty when there is none (a hand, a foot).
std::string link_for_role(std::string_view role, const RobotModel& robot) {
  const Roles& roles = robot.description().roles;
  if (const std::string& link = *roles.find(role); !link.empty()) return link;
  if (role == "head") return link_for_role("trunk", robot);
  if (role == "trunk") return link_for_role("pelvis", robot);
  if (role == "pelvis") return robot.tree().bodies.front().link;
  return {};
}

/// `wanted` stands at the key `event`.link and is a role or a link.
std::string find_link(const Scenario& scenario, const std::string& event, const std::string& wanted,
                      const RobotModel& robot, std::vector<std::string>& notes) {
  const std::string* played = robot.description().roles.find(wanted);
  const std::string key = event + ".link";
  if (played != nullptr) {
    const std::string link = link_for_role(wanted, robot);
    if (link.empty()) {
      throw FileError(scenario.place(key),
                      fmt::format("{} is '{}', and robot {} has no such role", key, wanted, robot.name()));
    }
    if (played->empty()) {
      notes.push_back(fmt::format("{}: robot {} has no {}; '{}' is taken instead", key, robot.name(), wanted, link));
    }
    return link;
  }
  const std::vector<std::string> links = link_names(robot);
  if (std::ranges::find(links, wanted) == links.end()) {
    throw FileError(scenario.place(key), fmt::format("{}: no role or link named '{}' in robot {}; {}", key,
                                                     shortened(wanted), robot.name(), suggestion(wanted, links)));
  }
  return wanted;
}

Eigen::Vector3d peak_force(const PushRequest& request, double weight_n) {
  switch (request.strength) {
    case PushRequest::Strength::force_n:
      return request.amount;
    case PushRequest::Strength::force_per_weight:
      return weight_n * request.amount;
    case PushRequest::Strength::impulse_n_s: {
      // ∫ sin(π t / T) dt over half a period is 2 T / π.
      const double mean_over_peak = request.shape == Push::Shape::box ? 1.0 : 2.0 / std::numbers::pi;
      return request.amount / (request.duration_s * mean_over_peak);
    }
  }
  return request.amount;
}

}  // namespace

FittedEvents fit_events(const Scenario& scenario, const RobotModel& robot) {
  FittedEvents fitted;
  for (const PushRequest& request : scenario.pushes) {
    fitted.happenings.pushes.push_back({.link = find_link(scenario, request.key, request.link, robot, fitted.notes),
                                        .at = request.at,
                                        .point_in_link = request.point_in_link,
                                        .frame = request.frame,
                                        .shape = request.shape,
                                        .peak_force = peak_force(request, kGravity * robot.mass()),
                                        .start_s = request.start_s,
                                        .duration_s = request.duration_s});
  }
  for (const PayloadRequest& request : scenario.payloads) {
    Payload payload = request.payload;
    payload.link = find_link(scenario, request.key, payload.link, robot, fitted.notes);
    fitted.happenings.payloads.push_back(payload);
  }
  fitted.happenings.friction_changes = scenario.friction_changes;
  fitted.happenings.contact_losses = scenario.contact_losses;
  return fitted;
}

void check_start(const Scenario& scenario, const RobotModel& robot) {
  std::vector<std::string> postures;
  for (const auto& [name, angles] : robot.description().postures) postures.push_back(name);
  if (std::ranges::find(postures, scenario.start.posture) == postures.end()) {
    throw FileError(scenario.place("start.posture"), fmt::format("start.posture: no posture named '{}' in robot {}; {}",
                                                                 shortened(scenario.start.posture), robot.name(),
                                                                 suggestion(scenario.start.posture, postures)));
  }
  std::vector<std::string> joints;
  for (const Joint& joint : robot.joints()) joints.push_back(joint.name);
  for (const auto& [name, offset] : scenario.start.joint_offset_rad) {
    if (std::ranges::find(joints, name) != joints.end()) continue;
    throw FileError(scenario.place("start.joint_offset_rad." + name),
                    fmt::format("start.joint_offset_rad: no joint named '{}' in robot {}; {}", shortened(name),
                                robot.name(), suggestion(name, joints)));
  }
}

}  // namespace aplomb

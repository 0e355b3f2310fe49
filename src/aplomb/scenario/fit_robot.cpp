#include "aplomb/scenario/fit_robot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {
namespace {

/// The link as the engine has it: one between the axes of a joint, without mass, is no body of its own there.
std::string require_mass(const Scenario& scenario, const std::string& key, const std::string& link,
                         const RobotModel& robot) {
  const BodyTree& tree = robot.tree();
  auto body = static_cast<std::size_t>(tree.links[static_cast<std::size_t>(robot.frame(link))].body);
  if (tree.bodies[body].inertia.mass > 0.0) return link;
  while (body + 1 < tree.bodies.size() && tree.bodies[body].inertia.mass == 0.0) ++body;
  throw FileError(scenario.place(key),
                  fmt::format("{}: link '{}' of robot {} moves, and has no mass; name '{}', which it "
                              "carries",
                              key, link, robot.name(), tree.bodies[body].link));
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

Eigen::Vector3d peak_force(const PushRequest& request, double weight_n) {
  switch (request.strength) {
    case PushRequest::Strength::force_n:
      return request.amount;
    case PushRequest::Strength::force_per_weight:
      return weight_n * request.amount;
    case PushRequest::Strength::impulse_n_s: {
      // ∫ sin(π t / T) dt over half a period is 2 T / π.
      const double mean_over_peak =
          request.shape == Push::Shape::box ? 1.0 - request.ramp_s / request.duration_s : 2.0 / std::numbers::pi;
      return request.amount / (request.duration_s * mean_over_peak);
    }
  }
  return request.amount;
}

}  // namespace

std::string find_link(const Place& place, const std::string& key, const std::string& wanted, const RobotModel& robot,
                      std::vector<std::string>& notes) {
  const std::string* played = robot.description().roles.find(wanted);
  if (played != nullptr) {
    const std::string link = link_for_role(wanted, robot);
    if (link.empty()) {
      throw FileError(place, fmt::format("{} is '{}', and robot {} has no such role", key, wanted, robot.name()));
    }
    if (played->empty()) {
      notes.push_back(fmt::format("{}: robot {} has no {}; '{}' is taken instead", key, robot.name(), wanted, link));
    }
    return link;
  }
  const std::vector<UrdfLink>& links = robot.urdf().links;
  if (std::ranges::find(links, wanted, &UrdfLink::name) == links.end()) {
    std::vector<std::string> names = Roles::names();
    for (const UrdfLink& link : links) names.push_back(link.name);
    throw FileError(place, fmt::format("{}: no role or link named '{}' in robot {}; {}", key, shortened(wanted),
                                       robot.name(), suggestion(wanted, names)));
  }
  return wanted;
}

FittedEvents fit_events(const Scenario& scenario, const RobotModel& robot) {
  FittedEvents fitted;
  const auto link_of = [&](const std::string& event, const std::string& wanted) -> std::string {
    const std::string key = event + ".link";
    return require_mass(scenario, key, find_link(scenario.place(key), key, wanted, robot, fitted.notes), robot);
  };
  for (const PushRequest& request : scenario.pushes) {
    fitted.events.pushes.push_back({.link = link_of(request.key, request.link),
                                    .at = request.at,
                                    .point_in_link = request.point_in_link,
                                    .frame = request.frame,
                                    .shape = request.shape,
                                    .peak_force = peak_force(request, kGravity * robot.mass()),
                                    .start_s = request.start_s,
                                    .duration_s = request.duration_s,
                                    .ramp_s = request.ramp_s});
  }
  for (const PayloadRequest& request : scenario.payloads) {
    Payload payload = request.payload;
    payload.link = link_of(request.key, payload.link);
    fitted.events.payloads.push_back(payload);
  }
  if (!scenario.payload_link.empty()) {
    fitted.payload_link = link_of("estimate.payload", scenario.payload_link);
  }
  fitted.events.friction_changes = scenario.friction_changes;
  fitted.events.contact_losses = scenario.contact_losses;
  return fitted;
}

}  // namespace aplomb

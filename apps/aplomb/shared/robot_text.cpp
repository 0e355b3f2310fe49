#include "shared/robot_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "aplomb/core/metric_json.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "shared/table.hpp"

namespace aplomb {
namespace {

using Json = nlohmann::ordered_json;

const char* kind_name(Actuation::Kind kind) { return kind == Actuation::Kind::servo ? "servo" : "torque"; }

/// The posture whose CoM is shown: half_sitting if the robot has it.
std::string shown_posture(const RobotModel& robot) {
  return robot.description().postures.contains("half_sitting") ? "half_sitting" : "neutral";
}

Eigen::Vector3d com_of(const RobotModel& robot) {
  RobotTerms terms(robot, {});
  const std::string posture = shown_posture(robot);
  terms.update(posture == "neutral" ? robot.neutral_state() : robot.posture(posture));
  return terms.com();
}

double shown(double value) { return std::round(1e4 * value) / 1e4 + 0.0; }  // four digits, and no "-0.0000"

std::string limit_text(double value) { return std::isfinite(value) ? fmt::format("{:.4f}", value) : "-"; }
std::string number_text(double value) { return std::isfinite(value) ? fmt::format("{:g}", value) : "-"; }

std::vector<std::pair<std::string, std::string>> roles_of(const Roles& roles) {
  return {{"pelvis", roles.pelvis},
          {"trunk", roles.trunk},
          {"head", roles.head},
          {"left_foot", roles.foot[kLeft]},
          {"right_foot", roles.foot[kRight]},
          {"left_hand", roles.hand[kLeft]},
          {"right_hand", roles.hand[kRight]}};
}

std::string roles_text(const Roles& roles) {
  std::string lines;
  std::string line;
  for (const auto& [role, link] : roles_of(roles)) {
    if (role == "left_foot" && !line.empty()) {  // feet and hands have a line of their own
      lines += line + "\n              ";
      line.clear();
    }
    if (!link.empty()) line += fmt::format("{}{}={}", line.empty() ? "" : "  ", role, link);
  }
  return fmt::format("roles         {}\n", (lines + line).empty() ? "none" : lines + line);
}

std::string soles_text(const RobotModel& robot) {
  std::string text;
  for (int side : {kLeft, kRight}) {
    const auto& sole = robot.description().soles[side];
    text += fmt::format("{} sole    ", side == kLeft ? "left " : "right");
    text += sole ? fmt::format("x {:.4f} .. {:.4f}  y {:.4f} .. {:.4f}  z {:.4f} m, in link {}\n", sole->x_min,
                               sole->x_max, sole->y_min, sole->y_max, sole->z, robot.description().roles.foot[side])
                 : "unknown\n";
  }
  return text;
}

}  // namespace

std::string robot_text(const RobotModel& robot) {
  const RobotDescription& description = robot.description();
  const Eigen::Vector3d com = com_of(robot);
  std::string text = fmt::format("{}  {}\n\n", robot.name(), description.about);
  text += fmt::format("file          {}\n", robot.urdf().file.string());
  text += fmt::format("mass          {:.4f} kg in {} links\n", robot.mass(), robot.urdf().links.size());
  text += fmt::format("joints        {}, {} controlled\n", robot.num_joints(), kind_name(description.actuation.kind));
  text += fmt::format("CoM           {:.4f} {:.4f} {:.4f} m ({})\n", shown(com.x()), shown(com.y()), shown(com.z()),
                      shown_posture(robot));
  text += soles_text(robot);
  text += roles_text(description.roles);
  std::string postures;
  for (const auto& [name, angles] : description.postures) postures += (postures.empty() ? "" : "  ") + name;
  text += fmt::format("postures      {}\n", postures.empty() ? "none" : postures);
  const bool is_repaired = description.inertia == InertiaPolicy::repair;
  text += fmt::format("plausible     yes: every moving body has mass and a physically consistent inertia{}\n",
                      is_repaired ? ", after the repairs below" : "");
  for (const std::string& note : robot.notes()) text += fmt::format("note          {}\n", note);
  std::vector<std::vector<std::string>> rows;
  for (const Joint& joint : robot.joints()) {
    rows.push_back({joint.name, joint.link, limit_text(joint.lower), limit_text(joint.upper),
                    number_text(joint.velocity), number_text(joint.effort)});
  }
  return text + "\n" +
         aligned_table({"joint", "child link", "lower [rad]", "upper [rad]", "max speed [rad/s]", "max torque [N m]"},
                       rows);
}

std::string robot_json(const RobotModel& robot) {
  const RobotDescription& description = robot.description();
  const Eigen::Vector3d com = com_of(robot);
  Json document = {{"robot", robot.name()},
                   {"about", description.about},
                   {"file", robot.urdf().file.string()},
                   {"mass_kg", robot.mass()},
                   {"com_m", {com.x(), com.y(), com.z()}},
                   {"com_posture", shown_posture(robot)},
                   {"actuation", kind_name(description.actuation.kind)}};
  for (const auto& [role, link] : roles_of(description.roles)) {
    document["roles"][role] = link.empty() ? Json(nullptr) : Json(link);
  }
  for (int side : {kLeft, kRight}) {
    const auto& sole = description.soles[side];
    Json& entry = document["soles"][side == kLeft ? "left" : "right"];
    if (sole) entry = {{"x_m", {sole->x_min, sole->x_max}}, {"y_m", {sole->y_min, sole->y_max}}, {"z_m", sole->z}};
  }
  document["joints"] = Json::array();
  for (const Joint& joint : robot.joints()) {
    document["joints"].push_back({{"name", joint.name},
                                  {"link", joint.link},
                                  {"axis", {joint.axis.x(), joint.axis.y(), joint.axis.z()}},
                                  {"lower_rad", number_json(joint.lower)},
                                  {"upper_rad", number_json(joint.upper)},
                                  {"velocity_rad_per_s", number_json(joint.velocity)},
                                  {"effort_nm", number_json(joint.effort)}});
  }
  document["links"] = Json::array();
  for (const UrdfLink& link : robot.urdf().links) {
    const Eigen::Vector3d& c = link.inertia.com;
    document["links"].push_back(
        {{"name", link.name}, {"mass_kg", link.inertia.mass}, {"com_m", {c.x(), c.y(), c.z()}}});
  }
  document["notes"] = robot.notes();
  return document.dump(2) + "\n";
}

}  // namespace aplomb

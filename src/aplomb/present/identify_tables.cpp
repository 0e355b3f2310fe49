#include "aplomb/present/identify_tables.hpp"

#include <fmt/format.h>

#include <cmath>

#include "aplomb/identify/model/base_parameters.hpp"
#include "aplomb/identify/uncertainty.hpp"

namespace aplomb {
namespace {

std::string millimetres(double metres) { return fmt::format("{:.2f}", 1e3 * metres); }
std::string millimetres(const std::optional<double>& metres) { return metres ? millimetres(*metres) : "-"; }
std::string interval(double half) { return std::isfinite(half) ? fmt::format("{:.3g}", half) : "infinite"; }

/// "thigh.hz - 0.382 shank.m": terms that matter, at most eight.
std::string readable(const Eigen::VectorXd& combination, int pivot, const std::vector<std::string>& names,
                     const Eigen::VectorXd& scale) {
  std::string name = names[static_cast<std::size_t>(pivot)];
  int terms = 0;
  for (Eigen::Index k = 0; k < combination.size(); ++k) {
    if (k == pivot || std::abs(combination[k]) * scale[k] < 0.01 * scale[pivot] || ++terms > 8) continue;
    name += fmt::format(" {} {:.3g} {}", combination[k] < 0 ? "-" : "+", std::abs(combination[k]),
                        names[static_cast<std::size_t>(k)]);
  }
  return terms > 8 ? name + fmt::format(" and {} more", terms - 8) : name;
}

}  // namespace

PageTable score_table(const Identification& found) {
  PageTable table{
      .title = "Predicted CoM against measured CoP",
      .about =
          "Root mean square over postures that the parameters have not seen; never split by sample. "
          "The paper reports 19.6 mm on hardware.",
      .header = {"parameters", "10 % held out, forward [mm]", "lateral [mm]", "10-fold, forward [mm]", "lateral [mm]"}};
  const auto add = [&](const char* name, const CopScore& holdout, const CopScore& folds) {
    table.rows.push_back({name, millimetres(holdout.forward), millimetres(holdout.lateral), millimetres(folds.forward),
                          millimetres(folds.lateral)});
  };
  add("identified (prior to the CAD)", found.holdout.identified, found.folds.identified);
  add("plain least squares", found.holdout.least_squares, found.folds.least_squares);
  add("CAD, mass scaled", found.holdout.scaled_cad, found.folds.scaled_cad);
  add("CAD", found.holdout.cad, found.folds.cad);
  return table;
}

PageTable link_table(const RobotModel& cad, const Identification& found) {
  PageTable table{
      .title = "Links of the corrected URDF",
      .about =
          "A single link's mass is not seen at rest (an infinite interval): the prior divides what is seen among "
          "the links. What the data do say is in the next table, and in the CoM.",
      .header = {"link", "CAD [kg]", "identified [kg]", "95 % [kg]", "CAD CoM x, y, z [mm]",
                 "identified CoM x, y, z [mm]"}};
  const auto com_text = [](const Eigen::Vector3d& com) {
    const Eigen::Vector3d shown = (1e3 * com).array().round() + 0.0;  // no "-0"
    return fmt::format("{:.0f}, {:.0f}, {:.0f}", shown.x(), shown.y(), shown.z());
  };
  for (const auto& [body, inertia] : found.body_inertias) {
    const RigidBody& rigid = cad.tree().bodies[static_cast<std::size_t>(body)];
    std::string width = "infinite";
    for (int i = 0; i < found.problem.num_parameters(); ++i) {
      if (found.problem.names[static_cast<std::size_t>(i)] != rigid.link + ".m") continue;
      width = interval(interval_95(found.plain, Eigen::VectorXd::Unit(found.problem.num_parameters(), i)));
    }
    table.rows.push_back({rigid.link, fmt::format("{:.2f}", rigid.inertia.mass), fmt::format("{:.2f}", inertia.mass),
                          width, com_text(rigid.inertia.com), com_text(inertia.com)});
  }
  return table;
}

PageTable base_parameter_table(const BaseParameterValues& values) {
  PageTable table{.title = "Base parameters: what the data show",
                  .about =
                      "Combinations that the data determine, with Student's 95 % intervals from plain least squares. "
                      "m in kg, h = m c in kg m, I about the link's origin in kg m2.",
                  .header = {"combination", "CAD", "identified", "least squares", "95 % +-"}};
  const BaseParameters base = base_parameters(values.plain.seen_rows, values.names);
  for (int i = 0; i < base.rank; ++i) {
    const Eigen::VectorXd combination = base.combination.row(i).transpose();
    const int pivot = base.pivots[static_cast<std::size_t>(i)];
    table.rows.push_back(
        {readable(combination, pivot, values.names, values.plain.scale),
         fmt::format("{:.3f}", combination.dot(values.cad)), fmt::format("{:.3f}", combination.dot(values.identified)),
         fmt::format("{:.3f}", combination.dot(values.plain.phi)), interval(interval_95(values.plain, combination))});
  }
  return table;
}

PageTable base_parameter_table(const Identification& found) {
  return base_parameter_table(
      {.names = found.problem.names, .cad = found.problem.cad, .identified = found.estimate.phi, .plain = found.plain});
}

PageTable sensor_table(const RobotModel& cad, const SagittalModel* sagittal) {
  PageTable table{
      .title = "What further sensors would add",
      .about =
          "Parameter combinations that a robot of this structure shows, whatever its data: on random states, "
          "without noise, directions of unknown forces projected out.",
      .header = {"model", "sensors", "combinations seen", "parameters"}};
  if (sagittal != nullptr) {
    const int all = static_cast<int>(sagittal->mass_row().size());
    const auto add = [&](const char* sensors, bool is_level, bool has_force) {
      table.rows.push_back({"sagittal, at rest", sensors,
                            fmt::format("{}", structural_rank(cad, *sagittal, is_level, has_force)),
                            fmt::format("{}", all)});
    };
    add("CoP alone, feet level", true, false);
    add("CoP and vertical force, feet level", true, true);
    add("the same with feet that tilt, base orientation known", false, true);
  }
  const auto add = [&](const char* model, const char* sensors, const RankQuestion& question) {
    const std::size_t all = cad.tree().bodies.size() * (question.is_moving ? 10u : 4u);
    table.rows.push_back({model, sensors, fmt::format("{}", structural_rank(cad, question)), fmt::format("{}", all)});
  };
  add("spatial, at rest", "all contact wrenches, base upright", {.is_upright = true});
  add("spatial, at rest", "all contact wrenches, base tilts", {});
  add("spatial, at rest", "the same and joint torques", {.has_torque_rows = true});
  std::vector<FrameId> feet;
  for (const std::string& foot : cad.description().roles.foot) {
    if (!foot.empty()) feet.push_back(cad.frame(foot));
  }
  const auto add_unknown = [&](const char* model, bool is_moving) {
    if (feet.size() < 2) return;
    add(model, "joint torques, one foot's wrench; the other foot's is unknown",
        {.is_moving = is_moving, .has_torque_rows = true, .unknown_contacts = {feet.front()}});
    add(model, "joint torques alone, both feet's wrenches unknown",
        {.is_moving = is_moving, .has_torque_rows = true, .unknown_contacts = feet});
  };
  add_unknown("spatial, at rest", false);
  add("spatial, moving", "all contact wrenches, rates, accelerations", {.is_moving = true});
  add("spatial, moving", "the same and joint torques", {.is_moving = true, .has_torque_rows = true});
  add_unknown("spatial, moving", true);
  return table;
}

PageTable bias_table(const std::vector<SensorBias>& biases) {
  PageTable table{
      .title = "Constant sensor errors: which would show, and what the others do",
      .about =
          "Each error is tried on these postures. Where the residuals do not grow, no posture of this file can "
          "tell the error from a mass distribution, and it cannot be estimated along; the true CoM is then off "
          "by the shift given, unless the same sensors are used when the robot moves.",
      .header = {"error", "share that shows [%]", "residuals grow by [%]", "shift of the true CoM [mm]",
                 "estimable along"}};
  for (const SensorBias& bias : biases) {
    table.rows.push_back({bias.name, fmt::format("{:.1f}", 100.0 * bias.visible),
                          fmt::format("{:.1f}", 100.0 * (bias.residual_growth - 1.0)), millimetres(bias.com_shift_m),
                          bias.is_estimable() ? "yes" : "no"});
  }
  return table;
}

PageTable found_bias_table(const std::vector<FoundBias>& biases) {
  PageTable table{.title = "Constant sensor errors that were found and taken out",
                  .about = "Reading less truth, one standard deviation.",
                  .header = {"error", "found", "+-", "unit"}};
  for (const FoundBias& bias : biases) {
    table.rows.push_back(
        {bias.name, fmt::format("{:.3f}", bias.value), fmt::format("{:.3f}", bias.deviation), bias.unit});
  }
  return table;
}

}  // namespace aplomb

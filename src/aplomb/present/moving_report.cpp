#include <fmt/format.h>

#include "aplomb/core/version.hpp"
#include "aplomb/identify/model/link_parameters.hpp"
#include "aplomb/present/identify_report.hpp"
#include "aplomb/present/identify_tables.hpp"

namespace aplomb {
namespace {

PageTable friction_table(const RobotModel& cad, const MovingFit& fit) {
  PageTable table{.title = "Joint friction",
                  .about = "From what the torques have left over once the bodies' inertias are known.",
                  .header = {"joint", "Coulomb [N m]", "viscous [N m s/rad]", "offset [N m]"}};
  for (const JointFriction& friction : fit.friction) {
    const std::string& name = cad.joints()[static_cast<std::size_t>(friction.joint)].name;
    if (!friction.is_seen) {
      table.rows.push_back({name, "not seen: it hardly moved", "-", "-"});
      continue;
    }
    table.rows.push_back({name, fmt::format("{:.3f}", friction.coulomb), fmt::format("{:.3f}", friction.viscous),
                          fmt::format("{:.3f}", friction.offset)});
  }
  return table;
}

PageTable inertia_table(const RobotModel& cad, const MovingFit& fit) {
  PageTable table{.title = "Links of the corrected URDF",
                  .about = "Single links are decided by the prior where the motion does not show them.",
                  .header = {"link", "CAD [kg]", "identified [kg]", "CAD Ixx, Iyy, Izz [kg m2]",
                             "identified Ixx, Iyy, Izz [kg m2]"}};
  const auto text = [](const Inertia& inertia) {
    const Eigen::Vector3d diagonal = inertia.about_com.diagonal();
    return fmt::format("{:.4f}, {:.4f}, {:.4f}", diagonal.x(), diagonal.y(), diagonal.z());
  };
  for (const auto& [body, inertia] : fit.body_inertias) {
    const RigidBody& rigid = cad.tree().bodies[static_cast<std::size_t>(body)];
    table.rows.push_back({rigid.link, fmt::format("{:.3f}", rigid.inertia.mass), fmt::format("{:.3f}", inertia.mass),
                          text(rigid.inertia), text(inertia)});
  }
  return table;
}

PageTable base_table(const RobotModel& cad, const MovingFit& fit) {
  return base_parameter_table(
      {.names = fit.names, .cad = parameters_of(cad, fit.columns), .identified = fit.estimate.phi, .plain = fit.plain});
}

}  // namespace

IdentifyOutput describe_moving(const RobotModel& cad, const PostureSet& set, const MovingFit& fit) {
  IdentifyOutput output;
  Result& result = output.result;
  result.verb = "identify";
  result.scenario = set.file.filename().string();
  int num_infeasible = 0;
  double mass = 0.0;
  for (std::size_t slot = 0; slot < fit.columns.bodies.size(); ++slot) {
    const LinkParameters link = fit.estimate.phi.segment<10>(fit.columns.first(slot));
    num_infeasible += is_feasible(link) ? 0 : 1;
    mass += link[0];
  }
  result.metrics.set("wrench_holdout_rms_n", fit.wrench_rms);
  result.metrics.set("cad_wrench_holdout_rms_n", fit.cad_wrench_rms);
  result.metrics.set("torque_residual_rms_nm", fit.friction.empty() ? MetricValue{} : MetricValue(fit.torque_rms));
  result.metrics.set("rank", std::int64_t{fit.plain.rank});
  result.metrics.set("parameters", std::int64_t{fit.columns.size()});
  result.metrics.set("infeasible_links", std::int64_t{num_infeasible});
  result.metrics.set("identified_mass_kg", mass);
  result.metrics.set("prior_weight", fit.choice.weight);
  result.metrics.set("postures", static_cast<std::int64_t>(set.postures.size()));
  result.checks.push_back(
      judge({.metric = "infeasible_links", .rule = Check::Rule::equals, .bound = std::int64_t{0}}, result.metrics));
  result.provenance = {.version = version(), .commit = commit(), .seed = 1};
  output.page.title = fmt::format("Identification of {}", cad.name());
  output.page.about = fmt::format("The full dynamic model of {} from {} instants of a motion ({}).", cad.name(),
                                  set.postures.size(), set.file.filename().string());
  output.page.notes = {
      "Inertias are from the net contact wrench, which knows neither torques nor friction; friction is from the "
      "torques.",
      "Scores are on contiguous blocks of time that the estimate has not seen."};
  if (fit.friction.empty()) {
    output.page.notes.push_back(
        "Friction was not asked for: that needs joint torques and the whole wrench of each contact.");
  }
  output.page.notes.push_back(fmt::format("{} of {} parameter combinations are seen by this motion and these sensors.",
                                          fit.plain.rank, fit.columns.size()));
  output.page.tables = {friction_table(cad, fit), inertia_table(cad, fit), base_table(cad, fit),
                        sensor_table(cad, nullptr)};
  return output;
}

}  // namespace aplomb

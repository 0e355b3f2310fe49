#include "aplomb/present/identify_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "aplomb/core/version.hpp"
#include "aplomb/identify/model.hpp"
#include "aplomb/identify/next_postures.hpp"
#include "aplomb/identify/uncertainty.hpp"

namespace aplomb {
namespace {

constexpr double kMuchVariance = 4.0;  // warning above this ratio of residual variance to noise variance
constexpr double kWorsePrior = 1.5;    // warning above this ratio of the error to that of plain least squares

MetricValue optional_number(const std::optional<double>& value) { return value ? MetricValue(*value) : MetricValue{}; }

void set_metrics(const PostureSet& set, const Identification& found, const std::optional<PathErrors>& truth,
                 Metrics& metrics) {
  const auto truth_or_null = [&](double PathErrors::*part) {
    return truth ? MetricValue((*truth).*part) : MetricValue{};
  };
  metrics.set("holdout_rms_m", found.holdout.identified.forward);
  metrics.set("holdout_lateral_rms_m", optional_number(found.holdout.identified.lateral));
  metrics.set("cad_holdout_rms_m", found.holdout.cad.forward);
  metrics.set("scaled_cad_holdout_rms_m", found.holdout.scaled_cad.forward);
  metrics.set("least_squares_holdout_rms_m", found.holdout.least_squares.forward);
  metrics.set("kfold_rms_m", found.folds.identified.forward);
  metrics.set("com_path_error_rms_m", truth_or_null(&PathErrors::identified));
  metrics.set("com_path_error_least_squares_rms_m", truth_or_null(&PathErrors::least_squares));
  metrics.set("com_path_error_cad_rms_m", truth_or_null(&PathErrors::cad));
  metrics.set("com_path_error_height_rms_m", truth_or_null(&PathErrors::height));
  metrics.set("rank", std::int64_t{found.plain.rank});
  metrics.set("parameters", std::int64_t{found.problem.num_parameters()});
  metrics.set("infeasible_links", std::int64_t{found.num_infeasible});
  metrics.set("identified_mass_kg", found.problem.mass.dot(found.estimate.phi));
  metrics.set("residual_variance", found.plain.variance);
  metrics.set("prior_weight", found.estimate.prior_weight);
  metrics.set("postures", static_cast<std::int64_t>(set.postures.size()));
  metrics.set("dropped_postures", static_cast<std::int64_t>(set.dropped.size()));
}

/// Log with one row per posture. The CoM's standard deviation is that of plain least squares, without the prior.
Log make_log(const PostureSet& set, const Identification& found) {
  const bool has_lateral = found.problem.num_coordinates() == 2;
  std::vector<std::string> columns = {"index",   "posture",     "held_out",           "cop_x_m",
                                      "com_x_m", "com_x_cad_m", "com_x_scaled_cad_m", "com_x_deviation_m"};
  if (has_lateral)
    columns.insert(columns.end(), {"cop_y_m", "com_y_m", "com_y_cad_m", "com_y_deviation_m", "com_xy_correlation"});
  Log log(columns);
  const std::vector<std::size_t> all = all_but(set.postures.size(), {});
  const Eigen::VectorXd scaled = mass_scaled_cad(found.problem, all);
  for (const std::size_t k : all) {
    const CopPrediction& cop = found.problem.cops[k];
    const auto com = [&](const Eigen::VectorXd& phi, Eigen::Index axis) {
      return cop.moments.row(axis).dot(phi) / found.problem.mass.dot(phi);
    };
    const bool is_held_out = std::ranges::find(found.held_out, k) != found.held_out.end();
    const Eigen::MatrixXd ellipse = com_covariance(found.problem, found.plain, found.estimate.phi, cop.moments);
    std::vector<double> row = {static_cast<double>(k + 1),
                               static_cast<double>(set.postures[k].id),
                               is_held_out ? 1.0 : 0.0,
                               cop.cop.x(),
                               found.predicted[k].x(),
                               com(found.problem.cad, 0),
                               com(scaled, 0),
                               std::sqrt(ellipse(0, 0))};
    if (has_lateral) {
      row.insert(row.end(), {cop.cop.y(), found.predicted[k].y(), com(found.problem.cad, 1), std::sqrt(ellipse(1, 1)),
                             ellipse(0, 1) / std::sqrt(ellipse(0, 0) * ellipse(1, 1))});
    }
    log.append(row);
  }
  return log;
}

void add_plots(const Identification& found, ReportPage& page) {
  page.line_plots.push_back(
      {.title = "Predicted CoM and measured CoP over postures, forward",
       .about =
           "Each prediction is by an estimate without that posture (10-fold). At rest the CoM is above the CoP. The "
           "figure of Mistry et al. 2010, with the CAD added.",
       .y_label = "forward [m]",
       .x_column = "index",
       .x_label = "posture, in the order of the file",
       .series = {{.column = "cop_x_m", .label = "measured CoP", .is_reference = true},
                  {.column = "com_x_m", .label = "CoM, identified"},
                  {.column = "com_x_cad_m", .label = "CoM, CAD"}}});
  page.line_plots.push_back({.title = "Standard deviation of the predicted CoM over postures",
                             .about = "By the data alone, without the prior.",
                             .y_label = "deviation [m]",
                             .x_column = "index",
                             .x_label = "posture, in the order of the file",
                             .series = {{.column = "com_x_deviation_m", .label = "forward CoM"}}});
  if (found.problem.num_coordinates() < 2) return;
  page.line_plots.push_back({.title = "Predicted CoM and measured CoP over postures, lateral",
                             .about = "As above.",
                             .y_label = "to the left [m]",
                             .x_column = "index",
                             .x_label = "posture, in the order of the file",
                             .series = {{.column = "cop_y_m", .label = "measured CoP", .is_reference = true},
                                        {.column = "com_y_m", .label = "CoM, identified"},
                                        {.column = "com_y_cad_m", .label = "CoM, CAD"}}});
}

std::string millimetres(double metres) { return fmt::format("{:.2f}", 1e3 * metres); }
std::string millimetres(const std::optional<double>& metres) { return metres ? millimetres(*metres) : "-"; }
std::string interval(double half) { return std::isfinite(half) ? fmt::format("{:.3g}", half) : "infinite"; }

/// A linear combination of parameters as text, "thigh.hz - 0.382 shank.m": significant terms only, at most eight.
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

PageTable score_table(const Identification& found) {
  PageTable table{
      .title = "Predicted CoM against measured CoP",
      .about =
          "RMS over postures that were not used for the estimate; the samples of a posture are never split. "
          "Mistry et al. 2010 report 19.6 mm on hardware.",
      .header = {"parameters", "10 % held out, forward [mm]", "lateral [mm]", "10-fold, forward [mm]", "lateral [mm]"}};
  const auto add = [&](const char* name, const CopScore& holdout, const CopScore& folds) {
    table.rows.push_back({name, millimetres(holdout.forward), millimetres(holdout.lateral), millimetres(folds.forward),
                          millimetres(folds.lateral)});
  };
  add("identified, CAD as prior", found.holdout.identified, found.folds.identified);
  add("plain least squares", found.holdout.least_squares, found.folds.least_squares);
  add("CAD, mass scaled", found.holdout.scaled_cad, found.folds.scaled_cad);
  add("CAD", found.holdout.cad, found.folds.cad);
  return table;
}

PageTable link_table(const RobotModel& cad, const Identification& found) {
  PageTable table{.title = "Links of the corrected URDF",
                  .about =
                      "Static data do not determine a single link's mass (not identifiable): the prior distributes the "
                      "identified combinations among the links. The next table has what the data determine.",
                  .header = {"link", "CAD [kg]", "identified [kg]", "95 % [kg]", "CAD CoM x, y, z [mm]",
                             "identified CoM x, y, z [mm]"}};
  const auto com_text = [](const Eigen::Vector3d& com) {
    const Eigen::Vector3d shown = (1e3 * com).array().round() + 0.0;  // no "-0"
    return fmt::format("{:.0f}, {:.0f}, {:.0f}", shown.x(), shown.y(), shown.z());
  };
  for (const auto& [body, inertia] : found.body_inertias) {
    const RigidBody& rigid = cad.tree().bodies[static_cast<std::size_t>(body)];
    std::string width = "not identifiable";
    for (int i = 0; i < found.problem.num_parameters(); ++i) {
      if (found.problem.names[static_cast<std::size_t>(i)] != rigid.link + ".m") continue;
      const double half = interval_95(found.plain, Eigen::VectorXd::Unit(found.problem.num_parameters(), i));
      if (std::isfinite(half)) width = interval(half);
    }
    table.rows.push_back({rigid.link, fmt::format("{:.2f}", rigid.inertia.mass), fmt::format("{:.2f}", inertia.mass),
                          width, com_text(rigid.inertia.com), com_text(inertia.com)});
  }
  return table;
}

/// The columns of a table of base parameters.
struct BaseParameterValues {
  const std::vector<std::string>& names;
  const Eigen::VectorXd &cad, &identified;
  const LeastSquares& plain;
};

PageTable base_parameter_table(const BaseParameterValues& values) {
  PageTable table{.title = "Base parameters: combinations that the data determine",
                  .about =
                      "With 95 % confidence intervals (Student t) of ordinary least squares. "
                      "m in kg, h = m c in kg m, I about the link's origin in kg m².",
                  .header = {"combination", "CAD", "identified", "least squares", "95 % +-"},
                  .is_detail = true};
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

/// Number of identifiable parameters by set of sensors. `found` is nullptr for a fit to a motion.
PageTable sensor_table(const RobotModel& cad, const Identification* found) {
  PageTable table{
      .title = "Identifiable parameters by set of sensors",
      .about =
          "Structural rank: parameter combinations that random states of this robot determine without noise, "
          "unknown contact forces projected out.",
      .header = {"model", "sensors", "identifiable", "parameters"},
      .is_detail = true};
  if (found != nullptr && found->sagittal) {
    const int all = found->problem.num_parameters();
    const auto add = [&](const char* sensors, bool is_level, bool has_force) {
      table.rows.push_back({"sagittal, at rest", sensors,
                            fmt::format("{}", structural_rank(cad, *found->sagittal, is_level, has_force)),
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
      .title = "Constant sensor errors: observability and effect on the CoM",
      .about =
          "Each error is added to these postures. Where the residuals do not grow, the error cannot be "
          "distinguished from another mass distribution and cannot be estimated; the CoM is then off by the shift "
          "given, unless the robot is controlled with the same sensors.",
      .header = {"error", "observable part [%]", "residual growth [%]", "CoM shift [mm]", "estimable"},
      .is_detail = true};
  for (const SensorBias& bias : biases) {
    table.rows.push_back({bias.name, fmt::format("{:.1f}", 100.0 * bias.visible),
                          fmt::format("{:.1f}", 100.0 * (bias.residual_growth - 1.0)), millimetres(bias.com_shift_m),
                          bias.is_estimable() ? "yes" : "no"});
  }
  return table;
}

PageTable friction_table(const RobotModel& cad, const MovingFit& fit) {
  PageTable table{.title = "Joint friction",
                  .about = "From the torque residuals once the inertias are identified.",
                  .header = {"joint", "Coulomb [N m]", "viscous [N m s/rad]", "offset [N m]"}};
  for (const JointFriction& friction : fit.friction) {
    const std::string& name = cad.joints()[static_cast<std::size_t>(friction.joint)].name;
    if (!friction.is_seen) {
      table.rows.push_back({name, "not identified: too little motion", "-", "-"});
      continue;
    }
    table.rows.push_back({name, fmt::format("{:.3f}", friction.coulomb), fmt::format("{:.3f}", friction.viscous),
                          fmt::format("{:.3f}", friction.offset)});
  }
  return table;
}

PageTable inertia_table(const RobotModel& cad, const MovingFit& fit) {
  PageTable table{.title = "Links of the corrected URDF",
                  .about = "Where the motion does not determine a single link, the prior does.",
                  .header = {"link", "CAD [kg]", "identified [kg]", "CAD Ixx, Iyy, Izz [kg m²]",
                             "identified Ixx, Iyy, Izz [kg m²]"}};
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

PageTable base_table(const MovingFit& fit) {
  return base_parameter_table({.names = fit.names, .cad = fit.cad, .identified = fit.estimate.phi, .plain = fit.plain});
}

constexpr int kCandidates = 400;
constexpr int kRandomChoices = 30;
constexpr double kMargin = 0.03;  // [m] distance of the CoM to the edge of the soles

double random_deviation(const StaticProblem& problem, const Eigen::VectorXd& phi, int count,
                        std::span<const std::size_t> all, const Eigen::MatrixXd& information) {
  double sum = 0.0;
  for (int i = 0; i < kRandomChoices; ++i) {
    std::vector<std::size_t> order(all.begin(), all.end());
    std::mt19937_64 random(static_cast<std::uint64_t>(i));
    for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random() % k]);
    order.resize(static_cast<std::size_t>(count));
    sum += mean_com_deviation(problem, phi, order, all, information) / kRandomChoices;
  }
  return sum;
}

std::string warning_of_residuals(const PostureSet& set, const Identification& found) {
  const bool is_averaged =
      std::ranges::any_of(set.postures, [](const Posture& posture) { return posture.num_samples > 1; });
  return fmt::format(
      "WARNING: the residuals are {:.1f} times the stated noise. No mass distribution explains this file: check the "
      "CoP's axes and signs, the base's orientation, the robot, and the noise options{}.",
      std::sqrt(found.plain.variance),
      is_averaged ? " (for one sample; errors common to the samples of a posture do not average out)" : "");
}

std::vector<std::string> notes_of(const PostureSet& set, const Identification& found,
                                  const std::optional<PathErrors>& truth) {
  std::vector<std::string> notes = set.notes;
  notes.push_back(
      fmt::format("{} model{}: {} of {} parameter combinations are identifiable from these postures and sensors.",
                  found.model, found.why_model.empty() ? "" : fmt::format(" ({})", found.why_model), found.plain.rank,
                  found.problem.num_parameters()));
  notes.push_back(fmt::format("Prior weight {:.3g}{}; residual variance {:.2f} (1 = residuals match the stated noise).",
                              found.estimate.prior_weight,
                              found.choice.weights.empty() ? ", as given" : ", by cross-validation over postures",
                              found.plain.variance));
  if (found.plain.variance > kMuchVariance) notes.push_back(warning_of_residuals(set, found));
  if (found.folds.identified.forward > kWorsePrior * found.folds.least_squares.forward) {
    notes.push_back(
        fmt::format("WARNING: the CAD prior outweighs the data: {:.1f} mm (10-fold) with it, {:.1f} mm without. "
                    "State a smaller noise, or a smaller --prior-weight.",
                    1e3 * found.folds.identified.forward, 1e3 * found.folds.least_squares.forward));
  }
  for (const std::string& dropped : set.dropped) notes.push_back("Dropped: " + dropped + ".");
  if (truth) {
    notes.push_back(fmt::format(
        "Error against the simulated robot: along the stand-up path the CoM is off by {:.2f} mm (CAD {:.1f} mm, "
        "plain least squares {:.2f} mm), and by {:.1f} mm in height, which static postures hardly observe.",
        1e3 * truth->identified, 1e3 * truth->cad, 1e3 * truth->least_squares, 1e3 * truth->height));
  }
  return notes;
}

/// An estimate is worth using when it predicts measurements that it has not seen no worse than the CAD does. (That its
/// links are rigid bodies needs no check: the prior is infinite where they are not.)
void judge_prediction(Result& result, const std::string& metric, const std::string& cad_metric) {
  constexpr double kChance = 1.1;  // where the CAD is right, both errors are noise, and differ by a few percent
  const std::optional<double> cad = result.metrics.number(cad_metric);
  if (!cad || !result.metrics.number(metric)) return;
  result.checks.push_back(judge({.metric = metric,
                                 .rule = Check::Rule::below,
                                 .bound = kChance * *cad,
                                 .reason = "1.1 times the error of the CAD on the same measurements"},
                                result.metrics));
}

}  // namespace

PathErrors path_errors(const RobotModel& truth, const RobotModel& cad, const Identification& found,
                       const std::vector<RobotState>& path) {
  const RobotModel identified = with_body_inertias(cad, found.body_inertias);
  RobotTerms true_terms(truth, {}), identified_terms(identified, {}), cad_terms(cad, {});
  PathErrors sums;
  for (const RobotState& state : path) {
    for (RobotTerms* terms : {&true_terms, &identified_terms, &cad_terms}) terms->update(state);
    // Joints outside of the plane move along the path too: their links keep the CAD's inertia, as in the corrected
    // robot.
    const Eigen::MatrixXd moments = moments_at(found, cad, state.q);
    const Eigen::VectorXd outside = cad.mass() * cad_terms.com().head(moments.rows()) - moments * found.problem.cad;
    const Eigen::VectorXd plain = (moments * found.plain.phi + outside) / found.problem.mass.dot(found.plain.phi);
    const Eigen::Vector3d com = true_terms.com();
    sums.identified += (identified_terms.com() - com).head<2>().squaredNorm();
    sums.cad += (cad_terms.com() - com).head<2>().squaredNorm();
    for (Eigen::Index i = 0; i < plain.size(); ++i) sums.least_squares += std::pow(plain[i] - com[i], 2);
    sums.height += std::pow(identified_terms.com().z() - com.z(), 2);
  }
  for (double* sum : {&sums.identified, &sums.cad, &sums.least_squares, &sums.height})
    *sum = std::sqrt(*sum / static_cast<double>(path.size()));
  return sums;
}

IdentifyOutput metrics_only(const PostureSet& set, const Identification& found,
                            const std::optional<PathErrors>& truth) {
  IdentifyOutput output;
  output.result.verb = "identify";
  set_metrics(set, found, truth, output.result.metrics);
  return output;
}

IdentifyOutput describe(const RobotModel& cad, const PostureSet& set, const Identification& found,
                        const IdentifyOptions& options, const std::optional<PathErrors>& truth) {
  IdentifyOutput output;
  Result& result = output.result;
  result.verb = "identify";
  result.scenario = set.file.filename().string();
  set_metrics(set, found, truth, result.metrics);
  judge_prediction(result, "holdout_rms_m", "cad_holdout_rms_m");
  result.provenance = {.version = version(), .commit = commit(), .seed = static_cast<std::int64_t>(options.seed)};
  output.log = make_log(set, found);
  ReportPage& page = output.page;
  page.title = fmt::format("Identification of {}", cad.name());
  page.about = fmt::format("The mass distribution of {} from {} postures at rest and contact forces ({}).", cad.name(),
                           set.postures.size(), set.file.filename().string());
  page.notes = notes_of(set, found, truth);
  page.tables = {score_table(found), bias_table(sensor_biases(cad, set, found, options)), link_table(cad, found),
                 base_parameter_table(found), sensor_table(cad, &found)};
  add_plots(found, page);
  return output;
}

IdentifyOutput describe(const RobotModel& cad, const PostureSet& set, const MovingFit& fit) {
  IdentifyOutput output;
  Result& result = output.result;
  result.verb = "identify";
  result.scenario = set.file.filename().string();
  double mass = 0.0;
  for (std::size_t slot = 0; slot < fit.columns.bodies.size(); ++slot) {
    mass += fit.estimate.phi[fit.columns.first(slot)];
  }
  result.metrics.set("wrench_holdout_rms_n", fit.wrench_rms);
  result.metrics.set("cad_wrench_holdout_rms_n", fit.cad_wrench_rms);
  result.metrics.set("torque_residual_rms_nm", fit.friction.empty() ? MetricValue{} : MetricValue(fit.torque_rms));
  result.metrics.set("rank", std::int64_t{fit.plain.rank});
  result.metrics.set("parameters", std::int64_t{fit.columns.size()});
  result.metrics.set("infeasible_links", std::int64_t{fit.num_infeasible});
  result.metrics.set("identified_mass_kg", mass);
  result.metrics.set("prior_weight", fit.choice.weight);
  result.metrics.set("postures", static_cast<std::int64_t>(set.postures.size()));
  judge_prediction(result, "wrench_holdout_rms_n", "cad_wrench_holdout_rms_n");
  result.provenance = {.version = version(), .commit = commit(), .seed = 1};
  output.page.title = fmt::format("Identification of {}", cad.name());
  output.page.about = fmt::format("The full dynamic model of {} from {} instants of a motion ({}).", cad.name(),
                                  set.postures.size(), set.file.filename().string());
  output.page.notes = {
      "Inertias are identified from the net contact wrench, which depends on neither joint torques nor friction; "
      "friction from the joint torques.",
      "Scores are on contiguous blocks of time that were not used for the estimate."};
  if (fit.friction.empty()) {
    output.page.notes.push_back(
        "Friction was not estimated: it needs joint torques and the whole wrench of each contact.");
  }
  output.page.notes.push_back(
      fmt::format("{} of {} parameter combinations are identifiable from this motion and these sensors.",
                  fit.plain.rank, fit.columns.size()));
  output.page.tables = {friction_table(cad, fit), inertia_table(cad, fit), base_table(fit), sensor_table(cad, nullptr)};
  return output;
}

PageTable found_bias_table(const std::vector<FoundBias>& biases) {
  PageTable table{.title = "Constant sensor errors, estimated and subtracted",
                  .about = "Reading minus true value, with one standard deviation.",
                  .header = {"error", "estimate", "+-", "unit"},
                  .is_detail = true};
  for (const FoundBias& bias : biases) {
    table.rows.push_back(
        {bias.name, fmt::format("{:.3f}", bias.value), fmt::format("{:.3f}", bias.deviation), bias.unit});
  }
  return table;
}

PageTable next_posture_table(const RobotModel& cad, const PostureSet& set, const Identification& found,
                             const IdentifyOptions& options, int count) {
  const RobotModel estimated = with_body_inertias(cad, found.body_inertias);
  const std::vector<RobotState> states = candidate_postures(estimated, set, found, kCandidates, kMargin, options.seed);
  const StaticProblem problem =
      make_problem(cad, found, hypothetical_measurements(states, estimated, set.sensors), options.noise);
  const Eigen::VectorXd& phi = found.estimate.phi;
  const std::vector<std::size_t> all = all_but(states.size(), {});
  const Eigen::MatrixXd known = normal_equations(found.problem, all_but(found.problem.rows.size(), {})).AtA;
  const auto deviation = [&](const std::vector<std::size_t>& added) {
    return 1e3 * mean_com_deviation(problem, phi, added, all, known);
  };
  const auto chosen = choose_postures(problem, count, Optimality::i, phi, known);
  PageTable table{.title = fmt::format("{} postures to measure next", count), .is_detail = true};
  table.about = fmt::format(
      "I-optimal postures. Without the prior the CoM's mean standard deviation over postures of these ranges is "
      "{:.2f} mm; {} more postures leave {:.2f} mm (I-optimal), {:.2f} mm (D-optimal) or {:.2f} mm (random).",
      deviation({}), count, deviation(chosen), deviation(choose_postures(problem, count, Optimality::d, phi, known)),
      1e3 * random_deviation(problem, phi, count, all, known));
  table.header = {"next"};
  std::vector<int> shown;
  for (int joint = 0; joint < cad.num_joints(); ++joint) {
    const auto [low, high] =
        std::ranges::minmax_element(states, {}, [&](const RobotState& state) { return state.q[7 + joint]; });
    if (high->q[7 + joint] - low->q[7 + joint] > 0.05) shown.push_back(joint);
  }
  for (int joint : shown) table.header.push_back(cad.joints()[static_cast<std::size_t>(joint)].name);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    table.rows.push_back({fmt::format("{}", i + 1)});
    for (int joint : shown) table.rows.back().push_back(fmt::format("{:.3f}", states[chosen[i]].q[7 + joint]));
  }
  return table;
}

}  // namespace aplomb

#include "aplomb/present/identify_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aplomb/core/version.hpp"
#include "aplomb/identify/uncertainty.hpp"
#include "aplomb/present/identify_tables.hpp"

namespace aplomb {
namespace {

constexpr double kMuchVariance = 4.0;  // of the residuals, where 1 was stated
constexpr double kWorsePrior = 1.5;    // times the error of plain least squares

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

/// One row a posture. The CoM's deviation is from plain least squares: what the data alone say.
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
       .about = "Each prediction is from an estimate that has not seen the posture (10-fold). At rest CoM and CoP are "
                "above each other. The figure of Mistry et al. 2010, with the CAD beside it.",
       .y_label = "forward [m]",
       .x_column = "index",
       .series = {{.column = "cop_x_m", .label = "measured CoP", .is_reference = true},
                  {.column = "com_x_m", .label = "CoM, identified"},
                  {.column = "com_x_cad_m", .label = "CoM, CAD"}}});
  page.line_plots.push_back({.title = "Standard deviation of the predicted CoM over postures",
                             .about = "By the data alone, without the prior.",
                             .y_label = "deviation [m]",
                             .x_column = "index",
                             .series = {{.column = "com_x_deviation_m", .label = "forward CoM"}}});
  if (found.problem.num_coordinates() < 2) return;
  page.line_plots.push_back({.title = "Predicted CoM and measured CoP over postures, lateral",
                             .about = "As above.",
                             .y_label = "to the left [m]",
                             .x_column = "index",
                             .series = {{.column = "cop_y_m", .label = "measured CoP", .is_reference = true},
                                        {.column = "com_y_m", .label = "CoM, identified"},
                                        {.column = "com_y_cad_m", .label = "CoM, CAD"}}});
}

std::string warning_of_residuals(const PostureSet& set, const Identification& found) {
  const bool is_averaged =
      std::ranges::any_of(set.postures, [](const Posture& posture) { return posture.num_samples > 1; });
  return fmt::format(
      "WARNING: the residuals are {:.1f} times the stated noise. No mass distribution explains this file: look at the "
      "CoP's axes and signs, the base's orientation, the robot, and the noise options{}.",
      std::sqrt(found.plain.variance),
      is_averaged ? " (of one sample; what the samples of a posture have in common does not average out)" : "");
}

std::vector<std::string> notes_of(const PostureSet& set, const Identification& found,
                                  const std::optional<PathErrors>& truth) {
  std::vector<std::string> notes = set.notes;
  notes.push_back(fmt::format("{} model{}: {} of {} parameter combinations are seen by these postures and sensors.",
                              found.model, found.why_model.empty() ? "" : fmt::format(" ({})", found.why_model),
                              found.plain.rank, found.problem.num_parameters()));
  notes.push_back(fmt::format(
      "Prior weight {:.3g}{}; residual variance {:.2f} (1: the noise was stated rightly).", found.estimate.prior_weight,
      found.choice.weights.empty() ? ", as given" : ", by cross-validation over postures", found.plain.variance));
  if (found.plain.variance > kMuchVariance) notes.push_back(warning_of_residuals(set, found));
  if (found.folds.identified.forward > kWorsePrior * found.folds.least_squares.forward) {
    notes.push_back(
        fmt::format("WARNING: the prior to the CAD outweighs the data: {:.1f} mm (10-fold) with it, {:.1f} mm without. "
                    "State a smaller noise, or a smaller --prior-weight.",
                    1e3 * found.folds.identified.forward, 1e3 * found.folds.least_squares.forward));
  }
  for (const std::string& dropped : set.dropped) notes.push_back("Dropped: " + dropped + ".");
  if (truth) {
    notes.push_back(
        fmt::format("In simulation the truth is known: along the stand-up path the CoM is off by {:.2f} mm (CAD {:.1f} "
                    "mm, plain least "
                    "squares {:.2f} mm) and by {:.1f} mm in height, which postures at rest hardly show.",
                    1e3 * truth->identified, 1e3 * truth->cad, 1e3 * truth->least_squares, 1e3 * truth->height));
  }
  return notes;
}

}  // namespace

PathErrors path_errors(const RobotModel& truth, const RobotModel& cad, const Identification& found,
                       const std::vector<RobotState>& path) {
  const RobotModel identified = with_body_inertias(cad, found.body_inertias);
  RobotTerms true_terms(truth, {}), identified_terms(identified, {}), cad_terms(cad, {});
  BodyMotions motions(cad);
  PathErrors sums;
  for (const RobotState& state : path) {
    for (RobotTerms* terms : {&true_terms, &identified_terms, &cad_terms}) terms->update(state);
    motions.place(state.q);
    // Joints outside of the plane move along the path too: what they move is the CAD's, as in the corrected robot.
    const Eigen::MatrixXd moments = moments_at(found, motions);
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
  result.checks.push_back(
      judge({.metric = "infeasible_links", .rule = Check::Rule::equals, .bound = std::int64_t{0}}, result.metrics));
  result.provenance = {.version = version(), .commit = commit(), .seed = static_cast<std::int64_t>(options.seed)};
  output.log = make_log(set, found);
  ReportPage& page = output.page;
  page.title = fmt::format("Identification of {}", cad.name());
  page.about = fmt::format("The mass distribution of {} from {} postures at rest and contact forces ({}).", cad.name(),
                           set.postures.size(), set.file.filename().string());
  page.notes = notes_of(set, found, truth);
  page.tables = {score_table(found), bias_table(sensor_biases(cad, set, found, options)), link_table(cad, found),
                 base_parameter_table(found), sensor_table(cad, found.sagittal.get())};
  add_plots(found, page);
  return output;
}

}  // namespace aplomb

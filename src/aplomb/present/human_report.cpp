#include "aplomb/present/human_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "aplomb/core/version.hpp"
#include "aplomb/human/phases/rise_table.hpp"
#include "aplomb/human/trial_checks.hpp"

namespace aplomb {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

void set_metrics(const TrialAnalysis& analysis, Metrics& metrics) {
  const PlateJudgement& judgement = analysis.judgement;
  metrics.set("marker_rms_m", analysis.errors.rms_m);
  metrics.set("marker_p95_frame_m", analysis.errors.p95_frame_m);
  metrics.set("marker_worst_m", analysis.errors.worst_m);
  const auto figure = [&](auto get) {
    return judgement.adjustment ? MetricValue(get(*judgement.adjustment)) : MetricValue{};
  };
  metrics.set("cop_x_rms_m", figure([](const MassAdjustment& adjustment) { return adjustment.after.cop_x.rms; }));
  metrics.set("cop_y_rms_m", figure([](const MassAdjustment& adjustment) { return adjustment.after.cop_y.rms; }));
  metrics.set("cop_x_rms_before_m",
              figure([](const MassAdjustment& adjustment) { return adjustment.before.cop_x.rms; }));
  metrics.set("cop_offset_before_m",
              figure([](const MassAdjustment& adjustment) { return adjustment.mean_body_offset; }));
  metrics.set("plate_shift_deviations", judgement.adjustment && judgement.adjustment->plate_shift
                                            ? MetricValue(judgement.adjustment->plate_shift->deviations)
                                            : MetricValue{});
  metrics.set("cop_x_holdout_rms_m",
              figure([](const MassAdjustment& adjustment) { return adjustment.judged_after.cop_x.rms; }));
  metrics.set("cop_y_holdout_rms_m",
              figure([](const MassAdjustment& adjustment) { return adjustment.judged_after.cop_y.rms; }));
  metrics.set("force_x_rms_n", figure([](const MassAdjustment& adjustment) { return adjustment.after.force_x.rms; }));
  metrics.set("force_z_rms_n", figure([](const MassAdjustment& adjustment) { return adjustment.after.force_z.rms; }));
  const auto or_null = [](const std::optional<double>& value) { return value ? MetricValue(*value) : MetricValue{}; };
  metrics.set("force_z_unexplained_ratio",
              judgement.adjustment ? or_null(judgement.adjustment->judged_after.force_z_unexplained) : MetricValue{});
  metrics.set("mass_from_plates_kg", judgement.mass ? MetricValue(judgement.mass->mass) : MetricValue{});
  metrics.set("mass_disagreement_ratio", or_null(judgement.mass_disagreement));
  metrics.set("plates_carry_body", judgement.has_plates ? MetricValue(judgement.plates_carry_body) : MetricValue{});
  metrics.set("plate_coverage_ratio", judgement.has_plates ? MetricValue(judgement.coverage) : MetricValue{});
  metrics.set("marker_distance_change_m",
              analysis.distances ? MetricValue(analysis.distances->upper_quartile_m) : MetricValue{});
  metrics.set("outlying_samples", static_cast<std::int64_t>(analysis.outliers.num_samples()));
  metrics.set("outlying_frames", static_cast<std::int64_t>(analysis.outliers.num_frames()));
  metrics.set("marker_cuts", static_cast<std::int64_t>(analysis.cuts_s.size()));
  std::vector<double> off, on, hands;
  for (const Rise& rise : judgement.rises.rises) {
    if (rise.seat_off_s) off.push_back(*rise.seat_off_s);
    if (rise.seat_on_s) on.push_back(*rise.seat_on_s);
    if (rise.hands.any())
      hands.push_back(std::max(rise.hands.off_s[0].value_or(0.0), rise.hands.off_s[1].value_or(0.0)));
  }
  metrics.set("rises", static_cast<std::int64_t>(off.size()));
  metrics.set("five_times_sit_to_stand_s", or_null(five_times_sit_to_stand_s(rise_table(analysis))));
  metrics.set("seat_off_times_s", off);
  metrics.set("seat_on_times_s", on);
  metrics.set("hands_off_times_s", hands);
  metrics.set("body_height_m", analysis.subject.skeleton.height());
  metrics.set("label_faults", static_cast<std::int64_t>(analysis.faults.size()));
  std::vector<double> uncertainty;
  for (const int axis : {0, 1, 2}) {
    uncertainty.push_back(std::sqrt(judgement.uncertainty.com.row(axis).array().square().mean()));
  }
  metrics.set("com_uncertainty_m", uncertainty);
  metrics.set("cop_within_two_deviations_ratio",
              figure([](const MassAdjustment& adjustment) { return adjustment.judged_within_two_deviations; }));
  const auto reaction = [&](double ReactionAgreement::*figure_of) {
    return judgement.reaction_agreement ? MetricValue((*judgement.reaction_agreement).*figure_of) : MetricValue{};
  };
  metrics.set("feet_force_error_ratio", reaction(&ReactionAgreement::feet_force));
  // One plate under both feet does not tell their shares.
  const bool has_shares = !judgement.forces.has(PlateLoad::both_feet);
  metrics.set("foot_force_error_ratio", has_shares ? reaction(&ReactionAgreement::foot_force) : MetricValue{});
  metrics.set("feet_cop_error_m", reaction(&ReactionAgreement::feet_cop));
  const bool has_seat = !judgement.motion_rises.rises.empty();
  metrics.set("seat_share_error_ratio", has_seat ? reaction(&ReactionAgreement::seat_share) : MetricValue{});
  metrics.set("skin_cutoff_hz", judgement.body.skin_cutoff_hz);
  metrics.set("plate_lag_s", judgement.forces.plates.empty() ? MetricValue{} : MetricValue(judgement.forces.lag_s));
}

/// Log with one row per frame; measured CoP and force only while the plates carry the whole body.
Log make_log(const TrialAnalysis& analysis) {
  Log log({"time_s",
           "com_x_m",
           "com_y_m",
           "com_z_m",
           "com_velocity_x_m_per_s",
           "com_velocity_y_m_per_s",
           "com_velocity_z_m_per_s",
           "angular_momentum_x_kg_m2_per_s",
           "angular_momentum_y_kg_m2_per_s",
           "angular_momentum_z_kg_m2_per_s",
           "cop_x_m",
           "cop_y_m",
           "force_x_n",
           "force_y_n",
           "force_z_n",
           "cop_x_plates_m",
           "cop_y_plates_m",
           "force_x_plates_n",
           "force_y_plates_n",
           "force_z_plates_n",
           "plates_see_all",
           "marker_rms_m",
           "com_uncertainty_x_m",
           "com_uncertainty_y_m",
           "com_uncertainty_z_m",
           "cop_uncertainty_x_m",
           "cop_uncertainty_y_m"});
  const PlateJudgement& judgement = analysis.judgement;
  const CentroidalMotion& body = judgement.body;
  const double height = judgement.forces.plane_height;
  std::vector<char> complete(static_cast<std::size_t>(body.num_frames()), 0);
  for (const FrameRange& window : judgement.windows) {
    for (Eigen::Index frame = window.first; frame <= window.last; ++frame)
      complete[static_cast<std::size_t>(frame)] = 1;
  }
  log.reserve(complete.size());
  // Within one period of the cut-off from either end the filter has no samples on one side, and the accelerations that
  // the CoP follows from are extrapolated: no value there.
  const auto end = static_cast<Eigen::Index>(std::ceil(analysis.fit.motion.rate_hz / analysis.cutoff_hz));
  for (Eigen::Index frame = 0; frame < body.num_frames(); ++frame) {
    const bool is_complete = complete[static_cast<std::size_t>(frame)] != 0;
    std::vector<double> row = {body.time_s(frame)};
    const auto add = [&](const auto& values) { row.insert(row.end(), values.begin(), values.end()); };
    add(Eigen::Vector3d(body.com.col(frame)));
    add(Eigen::Vector3d(body.com_velocity.col(frame)));
    add(Eigen::Vector3d(body.angular_momentum.col(frame)));
    // Before seat-off the seat is loaded too: the computed CoP is then that of all contacts together.
    const bool is_inside = frame >= end && frame < body.num_frames() - end;
    add(is_inside ? Eigen::Vector2d(body.cop(frame, height)) : Eigen::Vector2d(kNan, kNan));
    add(Eigen::Vector3d(body.force.col(frame)));
    if (is_complete) {
      const Wrench wrench = judgement.forces.sum(frame);
      add(centre_of_pressure(wrench, height));
      add(wrench.force);
    } else {
      row.insert(row.end(), 5, kNan);
    }
    row.push_back(is_complete ? 1.0 : 0.0);
    row.push_back(analysis.errors.frames_m[static_cast<std::size_t>(frame)]);
    add(Eigen::Vector3d(judgement.uncertainty.com.col(frame)));
    add(Eigen::Vector2d(judgement.uncertainty.cop.col(frame)));
    log.append(row);
  }
  return log;
}

void add_plots(const TrialAnalysis& analysis, ReportPage& page) {
  const bool has_plates = !analysis.judgement.windows.empty();
  std::string filter = fmt::format("Motion and plates low-passed at {:g} Hz (zero phase).", analysis.cutoff_hz);
  const double own_hz = analysis.judgement.body.own_cutoff_hz, skin_hz = analysis.judgement.body.skin_cutoff_hz;
  if (own_hz < analysis.cutoff_hz) {
    filter =
        fmt::format("Plates low-passed at {:g} Hz, the motion at {:.1f} Hz (zero phase): above that it is noise only.",
                    analysis.cutoff_hz, own_hz);
  }
  if (skin_hz < own_hz) {
    filter += fmt::format(" Horizontal CoM and angular momentum at {:.1f} Hz: above that the skin moves, not the mass.",
                          skin_hz);
  }
  const auto pair = [&](const std::string& name, const std::string& unit) {
    std::vector<PlotSeries> series = {{name + "_" + unit, "from the motion", false}};
    if (has_plates) series.push_back({name + "_plates_" + unit, "plates", true});
    return series;
  };
  page.line_plots.push_back({.title = "CoP, forward",
                             .about = filter + " Measured values only where the plates carry the whole body.",
                             .y_label = "CoP x [m]",
                             .series = pair("cop_x", "m")});
  page.line_plots.push_back({.title = "CoP, sideways", .y_label = "CoP y [m]", .series = pair("cop_y", "m")});
  page.line_plots.push_back({.title = "Vertical force", .y_label = "force z [N]", .series = pair("force_z", "n")});
  page.line_plots.push_back({.title = "Forward force", .y_label = "force x [N]", .series = pair("force_x", "n")});
  page.line_plots.push_back(
      {.title = "Centre of mass",
       .y_label = "CoM [m]",
       .series = {{"com_x_m", "forward", false}, {"com_y_m", "left", false}, {"com_z_m", "up", false}}});
  page.line_plots.push_back(
      {.title = "Marker error", .y_label = "RMS over markers [m]", .series = {{"marker_rms_m", "frame", false}}});
  page.plane_plots.push_back({.title = "CoM in the sagittal plane",
                              .about = "Forward and up, over the whole trial.",
                              .x_label = "CoM x [m]",
                              .y_label = "CoM z [m]",
                              .x_column = "com_x_m",
                              .y_column = "com_z_m"});
  for (const Rise& rise : analysis.judgement.rises.rises) {
    if (!rise.seat_off_s) continue;
    const CentroidalMotion& body = analysis.judgement.body;
    const auto frame = static_cast<Eigen::Index>(std::lround((*rise.seat_off_s - body.start_s) * body.rate_hz));
    if (frame < 0 || frame >= body.num_frames()) continue;
    page.plane_plots.back().points.push_back({body.com(0, frame), body.com(2, frame), "seat-off"});
  }
}

std::string millimetres(double metres) { return fmt::format("{:.1f}", 1e3 * metres); }

std::vector<std::string> cop_row(const std::string& name, const PlateAgreement& agreement) {
  const auto three = [](const ErrorFigures& one) {
    return fmt::format("{} / {} / {}", millimetres(one.rms), millimetres(one.p95), millimetres(one.max));
  };
  return {name,
          three(agreement.cop_x),
          three(agreement.cop_y),
          fmt::format("{:.1f}", agreement.force_x.rms),
          fmt::format("{:.1f}", agreement.force_z.rms),
          fmt::format("{}", agreement.num_frames)};
}

std::string time_text(const std::optional<double>& time) { return time ? fmt::format("{:.2f}", *time) : "-"; }

PageTable plates_table(const MassAdjustment& adjustment) {
  PageTable table{
      .title = "Predicted and measured ground reaction force",
      .about =
          "CoP: root mean square / 95th percentile / largest, in mm; forces: root mean square, in N. "
          "The masses were adjusted on the fitted windows and validated on the others.",
      .header = {"", "CoP forward [mm]", "CoP sideways [mm]", "force forward [N]", "force up [N]", "frames"}};
  table.rows.push_back(cop_row("mean body, all windows", adjustment.before));
  table.rows.push_back(cop_row("adjusted, all windows", adjustment.after));
  table.rows.push_back(cop_row("mean body, validation windows", adjustment.judged_before));
  table.rows.push_back(cop_row("adjusted, validation windows", adjustment.judged_after));
  return table;
}

PageTable rises_table(const PlateJudgement& judgement) {
  PageTable table{
      .title = "Rises from the seat",
      .about = fmt::format("Detected from the {}: {}. For comparison, from the motion alone.",
                           seat_evidence_name(judgement.rises.evidence), seat_off_definition(judgement.rises.evidence)),
      .header = {"rise", "seat-off [s]", "seat-on [s]", "seat-off, motion [s]", "seat-on, motion [s]",
                 "left hand leaves arm rest [s]", "right hand leaves arm rest [s]"}};
  const auto& rises = judgement.rises.rises;
  const auto& moved = judgement.motion_rises.rises;
  for (std::size_t i = 0; i < rises.size(); ++i) {
    const bool has_motion = moved.size() == rises.size();
    table.rows.push_back({fmt::format("{}", i + 1), time_text(rises[i].seat_off_s), time_text(rises[i].seat_on_s),
                          has_motion ? time_text(moved[i].seat_off_s) : "-",
                          has_motion ? time_text(moved[i].seat_on_s) : "-", time_text(rises[i].hands.off_s[0]),
                          time_text(rises[i].hands.off_s[1])});
  }
  return table;
}

std::string number_text(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "-";
}

/// The figures of rises.csv that are read first.
PageTable rise_figures_table(const TrialAnalysis& analysis) {
  struct Shown {
    const char *column, *title;
    int digits;
  };
  constexpr Shown kShown[] = {{"leaning_time_s", "leaning [s]", 2},
                              {"rising_time_s", "rising [s]", 2},
                              {"sitting_down_time_s", "sitting down [s]", 2},
                              {"com_speed_forward_peak_m_per_s", "CoM forward [m/s]", 2},
                              {"com_speed_up_peak_m_per_s", "CoM up [m/s]", 2},
                              {"left_force_ratio", "left foot's part", 2},
                              {"seat_share_peak_ratio", "seat's share", 2},
                              {"left_knee_flexion_moment_peak_nm_per_kg", "left knee [N m/kg]", 2},
                              {"right_knee_flexion_moment_peak_nm_per_kg", "right knee [N m/kg]", 2},
                              {"left_hip_flexion_moment_peak_nm_per_kg", "left hip [N m/kg]", 2},
                              {"right_hip_flexion_moment_peak_nm_per_kg", "right hip [N m/kg]", 2},
                              {"left_knee_flexion_power_peak_w_per_kg", "left knee [W/kg]", 1},
                              {"right_knee_flexion_power_peak_w_per_kg", "right knee [W/kg]", 1}};
  const Log rises = rise_table(analysis);
  PageTable table{.title = "Figures of each rise",
                  .about = fmt::format("More of them are in rises.csv. Peak moments and powers of the joints over body "
                                       "mass, with their signs (extension is negative), from {}.",
                                       analysis.judgement.moments.are_measured ? "the plates" : "the motion alone"),
                  .header = {"rise"},
                  .is_detail = true};
  for (const Shown& one : kShown) table.header.emplace_back(one.title);
  for (std::size_t i = 0; i < rises.num_rows(); ++i) {
    std::vector<std::string> row{fmt::format("{}", i + 1)};
    for (const Shown& one : kShown) row.push_back(number_text(rises.at(i, rises.index(one.column)), one.digits));
    table.rows.push_back(std::move(row));
  }
  return table;
}

PageTable marker_table(const MarkerErrors& errors) {
  PageTable table{.title = "Error by marker",
                  .about = "Distance between measured and model marker; the largest RMS first.",
                  .header = {"marker", "segment", "RMS [mm]", "largest [mm]", "frames seen"},
                  .is_detail = true};
  std::vector<MarkerErrors::One> sorted = errors.markers;
  std::ranges::sort(sorted, [](const auto& a, const auto& b) { return a.rms_m > b.rms_m; });
  for (const MarkerErrors::One& one : sorted) {
    table.rows.push_back(
        {one.label, one.segment, millimetres(one.rms_m), millimetres(one.max_m), fmt::format("{}", one.frames)});
  }
  return table;
}

PageTable fault_table(const TrialAnalysis& analysis) {
  PageTable table{
      .title = "Label faults",
      .about =
          "Swapped labels, and markers more than 6 cm from their place on the model. Both have little weight "
          "in the fit.",
      .header = {"fault", "label", "with", "frames", "time [s]", "largest [mm]"}};
  const HumanMotion& motion = analysis.fit.motion;
  for (const LabelFault& fault : analysis.faults) {
    table.rows.push_back({fault.other.empty() ? "displaced" : "swapped", fault.label,
                          fault.other.empty() ? "-" : fault.other,
                          fmt::format("{} to {}", fault.first_frame + 1, fault.last_frame + 1),
                          fmt::format("{:.2f} to {:.2f}", motion.time_s(static_cast<Eigen::Index>(fault.first_frame)),
                                      motion.time_s(static_cast<Eigen::Index>(fault.last_frame))),
                          millimetres(fault.distance_m)});
  }
  return table;
}

PageTable size_table(const Skeleton& skeleton) {
  PageTable table{
      .title = "Size and mass of the segments",
      .about =
          "Distance of a segment's joint from its parent's joint, and the segment's mass. Left and right have "
          "the same size.",
      .header = {"segment", "distance to parent joint [mm]", "mass [kg]"},
      .is_detail = true};
  for (const Segment& segment : skeleton.segments) {
    if (segment.name.starts_with("right_")) continue;
    table.rows.push_back(
        {segment.name, millimetres(segment.joint.norm()), fmt::format("{:.2f}", segment.inertia.mass)});
  }
  return table;
}

PageTable unknown_table(const std::vector<UnknownLabel>& unknown) {
  PageTable table{.title = "Labels that no marker set explains",
                  .about =
                      "Each is attached to the segment on which it moves least, if it moves less than 3 cm there and "
                      "less than 0.8 of its motion on the next best segment.",
                  .header = {"label", "segment", "motion on it [mm]", "next best", "motion on it [mm]", "used"}};
  for (const UnknownLabel& one : unknown) {
    if (one.segment.empty()) {
      table.rows.push_back({one.label, "-", "-", "-", "-", "no: too few frames"});
    } else {
      table.rows.push_back({one.label, one.segment, millimetres(one.deviation_m), one.second_segment,
                            millimetres(one.second_deviation_m), one.is_attached ? "yes" : "no"});
    }
  }
  return table;
}

/// Names of `segments` and of all beyond them.
std::vector<std::string> with_descendants(const std::vector<std::string>& segments, const Skeleton& skeleton) {
  std::vector<std::string> names;
  std::vector<char> is_in(skeleton.segments.size(), 0);
  for (std::size_t k = 0; k < is_in.size(); ++k) {
    const Segment& segment = skeleton.segments[k];
    const bool is_named = std::ranges::find(segments, segment.name) != segments.end();
    is_in[k] = is_named || (k > 0 && is_in[static_cast<std::size_t>(segment.parent)] != 0) ? 1 : 0;
    if (is_in[k] != 0) names.push_back(segment.name);
  }
  return names;
}

void add_notes(const TrialAnalysis& analysis, const SubjectOutcome* built, ReportPage& page) {
  page.notes.push_back(analysis.judgement.verdict.text);
  for (const std::string& warning : analysis.judgement.warnings) page.notes.push_back(warning);
  if (built != nullptr) {
    for (const std::string& note : built->scaling.notes) page.notes.push_back(note);
    if (!built->match.computed.empty()) {
      page.notes.push_back(fmt::format("computed points are not fitted: {}", fmt::join(built->match.computed, ", ")));
    }
  }
  if (analysis.distances && !analysis.distances->is_same_person()) {
    const DistanceChange& change = *analysis.distances;
    page.notes.push_back(fmt::format(
        "a quarter of the {} distances between markers of one segment differ by more than {} mm from those of the {} "
        "({} and {}: {} mm): it is of another person",
        change.num_pairs, millimetres(change.upper_quartile_m), built != nullptr ? "static trial" : "given model",
        change.worst.first, change.worst.second, millimetres(change.worst_m)));
  }
  for (const double time : analysis.cuts_s) {
    page.notes.push_back(fmt::format("most markers jump at {:.2f} s and stay away: the recording is cut there", time));
  }
  if (!analysis.outlier_lines.empty()) {
    constexpr std::size_t kListed = 10;
    const std::size_t listed = std::min(kListed, analysis.outlier_lines.size());
    page.notes.push_back(fmt::format(
        "{} outlying samples in {} frames are left out: {}{}", analysis.outliers.num_samples(),
        analysis.outliers.num_frames(),
        fmt::join(analysis.outlier_lines.begin(), analysis.outlier_lines.begin() + static_cast<std::ptrdiff_t>(listed),
                  "; "),
        listed < analysis.outlier_lines.size() ? fmt::format("; and {} more", analysis.outlier_lines.size() - listed)
                                               : ""));
  }
  if (!analysis.missing.empty()) {
    page.notes.push_back(
        fmt::format("markers of the subject that this recording lacks: {}", fmt::join(analysis.missing, ", ")));
  }
  if (!analysis.unseen.empty()) {
    const Eigen::Vector3d rms = analysis.judgement.uncertainty.com.array().square().rowwise().mean().sqrt();
    page.notes.push_back(
        fmt::format("no marker sees {}: kept neutral; the CoM's standard deviation is {} / {} / {} mm (x / y / z)",
                    fmt::join(with_descendants(analysis.unseen, analysis.subject.skeleton), ", "), millimetres(rms.x()),
                    millimetres(rms.y()), millimetres(rms.z())));
  }
  if (analysis.fit.unseen_frames > 0) {
    page.notes.push_back(fmt::format("{} frames have fewer than three markers: the previous posture is kept",
                                     analysis.fit.unseen_frames));
  }
}

}  // namespace

HumanOutput describe(const TrialAnalysis& analysis, const SubjectOutcome* built) {
  HumanOutput output;
  output.result.verb = "human";
  output.result.scenario = analysis.name;
  output.result.provenance.version = version();
  output.result.provenance.commit = commit();
  set_metrics(analysis, output.result.metrics);
  for (const Check& check : trial_checks(analysis)) output.result.checks.push_back(judge(check, output.result.metrics));
  output.log = make_log(analysis);
  output.page.title = analysis.name;
  output.page.about = fmt::format(
      "Centre of mass of a body of {:.2f} m and {:.1f} kg, from {} markers and a skeleton with {} degrees of freedom.",
      analysis.subject.skeleton.height(), analysis.subject.skeleton.mass, analysis.errors.markers.size(),
      analysis.subject.skeleton.num_coordinates());
  add_notes(analysis, built, output.page);
  if (analysis.judgement.adjustment) output.page.tables.push_back(plates_table(*analysis.judgement.adjustment));
  if (!analysis.judgement.rises.rises.empty()) {
    output.page.tables.push_back(rises_table(analysis.judgement));
    output.page.tables.push_back(rise_figures_table(analysis));
  }
  if (!analysis.faults.empty()) output.page.tables.push_back(fault_table(analysis));
  if (built != nullptr && !built->unknown.empty()) output.page.tables.push_back(unknown_table(built->unknown));
  output.page.tables.push_back(marker_table(analysis.errors));
  output.page.tables.push_back(size_table(analysis.subject.skeleton));
  add_plots(analysis, output.page);
  return output;
}

}  // namespace aplomb

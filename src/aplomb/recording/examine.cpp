#include "aplomb/recording/examine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "aplomb/recording/checks/force_checks.hpp"
#include "aplomb/recording/checks/marker_checks.hpp"

namespace aplomb {
namespace {

PlateReport report_of(const ForcePlate& plate) {
  PlateReport report;
  std::size_t num_loaded = 0;
  double sum = 0.0;
  for (std::size_t i = 0; i < plate.num_samples(); ++i) {
    const PlateSample sample = plate.sample(i);
    if (!sample.is_loaded) continue;
    ++num_loaded;
    sum += sample.force.z();
    report.peak_n = std::max(report.peak_n, sample.force.z());
  }
  if (num_loaded == 0) return report;
  report.loaded_ratio = static_cast<double>(num_loaded) / static_cast<double>(plate.num_samples());
  report.mean_loaded_n = sum / static_cast<double>(num_loaded);
  report.cop_inside_ratio = cop_inside_ratio(plate);
  return report;
}

/// The subject's mass from the parameters in which C3D writers store it; none when there is none.
std::optional<double> stated_mass(const Recording& recording) {
  if (!recording.c3d) return std::nullopt;
  const std::pair<const char*, const char*> places[] = {{"SUBJECT", "WEIGHT"},
                                                        {"SUBJECTS", "WEIGHT"},
                                                        {"PROCESSING", "BODYMASS"},
                                                        {"SUBJECTS", "MASS"},
                                                        {"SUBJECT", "MASS"}};
  for (const auto& [group, name] : places) {
    const auto mass = recording.c3d->parameters.number(group, name);
    if (mass && *mass > 5.0 && *mass < 500.0) return mass;
  }
  return std::nullopt;
}

void warn_about_markers(const Points& points, Examination& result) {
  std::size_t num_jumps = 0, num_jumping = 0;
  for (const MarkerReport& marker : result.markers.markers) {
    num_jumps += marker.num_jumps;
    num_jumping += marker.num_jumps > 0 ? 1 : 0;
  }
  if (num_jumps > 0) {
    result.warnings.push_back(fmt::format("{} of {} markers jump, {} times in all (the table has the frames)",
                                          num_jumping, result.markers.markers.size(), num_jumps));
  }
  for (const std::string& line : outlier_lines(points, result.outliers)) {
    result.warnings.push_back(line + ": `aplomb human` leaves these samples out");
  }
  for (const std::size_t frame : result.outliers.cuts) {
    result.warnings.push_back(fmt::format("frame {} ({:.3f} s): most markers jump and stay away: is the recording cut?",
                                          points.first_frame + static_cast<std::int64_t>(frame), points.time_s(frame)));
  }
  for (const SuspectedSwap& swap : result.markers.swaps) {
    result.warnings.push_back(fmt::format(
        "markers {} and {} seem to be exchanged from frame {} ({:.3f} s) on", points.labels[swap.a],
        points.labels[swap.b], points.first_frame + static_cast<std::int64_t>(swap.frame), points.time_s(swap.frame)));
  }
  for (const SuspectedLabel& fault : result.markers.labels) {
    const auto number = [&](std::ptrdiff_t frame) { return points.first_frame + frame; };
    const std::string where =
        fault.frames.first == fault.frames.last
            ? fmt::format("frame {}", number(fault.frames.first))
            : fmt::format("frames {} ... {}", number(fault.frames.first), number(fault.frames.last));
    result.warnings.push_back(fmt::format("{}: {} and {} are {:.0f} mm apart, elsewhere {:.0f} mm: is a label wrong?",
                                          where, points.labels[fault.a], points.labels[fault.b], 1e3 * fault.found_m,
                                          1e3 * fault.usual_m));
  }
}

/// Warns of a prefix that all labels share ("subject:LASI"), and of a stray "T10-1" beside "T10", as left by a second
/// reconstruction.
void warn_about_names(const Points& points, Examination& result) {
  const std::string prefix = points.labels.front().substr(0, points.labels.front().find(':') + 1);
  const auto has_prefix = [&](const std::string& label) { return label.starts_with(prefix); };
  if (!prefix.empty() && std::ranges::all_of(points.labels, has_prefix)) {
    result.warnings.push_back(fmt::format("every label begins with '{}', the subject's name", prefix));
  }
  const std::set<std::string> names(points.labels.begin(), points.labels.end());
  for (const std::string& label : points.labels) {
    const std::size_t dash = label.rfind('-');
    if (dash == std::string::npos || dash + 2 != label.size() || !names.contains(label.substr(0, dash))) continue;
    result.warnings.push_back(fmt::format("{} stands beside {}: a stray copy of it?", label, label.substr(0, dash)));
  }
}

void warn_about_events(const Recording& motion, Examination& result) {
  const Points* points = motion.points();
  if (points == nullptr || points->num_frames == 0 || !(points->rate_hz > 0.0)) return;
  const double start_s = points->start_s - 1.5 / points->rate_hz;  // some writers count from 0, others from 1
  const double end_s = points->time_s(points->num_frames - 1) + 1.5 / points->rate_hz;
  const auto is_outside = [&](const MotionEvent& event) { return event.time_s < start_s || event.time_s > end_s; };
  const auto count = std::ranges::count_if(motion.events(), is_outside);
  if (count == 0) return;
  const MotionEvent& first = *std::ranges::find_if(motion.events(), is_outside);
  result.warnings.push_back(fmt::format("{} of {} events are outside of the recording, the first is '{}' at {:.3f} s",
                                        count, motion.events().size(), first.label, first.time_s));
}

void warn_about_plates(const Recording& forces, Examination& result) {
  for (std::size_t i = 0; i < forces.forces.plates.size(); ++i) {
    const PlateInfo& info = forces.forces.plates[i]->info();
    const PlateReport& report = result.plates[i];
    if (report.cop_inside_ratio && *report.cop_inside_ratio < 0.95) {
      result.warnings.push_back(fmt::format("{}: {:.0f} % of its CoPs are outside of its corners", info.name,
                                            100.0 * (1.0 - *report.cop_inside_ratio)));
    }
    for (const std::string& note : info.notes) result.warnings.push_back(fmt::format("{}: {}", info.name, note));
  }
  for (const std::string& reason : forces.forces.refused) result.warnings.push_back(reason);
}

void compare_masses(Examination& result, const std::optional<double>& mass_kg) {
  if (!result.weight && !result.lag) return;
  const double plates_kg = result.weight ? result.weight->mass_kg() : result.lag->weight_n / kStandardGravity;
  const double tolerance = result.weight ? kMassTolerance : kMassToleranceInMotion;
  const auto compare = [&](const std::optional<double>& mass, const char* who) {
    const std::string warning = mass ? mass_warning(plates_kg, *mass, who, tolerance) : std::string();
    if (!warning.empty()) result.warnings.push_back(warning);
  };
  compare(mass_kg, "the given mass");
  compare(result.stated_mass_kg, "the file");
}

}  // namespace

Examination examine(const Recording& motion, const Recording& forces, const std::optional<double>& mass_kg) {
  Examination result;
  for (const Decision* decision : {motion.unit ? &*motion.unit : nullptr, motion.up ? &*motion.up : nullptr}) {
    if (decision != nullptr && !decision->warning.empty()) result.warnings.push_back(decision->warning);
  }
  if (motion.points() != nullptr && motion.points()->num_points() > 0 &&
      can_hold(motion.format, RecordingContent::markers)) {
    warn_about_names(*motion.points(), result);
    result.markers = check_markers(*motion.points());
    result.outliers = find_outliers(*motion.points());
    warn_about_markers(*motion.points(), result);
  }
  warn_about_events(motion, result);
  for (const auto& plate : forces.forces.plates) result.plates.push_back(report_of(*plate));
  warn_about_plates(forces, result);
  const VerticalForce force = vertical_force(forces.forces.plates);
  result.weight = find_body_weight(force, motion.points());
  result.stated_mass_kg = stated_mass(motion);
  if (motion.points() != nullptr) result.lag = find_force_lag(*motion.points(), force, result.weight);
  compare_masses(result, mass_kg);
  if (result.lag && std::abs(result.lag->lag_s) > 0.010) {
    result.warnings.push_back(fmt::format("the forces are {:.0f} ms {} than the motion",
                                          1e3 * std::abs(result.lag->lag_s),
                                          result.lag->lag_s > 0.0 ? "later" : "earlier"));
  }
  for (const std::string& note : motion.notes) result.warnings.push_back(note);
  if (&forces != &motion) result.warnings.insert(result.warnings.end(), forces.notes.begin(), forces.notes.end());
  return result;
}

}  // namespace aplomb

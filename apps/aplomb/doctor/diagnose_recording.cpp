#include "doctor/diagnose_recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "aplomb/core/error.hpp"
#include "aplomb/recording/examine.hpp"
#include "doctor/recording_json.hpp"
#include "shared/table.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kShownWarnings = 40;
constexpr std::size_t kShownRanges = 4;

std::string clipped_list(const std::vector<std::string>& items, std::size_t limit, std::size_t total) {
  std::string text;
  for (std::size_t i = 0; i < std::min(limit, items.size()); ++i) text += (i > 0 ? ", " : "") + items[i];
  if (total > std::min(limit, items.size())) text += fmt::format(" and {} more", total - std::min(limit, items.size()));
  return text;
}

std::string decision_text(const char* what, const Decision& decision, const char* then = "") {
  std::string text = fmt::format("{:<12}{}{}{}\n", what, decision.value, decision.is_sure ? "" : " (a guess)", then);
  for (const std::string& line : decision.evidence) text += fmt::format("{:<12}  {}\n", "", line);
  return text;
}

std::string kinds_text(const Points& points) {
  constexpr const char* kNames[] = {"markers", "angles", "forces", "moments", "powers", "scalars"};
  std::vector<std::string> parts;
  for (int kind = 0; kind < 6; ++kind) {
    const auto count = std::ranges::count(points.kinds, static_cast<PointKind>(kind));
    if (count > 0 || kind == 0) parts.push_back(fmt::format("{} {}", count, kNames[kind]));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string points_text(const Recording& recording) {
  const Points& points = *recording.points();
  const bool has_joints = !can_hold(recording.format, RecordingContent::markers);
  const double last_s = points.time_s(points.num_frames > 0 ? points.num_frames - 1 : 0);
  std::string text = fmt::format("{:<12}{}\n", has_joints ? "joints" : "points",
                                 has_joints ? std::to_string(points.num_points()) : kinds_text(points));
  text += fmt::format("frames      {} at {:g} Hz, {:.3f} s ... {:.3f} s", points.num_frames, points.rate_hz,
                      points.start_s, last_s);
  if (!has_joints) text += fmt::format(" (first frame is number {})", points.first_frame);
  return text + "\n";
}

std::string head_text(const Recording& recording) {
  std::string text = fmt::format("{}: {}", recording.file.string(), format_name(recording.format));
  if (recording.c3d) {
    const char* processor = recording.c3d->processor == Processor::intel ? "Intel"
                            : recording.c3d->processor == Processor::dec ? "DEC"
                                                                         : "SGI";
    text += fmt::format(", {}, {}", processor, recording.c3d->is_real ? "real" : "integer");
  }
  text += "\n\n";
  if (recording.points() != nullptr) text += points_text(recording);
  if (recording.c3d && recording.c3d->analog.num_channels() > 0) {
    const Analog& analog = recording.c3d->analog;
    text += fmt::format("analog      {} channels at {:g} Hz: {}\n", analog.num_channels(), analog.rate_hz,
                        clipped_list(analog.labels, 8, analog.num_channels()));
  }
  if (const Table* table = recording.columns()) {
    text += fmt::format("columns     {}: {}\n", table->columns.size(),
                        clipped_list(table->columns, 6, table->columns.size()));
    text += fmt::format("rows        {}", table->num_rows());
    if (recording.mot) {
      text += fmt::format(" at {:g} Hz, {:.3f} s ... {:.3f} s", rate_of(*table, 0), table->at(0, 0),
                          table->at(table->num_rows() - 1, 0));
      if (recording.forces.plates.empty()) {
        text += fmt::format("; rotations in {}", recording.mot->in_degrees ? "degrees" : "radians");
      }
    }
    text += "\n";
  }
  return text;
}

/// Frame ranges of the gaps, e.g. "12-15, 40", numbered as in the file.
std::string ranges_text(const Points& points, const MarkerReport& marker) {
  std::vector<std::string> gaps;
  for (const FrameRange& gap : marker.gaps) {
    const auto number = [&](std::ptrdiff_t frame) { return points.first_frame + frame; };
    gaps.push_back(gap.first == gap.last ? fmt::format("{}", number(gap.first))
                                         : fmt::format("{}-{}", number(gap.first), number(gap.last)));
  }
  return clipped_list(gaps, kShownRanges, marker.num_gaps);
}

std::string jumps_text(const Points& points, const MarkerReport& marker) {
  std::vector<std::string> jumps;
  for (const std::size_t jump : marker.jumps)
    jumps.push_back(fmt::format("{}", points.first_frame + static_cast<std::int64_t>(jump)));
  return clipped_list(jumps, kShownRanges, marker.num_jumps);
}

/// Names side by side, in lines of at most 100 characters.
std::string wrapped(const std::vector<std::string>& names) {
  std::string text, line;
  for (const std::string& name : names) {
    if (!line.empty() && line.size() + name.size() > 96) {
      text += "  " + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : "  ") + name;
  }
  return text + "  " + line + "\n";
}

/// Table with a row per marker that has gaps, jumps or interpolated frames; the others are only listed.
std::string markers_text(const Points& points, const MarkerChecks& checks) {
  const bool has_status = !points.seen_by.empty();  // only C3D marks interpolated samples
  std::vector<std::string> header = {"marker", "missing", "gaps", "longest", "jumps"};
  if (has_status) header.emplace_back("interpolated");
  header.emplace_back("frames");
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> whole;
  for (const MarkerReport& marker : checks.markers) {
    const std::string& label = points.labels[marker.point];
    if (marker.num_missing + marker.num_jumps + (has_status ? marker.num_interpolated : 0) == 0) {
      whole.push_back(label);
      continue;
    }
    std::vector<std::string> row = {label, std::to_string(marker.num_missing), std::to_string(marker.num_gaps),
                                    std::to_string(marker.longest_gap), std::to_string(marker.num_jumps)};
    if (has_status) row.push_back(std::to_string(marker.num_interpolated));
    const std::string gaps = marker.num_gaps > 0 ? "gaps " + ranges_text(points, marker) : "";
    const std::string jumps = marker.num_jumps > 0 ? "jumps " + jumps_text(points, marker) : "";
    row.push_back(gaps + (gaps.empty() || jumps.empty() ? "" : "; ") + jumps);
    rows.push_back(std::move(row));
  }
  std::string text;
  if (!rows.empty()) text += "\n" + aligned_table(header, rows);
  if (!whole.empty()) {
    text += fmt::format("\n{} of {} markers are complete and have no jumps:\n", whole.size(), checks.markers.size());
    text += wrapped(whole);
  }
  return text;
}

std::string vector_text(const Eigen::Vector3d& v) {
  return fmt::format("({:.3f}, {:.3f}, {:.3f})", v.x() + 0.0, v.y() + 0.0, v.z() + 0.0);
}

std::string plate_text(const ForcePlate& plate, const PlateReport& report) {
  const PlateInfo& info = plate.info();
  std::string text = fmt::format("\n{}{}, {:g} Hz\n", info.name,
                                 info.type > 0 ? fmt::format(": type {}", info.type) : "", info.rate_hz);
  if (info.corners) {
    text += "  corners   ";
    for (const Eigen::Vector3d& corner : *info.corners) text += vector_text(corner) + " ";
    text += "m\n";
  }
  if (info.origin) text += fmt::format("  origin    {} m\n", vector_text(*info.origin));
  if (info.type > 0) {
    text +=
        "  baseline  " +
        (info.baseline_force ? vector_text(*info.baseline_force) + " N, subtracted" : std::string("none subtracted")) +
        "\n";
  }
  text += fmt::format("  loaded    {:.1f} % of the time, peak {:.1f} N", 100.0 * report.loaded_ratio, report.peak_n);
  if (report.mean_loaded_n) text += fmt::format(", mean {:.1f} N", *report.mean_loaded_n);
  if (report.cop_inside_ratio)
    text += fmt::format("; {:.1f} % of the CoPs inside the plate", 100.0 * *report.cop_inside_ratio);
  return text + "\n";
}

std::string forces_text(const Recording& forces, const Examination& examination) {
  std::string text;
  if (forces.forces.plates.empty() && forces.forces.refused.empty()) {
    const bool has_markers = forces.points() != nullptr && can_hold(forces.format, RecordingContent::markers);
    return fmt::format("plates      none{}\n", has_markers ? ": markers only" : "");
  }
  text += fmt::format("plates      {}{}\n", forces.forces.plates.size(),
                      forces.forces.refused.empty() ? "" : fmt::format(", {} refused", forces.forces.refused.size()));
  if (examination.weight) {
    const BodyWeight& weight = *examination.weight;
    text += fmt::format("body weight {:.1f} +- {:.1f} N ({:.2f} kg), still from {:.2f} s to {:.2f} s\n",
                        weight.weight_n, weight.noise_n, weight.mass_kg(), weight.start_s, weight.end_s);
  } else if (examination.lag) {
    text += fmt::format("body weight about {:.0f} N ({:.1f} kg), from the motion: no half second of quiet standing\n",
                        examination.lag->weight_n, examination.lag->weight_n / kStandardGravity);
  } else {
    text += "body weight unknown: no half second of quiet standing on the plates\n";
  }
  if (examination.stated_mass_kg)
    text += fmt::format("mass        {:.2f} kg stated in the file\n", *examination.stated_mass_kg);
  if (examination.lag) {
    text += fmt::format("force lag   {:+.0f} ms (+: forces later than motion; correlation {:.2f})\n",
                        1e3 * examination.lag->lag_s, examination.lag->correlation);
  } else {
    text += "force lag   cannot be estimated: needs markers that move while the plates carry the whole weight\n";
  }
  for (std::size_t i = 0; i < forces.forces.plates.size(); ++i)
    text += plate_text(*forces.forces.plates[i], examination.plates[i]);
  return text;
}

std::string warnings_text(const std::vector<std::string>& warnings) {
  if (warnings.empty()) return "\nno warnings\n";
  std::string text = fmt::format("\n{} warning{}:\n", warnings.size(), warnings.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < std::min(kShownWarnings, warnings.size()); ++i)
    text += fmt::format("  - {}\n", warnings[i]);
  if (warnings.size() > kShownWarnings)
    text += fmt::format("  and {} more (--json lists them)\n", warnings.size() - kShownWarnings);
  return text;
}

RecordingOptions recording_options(const DoctorOptions& options) {
  RecordingOptions read{.unit = options.unit};
  if (options.up) {
    read.up = parse_axis(*options.up);
    if (!read.up)
      throw InvalidValue(fmt::format("'{}' is not an axis; valid for --up: x, y, z, -x, -y, -z", *options.up));
  }
  if (options.threshold_n) read.plates.threshold_n = *options.threshold_n;
  return read;
}

int diagnose(const DoctorOptions& options) {
  const RecordingOptions how = recording_options(options);
  Recording motion = read_recording(options.file, how);
  std::optional<Recording> second;
  if (options.forces) {
    second = read_recording(*options.forces, how);
    add_forces(motion, *second, how);
    if (second->forces.plates.empty()) {
      throw FileError({*options.forces}, "has no ground forces; columns like ground_force_vx ... _px ... are expected");
    }
  }
  const Recording& forces = second ? *second : motion;
  const Examination examination = examine(motion, forces, options.mass_kg);
  if (options.json) {
    print(recording_json(motion, forces, examination));
    return kSuccess;
  }
  std::string text = head_text(motion);
  if (motion.unit) text += decision_text("unit", *motion.unit);
  if (motion.up) {
    const bool is_turned = motion.up->value != "z";
    text += decision_text("up", *motion.up, is_turned ? "; rotated: z is up below" : "");
  }
  for (const MotionEvent& event : motion.events()) {
    text += fmt::format("event       {:.3f} s {}{}{}\n", event.time_s, event.context, event.context.empty() ? "" : " ",
                        event.label);
  }
  text += forces_text(forces, examination);
  if (!examination.markers.markers.empty()) text += markers_text(*motion.points(), examination.markers);
  print(text + warnings_text(examination.warnings));
  return kSuccess;
}

}  // namespace

int diagnose_recording(const DoctorOptions& options) {
  try {
    return diagnose(options);
  } catch (const std::bad_alloc&) {
    throw FileError({options.file.string()}, "its examination does not fit into memory");
  }
}

}  // namespace aplomb

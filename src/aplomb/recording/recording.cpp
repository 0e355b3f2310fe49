#include "aplomb/recording/recording.hpp"

#include <fmt/format.h>

#include <new>

#include "aplomb/core/error.hpp"
#include "aplomb/recording/checks/lab_frame.hpp"
#include "aplomb/recording/formats/c3d/c3d_plates.hpp"
#include "aplomb/recording/formats/csv_file.hpp"
#include "aplomb/recording/formats/format_table.hpp"
#include "aplomb/recording/plates/table_plates.hpp"

namespace aplomb {
namespace {

std::size_t time_of(const Recording& recording) {
  if (recording.mot) return 0;
  return time_column(*recording.columns()).value_or(0);
}

bool has_time(const Recording& recording) {
  return recording.mot || (recording.columns() != nullptr && time_column(*recording.columns()));
}

std::vector<AxisVote> votes_of(const Recording& recording) {
  std::vector<AxisVote> votes;
  const auto add = [&](const std::vector<AxisVote>& more) { votes.insert(votes.end(), more.begin(), more.end()); };
  if (recording.c3d) add(plate_votes(recording.c3d->parameters, recording.c3d->points));
  if (recording.columns() != nullptr) add(force_votes(*recording.columns()));
  if (recording.points() != nullptr) add(marker_votes(*recording.points()));
  if (const auto& usual = format_row(recording.format).usual_up) votes.push_back(*usual);
  return votes;
}

void turn(Recording& recording, SignedAxis up, const PlateOptions& options) {
  const Eigen::Matrix3d R_lab_file = rotation_to_z_up(up);
  if (recording.points() != nullptr) recording.points()->R_lab_file = R_lab_file;
  if (recording.c3d) {
    recording.forces = plates_of(*recording.c3d, options);
  } else if (has_time(recording)) {
    recording.forces = plates_of(*recording.columns(), time_of(recording), R_lab_file, options);
  }
}

bool has_lengths(const Recording& recording) {
  return recording.points() != nullptr ||
         (recording.columns() != nullptr && !force_votes(*recording.columns()).empty());
}

void set_upright(Recording& recording, const RecordingOptions& options) {
  if (recording.points() != nullptr) recording.unit = decide_unit(*recording.points(), options.unit);
  if (!has_lengths(recording)) return;
  SignedAxis up = SignedAxis::z;
  recording.up = decide_up(votes_of(recording), options.up, up);
  turn(recording, up, options.plates);
}

void read_as(const InputBytes& input, RecordingFormat format, Recording& recording) {
  try {
    format_row(format).read(input, recording);
  } catch (const FileError&) {
    const Format* shown = format_by_content(input);
    if (shown == nullptr || shown->format == format) throw;
    throw FileError({input.name()},
                    fmt::format("is named as a {} file, but its content is that of a {} file; rename it "
                                "to {}",
                                format_name(format), shown->name, shown->extensions.front()));
  }
}

Recording read_and_set_upright(const InputBytes& input, RecordingFormat format, const RecordingOptions& options) {
  Recording recording;
  recording.file = input.name();
  recording.format = format;
  try {
    read_as(input, format, recording);
    set_upright(recording, options);
  } catch (const std::bad_alloc&) {
    throw FileError({input.name()}, fmt::format("does not fit into memory: it has {} bytes", input.size()));
  }
  return recording;
}

}  // namespace

const Points* Recording::points() const { return c3d ? &c3d->points : own_points.get(); }
Points* Recording::points() { return c3d ? &c3d->points : own_points.get(); }

const std::vector<MotionEvent>& Recording::events() const {
  static const std::vector<MotionEvent> none;
  return c3d ? c3d->events : none;
}

const Table* Recording::columns() const { return mot ? &mot->table : table.get(); }

Recording read_recording(std::string_view bytes, const std::string& name, RecordingFormat format,
                         const RecordingOptions& options) {
  return read_and_set_upright(InputBytes(bytes, name), format, options);
}

Recording read_recording(const std::filesystem::path& file, const RecordingOptions& options) {
  const std::optional<RecordingFormat> format = recording_format(file);
  const InputBytes input = InputBytes::open(file);
  if (!format) {
    throw FileError({file.string()},
                    fmt::format("is not a recording by its extension; valid: {}", recording_extensions()));
  }
  return read_and_set_upright(input, *format, options);
}

std::optional<RecordingFormat> recording_format_by_content(const std::filesystem::path& file) {
  const Format* shown = format_by_content(InputBytes::open(file));
  return shown == nullptr ? std::nullopt : std::optional(shown->format);
}

Recording to_recording(const C3dFile& c3d, const std::string& name, const RecordingOptions& options) {
  return read_recording(c3d_bytes(c3d), name, RecordingFormat::c3d, options);
}

void add_forces(Recording& motion, Recording& forces, const RecordingOptions& options) {
  std::vector<AxisVote> votes = votes_of(motion);
  const std::vector<AxisVote> more = votes_of(forces);
  votes.insert(votes.end(), more.begin(), more.end());
  SignedAxis up = SignedAxis::z;
  motion.up = forces.up = decide_up(votes, options.up, up);
  turn(motion, up, options.plates);
  turn(forces, up, options.plates);
}

}  // namespace aplomb

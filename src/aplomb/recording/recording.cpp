#include "aplomb/recording/recording.hpp"

#include <fmt/format.h>

#include "aplomb/core/error.hpp"
#include "aplomb/recording/formats/c3d/c3d_plates.hpp"
#include "aplomb/recording/formats/csv_file.hpp"
#include "aplomb/recording/formats/line_reader.hpp"
#include "aplomb/recording/formats/trc_file.hpp"
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
  if (recording.bvh) votes.push_back({SignedAxis::y, 1.5, "most BVH files have y up"});
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

void read_by_format(Recording& recording, const InputBytes& input) {
  switch (recording.format) {
    case RecordingFormat::c3d:
      recording.c3d = std::make_unique<C3dFile>(read_c3d(input));
      recording.notes = recording.c3d->notes;
      break;
    case RecordingFormat::trc: {
      TrcFile trc = read_trc(input);
      recording.own_points = std::make_unique<Points>(std::move(trc.points));
      recording.notes = std::move(trc.notes);
      break;
    }
    case RecordingFormat::mot:
      recording.mot = std::make_unique<MotFile>(read_mot(input));
      recording.notes = recording.mot->notes;
      break;
    case RecordingFormat::bvh:
      recording.bvh = std::make_unique<BvhFile>(read_bvh(input));
      recording.own_points = std::make_unique<Points>(points_of(*recording.bvh));
      recording.notes = recording.bvh->notes;
      break;
    case RecordingFormat::csv:
      recording.table = std::make_unique<Table>(read_csv(input));
      if (auto points = points_of(*recording.table))
        recording.own_points = std::make_unique<Points>(std::move(*points));
      if (!has_time(recording)) recording.notes.emplace_back("no column is named time: rates cannot be told");
      break;
  }
}

}  // namespace

const Points* Recording::points() const { return c3d ? &c3d->points : own_points.get(); }
Points* Recording::points() { return c3d ? &c3d->points : own_points.get(); }

const std::vector<MotionEvent>& Recording::events() const {
  static const std::vector<MotionEvent> none;
  return c3d ? c3d->events : none;
}

const Table* Recording::columns() const { return mot ? &mot->table : table.get(); }

std::optional<RecordingFormat> recording_format(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  const std::pair<const char*, RecordingFormat> known[] = {
      {".c3d", RecordingFormat::c3d}, {".trc", RecordingFormat::trc}, {".mot", RecordingFormat::mot},
      {".sto", RecordingFormat::mot}, {".bvh", RecordingFormat::bvh}, {".csv", RecordingFormat::csv},
      {".tsv", RecordingFormat::csv}};
  for (const auto& [name, format] : known) {
    if (same_word(ending, name)) return format;
  }
  return std::nullopt;
}

const char* format_name(RecordingFormat format) {
  constexpr const char* kNames[] = {"C3D", "TRC", "MOT", "BVH", "CSV"};
  return kNames[static_cast<int>(format)];
}

Recording read_recording(const InputBytes& input, RecordingFormat format, const RecordingOptions& options) {
  Recording recording;
  recording.file = input.name();
  recording.format = format;
  read_by_format(recording, input);
  set_upright(recording, options);
  return recording;
}

Recording read_recording(const std::filesystem::path& file, const RecordingOptions& options) {
  const std::optional<RecordingFormat> format = recording_format(file);
  const InputBytes input = InputBytes::open(file);
  if (!format) {
    throw FileError({file.string()}, "is no recording by its ending; valid: .c3d .trc .mot .sto .bvh .csv .tsv");
  }
  return read_recording(input, *format, options);
}

Recording to_recording(const C3dFile& c3d, const std::string& name, const RecordingOptions& options) {
  const std::string bytes = c3d_bytes(c3d);
  return read_recording(InputBytes(bytes, name), RecordingFormat::c3d, options);
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

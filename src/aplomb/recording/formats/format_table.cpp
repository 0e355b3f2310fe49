#include "aplomb/recording/formats/format_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "aplomb/core/table/time_column.hpp"
#include "aplomb/recording/formats/bvh_file.hpp"
#include "aplomb/recording/formats/csv_file.hpp"
#include "aplomb/recording/formats/line_reader.hpp"
#include "aplomb/recording/formats/trc_file.hpp"

namespace aplomb {
namespace {

void read_c3d_recording(const InputBytes& input, Recording& recording) {
  recording.c3d = std::make_unique<C3dFile>(read_c3d(input));
  recording.notes = recording.c3d->notes;
}

void read_trc_recording(const InputBytes& input, Recording& recording) {
  TrcFile trc = read_trc(input);
  recording.own_points = std::make_unique<Points>(std::move(trc.points));
  recording.notes = std::move(trc.notes);
  recording.time_fault = std::move(trc.time_fault);
}

void read_mot_recording(const InputBytes& input, Recording& recording) {
  recording.mot = std::make_unique<MotFile>(read_mot(input));
  recording.notes = recording.mot->notes;
  recording.time_fault = recording.mot->time_fault;
}

void read_bvh_recording(const InputBytes& input, Recording& recording) {
  BvhFile bvh = read_bvh(input);
  recording.own_points = std::make_unique<Points>(points_of(bvh));
  recording.notes = std::move(bvh.notes);
}

void read_csv_recording(const InputBytes& input, Recording& recording) {
  recording.table = std::make_unique<Table>(read_csv(input));
  if (auto points = points_of(*recording.table)) recording.own_points = std::make_unique<Points>(std::move(*points));
  const std::optional<std::size_t> time = time_column(*recording.table);
  if (!time) {
    recording.notes.emplace_back("no column is named time: the rate is unknown");
  } else if (const auto fault = find_time_fault(column_of(*recording.table, *time))) {
    const int line = static_cast<int>(fault->row) + 2;  // the first line has the names, and no blank one follows
    recording.time_fault.emplace(Place{input.name(), line}, fault->text);
    recording.notes.push_back(fmt::format("line {}: {}", line, fault->text));
  }
}

/// The first word of a text, without a byte order mark.
bool has_first_word(std::string_view bytes, std::string_view word) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
  return same_word(bytes.substr(0, word.size()), word);
}

// A C3D file: the block of its parameters, the key 0x50, and zeros among its counters, which no text has.
bool begins_like_c3d(std::string_view bytes) {
  return bytes.size() >= 512 && bytes[1] == 0x50 && bytes.substr(0, 512).find('\0') != std::string_view::npos;
}
bool begins_like_trc(std::string_view bytes) { return has_first_word(bytes, "PathFileType"); }
bool begins_like_mot(std::string_view bytes) { return bytes.find("\nendheader") != std::string_view::npos; }
bool begins_like_bvh(std::string_view bytes) { return has_first_word(bytes, "HIERARCHY"); }

constexpr std::string_view kC3d[] = {".c3d"}, kTrc[] = {".trc"}, kMot[] = {".mot", ".sto"}, kBvh[] = {".bvh"},
                           kCsv[] = {".csv", ".tsv"};

}  // namespace

std::span<const Format> all_formats() {
  static const std::array<Format, 5> formats = {{{.format = RecordingFormat::c3d,
                                                  .name = "C3D",
                                                  .extensions = kC3d,
                                                  .has_markers = true,
                                                  .has_forces = true,
                                                  .read = read_c3d_recording,
                                                  .begins_like = begins_like_c3d},
                                                 {.format = RecordingFormat::trc,
                                                  .name = "TRC",
                                                  .extensions = kTrc,
                                                  .has_markers = true,
                                                  .read = read_trc_recording,
                                                  .begins_like = begins_like_trc},
                                                 {.format = RecordingFormat::mot,
                                                  .name = "MOT",
                                                  .extensions = kMot,
                                                  .has_forces = true,
                                                  .read = read_mot_recording,
                                                  .begins_like = begins_like_mot},
                                                 {.format = RecordingFormat::bvh,
                                                  .name = "BVH",
                                                  .extensions = kBvh,
                                                  .has_joints = true,
                                                  .read = read_bvh_recording,
                                                  .begins_like = begins_like_bvh,
                                                  .usual_up = AxisVote{SignedAxis::y, 1.5, "most BVH files have y up"}},
                                                 {.format = RecordingFormat::csv,
                                                  .name = "CSV",
                                                  .extensions = kCsv,
                                                  .has_markers = true,
                                                  .has_forces = true,
                                                  .read = read_csv_recording}}};
  return formats;
}

const Format* format_by_content(const InputBytes& input) {
  std::string start(std::min<std::size_t>(input.size(), 4096), '\0');
  input.read(0, start);
  for (const Format& format : all_formats()) {
    if (format.begins_like != nullptr && format.begins_like(start)) return &format;
  }
  return nullptr;
}

const Format& format_row(RecordingFormat format) { return all_formats()[static_cast<std::size_t>(format)]; }

std::optional<RecordingFormat> recording_format(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  for (const Format& format : all_formats()) {
    for (const std::string_view known : format.extensions) {
      if (same_word(extension, known)) return format.format;
    }
  }
  return std::nullopt;
}

const char* format_name(RecordingFormat format) { return format_row(format).name; }

bool can_hold(RecordingFormat format, RecordingContent content) {
  const Format& row = format_row(format);
  switch (content) {
    case RecordingContent::motion:
      return row.has_markers || row.has_joints;
    case RecordingContent::markers:
      return row.has_markers;
    case RecordingContent::forces:
      return row.has_forces;
    case RecordingContent::any:
      break;
  }
  return true;
}

std::string recording_extensions(RecordingContent content) {
  std::string text;
  for (const Format& format : all_formats()) {
    if (!can_hold(format.format, content)) continue;
    for (const std::string_view extension : format.extensions) (text += text.empty() ? "" : " ") += extension;
  }
  return text;
}

}  // namespace aplomb

#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "aplomb/recording/checks/lab_frame.hpp"
#include "aplomb/recording/formats/input_bytes.hpp"
#include "aplomb/recording/recording.hpp"

namespace aplomb {

/// One file format. To add a format, write a reader and add a name to RecordingFormat and a row to the table.
struct Format {
  RecordingFormat format = RecordingFormat::c3d;
  const char* name = "";
  std::span<const std::string_view> extensions;  ///< lower case, with the dot
  bool has_markers = false, has_joints = false, has_forces = false;
  void (*read)(const InputBytes& input, Recording& recording) = nullptr;  ///< throws FileError
  bool (*begins_like)(std::string_view bytes) = nullptr;  ///< whether a file that begins so has this format
  std::optional<AxisVote> usual_up{};                     ///< up axis that most writers use
};

std::span<const Format> all_formats();
const Format& format_row(RecordingFormat format);

/// The format that the first bytes of a file show, whatever its name; none when they show none.
const Format* format_by_content(const InputBytes& input);

}  // namespace aplomb

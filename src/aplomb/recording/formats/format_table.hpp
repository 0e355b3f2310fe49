#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "aplomb/recording/checks/lab_frame.hpp"
#include "aplomb/recording/formats/input_bytes.hpp"
#include "aplomb/recording/recording.hpp"

namespace aplomb {

/// One format of recordings. A new format is a reader, a name in RecordingFormat and a row of the table.
struct Format {
  RecordingFormat format = RecordingFormat::c3d;
  const char* name = "";
  std::span<const std::string_view> extensions;  ///< lower case, with the dot
  bool has_markers = false, has_joints = false, has_forces = false;
  void (*read)(const InputBytes& input, Recording& recording) = nullptr;  ///< throws FileError
  std::optional<AxisVote> usual_up{};                                     ///< where a format's writers mostly agree
};

std::span<const Format> all_formats();
const Format& format_row(RecordingFormat format);

}  // namespace aplomb

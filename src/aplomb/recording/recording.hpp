#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/recording/c3d_file.hpp"
#include "aplomb/recording/force_plate.hpp"
#include "aplomb/recording/mot_file.hpp"
#include "aplomb/recording/points.hpp"

namespace aplomb {

/// File formats, in the order of the table in formats/format_table.cpp.
enum class RecordingFormat { c3d, trc, mot, bvh, csv };

/// Kind of content that files of a format can hold. Motion: positions over time, of skin markers or of joint centres.
enum class RecordingContent { any, motion, markers, forces };

/// Format of a file by its extension (case-insensitive); none for an unknown extension.
std::optional<RecordingFormat> recording_format(const std::filesystem::path& file);
/// Format of a file by its first bytes; none when they show none. Throws FileError when it cannot be opened.
std::optional<RecordingFormat> recording_format_by_content(const std::filesystem::path& file);
const char* format_name(RecordingFormat format);  ///< "C3D"
bool can_hold(RecordingFormat format, RecordingContent content);
/// Extensions of all formats that can hold `content`: ".c3d .trc .csv .tsv".
std::string recording_extensions(RecordingContent content = RecordingContent::any);

/// An axis of the file with its sign.
enum class SignedAxis : int { minus_z = -3, minus_y = -2, minus_x = -1, x = 1, y = 2, z = 3 };
std::string axis_text(SignedAxis axis);                       ///< "z", "-y"
std::optional<SignedAxis> parse_axis(std::string_view text);  ///< "z", "+z", "-y"

/// The unit or the up axis of a recording, and the evidence for it.
struct Decision {
  std::string value;                  ///< "mm", "z"
  std::vector<std::string> evidence;  ///< one line each; the decisive one first
  bool is_sure = true;
  bool is_given = false;  ///< set by the caller, not derived from the file
  std::string warning;    ///< set when the decision differs from what the file states
};

struct RecordingOptions {
  std::optional<std::string> unit;  ///< unit of length; overrides the file's own
  std::optional<SignedAxis> up;     ///< up axis; overrides the one found
  PlateOptions plates;
};

/// A laboratory recording, independent of its file format: lengths in metres, z up. Parts that the file lacks are
/// empty.
struct Recording {
  std::filesystem::path file;
  RecordingFormat format = RecordingFormat::c3d;
  std::unique_ptr<C3dFile> c3d;
  std::unique_ptr<MotFile> mot;
  std::unique_ptr<Table> table;        ///< columns of a CSV file
  std::unique_ptr<Points> own_points;  ///< markers or joint centres of the formats other than C3D
  std::vector<std::string> notes;      ///< notes of the file reader
  ForcePlates forces;
  std::optional<Decision> unit;  ///< absent when the file has no lengths
  std::optional<Decision> up;
  std::optional<FileError> time_fault;  ///< first fault of a time column; an analysis refuses such a recording

  const Points* points() const;  ///< null when there are none
  Points* points();
  const std::vector<MotionEvent>& events() const;  ///< events of a C3D file; else empty
  const Table* columns() const;                    ///< columns of a MOT or CSV file; else null
};

/// Reads a file of any known format. Throws FileError; InvalidValue when `options.unit` is not a unit of length.
Recording read_recording(const std::filesystem::path& file, const RecordingOptions& options = {});

/// Reads a recording from bytes in memory, which need not outlive the call; `name` identifies them in error messages.
Recording read_recording(std::string_view bytes, const std::string& name, RecordingFormat format,
                         const RecordingOptions& options = {});

/// Converts without a file: the result equals, to the last bit, `c3d` written with `write_c3d` and read again (C3D
/// stores 32-bit floats). Throws InvalidValue as `write_c3d` does.
Recording to_recording(const C3dFile& c3d, const std::string& name, const RecordingOptions& options = {});

/// Joins the motion of one file with the force plates of another: the up axis is determined from both files, and both
/// are rotated to z up.
void add_forces(Recording& motion, Recording& forces, const RecordingOptions& options = {});

}  // namespace aplomb

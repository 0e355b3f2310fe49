#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/recording/c3d_file.hpp"
#include "aplomb/recording/force_plate.hpp"
#include "aplomb/recording/mot_file.hpp"
#include "aplomb/recording/points.hpp"

namespace aplomb {

/// The rows of the table in formats/format_table.cpp, in its order.
enum class RecordingFormat { c3d, trc, mot, bvh, csv };

/// What files of a format can hold. Motion: positions over time, of skin markers or of joint centres.
enum class RecordingContent { any, motion, markers, forces };

/// The format of a file by its extension, whatever its case; none for an unknown one.
std::optional<RecordingFormat> recording_format(const std::filesystem::path& file);
const char* format_name(RecordingFormat format);  ///< "C3D"
bool can_hold(RecordingFormat format, RecordingContent content);
/// Extensions of all formats that can hold it: ".c3d .trc .csv .tsv".
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
  bool is_given = false;  ///< by the caller
  std::string warning;    ///< when the file says otherwise
};

struct RecordingOptions {
  std::optional<std::string> unit;  ///< of lengths; overrides the file's own
  std::optional<SignedAxis> up;     ///< overrides the axis found
  PlateOptions plates;
};

/// A recording of a laboratory in one form, whatever its format: lengths in metres, z up. Parts that the file does not
/// have are empty.
struct Recording {
  std::filesystem::path file;
  RecordingFormat format = RecordingFormat::c3d;
  std::unique_ptr<C3dFile> c3d;
  std::unique_ptr<MotFile> mot;
  std::unique_ptr<Table> table;        ///< columns of a CSV file
  std::unique_ptr<Points> own_points;  ///< markers or joint centres of the formats other than C3D
  std::vector<std::string> notes;      ///< the reader's
  ForcePlates forces;
  std::optional<Decision> unit;  ///< none without lengths
  std::optional<Decision> up;

  const Points* points() const;  ///< null when there are none
  Points* points();
  const std::vector<MotionEvent>& events() const;  ///< of a C3D file; else empty
  const Table* columns() const;                    ///< of a MOT or CSV file; else null
};

/// Throws FileError; InvalidValue when `options.unit` is not a unit of length.
Recording read_recording(const std::filesystem::path& file, const RecordingOptions& options = {});

/// The same from bytes in memory, which are needed only until this returns; errors call them `name`.
Recording read_recording(std::string_view bytes, const std::string& name, RecordingFormat format,
                         const RecordingOptions& options = {});

/// The recording that reading the file of `write_c3d(name, c3d)` gives, to the last bit (C3D stores 32-bit floats),
/// without that file. Throws InvalidValue as `write_c3d` does.
Recording to_recording(const C3dFile& c3d, const std::string& name, const RecordingOptions& options = {});

/// Joins the motion of one file with the force plates of another: the up axis is found from both, and both are rotated
/// to it.
void add_forces(Recording& motion, Recording& forces, const RecordingOptions& options = {});

}  // namespace aplomb

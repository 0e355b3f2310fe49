#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/recording/c3d_file.hpp"
#include "aplomb/recording/checks/lab_frame.hpp"
#include "aplomb/recording/force_plate.hpp"
#include "aplomb/recording/formats/bvh_file.hpp"
#include "aplomb/recording/mot_file.hpp"

namespace aplomb {

enum class RecordingFormat { c3d, trc, mot, bvh, csv };

struct RecordingOptions {
  std::optional<std::string> unit;  ///< overrides what the file says of lengths
  std::optional<SignedAxis> up;     ///< overrides what is found
  PlateOptions plates;
};

/// Whatever a laboratory hands over, read and set upright: lengths in metres, z up. What a file has not is empty.
struct Recording {
  std::filesystem::path file;
  RecordingFormat format = RecordingFormat::c3d;
  std::unique_ptr<C3dFile> c3d;
  std::unique_ptr<MotFile> mot;
  std::unique_ptr<BvhFile> bvh;
  std::unique_ptr<Table> table;        ///< of a CSV file
  std::unique_ptr<Points> own_points;  ///< of the formats other than C3D
  std::vector<std::string> notes;      ///< the reader's
  ForcePlates forces;
  std::optional<Decision> unit;  ///< none without lengths
  std::optional<Decision> up;

  const Points* points() const;  ///< null when there are none
  Points* points();
  const std::vector<MotionEvent>& events() const;  ///< of a C3D file
  const Table* columns() const;                    ///< of a MOT or CSV file; null otherwise
};

/// The format that a file's ending tells, whatever its case: .c3d .trc .mot .sto .bvh .csv .tsv; none for another one.
std::optional<RecordingFormat> recording_format(const std::filesystem::path& file);
const char* format_name(RecordingFormat format);

/// Throws FileError; InvalidValue when `options` name no unit.
Recording read_recording(const std::filesystem::path& file, const RecordingOptions& options = {});

/// The same from bytes in memory, which are needed only until this returns.
Recording read_recording(const InputBytes& input, RecordingFormat format, const RecordingOptions& options = {});

/// The recording that reading the file of `write_c3d(name, c3d)` gives, to the last bit (C3D stores 32-bit floats),
/// without that file. Throws InvalidValue as `write_c3d` does.
Recording to_recording(const C3dFile& c3d, const std::string& name, const RecordingOptions& options = {});

/// Motion of one file, forces of another: the axis is found from both, and both are turned by it.
void add_forces(Recording& motion, Recording& forces, const RecordingOptions& options);

}  // namespace aplomb

#pragma once

#include <cstdint>
#include <string_view>

#include "aplomb/recording/c3d_file.hpp"
#include "aplomb/recording/formats/input_bytes.hpp"

namespace aplomb {

/// The first block of a C3D file.
struct C3dHeader {
  std::size_t base = 0;            ///< offset of the header: some writers put zeros before it
  std::size_t section_start = 0;   ///< offset of the parameter section in the file [bytes]
  std::size_t section_blocks = 0;  ///< stated length of the section, in blocks of 512 bytes
  Processor processor = Processor::intel;
  std::size_t num_points = 0;
  std::size_t analog_per_frame = 0;  ///< analog values per frame: channels times samples
  std::size_t first_frame = 0;
  std::size_t last_frame = 0;
  double scale = 0.0;
  std::size_t data_block = 0;
  std::size_t samples_per_frame = 0;
  double rate_hz = 0.0;
  std::string bytes;  ///< all 512 bytes of the header
};

/// Throws FileError when the file is not C3D.
C3dHeader read_c3d_header(const InputBytes& input);

/// Location and layout of a C3D file's data section.
struct C3dLayout {
  std::size_t data_start = 0;  ///< offset of the data in the file [bytes]
  bool is_real = true;
  double scale = 1.0;  ///< scale of integer coordinates; positive
  std::size_t num_points = 0;
  std::size_t num_channels = 0;
  std::size_t samples_per_frame = 1;
  std::size_t num_frames = 0;
  std::size_t first_frame = 1;

  std::size_t word_size() const { return is_real ? 4 : 2; }
  std::size_t frame_bytes() const { return word_size() * (4 * num_points + num_channels * samples_per_frame); }
};

/// Determines the layout from header, parameters and file size, which describe it redundantly. Where they contradict
/// each other, the first description that fits the size exactly is taken, with a line in `notes`. Throws FileError when
/// none fits.
C3dLayout find_c3d_layout(const InputBytes& input, const C3dHeader& header, const C3dParameters& parameters,
                          std::vector<std::string>& notes);

}  // namespace aplomb

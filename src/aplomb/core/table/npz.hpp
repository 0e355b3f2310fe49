#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/core/table/log.hpp"

namespace aplomb {

/// Size in bytes of the file that write_npz writes for these columns and this many rows. A zip file without its 64-bit
/// extension holds at most 4 GiB and 65535 members: throws InvalidValue, which says what fits, beyond either.
std::uint64_t npz_size(const std::vector<std::string>& columns, std::size_t num_rows);

/// The vectors of an NPZ archive (NumPy's `savez`) as columns of float64; all must have the same length. Members may
/// hold float64, float32, int64 or int32, and must be stored, not deflated. Every offset and size is checked against
/// `bytes`, every member against its checksum. `file` is the name in errors. Throws FileError.
Log parse_npz(std::string_view bytes, const std::filesystem::path& file);

/// One array of an NPZ archive, with the numbers in row-major order.
struct NpzArray {
  enum class Type { float64, float32, int64 };
  std::string name;
  std::vector<std::size_t> shape;  ///< empty: a single value
  std::vector<double> values;
  std::vector<std::string> texts;  ///< of an array of text, which has no values
  Type type = Type::float64;       ///< as write_npz_arrays stores it

  std::size_t size() const;  ///< product of the shape
  std::size_t rows() const { return shape.empty() ? 1 : shape[0]; }
};

/// All arrays of an NPZ archive: as parse_npz, with any shape of up to four axes, and arrays of text (NumPy's U and S).
/// Arrays of Python objects are refused: reading them would run code of the file. Throws FileError.
std::vector<NpzArray> parse_npz_arrays(std::string_view bytes, const std::filesystem::path& file);
void write_npz_arrays(const std::vector<NpzArray>& arrays, const std::filesystem::path& file);  ///< throws FileError

/// CRC-32 as in IEEE 802.3, which zip uses.
std::uint32_t crc32(std::string_view bytes);

}  // namespace aplomb

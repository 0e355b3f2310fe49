#include "aplomb/report/mcap/binary_log.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "aplomb/report/unit.hpp"

namespace aplomb {
namespace {

static_assert(std::endian::native == std::endian::little);

template <typename Number>
void append_column(const Log& log, std::size_t column, std::string& bytes) {
  for (std::size_t row = 0; row < log.num_rows(); ++row) {
    const auto value = static_cast<Number>(log.at(row, column));
    char raw[sizeof(Number)];
    std::memcpy(raw, &value, sizeof(Number));
    bytes.append(raw, sizeof(Number));
  }
  bytes.resize((bytes.size() + 7) / 8 * 8, '\0');
}

}  // namespace

std::string binary_log(const Log& log) {
  nlohmann::ordered_json columns = nlohmann::ordered_json::array();
  for (const std::string& name : log.columns()) columns.push_back({{"name", name}, {"unit", unit_of(name)}});
  std::string header = nlohmann::ordered_json{{"rows", log.num_rows()}, {"columns", columns}}.dump();
  while ((4 + header.size()) % 8 != 0) header += ' ';
  const auto size = static_cast<std::uint32_t>(header.size());
  std::string bytes(4, '\0');
  std::memcpy(bytes.data(), &size, 4);
  bytes += header;
  bytes.reserve(bytes.size() + 4 * log.num_rows() * (log.columns().size() + 1) + 8 * log.columns().size());
  for (std::size_t column = 0; column < log.columns().size(); ++column) {
    if (log.columns()[column] == "time_s") {
      append_column<double>(log, column, bytes);
    } else {
      append_column<float>(log, column, bytes);
    }
  }
  return bytes;
}

}  // namespace aplomb

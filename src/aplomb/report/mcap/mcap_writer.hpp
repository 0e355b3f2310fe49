#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aplomb/core/files/output_file.hpp"

namespace aplomb {

/// Writes an MCAP file (mcap.dev, version 0 of the format): messages as JSON on channels with a JSON schema, in chunks
/// without compression, with indices for seeking in time. The same calls give the same bytes.
class McapWriter {
 public:
  explicit McapWriter(const std::filesystem::path& file);  ///< throws FileError

  /// Adds a channel for messages of a schema and returns its id; all channels must be added before the first message.
  std::uint16_t add_channel(std::string_view topic, std::string_view schema_name, std::string_view json_schema);

  /// Writes a message; `time_ns` must not decrease.
  void write(std::uint16_t channel, std::uint64_t time_ns, std::string_view json);

  void close();  ///< writes the summary; without this call the file is removed

 private:
  struct ChunkIndex {
    std::uint64_t start_ns = 0, end_ns = 0, offset = 0, length = 0, index_length = 0, size = 0;
    std::map<std::uint16_t, std::uint64_t> message_indices;  ///< channel -> offset of its index
  };
  void put(std::uint8_t opcode, std::string_view content);
  void close_chunk();
  std::string statistics() const;
  static std::string chunk_index_record(const ChunkIndex& chunk);

  OutputFile file_;
  std::uint64_t offset_ = 0;           ///< bytes written
  std::vector<std::string> schemas_;   ///< contents of the schema records
  std::vector<std::string> channels_;  ///< contents of the channel records
  std::vector<std::uint32_t> sequence_;
  std::string chunk_;  ///< records of the chunk that is being filled
  std::uint64_t chunk_start_ns_ = 0, last_ns_ = 0, first_ns_ = 0;
  std::uint64_t num_messages_ = 0;
  std::map<std::uint16_t, std::vector<std::pair<std::uint64_t, std::uint64_t>>> chunk_messages_;
  std::vector<ChunkIndex> chunk_indices_;
};

}  // namespace aplomb

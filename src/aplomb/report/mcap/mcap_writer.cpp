#include "aplomb/report/mcap/mcap_writer.hpp"

#include <cassert>
#include <utility>

#include "aplomb/core/table/npz.hpp"

namespace aplomb {
namespace {

// Opcodes of mcap.dev/spec.
constexpr std::uint8_t kHeader = 0x01, kFooter = 0x02, kSchema = 0x03, kChannel = 0x04, kMessage = 0x05, kChunk = 0x06,
                       kMessageIndex = 0x07, kChunkIndex = 0x08, kStatistics = 0x0B, kSummaryOffset = 0x0E,
                       kDataEnd = 0x0F;
constexpr std::string_view kMagic = "\x89MCAP0\r\n";
constexpr std::size_t kChunkSize = std::size_t{1} << 20;

void append(std::string& bytes, std::uint64_t value, int num_bytes) {
  for (int i = 0; i < num_bytes; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
}
void append_u16(std::string& bytes, std::uint64_t value) { append(bytes, value, 2); }
void append_u32(std::string& bytes, std::uint64_t value) { append(bytes, value, 4); }
void append_u64(std::string& bytes, std::uint64_t value) { append(bytes, value, 8); }

void append_text(std::string& bytes, std::string_view text) {
  append_u32(bytes, text.size());
  bytes += text;
}

/// A record: opcode, length, content.
std::string record(std::uint8_t opcode, std::string_view content) {
  std::string bytes(1, static_cast<char>(opcode));
  append_u64(bytes, content.size());
  return bytes.append(content);
}

std::string summary_offset(std::uint8_t opcode, std::uint64_t start, std::uint64_t length) {
  std::string content(1, static_cast<char>(opcode));
  append_u64(content, start);
  append_u64(content, length);
  return content;
}

}  // namespace

McapWriter::McapWriter(const std::filesystem::path& file) : file_(file) {
  file_.write(kMagic);
  offset_ = kMagic.size();
  std::string header;
  append_text(header, "");  // no profile
  append_text(header, "aplomb");
  put(kHeader, header);
}

std::uint16_t McapWriter::add_channel(std::string_view topic, std::string_view schema_name,
                                      std::string_view json_schema) {
  assert(num_messages_ == 0);
  const std::size_t id = schemas_.size() + 1;  // 0 means no schema
  std::string schema;
  append_u16(schema, id);
  append_text(schema, schema_name);
  append_text(schema, "jsonschema");
  append_text(schema, json_schema);
  std::string channel;
  append_u16(channel, id);
  append_u16(channel, id);  // schema id
  append_text(channel, topic);
  append_text(channel, "json");
  append_u32(channel, 0);  // no metadata
  schemas_.push_back(std::move(schema));
  channels_.push_back(std::move(channel));
  sequence_.push_back(0);
  return static_cast<std::uint16_t>(id);
}

void McapWriter::write(std::uint16_t channel, std::uint64_t time_ns, std::string_view json) {
  assert(channel >= 1 && channel <= channels_.size() && (num_messages_ == 0 || time_ns >= last_ns_));
  if (chunk_.empty()) {
    chunk_start_ns_ = time_ns;
    // A chunk can be read by itself: it begins with the schemas and channels of its messages.
    for (const std::string& schema : schemas_) chunk_ += record(kSchema, schema);
    for (const std::string& one : channels_) chunk_ += record(kChannel, one);
  }
  chunk_messages_[channel].emplace_back(time_ns, chunk_.size());
  std::string content;
  append_u16(content, channel);
  append_u32(content, sequence_[channel - 1u]++);
  append_u64(content, time_ns);  // log time
  append_u64(content, time_ns);  // publish time
  chunk_ += record(kMessage, content.append(json));
  if (num_messages_++ == 0) first_ns_ = time_ns;
  last_ns_ = time_ns;
  if (chunk_.size() >= kChunkSize) close_chunk();
}

void McapWriter::put(std::uint8_t opcode, std::string_view content) {
  const std::string bytes = record(opcode, content);
  file_.write(bytes);
  offset_ += bytes.size();
}

void McapWriter::close_chunk() {
  if (chunk_.empty()) return;
  ChunkIndex index{.start_ns = chunk_start_ns_, .end_ns = last_ns_, .offset = offset_, .size = chunk_.size()};
  std::string content;
  append_u64(content, chunk_start_ns_);
  append_u64(content, last_ns_);
  append_u64(content, chunk_.size());
  append_u32(content, crc32(chunk_));
  append_text(content, "");  // no compression
  append_u64(content, chunk_.size());
  content += chunk_;
  put(kChunk, content);
  index.length = offset_ - index.offset;
  const std::uint64_t indices_start = offset_;
  for (const auto& [channel, messages] : chunk_messages_) {
    index.message_indices[channel] = offset_;
    std::string entries;
    for (const auto& [time_ns, at] : messages) {
      append_u64(entries, time_ns);
      append_u64(entries, at);
    }
    std::string message_index;
    append_u16(message_index, channel);
    append_text(message_index, entries);
    put(kMessageIndex, message_index);
  }
  index.index_length = offset_ - indices_start;
  chunk_indices_.push_back(std::move(index));
  chunk_.clear();
  chunk_messages_.clear();
}

std::string McapWriter::chunk_index_record(const ChunkIndex& chunk) {
  std::string content;
  for (const std::uint64_t value : {chunk.start_ns, chunk.end_ns, chunk.offset, chunk.length})
    append_u64(content, value);
  std::string offsets;
  for (const auto& [channel, at] : chunk.message_indices) {
    append_u16(offsets, channel);
    append_u64(offsets, at);
  }
  append_text(content, offsets);
  append_u64(content, chunk.index_length);
  append_text(content, "");  // no compression
  append_u64(content, chunk.size);
  append_u64(content, chunk.size);
  return content;
}

std::string McapWriter::statistics() const {
  std::string content;
  append_u64(content, num_messages_);
  append_u16(content, schemas_.size());
  append_u32(content, channels_.size());
  append_u32(content, 0);  // number of attachments
  append_u32(content, 0);  // number of metadata records
  append_u32(content, chunk_indices_.size());
  append_u64(content, first_ns_);
  append_u64(content, last_ns_);
  std::string counts;
  for (std::size_t i = 0; i < sequence_.size(); ++i) {
    append_u16(counts, i + 1);
    append_u64(counts, sequence_[i]);
  }
  append_text(content, counts);
  return content;
}

void McapWriter::close() {
  close_chunk();
  std::string data_end;
  append_u32(data_end, 0);  // no checksum of the data section; chunks have their own
  put(kDataEnd, data_end);
  const std::uint64_t summary_start = offset_;
  std::vector<std::string> groups;
  const auto put_group = [&](std::uint8_t opcode, const std::vector<std::string>& contents) {
    const std::uint64_t start = offset_;
    for (const std::string& content : contents) put(opcode, content);
    if (!contents.empty()) groups.push_back(summary_offset(opcode, start, offset_ - start));
  };
  put_group(kSchema, schemas_);
  put_group(kChannel, channels_);
  put_group(kStatistics, {statistics()});
  std::vector<std::string> chunks;
  for (const ChunkIndex& chunk : chunk_indices_) chunks.push_back(chunk_index_record(chunk));
  put_group(kChunkIndex, chunks);
  const std::uint64_t offsets_start = offset_;
  for (const std::string& group : groups) put(kSummaryOffset, group);
  std::string footer;
  append_u64(footer, summary_start);
  append_u64(footer, offsets_start);
  append_u32(footer, 0);  // no checksum of the summary
  put(kFooter, footer);
  file_.write(kMagic);
  file_.close();
}

}  // namespace aplomb

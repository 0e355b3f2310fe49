#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/recording/formats/c3d/c3d_numbers.hpp"

namespace aplomb::test {

/// A C3D file byte by byte, apart from the library's own writer: any processor, integers or reals, and every field can
/// be made wrong.
class C3dBytes {
 public:
  explicit C3dBytes(Processor maker = Processor::intel, bool reals = true) : processor(maker), is_real(reals) {}

  Processor processor;
  bool is_real;
  double scale = 0.1;  ///< written negative for reals
  std::uint16_t first_frame = 1;
  std::uint16_t last_frame = 0;  ///< 0: as many as were added
  std::uint16_t samples_per_frame = 1;
  float rate_hz = 100.0F;
  std::size_t zeros_before = 0;
  std::uint16_t num_points = 0, num_channels = 0;  ///< of each frame that is added

  std::string word(std::uint32_t value) const {
    const char low = static_cast<char>(value & 0xFFU), high = static_cast<char>((value >> 8) & 0xFFU);
    return processor == Processor::sgi ? std::string{high, low} : std::string{low, high};
  }

  std::string real(float value) const {
    std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    std::string bytes;
    if (processor == Processor::dec && value != 0.0F) {  // VAX F: 4 times the value, its words exchanged
      bits = std::bit_cast<std::uint32_t>(4.0F * value);
      bits = (bits << 16) | (bits >> 16);
    }
    for (int i = 0; i < 4; ++i)
      bytes += static_cast<char>((bits >> (8 * (processor == Processor::sgi ? 3 - i : i))) & 0xFFU);
    return bytes;
  }

  void group(int id, const std::string& name) { record(-id, name, std::string(1, '\0')); }
  void parameter(int id, const std::string& name, int type, const std::vector<int>& sizes, const std::string& content) {
    std::string body;
    body.push_back(static_cast<char>(type));
    body.push_back(static_cast<char>(sizes.size()));
    for (const int size : sizes) body.push_back(static_cast<char>(size));
    body.append(content);
    body.push_back('\0');
    record(id, name, body);
  }
  void words(int id, const std::string& name, const std::vector<std::uint32_t>& values, std::vector<int> sizes = {-1}) {
    std::string content;
    for (const std::uint32_t value : values) content += word(value);
    if (sizes == std::vector{-1}) sizes = {static_cast<int>(values.size())};
    parameter(id, name, 2, sizes, content);
  }
  void reals(int id, const std::string& name, const std::vector<double>& values, std::vector<int> sizes = {-1}) {
    std::string content;
    for (const double value : values) content += real(static_cast<float>(value));
    if (sizes == std::vector{-1}) sizes = {static_cast<int>(values.size())};
    parameter(id, name, 4, sizes, content);
  }
  void texts(int id, const std::string& name, const std::vector<std::string>& all, std::size_t length = 4) {
    std::string content;
    for (std::string text : all) {
      text.resize(length, ' ');
      content += text;
    }
    parameter(id, name, -1, {static_cast<int>(length), static_cast<int>(all.size())}, content);
  }

  /// x, y, z in the file's unit (reals) or in units of `scale` (integers), and the fourth word.
  void point(double x, double y, double z, int fourth) {
    for (const double value : {x, y, z, static_cast<double>(fourth)}) number(value);
  }
  void number(double value) {
    data_ +=
        is_real ? real(static_cast<float>(value)) : word(static_cast<std::uint32_t>(static_cast<std::int32_t>(value)));
  }

  std::string bytes() const {
    std::string section = {1, 0x50, 0, static_cast<char>(processor)};
    section += records_;
    section.resize((section.size() + 2 + 511) / 512 * 512, '\0');
    section[2] = static_cast<char>(section.size() / 512);
    const auto data_block = static_cast<std::uint32_t>(2 + section.size() / 512);
    const std::size_t frame_bytes =
        (is_real ? 4U : 2U) * (4U * num_points + std::size_t{num_channels} * samples_per_frame);
    const std::size_t num_frames = frame_bytes > 0 ? data_.size() / frame_bytes : 0;
    std::string header = {2, 0x50};
    header += word(num_points) + word(static_cast<std::uint32_t>(num_channels * samples_per_frame)) + word(first_frame);
    header += word(last_frame != 0 ? last_frame : static_cast<std::uint32_t>(first_frame + num_frames - 1)) + word(0);
    header +=
        real(static_cast<float>(is_real ? -scale : scale)) + word(data_block) + word(samples_per_frame) + real(rate_hz);
    header.resize(512, '\0');
    std::string padded = data_;
    padded.resize((data_.size() + 511) / 512 * 512, '\0');
    return std::string(zeros_before, '\0') + header + section + padded;
  }

 private:
  void record(int id, const std::string& name, const std::string& body) {
    records_.push_back(static_cast<char>(name.size()));
    records_.push_back(static_cast<char>(id));
    records_.append(name);
    records_.append(word(static_cast<std::uint32_t>(2 + body.size())));
    records_.append(body);
  }

  std::string data_;
  std::string records_;
};

/// Three markers over `num_frames` frames and two analog channels of two samples: a small but whole file.
inline C3dBytes small_c3d(Processor processor = Processor::intel, bool is_real = true, int num_frames = 5) {
  C3dBytes file(processor, is_real);
  file.num_points = 3;
  file.num_channels = 2;
  file.samples_per_frame = 2;
  file.group(1, "POINT");
  file.words(1, "USED", {3}, {});
  file.reals(1, "SCALE", {is_real ? -file.scale : file.scale}, {});
  file.reals(1, "RATE", {100.0}, {});
  file.texts(1, "UNITS", {"mm"});
  file.texts(1, "LABELS", {"LASI", "RASI", "HEAD"});
  file.group(2, "ANALOG");
  file.words(2, "USED", {2}, {});
  file.texts(2, "LABELS", {"FZ1", "EMG"});
  file.reals(2, "SCALE", {0.5, 2.0});
  file.words(2, "OFFSET", {10, 65535});  // -1
  file.reals(2, "GEN_SCALE", {2.0}, {});
  for (int frame = 0; frame < num_frames; ++frame) {
    for (int i = 0; i < 3; ++i) {
      const bool is_lost = frame == 2 && i == 1;
      file.point(is_lost ? 0 : 1000 + 10 * i + frame, -20 * i - 1, 300 + frame, is_lost ? -1 : (i << 8) + 4);
    }
    for (int sample = 0; sample < 2; ++sample) {
      file.number(100 + frame);
      file.number(-7 + sample);
    }
  }
  return file;
}

}  // namespace aplomb::test

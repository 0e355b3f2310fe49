#include "aplomb/recording/formats/c3d/c3d_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/recording/formats/c3d/c3d_numbers.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kBlock = 512;
constexpr double kLargestScale = 1e30;     ///< beyond it integer times scale overflows a float
constexpr std::size_t kMostZeros = 65536;  ///< bytes searched for the header behind leading zeros

void append_new(std::vector<std::size_t>& values, std::optional<std::size_t> value) {
  if (value && std::ranges::find(values, *value) == values.end()) values.push_back(*value);
}

std::size_t count_leading_zeros(const InputBytes& input) {
  std::string start(std::min(input.size(), kMostZeros), '\0');
  input.read(0, start);
  const std::size_t zeros = start.find_first_not_of('\0');
  return zeros == std::string::npos ? start.size() : zeros;
}

/// Frame number in TRIAL:ACTUAL_START_FIELD or _END_FIELD: two 16-bit words, the low one first.
std::optional<std::size_t> trial_field(const C3dParameters& parameters, std::string_view name) {
  const auto low = parameters.count("TRIAL", name, 0);
  const auto high = parameters.count("TRIAL", name, 1);
  return low ? std::optional(*low + 65536 * high.value_or(0)) : std::nullopt;
}

/// Tries all combinations of the values that the file states, the most trusted ones first.
class LayoutFinder {
 public:
  LayoutFinder(const InputBytes& input, const C3dHeader& header, const C3dParameters& parameters,
               std::vector<std::string>& notes)
      : input_(input), header_(header), parameters_(parameters), notes_(notes) {}

  C3dLayout find() {
    set_start();
    const std::vector<double> scales = scale_candidates();
    std::vector<std::size_t> points = {header_.num_points};
    append_new(points, parameters_.count("POINT", "USED"));
    const std::vector<std::pair<std::size_t, std::size_t>> analogs = analog_candidates();
    bool is_first = true;
    for (const double scale : scales) {
      for (const std::size_t num_points : points) {
        for (const auto& [num_channels, samples] : analogs) {
          consider(scale, num_points, num_channels, samples, is_first);
          is_first = false;
        }
      }
    }
    return decide();
  }

 private:
  void set_start() {
    std::vector<std::size_t> blocks = {header_.data_block};
    append_new(blocks, parameters_.count("POINT", "DATA_START"));
    append_new(blocks, (header_.section_start - header_.base) / kBlock + 1 + header_.section_blocks);
    for (const std::size_t block : blocks) {
      // The data come after the header and after the beginning of the parameters.
      const std::size_t start = header_.base + (block - 1) * kBlock;
      if (block < 2 || start <= header_.section_start || start > input_.size()) continue;
      layout_.data_start = start;
      if (block != blocks[0])
        notes_.push_back(fmt::format("the header says that data begin at block {}, which cannot be: block {} is taken",
                                     blocks[0], block));
      return;
    }
    throw FileError({input_.name()},
                    fmt::format("its data would begin at block {} of 512 bytes, but the file has {} bytes: "
                                "it is damaged or cut off",
                                blocks[0], input_.size()));
  }

  /// Number of frames by TRIAL's fields; none when these are missing or invalid.
  std::optional<std::size_t> trial_frames() const {
    const auto first = trial_field(parameters_, "ACTUAL_START_FIELD");
    const auto last = trial_field(parameters_, "ACTUAL_END_FIELD");
    return first && last && *last >= *first && *last > 0 ? std::optional(*last - *first + 1) : std::nullopt;
  }

  std::vector<double> scale_candidates() const {
    std::vector<double> scales;
    for (const std::optional<double> scale : {parameters_.number("POINT", "SCALE"), std::optional(header_.scale)}) {
      if (scale && std::abs(*scale) < kLargestScale && *scale != 0.0) scales.push_back(*scale);
    }
    if (scales.empty() && header_.num_points > 0) {
      throw FileError(
          {input_.name()},
          "POINT:SCALE is missing, 0 or beyond 1e30; its sign distinguishes integers (> 0) from reals (< 0)");
    }
    if (scales.empty()) scales.push_back(-1.0);  // analog data only
    return scales;
  }

  /// Candidate pairs of number of channels and samples per frame.
  std::vector<std::pair<std::size_t, std::size_t>> analog_candidates() const {
    std::vector<std::pair<std::size_t, std::size_t>> candidates;
    const std::optional<std::size_t> used = parameters_.count("ANALOG", "USED");
    const double ratio = parameters_.number("ANALOG", "RATE").value_or(0.0) /
                         parameters_.number("POINT", "RATE").value_or(header_.rate_hz);
    const std::size_t by_rate = ratio >= 1.0 && ratio < 65536.0 ? static_cast<std::size_t>(std::lround(ratio)) : 1;
    const std::size_t samples = header_.samples_per_frame > 0 ? header_.samples_per_frame : by_rate;
    if (header_.analog_per_frame % samples == 0) candidates.emplace_back(header_.analog_per_frame / samples, samples);
    if (used && header_.analog_per_frame == *used * by_rate) candidates.emplace_back(*used, by_rate);
    if (used && *used > 0) candidates.emplace_back(*used, samples);
    if (candidates.empty()) candidates.emplace_back(header_.analog_per_frame, 1);
    return candidates;
  }

  /// `most` less the number of frames that lie in the zero padding of the last block.
  std::size_t without_padding(std::size_t most, std::size_t frame_bytes) const {
    std::string tail(std::min(kBlock, input_.size() - layout_.data_start), '\0');
    input_.read(input_.size() - tail.size(), tail);
    const std::size_t written = tail.find_last_not_of('\0') + 1;  // 0 when there are only zeros
    return most - (tail.size() - written) / frame_bytes;
  }

  /// Frame counts that the file states, the most trusted first.
  std::vector<std::size_t> frame_candidates(std::size_t most, std::size_t frame_bytes) const {
    std::vector<std::size_t> counts;
    append_new(counts, trial_frames());
    if (const auto frames = parameters_.count("POINT", "LONG_FRAMES"); frames && *frames > 0)
      append_new(counts, frames);
    const std::size_t by_header = header_.last_frame >= header_.first_frame && header_.last_frame > 0
                                      ? header_.last_frame - header_.first_frame + 1
                                      : 0;
    append_new(counts, by_header);
    const auto frames = parameters_.count("POINT", "FRAMES");
    if (frames && *frames > 0) append_new(counts, frames);
    // A 16-bit count that overflowed, or that saturated at 65535.
    if (most > 65535 && by_header > 0) append_new(counts, by_header + 65536 * ((most - by_header) / 65536));
    if (most > 65535 && header_.last_frame == 65535) append_new(counts, without_padding(most, frame_bytes));
    return counts;
  }

  void consider(double scale, std::size_t num_points, std::size_t num_channels, std::size_t samples, bool is_first) {
    C3dLayout layout = layout_;
    layout.is_real = scale < 0.0;
    layout.scale = std::abs(scale);
    layout.num_points = num_points;
    layout.num_channels = num_channels;
    layout.samples_per_frame = samples;
    const std::size_t data_bytes = input_.size() - layout.data_start;
    const std::size_t most = layout.frame_bytes() > 0 ? data_bytes / layout.frame_bytes() : 0;
    for (const std::size_t count : frame_candidates(most, layout.frame_bytes())) {
      layout.num_frames = count;
      if (is_first && !stated_) stated_ = layout;
      if (count == 0 || count > most) continue;
      if (!fitting_) fitting_ = layout;
      if (!exact_ && data_bytes - layout.num_frames * layout.frame_bytes() <= kBlock) exact_ = layout;
    }
  }

  [[noreturn]] void refuse(const C3dLayout& stated) const {
    const Place place{input_.name()};
    if (stated.frame_bytes() == 0) throw FileError(place, "has neither points nor analog channels");
    if (stated.num_frames == 0) {
      throw FileError(place, fmt::format("has no frames: its header goes from frame {} to frame {}",
                                         header_.first_frame, header_.last_frame));
    }
    const std::size_t whole = (input_.size() - stated.data_start) / stated.frame_bytes();
    throw FileError(place,
                    fmt::format("its header states {} frames of {} bytes, but the file holds {}: truncated or damaged",
                                stated.num_frames, stated.frame_bytes(), whole));
  }

  C3dLayout decide() {
    if (!stated_) stated_ = layout_;
    if (!exact_ && !fitting_) refuse(*stated_);
    C3dLayout taken = exact_ ? *exact_ : *fitting_;
    // A cropped trial may keep the TRIAL fields of the whole one: they are used only if their number of frames agrees.
    taken.first_frame = header_.first_frame;
    if (trial_frames() == taken.num_frames) taken.first_frame = *trial_field(parameters_, "ACTUAL_START_FIELD");
    const bool differs = taken.num_frames != stated_->num_frames || taken.frame_bytes() != stated_->frame_bytes() ||
                         taken.num_channels != stated_->num_channels;
    if (differs) {
      notes_.push_back(
          fmt::format("the file contradicts itself; its size fits {} frames of {} points and {} x {} analog "
                      "values, stored as {}: these are taken",
                      taken.num_frames, taken.num_points, taken.num_channels, taken.samples_per_frame,
                      taken.is_real ? "reals" : "integers"));
    }
    const std::size_t rest = input_.size() - taken.data_start - taken.num_frames * taken.frame_bytes();
    if (!exact_ && rest > kBlock) notes_.push_back(fmt::format("{} bytes follow the last frame", rest));
    return taken;
  }

  const InputBytes& input_;
  const C3dHeader& header_;
  const C3dParameters& parameters_;
  std::vector<std::string>& notes_;
  C3dLayout layout_;
  std::optional<C3dLayout> stated_;
  std::optional<C3dLayout> fitting_;  ///< first layout for which the file is long enough
  std::optional<C3dLayout> exact_;    ///< first layout that fills the file, up to one block of padding
};

/// Reads the fields whose byte order depends on the processor.
void read_words(C3dHeader& header) {
  const auto word = [&](std::size_t number) { return word_at(header.processor, &header.bytes[2 * (number - 1)]); };
  header.num_points = word(2);
  header.analog_per_frame = word(3);
  header.first_frame = word(4);
  header.last_frame = word(5);
  header.scale = static_cast<double>(real_at(header.processor, &header.bytes[12]));
  header.data_block = word(9);
  header.samples_per_frame = word(10);
  header.rate_hz = static_cast<double>(real_at(header.processor, &header.bytes[20]));
}

}  // namespace

C3dHeader read_c3d_header(const InputBytes& input) {
  if (input.size() == 0) throw FileError({input.name()}, "is empty");
  C3dHeader header;
  header.base = count_leading_zeros(input);
  if (input.size() < header.base + 2 * kBlock) {
    throw FileError({input.name()},
                    fmt::format("not a C3D file: {} bytes, fewer than header and parameters have", input.size()));
  }
  header.bytes.resize(kBlock);
  input.read(header.base, header.bytes);
  const auto block = static_cast<unsigned char>(header.bytes[0]);
  const auto key = static_cast<unsigned char>(header.bytes[1]);
  if (key != 0x50) {
    throw FileError({input.name()}, fmt::format("not a C3D file: its second byte is 0x{:02x}, 0x50 is expected", key));
  }
  header.section_start = header.base + (block - std::size_t{1}) * kBlock;
  char section[4] = {};
  if (header.section_start + sizeof(section) > input.size()) {
    throw FileError({input.name()},
                    fmt::format("its parameters would begin at block {}, but it ends before that: it is "
                                "damaged or cut off",
                                block));
  }
  input.read(header.section_start, section);
  header.section_blocks = static_cast<unsigned char>(section[2]);
  const auto processor = static_cast<unsigned char>(section[3]);
  if (processor < 84 || processor > 86) {
    throw FileError({input.name()},
                    fmt::format("its processor byte is {}, valid: 84 (Intel), 85 (DEC), 86 (SGI)", processor));
  }
  header.processor = static_cast<Processor>(processor);
  read_words(header);
  return header;
}

C3dLayout find_c3d_layout(const InputBytes& input, const C3dHeader& header, const C3dParameters& parameters,
                          std::vector<std::string>& notes) {
  return LayoutFinder(input, header, parameters, notes).find();
}

}  // namespace aplomb

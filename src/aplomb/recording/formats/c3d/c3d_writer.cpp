#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/recording/c3d_file.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kMostInOne = 255;  ///< most texts or numbers along one dimension of a parameter

template <typename Value>
void append_bytes(std::string& bytes, Value value) {
  const auto raw = std::bit_cast<std::array<char, sizeof(Value)>>(value);
  bytes.append(raw.data(), raw.size());
}

std::uint16_t capped(std::size_t value) { return static_cast<std::uint16_t>(std::min<std::size_t>(value, 65535)); }

std::string part_name(const char* name, std::size_t part) {
  return part == 0 ? name : fmt::format("{}{}", name, part + 1);
}

/// Sets the parameters NAME, NAME2, ... (LABELS, LABELS2) with up to 255 texts each.
void set_texts(C3dGroup& group, const char* name, const std::vector<std::string>& texts) {
  for (std::size_t part = 0; part == 0 || part * kMostInOne < texts.size(); ++part) {
    const auto first = texts.begin() + static_cast<std::ptrdiff_t>(part * kMostInOne);
    const auto last = texts.begin() + static_cast<std::ptrdiff_t>(std::min(texts.size(), (part + 1) * kMostInOne));
    group.set(C3dParameter::of_texts(part_name(name, part), {first, last}));
  }
}

void set_numbers(C3dGroup& group, const char* name, const std::vector<double>& values, bool as_words) {
  for (std::size_t part = 0; part == 0 || part * kMostInOne < values.size(); ++part) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(part * kMostInOne);
    const auto last = values.begin() + static_cast<std::ptrdiff_t>(std::min(values.size(), (part + 1) * kMostInOne));
    const std::vector<double> some(first, last);
    std::vector<std::uint16_t> words;
    if (as_words)
      std::ranges::transform(some, std::back_inserter(words),
                             [](double value) { return static_cast<std::uint16_t>(static_cast<std::int32_t>(value)); });
    group.set(as_words ? C3dParameter::of_words(part_name(name, part), words)
                       : C3dParameter::of_reals(part_name(name, part), some, {some.size()}));
  }
}

void set_points(C3dParameters& parameters, const C3dFile& file) {
  const Points& points = file.points;
  C3dGroup& group = parameters.group("POINT");
  group.set(C3dParameter::scalar_word("USED", capped(points.num_points())));
  group.set(C3dParameter::scalar("SCALE", points.residual_unit > 0.0 ? -points.residual_unit : -1.0));
  group.set(C3dParameter::scalar("RATE", points.rate_hz));
  group.set(C3dParameter::scalar_word("FRAMES", capped(points.num_frames)));
  group.set(C3dParameter::of_texts("UNITS", {points.unit}));
  set_texts(group, "LABELS", points.labels);
  if (points.num_frames > 65535) group.set(C3dParameter::scalar("LONG_FRAMES", static_cast<double>(points.num_frames)));
  C3dGroup& trial = parameters.group("TRIAL");
  const auto first = static_cast<std::uint64_t>(std::max<std::int64_t>(points.first_frame, 1));
  const std::uint64_t last = first + points.num_frames - 1;
  const auto words = [](std::uint64_t frame) {
    return std::vector{static_cast<std::uint16_t>(frame & 0xFFFFU),
                       static_cast<std::uint16_t>((frame >> 16) & 0xFFFFU)};
  };
  if (points.num_frames == 0) return;
  trial.set(C3dParameter::of_words("ACTUAL_START_FIELD", words(first)));
  trial.set(C3dParameter::of_words("ACTUAL_END_FIELD", words(last)));
}

void set_analog(C3dParameters& parameters, const Analog& analog) {
  C3dGroup& group = parameters.group("ANALOG");
  group.set(C3dParameter::scalar_word("USED", capped(analog.num_channels())));
  group.set(C3dParameter::scalar("RATE", analog.rate_hz));
  group.set(C3dParameter::scalar("GEN_SCALE", analog.general_scale));
  set_texts(group, "LABELS", analog.labels);
  set_texts(group, "UNITS", analog.units);
  set_numbers(group, "SCALE", analog.scale, false);
  // Offsets are 16-bit integers by the format; others are written as reals.
  const bool are_words = std::ranges::all_of(analog.offset, [](double offset) {
    return offset == std::floor(offset) && offset >= -32768.0 && offset <= 32767.0;
  });
  const bool are_counts = std::ranges::all_of(
      analog.offset, [](double offset) { return offset == std::floor(offset) && offset >= 0.0 && offset <= 65535.0; });
  set_numbers(group, "OFFSET", analog.offset, are_words || are_counts);
  if (are_words || !are_counts) std::erase_if(group.parameters, [](auto& other) { return other.name == "FORMAT"; });
  if (!are_words && are_counts) group.set(C3dParameter::of_texts("FORMAT", {"UNSIGNED"}));
}

void set_events(C3dParameters& parameters, const std::vector<MotionEvent>& events) {
  if (events.empty()) return;
  if (events.size() > kMostInOne) {
    throw InvalidValue(fmt::format("{} events do not fit a C3D file, which holds {}", events.size(), kMostInOne));
  }
  std::vector<std::string> labels, contexts;
  std::vector<double> times;
  for (const MotionEvent& event : events) {
    labels.push_back(event.label);
    contexts.push_back(event.context);
    const double minutes = std::floor(event.time_s / 60.0);
    times.insert(times.end(), {minutes, event.time_s - 60.0 * minutes});
  }
  C3dGroup& group = parameters.group("EVENT");
  group.set(C3dParameter::scalar_word("USED", capped(events.size())));
  group.set(C3dParameter::of_texts("LABELS", labels));
  group.set(C3dParameter::of_texts("CONTEXTS", contexts));
  group.set(C3dParameter::of_reals("TIMES", times, {2, events.size()}));
}

std::string header(const C3dFile& file, std::size_t data_block) {
  const Points& points = file.points;
  const std::size_t per_frame = file.analog.num_channels() * file.analog.samples_per_frame;
  const auto first = static_cast<std::size_t>(std::max<std::int64_t>(points.first_frame, 1));
  std::string bytes = {2, 0x50};
  append_bytes(bytes, static_cast<std::uint16_t>(points.num_points()));
  append_bytes(bytes, static_cast<std::uint16_t>(per_frame));
  append_bytes(bytes, capped(first));
  append_bytes(bytes, capped(first + points.num_frames - 1));
  append_bytes(bytes, std::uint16_t{0});  // maximum interpolation gap: 0, nothing was interpolated
  append_bytes(bytes, static_cast<float>(points.residual_unit > 0.0 ? -points.residual_unit : -1.0));
  append_bytes(bytes, static_cast<std::uint16_t>(data_block));
  append_bytes(bytes, static_cast<std::uint16_t>(file.analog.samples_per_frame));
  append_bytes(bytes, static_cast<float>(points.rate_hz));
  bytes.resize(kBlock, '\0');
  return bytes;
}

void append_frame(std::string& bytes, const C3dFile& file, std::size_t frame) {
  const Points& points = file.points;
  for (std::size_t i = 0; i < points.num_points(); ++i) {
    const bool is_seen = points.is_seen(frame, i);
    for (int axis = 0; axis < 3; ++axis) append_bytes(bytes, is_seen ? points.raw(frame, i)[axis] : 0.0F);
    const std::uint16_t seen_by = points.seen_by.empty() ? 0 : points.seen_by[frame * points.num_points() + i];
    append_bytes(bytes, is_seen ? static_cast<float>(seen_by) : -1.0F);
  }
  const Analog& analog = file.analog;
  const std::size_t first = frame * analog.samples_per_frame;
  for (std::size_t sample = first; analog.num_channels() > 0 && sample < first + analog.samples_per_frame; ++sample) {
    for (std::size_t i = 0; i < analog.num_channels(); ++i) append_bytes(bytes, analog.stored(sample, i));
  }
}

void check_sizes(const C3dFile& file) {
  const std::size_t per_frame = file.analog.num_channels() * file.analog.samples_per_frame;
  if (file.points.num_points() > 65535 || per_frame > 65535) {
    throw InvalidValue(
        fmt::format("{} points and {} analog values per frame do not fit a C3D file, which holds 65535 of each",
                    file.points.num_points(), per_frame));
  }
  if (file.analog.num_samples() != file.points.num_frames * file.analog.samples_per_frame &&
      file.analog.num_channels() > 0) {
    throw InvalidValue(fmt::format("{} analog samples do not match {} frames of {} samples", file.analog.num_samples(),
                                   file.points.num_frames, file.analog.samples_per_frame));
  }
}

/// Passes the file's bytes to `write`, piece by piece.
template <typename Write>
void serialise(const C3dFile& c3d, Write&& write) {
  check_sizes(c3d);
  C3dParameters parameters = c3d.parameters;
  set_points(parameters, c3d);
  set_analog(parameters, c3d.analog);
  set_events(parameters, c3d.events);
  C3dGroup& points = parameters.group("POINT");
  points.set(C3dParameter::scalar_word("DATA_START", 0));
  const std::size_t data_block =
      2 + parameters.serialise().size() / kBlock;  // this length does not depend on DATA_START
  points.set(C3dParameter::scalar_word("DATA_START", static_cast<std::uint16_t>(data_block)));
  write(header(c3d, data_block));
  write(parameters.serialise());
  std::string bytes;
  std::size_t num_bytes = 0;
  for (std::size_t frame = 0; frame < c3d.points.num_frames; ++frame) {
    bytes.clear();
    append_frame(bytes, c3d, frame);
    write(bytes);
    num_bytes += bytes.size();
  }
  write(std::string((kBlock - num_bytes % kBlock) % kBlock, '\0'));
}

}  // namespace

std::string c3d_bytes(const C3dFile& c3d) {
  std::string bytes;
  serialise(c3d, [&](const std::string& piece) { bytes += piece; });
  return bytes;
}

void write_c3d(const std::filesystem::path& file, const C3dFile& c3d) {
  std::optional<OutputFile> output;  // opened with the first bytes: an invalid recording leaves no file
  serialise(c3d, [&](const std::string& piece) {
    if (!output) output.emplace(file);
    output->write(piece);
  });
  output->close();
}

}  // namespace aplomb

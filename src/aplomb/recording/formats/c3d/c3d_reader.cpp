#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "aplomb/core/error.hpp"
#include "aplomb/recording/c3d_file.hpp"
#include "aplomb/recording/formats/c3d/c3d_layout.hpp"
#include "aplomb/recording/formats/c3d/c3d_numbers.hpp"
#include "aplomb/recording/formats/line_reader.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kLargestSection = 4'000'000;  ///< [bytes] largest parameter section; the format allows 130 560
constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr float kGap = std::numeric_limits<float>::quiet_NaN();

/// Decodes the frames of the data section into points and analog values, for one processor and one number type.
/// Integers stay integers.
template <Processor processor, bool is_real>
class FrameDecoder {
 public:
  FrameDecoder(const C3dLayout& layout, C3dFile& file)
      : layout_(layout),
        num_values_(layout.num_channels * layout.samples_per_frame),
        points_(file.points),
        xyz_(storage(file.points.xyz, file.points.counts)),
        analog_(storage(file.analog.raw, file.analog.words)) {
    xyz_.resize(3 * layout.num_points * layout.num_frames);
    points_.seen_by.resize(layout.num_points * layout.num_frames);
    analog_.resize(num_values_ * layout.num_frames);
  }

  void decode(const char* at, std::size_t frame) {
    auto* xyz = xyz_.data() + 3 * frame * layout_.num_points;
    std::uint16_t* seen_by = points_.seen_by.data() + frame * layout_.num_points;
    for (std::size_t i = 0; i < layout_.num_points; ++i, at += 4 * kWord, xyz += 3) {
      for (std::size_t axis = 0; axis < 3; ++axis) xyz[axis] = number<Coordinate>(at + axis * kWord);
      seen_by[i] = status(at + 3 * kWord);
      if (seen_by[i] == Points::kNotSeen || !std::isfinite(static_cast<float>(xyz[0] + xyz[1] + xyz[2])))
        hide(xyz, seen_by[i]);
      if (xyz[0] == 0 && xyz[1] == 0 && xyz[2] == 0 && seen_by[i] != Points::kNotSeen && points_.is_marker(i)) {
        hide(xyz, seen_by[i]);
        ++num_zeros_;
      }
    }
    auto* value = analog_.data() + frame * num_values_;
    for (std::size_t i = 0; i < num_values_; ++i, at += kWord) value[i] = analog_value(at);
  }
  std::size_t num_zeros() const { return num_zeros_; }

 private:
  using Coordinate = std::conditional_t<is_real, float, std::int16_t>;
  using Value = std::conditional_t<is_real, float, std::uint16_t>;
  static constexpr std::size_t kWord = is_real ? 4 : 2;

  template <typename Integer>
  static auto& storage(std::vector<float>& reals, std::vector<Integer>& integers) {
    if constexpr (is_real) {
      return reals;
    } else {
      return integers;
    }
  }

  static void hide(Coordinate* xyz, std::uint16_t& seen_by) {
    xyz[0] = xyz[1] = xyz[2] = is_real ? static_cast<Coordinate>(kGap) : Coordinate{0};
    seen_by = Points::kNotSeen;
  }

  template <typename Number>
  static Number number(const char* at) {
    if constexpr (is_real) {
      return real_at<processor>(at);
    } else {
      return static_cast<Number>(word_at<processor>(at));
    }
  }

  /// Residual in the low byte, camera mask in the seven bits above; a negative word marks an invalid point.
  static std::uint16_t status(const char* at) {
    if constexpr (is_real) {
      const float word = real_at<processor>(at);
      if (!(word >= 0.0F)) return Points::kNotSeen;
      if (word > 0.0F && word < 1.0F) return 1;  // some writers store the residual itself: the point is measured
      return static_cast<std::uint16_t>(std::min(word, 32767.0F));
    }
    const std::uint16_t word = word_at<processor>(at);
    return word >= 0x8000U ? Points::kNotSeen : word;
  }

  static Value analog_value(const char* at) {
    const Value value = number<Value>(at);
    if constexpr (is_real) return std::isfinite(value) ? value : kGap;
    return value;
  }

  const C3dLayout& layout_;
  std::size_t num_values_;  ///< analog values per frame
  Points& points_;
  std::vector<Coordinate>& xyz_;
  std::vector<Value>& analog_;
  std::size_t num_zeros_ = 0;
};

class C3dReader {
 public:
  explicit C3dReader(const InputBytes& input) : input_(input) {}

  C3dFile read() {
    header_ = read_c3d_header(input_);
    file_.processor = header_.processor;
    read_parameters();
    layout_ = find_c3d_layout(input_, header_, file_.parameters, file_.notes);
    file_.is_real = layout_.is_real;
    describe_points();
    describe_analog();
    read_events();
    read_frames();
    return std::move(file_);
  }

 private:
  const C3dParameters& parameters() const { return file_.parameters; }

  void read_parameters() {
    std::string section(std::min(input_.size() - header_.section_start, kLargestSection), '\0');
    input_.read(header_.section_start, section);
    file_.parameters = C3dParameters::parse(section, header_.processor, file_.notes);
  }

  void describe_points() {
    Points& points = file_.points;
    points.num_frames = layout_.num_frames;
    points.first_frame = static_cast<std::int64_t>(std::max<std::size_t>(layout_.first_frame, 1));  // 0 in some files
    points.rate_hz = parameters().number("POINT", "RATE").value_or(0.0);
    if (!(points.rate_hz > 0.0)) points.rate_hz = header_.rate_hz;
    if (!(points.rate_hz > 0.0 && points.rate_hz < 1e6)) {
      file_.notes.push_back(fmt::format("the frame rate is {}: times are unknown", points.rate_hz));
      points.rate_hz = 0.0;
    }
    tell_difference("POINT:RATE", points.rate_hz, "the header", header_.rate_hz);
    const std::size_t elapsed = layout_.first_frame > 0 ? layout_.first_frame - 1 : 0;
    points.start_s = points.rate_hz > 0.0 ? static_cast<double>(elapsed) / points.rate_hz : 0.0;
    points.unit = parameters().text("POINT", "UNITS");
    points.residual_unit = layout_.scale;
    points.labels = parameters().texts("POINT", "LABELS", layout_.num_points);
    const std::size_t num_named = points.labels.size();
    for (std::size_t i = 0; i < layout_.num_points; ++i) {
      if (i >= num_named) points.labels.push_back({});
      if (points.labels[i].empty()) points.labels[i] = fmt::format("*{}", i + 1);
    }
    if (num_named < layout_.num_points) {
      file_.notes.push_back(
          fmt::format("{} of {} points have no label", layout_.num_points - num_named, layout_.num_points));
    }
    for (const std::string& label : repeated_names(points.labels)) {
      if (file_.notes.size() < 40) file_.notes.push_back(fmt::format("two points are named '{}'", label));
    }
    set_kinds();
  }

  void tell_difference(const std::string& who, double taken_hz, const char* other, double other_hz) {
    if (!(taken_hz > 0.0 && other_hz > 0.0) || std::abs(other_hz - taken_hz) <= 1e-3 * taken_hz) return;
    file_.notes.push_back(
        fmt::format("{} makes {:.6g} Hz, {} says {:.6g} Hz: the first is taken", who, taken_hz, other, other_hz));
  }

  void set_kinds() {
    Points& points = file_.points;
    points.kinds.assign(points.labels.size(), PointKind::marker);
    const std::pair<const char*, PointKind> lists[] = {{"ANGLES", PointKind::angle},
                                                       {"FORCES", PointKind::force},
                                                       {"MOMENTS", PointKind::moment},
                                                       {"POWERS", PointKind::power},
                                                       {"SCALARS", PointKind::scalar}};
    for (const auto& [name, kind] : lists) {
      std::vector<std::string> listed = parameters().texts("POINT", name, points.labels.size());
      std::ranges::sort(listed);
      for (std::size_t i = 0; i < points.labels.size(); ++i) {
        if (std::ranges::binary_search(listed, points.labels[i])) points.kinds[i] = kind;
      }
    }
  }

  void describe_analog() {
    Analog& analog = file_.analog;
    const std::size_t num_channels = layout_.num_channels;
    analog.samples_per_frame = layout_.samples_per_frame;
    analog.rate_hz = file_.points.rate_hz * static_cast<double>(layout_.samples_per_frame);
    if (num_channels > 0) {
      tell_difference(fmt::format("{} samples per frame", layout_.samples_per_frame), analog.rate_hz, "ANALOG:RATE",
                      parameters().number("ANALOG", "RATE").value_or(0.0));
    }
    analog.are_words_unsigned = same_word(parameters().text("ANALOG", "FORMAT"), "UNSIGNED");
    analog.labels = parameters().texts("ANALOG", "LABELS", num_channels);
    for (std::size_t i = 0; i < num_channels; ++i) {
      if (i >= analog.labels.size()) analog.labels.push_back({});
      if (analog.labels[i].empty()) analog.labels[i] = fmt::format("analog_{}", i + 1);
    }
    analog.units = parameters().texts("ANALOG", "UNITS", num_channels);
    analog.units.resize(num_channels);
    analog.general_scale = parameters().number("ANALOG", "GEN_SCALE").value_or(1.0);
    analog.scale = parameters().numbers("ANALOG", "SCALE", num_channels, false);
    analog.offset = parameters().numbers("ANALOG", "OFFSET", num_channels, analog.are_words_unsigned);
    if (analog.scale.size() < num_channels) {
      file_.notes.push_back(fmt::format("ANALOG:SCALE has {} values for {} channels; the others are taken as 1",
                                        analog.scale.size(), num_channels));
    }
    analog.scale.resize(num_channels, 1.0);
    analog.offset.resize(num_channels, 0.0);
  }

  void read_events() {
    const std::size_t num_events = std::min<std::size_t>(parameters().count("EVENT", "USED").value_or(0), 65535);
    const std::vector<double> times = parameters().numbers("EVENT", "TIMES", 2 * num_events, false);
    const std::vector<std::string> labels = parameters().texts("EVENT", "LABELS", num_events);
    const std::vector<std::string> contexts = parameters().texts("EVENT", "CONTEXTS", num_events);
    for (std::size_t i = 0; 2 * i + 1 < times.size(); ++i) {  // pairs of minutes and seconds
      const double time = 60.0 * times[2 * i] + times[2 * i + 1];
      if (!std::isfinite(time)) continue;
      file_.events.push_back({i < labels.size() ? labels[i] : "", i < contexts.size() ? contexts[i] : "", time});
    }
    if (file_.events.empty()) read_header_events();
    std::ranges::stable_sort(file_.events, {}, &MotionEvent::time_s);
  }

  /// Reads the older kind of events: up to 18 in the header, with labels of four letters.
  void read_header_events() {
    constexpr std::size_t kCount = 300, kTimes = 304, kLabels = 396, kMost = 18;
    const char* bytes = header_.bytes.data();
    const std::size_t num_events = std::min<std::size_t>(word_at(header_.processor, bytes + kCount), kMost);
    for (std::size_t i = 0; i < num_events; ++i) {
      const double time = static_cast<double>(real_at(header_.processor, bytes + kTimes + 4 * i));
      const std::string_view label(bytes + kLabels + 4 * i, 4);
      if (std::isfinite(time)) file_.events.push_back({clean_label(label.substr(0, label.find('\0'))), "", time});
    }
  }

  void read_frames() {
    switch (header_.processor) {
      case Processor::intel:
        return layout_.is_real ? decode<Processor::intel, true>() : decode<Processor::intel, false>();
      case Processor::dec:
        return layout_.is_real ? decode<Processor::dec, true>() : decode<Processor::dec, false>();
      case Processor::sgi:
        return layout_.is_real ? decode<Processor::sgi, true>() : decode<Processor::sgi, false>();
    }
  }

  template <Processor processor, bool is_real>
  void decode() {
    if (layout_.frame_bytes() == 0) return;
    FrameDecoder<processor, is_real> decoder(layout_, file_);
    const std::size_t at_once =
        std::clamp<std::size_t>(kChunk / layout_.frame_bytes(), 1, std::max<std::size_t>(layout_.num_frames, 1));
    std::string chunk(at_once * layout_.frame_bytes(), '\0');
    for (std::size_t frame = 0; frame < layout_.num_frames; frame += at_once) {
      const std::size_t count = std::min(at_once, layout_.num_frames - frame);
      input_.read(layout_.data_start + frame * layout_.frame_bytes(), {chunk.data(), count * layout_.frame_bytes()});
      for (std::size_t i = 0; i < count; ++i) decoder.decode(chunk.data() + i * layout_.frame_bytes(), frame + i);
    }
    if (decoder.num_zeros() > 0) {
      file_.notes.push_back(fmt::format(
          "{} marker positions are exactly (0, 0, 0) though marked as seen: they are gaps", decoder.num_zeros()));
    }
  }

  const InputBytes& input_;
  C3dHeader header_;
  C3dLayout layout_;
  C3dFile file_;
};

}  // namespace

C3dFile read_c3d(const InputBytes& input) { return C3dReader(input).read(); }

}  // namespace aplomb

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aplomb {

/// Analog channels over time, as the converter gave them; `value` scales them.
struct Analog {
  std::vector<std::string> labels;
  std::vector<std::string> units;  ///< of the scaled value, as the file calls them
  std::vector<double> scale;
  std::vector<double> offset;
  double general_scale = 1.0;
  double rate_hz = 0.0;
  std::size_t samples_per_frame = 1;  ///< of the markers
  std::vector<float> raw;             ///< [sample][channel]
  /// The same of a file that stores integers; `raw` is empty then. A recording takes no more memory so than its file is
  /// long.
  std::vector<std::uint16_t> words;
  bool are_words_unsigned = false;

  std::size_t num_channels() const { return labels.size(); }
  std::size_t num_samples() const { return labels.empty() ? 0 : (raw.size() + words.size()) / labels.size(); }
  /// As the converter gave it; NaN where a file has no number.
  float stored(std::size_t sample, std::size_t channel) const {
    const std::size_t at = sample * num_channels() + channel;
    if (words.empty()) return raw[at];
    return are_words_unsigned ? static_cast<float>(words[at])
                              : static_cast<float>(static_cast<std::int16_t>(words[at]));
  }
  /// (stored − offset) scale general_scale
  double value(std::size_t sample, std::size_t channel) const {
    const double counts = static_cast<double>(stored(sample, channel)) - offset[channel];
    return counts * scale[channel] * general_scale;
  }
};

}  // namespace aplomb

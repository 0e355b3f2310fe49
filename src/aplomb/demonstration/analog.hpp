#pragma once

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

  std::size_t num_channels() const { return labels.size(); }
  std::size_t num_samples() const { return labels.empty() ? 0 : raw.size() / labels.size(); }
  /// (raw − offset) scale general_scale
  double value(std::size_t sample, std::size_t channel) const {
    const double counts = static_cast<double>(raw[sample * num_channels() + channel]) - offset[channel];
    return counts * scale[channel] * general_scale;
  }
};

}  // namespace aplomb

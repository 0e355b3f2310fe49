#pragma once

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "aplomb/recording/c3d_file.hpp"
#include "aplomb/recording/points.hpp"

namespace aplomb::test {

/// Markers that move smoothly, in metres with z up; no two are alike, none has a gap.
inline Points moving_points(std::size_t num_points, std::size_t num_frames, unsigned seed = 1) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  Points points;
  points.num_frames = num_frames;
  points.rate_hz = 100.0;
  std::vector<double> start;
  for (std::size_t i = 0; i < num_points; ++i) {
    points.labels.push_back(std::string("M").append(std::to_string(i + 1)));
    for (int axis = 0; axis < 3; ++axis) start.push_back(unit(engine) + (axis == 2 ? 1.5 : 0.0));
  }
  points.kinds.assign(num_points, PointKind::marker);
  for (std::size_t frame = 0; frame < num_frames; ++frame) {
    const double sway = 0.05 * std::sin(0.02 * static_cast<double>(frame));
    for (const double value : start) points.xyz.push_back(static_cast<float>(value + sway));
  }
  return points;
}

inline void hide(Points& points, std::size_t frame, std::size_t point) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    points.xyz[3 * (frame * points.num_points() + point) + axis] = std::numeric_limits<float>::quiet_NaN();
  }
}

/// The same bits, gaps included.
inline bool same_positions(const Points& a, const Points& b) {
  if (a.labels != b.labels || a.num_frames != b.num_frames) return false;
  for (std::size_t frame = 0; frame < a.num_frames; ++frame) {
    for (std::size_t i = 0; i < a.num_points(); ++i) {
      if (a.is_seen(frame, i) != b.is_seen(frame, i)) return false;
      if (a.is_seen(frame, i) && a.raw(frame, i) != b.raw(frame, i)) return false;
    }
  }
  return true;
}

/// The same numbers, however they are stored; none is missing.
inline bool same_numbers(const Analog& a, const Analog& b) {
  if (a.num_channels() != b.num_channels() || a.num_samples() != b.num_samples()) return false;
  for (std::size_t sample = 0; sample < a.num_samples(); ++sample) {
    for (std::size_t i = 0; i < a.num_channels(); ++i) {
      if (a.stored(sample, i) != b.stored(sample, i)) return false;
    }
  }
  return true;
}

}  // namespace aplomb::test

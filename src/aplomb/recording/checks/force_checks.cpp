#include "aplomb/recording/checks/force_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace aplomb {
namespace {

constexpr double kWindow = 0.5;         // [s] shortest quiet standing
constexpr double kStillness = 0.02;     // largest standard deviation over mean of the force in quiet standing
constexpr double kLargestRate = 1e7;    // [Hz] largest plausible rate
constexpr double kLargestSway = 0.03;   // [m] postural sway of the markers in quiet standing
constexpr double kLeastWeight = 100.0;  // [N] smallest weight of a subject
constexpr int kLongestLagMs = 250;
constexpr double kLongestLag = 1e-3 * kLongestLagMs;  // [s]
constexpr double kSmoothing = 0.05;                   // [s] standard deviation of the Gaussian kernel for both signals
constexpr double kForceRate = 400.0;                  // [Hz] forces of a higher rate are averaged down to it
constexpr double kLeastCorrelation = 0.6;             // smallest correlation at which a lag is accepted
constexpr double kLeastRise = 0.1;                    // [m] smallest rise of the markers' mean height that counts

/// Samples at a constant rate.
using Signal = std::vector<double>;

/// Downsamples to the mean of each block of `count` samples, so that smoothing is cheap.
Signal thinned(const Signal& signal, std::size_t count) {
  Signal result;
  for (std::size_t first = 0; first + count <= signal.size(); first += count) {
    double sum = 0.0;
    for (std::size_t i = first; i < first + count; ++i) sum += signal[i];
    result.push_back(sum / static_cast<double>(count));
  }
  return result;
}

/// Gaussian smoothing, symmetric in time and thus without delay.
Signal smoothed(const Signal& signal, double rate_hz) {
  const auto reach = static_cast<std::ptrdiff_t>(std::ceil(3.0 * kSmoothing * rate_hz));
  Signal kernel;
  for (std::ptrdiff_t i = -reach; i <= reach; ++i) {
    const double time = static_cast<double>(i) / rate_hz;
    kernel.push_back(std::exp(-0.5 * time * time / (kSmoothing * kSmoothing)));
  }
  const double total = std::accumulate(kernel.begin(), kernel.end(), 0.0);
  Signal result(signal.size());
  const auto last = static_cast<std::ptrdiff_t>(signal.size()) - 1;
  for (std::ptrdiff_t i = 0; i <= last; ++i) {
    double sum = 0.0;
    for (std::ptrdiff_t j = -reach; j <= reach; ++j) {
      sum += kernel[static_cast<std::size_t>(j + reach)] *
             signal[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(i + j, 0, last))];
    }
    result[static_cast<std::size_t>(i)] = sum / total;
  }
  return result;
}

/// Mean height of the markers that are seen in every frame [m]; empty when there are none.
Signal mean_height(const Points& points) {
  Signal height(points.num_frames, 0.0);
  std::size_t count = 0;
  for (std::size_t i = 0; i < points.num_points(); ++i) {
    if (!points.is_marker(i)) continue;
    bool is_whole = true;
    for (std::size_t frame = 0; is_whole && frame < points.num_frames; ++frame) is_whole = points.is_seen(frame, i);
    if (!is_whole) continue;
    for (std::size_t frame = 0; frame < points.num_frames; ++frame) height[frame] += points.position(frame, i).z();
    ++count;
  }
  if (count == 0) return {};
  for (double& value : height) value /= static_cast<double>(count);
  return height;
}

Signal second_derivative(const Signal& signal, double rate_hz) {
  Signal result(signal.size(), 0.0);
  for (std::size_t i = 1; i + 1 < signal.size(); ++i) {
    result[i] = (signal[i + 1] - 2.0 * signal[i] + signal[i - 1]) * rate_hz * rate_hz;
  }
  return result;
}

/// Value at `time_s` of a signal that starts at `start_s`: linear between samples, constant beyond the ends.
double at_time(const Signal& signal, double start_s, double rate_hz, double time_s) {
  const double index = std::clamp((time_s - start_s) * rate_hz, 0.0, static_cast<double>(signal.size() - 1));
  const auto low = static_cast<std::size_t>(index);
  const std::size_t high = std::min(low + 1, signal.size() - 1);
  const double part = index - static_cast<double>(low);
  return (1.0 - part) * signal[low] + part * signal[high];
}

/// Whether at least half of the markers seen at both times have moved by more than 3 cm.
bool has_moved(const Points& points, double start_s, double end_s) {
  if (points.num_frames == 0 || !(points.rate_hz > 0.0)) return false;
  const auto frame_at = [&](double time_s) {
    const double frame = std::round((time_s - points.start_s) * points.rate_hz);
    return static_cast<std::size_t>(std::clamp(frame, 0.0, static_cast<double>(points.num_frames - 1)));
  };
  const std::size_t first = frame_at(start_s), last = frame_at(end_s);
  std::size_t num_seen = 0, num_moved = 0;
  for (std::size_t i = 0; i < points.num_points(); ++i) {
    if (!points.is_marker(i) || !points.is_seen(first, i) || !points.is_seen(last, i)) continue;
    ++num_seen;
    if ((points.position(last, i) - points.position(first, i)).norm() > kLargestSway) ++num_moved;
  }
  return num_seen > 0 && 2 * num_moved >= num_seen;
}

/// Least-squares line b = offset + slope a: its offset, and the correlation of a and b.
struct Line {
  double offset = 0.0;
  double correlation = 0.0;
};

Line fitted_line(const Signal& a, const Signal& b) {
  const auto count = static_cast<double>(a.size());
  const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / count;
  const double mean_b = std::accumulate(b.begin(), b.end(), 0.0) / count;
  double ab = 0.0, aa = 0.0, bb = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  if (!(aa > 0.0 && bb > 0.0)) return {};
  return {mean_b - ab / aa * mean_a, ab / std::sqrt(aa * bb)};
}

/// The vertical force, downsampled to at most kForceRate and smoothed.
struct Load {
  Signal newtons;
  double start_s = 0.0;
  double rate_hz = 0.0;

  explicit Load(const VerticalForce& force) {
    const auto count = static_cast<std::size_t>(std::ceil(force.rate_hz / kForceRate));
    rate_hz = force.rate_hz / static_cast<double>(count);
    start_s = force.start_s + 0.5 * static_cast<double>(count - 1) / force.rate_hz;  // centre of the first block
    newtons = smoothed(thinned(force.newtons, count), rate_hz);
  }
  double at(double time_s) const { return at_time(newtons, start_s, rate_hz, time_s); }
};

/// The frames in which the plates carry the whole body.
std::vector<std::size_t> carried_frames(const Points& points, const Signal& height, const Load& load,
                                        const std::optional<BodyWeight>& weight) {
  const auto [low, high] = std::ranges::minmax(height);
  const bool rises = high - low > kLeastRise;
  std::vector<std::size_t> frames;
  if (!rises && !weight) return frames;
  const double end_s = load.start_s + static_cast<double>(load.newtons.size() - 1) / load.rate_hz;
  for (std::size_t frame = 6; frame + 6 < points.num_frames; frame += 1 + points.num_frames / 20000) {
    const double time = points.time_s(frame);
    bool is_carried = time >= load.start_s + kLongestLag && time <= end_s - kLongestLag;
    is_carried = is_carried && (!rises || height[frame] > low + 0.4 * (high - low));
    for (const double lag : {-kLongestLag, 0.0, kLongestLag}) {
      is_carried = is_carried && (rises || load.at(time + lag) > 0.85 * weight->weight_n);
    }
    if (is_carried) frames.push_back(frame);
  }
  return frames;
}

}  // namespace

VerticalForce vertical_force(const PlateList& plates) {
  VerticalForce force;
  if (plates.empty()) return force;
  force.start_s = plates.front()->info().start_s;
  force.rate_hz = plates.front()->info().rate_hz;
  force.newtons.assign(plates.front()->num_samples(), 0.0);
  for (const auto& plate : plates) {
    for (std::size_t i = 0; i < force.newtons.size(); ++i) {
      const PlateSample sample = plate->sample(i);
      if (sample.is_loaded) force.newtons[i] += sample.force.z();
    }
  }
  return force;
}

std::optional<BodyWeight> find_body_weight(const VerticalForce& force, const Points* motion) {
  const Signal& newtons = force.newtons;
  const auto window = static_cast<std::size_t>(std::lround(kWindow * force.rate_hz));
  if (force.rate_hz > kLargestRate || window < 5 || newtons.size() < window) return std::nullopt;
  std::optional<BodyWeight> best;
  for (std::size_t first = 0; first + window <= newtons.size(); first += std::max<std::size_t>(1, window / 10)) {
    double sum = 0.0, squares = 0.0;
    for (std::size_t i = first; i < first + window; ++i) sum += newtons[i];
    const double mean = sum / static_cast<double>(window);
    for (std::size_t i = first; i < first + window; ++i) squares += (newtons[i] - mean) * (newtons[i] - mean);
    const double noise = std::sqrt(squares / static_cast<double>(window));
    if (mean < kLeastWeight || noise > kStillness * mean || (best && mean <= best->weight_n)) continue;
    const auto time = [&](std::size_t sample) { return force.start_s + static_cast<double>(sample) / force.rate_hz; };
    if (motion != nullptr && has_moved(*motion, time(first), time(first + window))) continue;
    best = BodyWeight{mean, noise, time(first), time(first + window)};
  }
  return best;
}

std::optional<ForceLag> find_force_lag(const Points& points, const VerticalForce& force,
                                       const std::optional<BodyWeight>& weight) {
  const bool has_rates =
      points.rate_hz >= 20.0 && points.rate_hz <= 2000.0 && force.rate_hz > 0.0 && force.rate_hz < kLargestRate;
  if (!has_rates || points.num_frames < 20 || force.newtons.size() < 20) return std::nullopt;
  Signal height = mean_height(points);
  if (height.empty()) return std::nullopt;
  height = smoothed(height, points.rate_hz);
  const Signal acceleration = second_derivative(height, points.rate_hz);
  const Load load(force);
  if (load.newtons.size() < 20) return std::nullopt;
  const std::vector<std::size_t> frames = carried_frames(points, height, load, weight);
  Signal moved, pushed(frames.size());
  for (const std::size_t frame : frames) moved.push_back(acceleration[frame]);
  const auto is_noise = [](double value) { return std::abs(value) < 0.1; };  // [m/s²]
  if (frames.size() < 50 || std::ranges::all_of(moved, is_noise)) return std::nullopt;
  ForceLag best{0.0, -1.0, 0.0};
  for (int milliseconds = -kLongestLagMs; milliseconds <= kLongestLagMs; ++milliseconds) {
    const double lag = 1e-3 * milliseconds;
    for (std::size_t i = 0; i < frames.size(); ++i) pushed[i] = load.at(points.time_s(frames[i]) + lag);
    const Line line = fitted_line(moved, pushed);
    if (line.correlation > best.correlation) best = {lag, line.correlation, line.offset};
  }
  if (best.correlation < kLeastCorrelation || std::abs(best.lag_s) > 0.98 * kLongestLag) return std::nullopt;
  return best;
}

std::string mass_warning(double plates_kg, double other_kg, const std::string& who, double tolerance) {
  const double difference = other_kg / plates_kg - 1.0;
  if (std::abs(difference) <= tolerance) return {};
  return fmt::format("{} says {:.1f} kg, the plates carry {:.1f} kg ({:+.1f} %)", who, other_kg, plates_kg,
                     100.0 * difference);
}

}  // namespace aplomb

// print_c3d FILE: all values of a C3D file as 8-byte numbers, for ezc3d to compare with.
//   counts: frames, points, samples, channels, plates; then positions in the file's unit (NaN in a gap), analog values,
//   and for each plate and sample force, CoP (m) and free moment; without threshold, baseline and sign correction.
#include <cstdio>
#include <exception>
#include <limits>

#include "aplomb/recording/recording.hpp"

namespace {

void put(double value) { std::fwrite(&value, sizeof(value), 1, stdout); }

void put(const Eigen::Vector3d& vector) {
  for (const double value : vector) put(value);
}

void print(const aplomb::Recording& recording) {
  const aplomb::Points& points = recording.c3d->points;
  const aplomb::Analog& analog = recording.c3d->analog;
  const auto& plates = recording.forces.plates;
  for (const std::size_t count :
       {points.num_frames, points.num_points(), analog.num_samples(), analog.num_channels(), plates.size()}) {
    put(static_cast<double>(count));
  }
  for (std::size_t frame = 0; frame < points.num_frames; ++frame) {
    for (std::size_t i = 0; i < points.num_points(); ++i) put(points.raw(frame, i).cast<double>());
  }
  for (std::size_t sample = 0; sample < analog.num_samples(); ++sample) {
    for (std::size_t channel = 0; channel < analog.num_channels(); ++channel) put(analog.value(sample, channel));
  }
  for (const auto& plate : plates) {
    for (std::size_t i = 0; i < plate->num_samples(); ++i) {
      const aplomb::PlateSample sample = plate->sample(i);
      const Eigen::Vector3d none = Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN());
      put(sample.is_loaded ? sample.force : none);
      put(sample.is_loaded ? sample.cop : none);
      put(sample.is_loaded ? sample.free_moment : none);
    }
  }
}

}  // namespace

int main(int argc, char** argv) try {
  aplomb::RecordingOptions options;
  options.up = aplomb::SignedAxis::z;  // the file's own axes
  options.plates = {.threshold_n = 0.0, .subtract_baseline = false, .correct_signs = false};
  for (int i = 1; i < argc; ++i) print(aplomb::read_recording(argv[i], options));
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "print_c3d: %s\n", error.what());
  return 2;
}

#include "aplomb/recording/plates/analog_plate.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <tuple>

namespace aplomb {
namespace {

// Largest offset and noise of an unloaded plate; one foot of a child loads it by more.
constexpr double kLargestOffset = 60.0;  // [N]
constexpr double kLargestNoise = 6.0;    // [N], standard deviation

// A CoP that stays this close to the plate's centre indicates moments in a wrong unit, or no moments at all.
constexpr double kTinyArm = 0.0005;  // [m]
constexpr double kLeastArm = 0.01;   // [m] smallest plausible lever arm in the corrected unit

std::size_t stride_of(std::size_t num_samples) { return std::max<std::size_t>(1, num_samples / 20000); }

}  // namespace

AnalogPlate::AnalogPlate(const Analog& analog, Setup setup) : analog_(analog), setup_(std::move(setup)) {
  info_ = setup_.info;
  const double up = setup_.R_lab_plate(2, 2);
  normal_ = Eigen::Vector3d(0.0, 0.0, up > 0.0 ? 1.0 : -1.0);
}

AnalogPlate::PlateWrench AnalogPlate::wrench_of(const std::array<double, 8>& channel) const {
  const Eigen::Vector3d& origin = setup_.origin;
  PlateWrench wrench{};
  if (setup_.info.type == 1) {
    wrench.force = {channel[0], channel[1], channel[2]};
    wrench.cop = setup_.position_scale * Eigen::Vector3d(channel[3], channel[4], 0.0);
    wrench.moment = wrench.cop.cross(wrench.force) + Eigen::Vector3d(0.0, 0.0, setup_.moment_scale * channel[5]);
    return wrench;
  }
  if (setup_.info.type == 3) {
    // `origin` holds half the sensors' spacings, a and b, and their depth az0 (negative).
    const auto& [x12, x34, y14, y23, z1, z2, z3, z4] = channel;
    wrench.force = {x12 + x34, y14 + y23, z1 + z2 + z3 + z4};
    wrench.moment = {origin.y() * (z1 + z2 - z3 - z4), origin.x() * (-z1 + z2 + z3 - z4),
                     origin.y() * (-x12 + x34) + origin.x() * (y14 - y23)};
    wrench.moment += wrench.force.cross(Eigen::Vector3d(0.0, 0.0, origin.z()));
  } else {
    Eigen::Matrix<double, 6, 1> six;
    for (int i = 0; i < 6; ++i) six[i] = channel[static_cast<std::size_t>(i)];
    if (setup_.info.type == 4) six = setup_.calibration * six;
    wrench.force = six.head<3>();
    // Moves the moment from the sensor's origin to the surface: M' = M + F × O.
    wrench.moment = setup_.moment_scale * six.tail<3>() + wrench.force.cross(origin);
  }
  wrench.cop = {-wrench.moment.y() / wrench.force.z(), wrench.moment.x() / wrench.force.z(), 0.0};
  if (setup_.polynomial) wrench.cop -= polynomial_offset(wrench.cop);
  return wrench;
}

/// Kistler's correction of the CoP: (p0 y⁴ + p1 y² + p2) x³ + (p3 y⁴ + p4 y² + p5) x for x; p6 ... p11 likewise for y.
Eigen::Vector3d AnalogPlate::polynomial_offset(const Eigen::Vector3d& cop) const {
  const std::array<double, 12>& p = *setup_.polynomial;
  const double x = cop.x() / setup_.position_scale, y = cop.y() / setup_.position_scale;
  const auto offset = [&](std::size_t first, double along, double across) {
    const double square = across * across;
    const double cubic = (p[first] * square + p[first + 1]) * square + p[first + 2];
    const double linear = (p[first + 3] * square + p[first + 4]) * square + p[first + 5];
    return (cubic * along * along + linear) * along;
  };
  return setup_.position_scale * Eigen::Vector3d(offset(0, x, y), offset(6, y, x), 0.0);
}

AnalogPlate::PlateWrench AnalogPlate::wrench(std::size_t index) const {
  std::array<double, 8> channel{};
  for (std::size_t i = 0; i < setup_.channels.size(); ++i) {
    channel[i] = analog_.value(index, setup_.channels[i]) - baseline_[i];
  }
  return wrench_of(channel);
}

double AnalogPlate::normal_force(std::size_t index) const { return wrench(index).force.dot(normal_); }

PlateSample AnalogPlate::sample(std::size_t index) const {
  const PlateWrench raw = wrench(index);
  PlateSample sample;
  const bool is_finite = raw.force.allFinite() && raw.moment.allFinite() && raw.cop.allFinite();
  const double normal = sign_ * raw.force.dot(normal_);
  sample.is_loaded = is_finite && normal > setup_.threshold_n;
  if (!sample.is_loaded) return sample;
  const Eigen::Matrix3d& R = setup_.R_lab_plate;
  sample.force = sign_ * (R * raw.force);
  sample.cop = setup_.centre + R * raw.cop;
  sample.free_moment = sign_ * (R * (raw.moment - raw.cop.cross(raw.force)));
  return sample;
}

void AnalogPlate::subtract_baseline(std::size_t first, std::size_t last) {
  std::array<double, 8> mean{};
  double sum = 0.0, squares = 0.0;
  const auto count = static_cast<double>(last - first);
  for (std::size_t sample = first; sample < last; ++sample) {
    for (std::size_t i = 0; i < setup_.channels.size(); ++i)
      mean[i] += analog_.value(sample, setup_.channels[i]) / count;
    const double normal = normal_force(sample);
    sum += normal;
    squares += normal * normal;
  }
  const double offset = sum / count;
  const double noise = std::sqrt(std::max(0.0, squares / count - offset * offset));
  if (!(std::abs(offset) < kLargestOffset && noise < kLargestNoise)) {
    info_.notes.push_back(
        fmt::format("FORCE_PLATFORM:ZERO names frames in which the plate carries {:.0f} +- {:.0f} N: no "
                    "baseline is subtracted",
                    std::abs(offset), noise));
    return;
  }
  // Channels 4 and 5 of type 1 are the CoP, which has no baseline.
  if (setup_.info.type == 1) mean[3] = mean[4] = 0.0;
  info_.baseline_force = setup_.R_lab_plate * wrench_of(mean).force;
  baseline_ = mean;
}

void AnalogPlate::correct() {
  correct_sign();
  if (setup_.info.type != 3) correct_unit();  // type 3 has no moments
}

void AnalogPlate::correct_sign() {
  double sum = 0.0;
  for (std::size_t i = 0; i < num_samples(); i += stride_of(num_samples())) {
    const double normal = normal_force(i);
    if (std::abs(normal) > std::max(setup_.threshold_n, 1.0)) sum += normal;
  }
  if (!(sum < 0.0)) return;
  sign_ = -1.0;
  info_.notes.emplace_back(
      "the loaded plate's vertical force is negative: these are forces on the plate, turned to those on the body");
}

double AnalogPlate::typical_arm() {
  std::vector<Eigen::Vector3d> cops;
  const auto scales = std::pair(setup_.moment_scale, setup_.position_scale);
  for (std::size_t i = 0; i < num_samples(); i += stride_of(num_samples())) {
    if (const PlateSample loaded = sample(i); loaded.is_loaded) cops.push_back(loaded.cop);
  }
  std::vector<double> arms;
  std::tie(setup_.moment_scale, setup_.position_scale) = std::pair(0.0, 0.0);
  for (std::size_t i = 0; i < num_samples() && arms.size() < cops.size(); i += stride_of(num_samples())) {
    if (const PlateSample loaded = sample(i); loaded.is_loaded) arms.push_back((cops[arms.size()] - loaded.cop).norm());
  }
  std::tie(setup_.moment_scale, setup_.position_scale) = scales;
  if (arms.empty()) return 0.0;
  const auto middle = arms.begin() + static_cast<std::ptrdiff_t>(arms.size() / 2);
  std::nth_element(arms.begin(), middle, arms.end());
  return *middle;
}

void AnalogPlate::correct_unit() {
  const std::optional<double> as_stated = cop_inside_ratio(*this);
  if (!as_stated) return;
  const double arm = typical_arm();
  const bool is_tiny = arm > kLeastArm / 1000.0 && arm < kTinyArm;
  if (*as_stated > 0.5 && !is_tiny) return;
  const double stated_moment = setup_.moment_scale, stated_position = setup_.position_scale;
  for (const double factor : {0.001, 1000.0}) {
    if (is_tiny && factor < 1.0) continue;
    setup_.moment_scale = factor * stated_moment;
    setup_.position_scale = factor * stated_position;
    if (cop_inside_ratio(*this).value_or(0.0) > 0.9) {
      const std::string reason =
          is_tiny ? fmt::format("the CoP would stay within {:.2f} mm of where no moment acts", 1e3 * arm)
                  : fmt::format("{:.0f} % of the CoPs would be outside of the plate", 100.0 * (1.0 - *as_stated));
      info_.notes.push_back(
          fmt::format("with the stated unit {}: moments are taken as {} times what is stated", reason, factor));
      return;
    }
  }
  setup_.moment_scale = stated_moment;
  setup_.position_scale = stated_position;
}

}  // namespace aplomb

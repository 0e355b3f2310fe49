#include "aplomb/recording/checks/lab_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "aplomb/core/error.hpp"
#include "aplomb/recording/formats/line_reader.hpp"

namespace aplomb {
namespace {

constexpr double kSmallestBody = 0.02;  ///< [m] a unit that makes what was recorded smaller is not believed
constexpr double kLargestBody = 50.0;   ///< [m]

bool is_body(double size_m) { return size_m >= kSmallestBody && size_m <= kLargestBody; }

/// The unit that makes a body of this size come nearest to a metre.
std::string likely_unit(double size) {
  std::string best = "m";
  double least = 1e300;
  for (const char* unit : {"m", "cm", "mm"}) {
    const double off = std::abs(std::log(size * *metres_of(unit)));
    if (off < least) best = unit;
    least = std::min(least, off);
  }
  return best;
}

}  // namespace

std::optional<Eigen::Vector3d> typical_spread(const Points& points) {
  std::array<std::vector<double>, 3> spreads;
  const std::size_t stride = std::max<std::size_t>(1, points.num_frames / 200);
  for (std::size_t frame = 0; frame < points.num_frames; frame += stride) {
    Eigen::Array3d low = Eigen::Array3d::Constant(1e300), high = -low;
    int num_seen = 0;
    for (std::size_t i = 0; i < points.num_points(); ++i) {
      if (!points.is_marker(i) || !points.is_seen(frame, i)) continue;
      const Eigen::Array3d position = points.raw(frame, i).array().cast<double>();
      low = low.min(position);
      high = high.max(position);
      ++num_seen;
    }
    for (int axis = 0; axis < 3 && num_seen >= 3; ++axis) spreads[axis].push_back(high[axis] - low[axis]);
  }
  if (spreads[0].empty()) return std::nullopt;
  Eigen::Vector3d typical;
  for (int axis = 0; axis < 3; ++axis) {
    const auto middle = spreads[axis].begin() + static_cast<std::ptrdiff_t>(spreads[axis].size() / 2);
    std::nth_element(spreads[axis].begin(), middle, spreads[axis].end());
    typical[axis] = *middle;
  }
  return typical;
}

std::string axis_text(SignedAxis axis) {
  return fmt::format("{}{}", static_cast<int>(axis) < 0 ? "-" : "", "xyz"[std::abs(static_cast<int>(axis)) - 1]);
}

std::optional<SignedAxis> parse_axis(std::string_view text) {
  int sign = 1;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    sign = text[0] == '-' ? -1 : 1;
    text.remove_prefix(1);
  }
  if (text.size() != 1) return std::nullopt;
  const int letter = text[0] | 0x20;  // lower case
  if (letter < 'x' || letter > 'z') return std::nullopt;
  return static_cast<SignedAxis>(sign * (letter - 'x' + 1));
}

Eigen::Vector3d axis_vector(SignedAxis axis) {
  Eigen::Vector3d vector = Eigen::Vector3d::Zero();
  vector[std::abs(static_cast<int>(axis)) - 1] = static_cast<int>(axis) < 0 ? -1.0 : 1.0;
  return vector;
}

Eigen::Matrix3d rotation_to_z_up(SignedAxis up) {
  // Rows: which of the file's axes become x, y and z. Each is a rotation, never a mirror.
  Eigen::Matrix3d R;
  switch (up) {
    case SignedAxis::z:
      return Eigen::Matrix3d::Identity();
    case SignedAxis::y:
      R << 1, 0, 0, 0, 0, -1, 0, 1, 0;
      break;
    case SignedAxis::x:
      R << 0, 1, 0, 0, 0, 1, 1, 0, 0;
      break;
    case SignedAxis::minus_z:
      R << 1, 0, 0, 0, -1, 0, 0, 0, -1;
      break;
    case SignedAxis::minus_y:
      R << 1, 0, 0, 0, 0, 1, 0, -1, 0;
      break;
    case SignedAxis::minus_x:
      R << 0, 1, 0, 0, 0, -1, -1, 0, 0;
      break;
  }
  return R;
}

std::optional<double> metres_of(std::string_view unit) {
  static const std::map<double, std::vector<std::string_view>> names = {
      {0.001, {"mm", "millimeter", "millimeters", "millimetre", "millimetres"}},
      {0.01, {"cm", "centimeter", "centimeters", "centimetre", "centimetres"}},
      {0.1, {"dm"}},
      {1.0, {"m", "meter", "meters", "metre", "metres"}},
      {0.0254, {"in", "inch", "inches"}},
      {0.3048, {"ft", "foot", "feet"}}};
  for (const auto& [metres, spellings] : names) {
    if (std::ranges::any_of(spellings, [&](auto spelling) { return same_word(spelling, unit); })) return metres;
  }
  return std::nullopt;
}

Decision decide_unit(Points& points, const std::optional<std::string>& given) {
  Decision decision;
  if (given) {
    const std::optional<double> metres = metres_of(*given);
    if (!metres) throw InvalidValue(fmt::format("'{}' is not a unit of length; valid: m, cm, mm, in, ft", *given));
    points.metres_per_unit = *metres;
    return {.value = *given, .evidence = {"given by the caller"}, .is_given = true};
  }
  const std::optional<Eigen::Vector3d> spread = typical_spread(points);
  const double size = spread ? spread->maxCoeff() : 0.0;
  const std::optional<double> declared = metres_of(points.unit);
  if (declared) {
    decision.value = points.unit;
    decision.evidence.push_back(fmt::format("the file says '{}'", points.unit));
  } else {
    decision.is_sure = false;
    decision.evidence.push_back(points.unit.empty()
                                    ? "the file names no unit"
                                    : fmt::format("the file says '{}', which is no known unit", points.unit));
    decision.value = size > 0.0 ? likely_unit(size) : "m";
    if (!points.unit.empty()) {
      decision.warning =
          fmt::format("the file says '{}', which is no known unit: read as {}", points.unit, decision.value);
    }
  }
  if (size > 0.0 && declared && !is_body(size * *declared)) {
    decision.value = likely_unit(size);
    decision.is_sure = false;
    decision.warning = fmt::format("the file says '{}', but then what was recorded is {:.3g} m large: read as {}",
                                   points.unit, size * *declared, decision.value);
  }
  points.metres_per_unit = *metres_of(decision.value);
  if (size > 0.0) {
    decision.evidence.push_back(
        fmt::format("then the markers of a frame spread over {:.2f} m", size * points.metres_per_unit));
  }
  return decision;
}

}  // namespace aplomb

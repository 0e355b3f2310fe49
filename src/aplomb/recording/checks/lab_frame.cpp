#include "aplomb/recording/checks/lab_frame.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "aplomb/core/error.hpp"
#include "aplomb/recording/formats/line_reader.hpp"

namespace aplomb {
namespace {

constexpr double kSmallestBody = 0.02;  ///< [m] smallest plausible extent of the markers; smaller: the unit is wrong
constexpr double kLargestBody = 50.0;   ///< [m] largest plausible extent
constexpr double kLargestNumber = 1e6;  ///< no unit gives a marker a larger coordinate: in mm it is a kilometre

bool is_body(double size_m) { return size_m >= kSmallestBody && size_m <= kLargestBody; }

/// The unit (m, cm or mm) in which a body of this size is closest to one metre.
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

SignedAxis signed_axis(Eigen::Index axis, bool is_negative) {
  return static_cast<SignedAxis>((is_negative ? -1 : 1) * (static_cast<int>(axis) + 1));
}

bool holds_one(const std::string& label, std::initializer_list<const char*> parts) {
  std::string lower = label;
  for (char& letter : lower) letter = static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter + 32 : letter);
  return std::ranges::any_of(parts, [&](const char* part) { return lower.find(part) != std::string::npos; });
}

bool is_foot(const std::string& label) {
  return holds_one(label, {"toe", "heel", "hee", "calc", "meta", "ank", "foot", "mt5"});
}

bool is_trunk(const std::string& label) {
  return !is_foot(label) && holds_one(label, {"c7", "head", "fhd", "bhd", "shoulder", "clav", "strn", "stern", "asi",
                                              "psi", "sacr", "acrom", "t10"});
}

double middle(std::vector<double>& values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// Median position of the markers whose label `fits`, over a sample of frames; in the file's unit and axes.
std::optional<Eigen::Vector3d> middle_of(const Points& points, bool (*fits)(const std::string&)) {
  std::array<std::vector<double>, 3> values;
  const std::size_t stride = std::max<std::size_t>(1, points.num_frames / 50);
  for (std::size_t i = 0; i < points.num_points(); ++i) {
    if (!points.is_marker(i) || !fits(points.labels[i])) continue;
    for (std::size_t frame = 0; frame < points.num_frames; frame += stride) {
      if (!points.is_seen(frame, i)) continue;
      const Eigen::Vector3f raw = points.raw(frame, i);
      for (int axis = 0; axis < 3; ++axis) values[static_cast<std::size_t>(axis)].push_back(raw[axis]);
    }
  }
  if (values[0].empty()) return std::nullopt;
  return Eigen::Vector3d(middle(values[0]), middle(values[1]), middle(values[2]));
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
      if (position.abs().maxCoeff() > kLargestNumber) continue;
      low = low.min(position);
      high = high.max(position);
      ++num_seen;
    }
    for (int axis = 0; axis < 3 && num_seen >= 3; ++axis) spreads[axis].push_back(high[axis] - low[axis]);
  }
  if (spreads[0].empty()) return std::nullopt;
  Eigen::Vector3d typical;
  for (int axis = 0; axis < 3; ++axis) typical[axis] = middle(spreads[static_cast<std::size_t>(axis)]);
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
  // Rows: the file's axes that become x, y and z. Every matrix is a proper rotation, without reflection.
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
                                    : fmt::format("the file says '{}', which is not a known unit", points.unit));
    decision.value = size > 0.0 ? likely_unit(size) : "m";
    if (!points.unit.empty()) {
      decision.warning =
          fmt::format("the file says '{}', which is not a known unit: read as {}", points.unit, decision.value);
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

std::vector<AxisVote> marker_votes(const Points& points) {
  std::vector<AxisVote> votes;
  const std::optional<Eigen::Vector3d> spread = typical_spread(points);
  if (!spread || spread->maxCoeff() <= 0.0) return votes;
  Eigen::Index axis = 0;
  const std::optional<Eigen::Vector3d> feet = middle_of(points, is_foot);
  const std::optional<Eigen::Vector3d> trunk = middle_of(points, is_trunk);
  if (feet && trunk) {
    const Eigen::Vector3d rise = *trunk - *feet;
    rise.cwiseAbs().maxCoeff(&axis);
    const SignedAxis up = signed_axis(axis, rise[axis] < 0.0);
    votes.push_back(
        {up, 3.0, fmt::format("markers of trunk and head lie along {} from those of the feet", axis_text(up))});
  }
  const double largest = spread->maxCoeff(&axis);
  Eigen::Vector3d others = *spread;
  others[axis] = 0.0;
  if (largest < 1.2 * others.maxCoeff()) return votes;  // as wide as tall: no evidence
  const SignedAxis longest = signed_axis(axis, false);
  votes.push_back({longest, 1.0,
                   fmt::format("the body spreads most along {} ({:.3g}, {:.3g}, {:.3g} along x, y, z)",
                               axis_text(longest), (*spread)[0], (*spread)[1], (*spread)[2])});
  return votes;
}

std::vector<AxisVote> plate_votes(const C3dParameters& parameters, const Points& points) {
  std::vector<AxisVote> votes;
  const C3dParameter* corners = parameters.find("FORCE_PLATFORM", "CORNERS");
  const bool has_plates = parameters.count("FORCE_PLATFORM", "USED").value_or(0) > 0;
  if (has_plates && corners != nullptr && corners->num_numbers() >= 12) {
    const auto corner = [&](std::size_t i) {
      return Eigen::Vector3d(corners->number(3 * i), corners->number(3 * i + 1), corners->number(3 * i + 2));
    };
    const Eigen::Vector3d normal = (corner(0) - corner(1)).cross(corner(0) - corner(3));
    Eigen::Index axis = 0;
    const double largest = normal.cwiseAbs().maxCoeff(&axis);
    if (normal.allFinite() && largest > 0.9 * normal.norm()) {
      // Of the two directions along the normal, up is the one towards the markers.
      const auto any = [](const std::string&) { return true; };
      const std::optional<Eigen::Vector3d> body = middle_of(points, any);
      const SignedAxis up = signed_axis(axis, body && (*body)[axis] < corner(0)[axis]);
      votes.push_back({up, 4.0, fmt::format("the force plates' normal is along {}", "xyz"[axis])});
    }
  }
  if (const auto screen = parse_axis(parameters.text("POINT", "Y_SCREEN"))) {
    votes.push_back({*screen, 2.0, fmt::format("POINT:Y_SCREEN says {}", axis_text(*screen))});
  }
  return votes;
}

Decision decide_up(const std::vector<AxisVote>& votes, const std::optional<SignedAxis>& given, SignedAxis& up) {
  if (given) {
    up = *given;
    return {.value = axis_text(up), .evidence = {"given by the caller"}, .is_given = true};
  }
  std::map<SignedAxis, double> weights;
  double total = 0.0;
  for (const AxisVote& vote : votes) {
    weights[vote.axis] += vote.weight;
    total += vote.weight;
  }
  up = SignedAxis::z;
  for (const auto& [axis, weight] : weights) {
    if (weight > weights[up]) up = axis;
  }
  Decision decision{.value = axis_text(up), .is_sure = weights[up] >= 3.0 && weights[up] > 0.6 * total};
  for (const bool agrees : {true, false}) {
    for (const AxisVote& vote : votes) {
      if ((vote.axis == up) == agrees)
        decision.evidence.push_back(agrees ? vote.evidence : "against it: " + vote.evidence);
    }
  }
  if (votes.empty()) decision.evidence.emplace_back("no evidence: z is taken, as in most laboratories");
  return decision;
}

}  // namespace aplomb

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <map>

#include "aplomb/recording/checks/lab_frame.hpp"

namespace aplomb {
namespace {

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

/// The mean over some frames of the markers whose label fits; in the file's axes.
std::optional<Eigen::Vector3d> mean_of(const Points& points, bool (*fits)(const std::string&)) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  int count = 0;
  const std::size_t stride = std::max<std::size_t>(1, points.num_frames / 50);
  for (std::size_t i = 0; i < points.num_points(); ++i) {
    if (!points.is_marker(i) || !fits(points.labels[i])) continue;
    for (std::size_t frame = 0; frame < points.num_frames; frame += stride) {
      if (!points.is_seen(frame, i)) continue;
      sum += points.raw(frame, i).cast<double>();
      ++count;
    }
  }
  return count > 0 ? std::optional<Eigen::Vector3d>(sum / count) : std::nullopt;
}

}  // namespace

std::vector<AxisVote> marker_votes(const Points& points) {
  std::vector<AxisVote> votes;
  const std::optional<Eigen::Vector3d> spread = typical_spread(points);
  if (!spread || spread->maxCoeff() <= 0.0) return votes;
  Eigen::Index axis = 0;
  const std::optional<Eigen::Vector3d> feet = mean_of(points, is_foot);
  const std::optional<Eigen::Vector3d> trunk = mean_of(points, is_trunk);
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
  if (largest < 1.2 * others.maxCoeff()) return votes;  // as wide as it is tall: that tells nothing
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
      // Which of the two directions is up: the one in which the markers are.
      const auto any = [](const std::string&) { return true; };
      const std::optional<Eigen::Vector3d> body = mean_of(points, any);
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
  if (votes.empty()) decision.evidence.emplace_back("nothing tells: z is taken, as most laboratories have it");
  return decision;
}

}  // namespace aplomb

#include "aplomb/human/marker_set.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <set>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/data_dir.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/human/skeleton/landmarks.hpp"
#include "aplomb/human/skeleton/skeleton_plan.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;
constexpr std::size_t kFewestMatches = 6;  // labels that a marker set must explain
constexpr double kAnywhere = 0.10;  // [m] prior deviation of a marker without a landmark from its segment's centre

const Schema& marker_set_schema() {
  static const Schema whole = schema::map(
      "", "a marker set",
      {schema::text("marker_set", "name").required(), schema::text("about", "one sentence").defaults_to("''"),
       schema::list("computed", "patterns of labels that are computed, not measured", schema::text("", "pattern")),
       schema::named("markers", "by label",
                     schema::map("", "where it is",
                                 {schema::text("landmark", "place on the body, as docs/human.md lists them"),
                                  schema::text("segment", "somewhere on this segment")})
                         .exactly_one_of({"landmark", "segment"}))
           .required()});
  return whole;
}

/// Mid-point of a segment of the generic body, between its joint and the mean of its child joints.
Eigen::Vector3d middle_of(const Skeleton& generic, const std::string& name) {
  const int index = generic.segment(name);
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  int count = 0;
  for (const Segment& segment : generic.segments) {
    if (segment.parent != index) continue;
    sum += segment.generic_joint;
    ++count;
  }
  return generic.generic_origin(index) + (count == 0 ? Eigen::Vector3d::Zero() : Eigen::Vector3d(0.5 / count * sum));
}

MarkerPlace read_place(const std::string& label, const YamlView& entry) {
  if (entry.has("landmark")) {
    const std::string& name = entry["landmark"].text();
    const Landmark* landmark = find_landmark(name);
    if (landmark == nullptr) {
      std::vector<std::string> known;
      for (const Landmark& one : landmarks()) known.push_back(one.name);
      throw FileError(entry["landmark"].place(),
                      fmt::format("no landmark named '{}'; {}", name, suggestion(name, known, 80)));
    }
    return {label, name, landmark->segment, landmark->full_segment, landmark->generic_position, landmark->deviation};
  }
  static const Skeleton generic = make_skeleton(SkeletonSize::light, Sex::male, kGenericHeight, 70.0);
  const std::string& name = entry["segment"].text();
  std::vector<std::string> known;
  for (const Segment& segment : generic.segments) known.push_back(segment.name);
  if (std::ranges::find(known, name) == known.end()) {
    throw FileError(entry["segment"].place(),
                    fmt::format("no segment named '{}'; {}", name, suggestion(name, known, 30)));
  }
  return {label, "", name, full_segment_of(name), middle_of(generic, name), kAnywhere};
}

bool is_computed(const std::string& label, const std::vector<std::string>& patterns) {
  return std::ranges::any_of(
      patterns, [&](const std::string& pattern) { return fnmatch(pattern.c_str(), label.c_str(), FNM_CASEFOLD) == 0; });
}

std::string without_subject(const std::string& label) {
  const std::size_t colon = label.rfind(':');
  return colon == std::string::npos ? label : label.substr(colon + 1);
}

/// Common prefix of all labels up to an underscore, usually a subject's name ("Bob_LASI"); empty when there is none.
std::string common_prefix(const Points& points) {
  std::string prefix;
  for (std::size_t i = 0; i < points.num_points(); ++i) {
    const std::string& label = points.labels[i];
    if (i == 0) prefix = label;
    std::size_t same = 0;
    while (same < prefix.size() && same < label.size() && prefix[same] == label[same]) ++same;
    prefix.resize(same);
  }
  const std::size_t end = prefix.rfind('_');
  return points.num_points() < 2 || end == std::string::npos ? "" : prefix.substr(0, end + 1);
}

LabelMatch match(const Points& points, const MarkerSet& set, const std::string& prefix) {
  std::map<std::string, const MarkerPlace*> by_label;
  for (const MarkerPlace& place : set.places) by_label.emplace(plain_label(place.label), &place);
  LabelMatch found{.set = set.name};
  std::set<const MarkerPlace*> taken;
  for (std::size_t i = 0; i < points.num_points(); ++i) {
    if (!points.is_marker(i)) continue;
    std::string label = without_subject(points.labels[i]);
    if (!prefix.empty() && label.starts_with(prefix)) label.erase(0, prefix.size());
    if (is_computed(label, set.computed)) {
      found.computed.push_back(points.labels[i]);
      continue;
    }
    const auto place = by_label.find(plain_label(label));
    // A second marker of the same name (with another subject's prefix) belongs to another body.
    if (place == by_label.end() || !taken.insert(place->second).second) {
      found.unknown.push_back(points.labels[i]);
    } else {
      found.markers.push_back({i, *place->second});
    }
  }
  return found;
}

}  // namespace

std::string plain_label(std::string_view label) {
  if (const std::size_t colon = label.rfind(':'); colon != std::string_view::npos) label.remove_prefix(colon + 1);
  std::string plain;
  for (const char letter : label) {
    if (letter == '.' || letter == '_' || letter == '-' || letter == ' ') continue;
    plain.push_back(letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter);
  }
  constexpr std::string_view kSuffix = "study";  // OpenCap's "r.ASIS_study"
  if (plain.size() > kSuffix.size() && plain.ends_with(kSuffix)) plain.resize(plain.size() - kSuffix.size());
  return plain;
}

MarkerSet read_marker_set(const std::filesystem::path& file) {
  const YamlNode yaml = parse_yaml(read_file(file, kMostBytes), file.string());
  require_valid(yaml, marker_set_schema());
  const YamlView root(yaml, marker_set_schema());
  MarkerSet set{.name = root["marker_set"].text(), .about = root["about"].text()};
  for (const YamlView& pattern : root["computed"].items()) set.computed.push_back(pattern.text());
  for (const auto& [label, entry] : root["markers"].named()) set.places.push_back(read_place(label, entry));
  return set;
}

std::vector<MarkerSet> built_in_marker_sets() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(data_dir() / "marker_sets")) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<MarkerSet> sets;
  for (const std::filesystem::path& file : files) sets.push_back(read_marker_set(file));
  return sets;
}

LabelMatch match_labels(const Points& points, const std::vector<MarkerSet>& sets) {
  LabelMatch best;
  for (const std::string& prefix : {std::string(), common_prefix(points)}) {
    for (const MarkerSet& set : sets) {
      LabelMatch found = match(points, set, prefix);
      if (found.markers.size() > best.markers.size()) best = std::move(found);
    }
  }
  if (best.markers.size() < kFewestMatches) {
    std::vector<std::string> names;
    for (const MarkerSet& set : sets) names.push_back(set.name);
    throw InvalidValue(fmt::format(
        "no marker set explains six of the labels ({}{}); known sets: {}; write a YAML with your labels "
        "(docs/human.md) "
        "and give it with --markers",
        fmt::join(points.labels.begin(),
                  points.labels.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(8, points.num_points())),
                  ", "),
        points.num_points() > 8 ? ", ..." : "", fmt::join(names, ", ")));
  }
  return best;
}

}  // namespace aplomb

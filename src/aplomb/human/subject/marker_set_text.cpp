#include "aplomb/human/subject/marker_set_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace aplomb {
namespace {

/// `text` in double quotes, with quotes and backslashes escaped and control characters replaced.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result.push_back('\\');
    result.push_back(static_cast<unsigned char>(letter) < ' ' ? ' ' : letter);
  }
  return result + "\"";
}

/// `text` within one line of a comment.
std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char letter) { return letter < ' '; }, ' ');
  return text;
}

}  // namespace

std::string marker_set_text(const SubjectOutcome& outcome, const std::string& name) {
  std::string text = fmt::format("marker_set: {}\nabout: {}\ncomputed: [", quoted(name),
                                 quoted("Labels of " + name + "; unknown ones by the segment that they move with."));
  for (std::size_t i = 0; i < outcome.match.computed.size(); ++i) {
    text += (i == 0 ? "" : ", ") + quoted(outcome.match.computed[i]);
  }
  text += "]\nmarkers:\n";
  for (const LabelMatch::Marker& marker : outcome.match.markers) {
    const MarkerPlace& place = marker.place;
    text += place.landmark.empty() ? fmt::format("  {}: {{segment: {}}}\n", quoted(place.label), place.segment)
                                   : fmt::format("  {}: {{landmark: {}}}\n", quoted(place.label), place.landmark);
  }
  for (const UnknownLabel& unknown : outcome.unknown) {
    if (unknown.is_attached) {
      text += fmt::format("  {}: {{segment: {}}}  # moves by {:.1f} mm on it, by {:.1f} mm on {}\n",
                          quoted(unknown.label), unknown.segment, 1e3 * unknown.deviation_m,
                          1e3 * unknown.second_deviation_m, unknown.second_segment);
    } else {
      text += fmt::format("  # {}: moves with no segment, or is hardly seen\n", one_line(unknown.label));
    }
  }
  return text;
}

}  // namespace aplomb

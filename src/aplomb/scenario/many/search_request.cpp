#include "aplomb/scenario/many/search_request.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/scenario/keys/scenario_schema.hpp"
#include "aplomb/scenario/many/vary.hpp"

namespace aplomb {
namespace {

constexpr double kMostValues = 1e6;
constexpr std::size_t kMostDirections = 1000;
constexpr std::string_view kPushPart = ".push.";

/// Direction key of the push that `key` belongs to: "events.0.push.direction_deg". Throws FileError when it is no push.
std::string direction_key_of(const std::string& key, const Place& place) {
  const std::size_t push = key.find(kPushPart);
  if (push == std::string::npos) {
    throw FileError(place, fmt::format("search.directions needs a push to turn: search.key must belong to one, such as "
                                       "events.0.push.magnitude_n, not '{}'",
                                       shortened(key)));
  }
  return key.substr(0, push + kPushPart.size()) + "direction_deg";
}

void read_directions(const YamlNode& scenario, const YamlNode& directions, SearchRequest& request) {
  const std::size_t count = directions.items.size();
  if (count == 0 || count > kMostDirections) {
    throw FileError(directions.origin.place(),
                    fmt::format("search.directions must have 1 to {} numbers, not {}", kMostDirections, count));
  }
  request.direction_key = direction_key_of(request.key, directions.origin.place());
  for (const YamlNode& direction : directions.items) {
    require_number_key(scenario, request.direction_key, direction.origin, direction, "searched");
    request.directions_deg.push_back(direction.number().value());
  }
}

/// The number of steps from low to high.
std::int64_t steps_between(const YamlView& search, double low, double step) {
  const double high = search["high"].number();
  const Place place = search["high"].place();
  if (high < low)
    throw FileError(place, fmt::format("search.high ({:g}) must not be below search.low ({:g})", high, low));
  const double steps = (high - low) / step;
  if (!(steps < kMostValues)) {
    throw FileError(search["step"].place(),
                    fmt::format("search.step gives more than {:g} values from {:g} to {:g}; give a larger one",
                                kMostValues, low, high));
  }
  return static_cast<std::int64_t>(std::floor(steps + 1e-9));  // 1e-9: 0.3 / 0.1 is slightly less than 3
}

}  // namespace

double SearchRequest::value(std::int64_t index) const {
  const std::string text = fmt::format("{:.12g}", low + static_cast<double>(index) * step);
  double rounded = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

bool SearchRequest::is_push() const { return key.ends_with(".push.magnitude_n"); }

SearchRequest read_search(const YamlNode& scenario) {
  const YamlNode& node = *scenario.find("search");
  const YamlView search(node, *scenario_schema().child("search"));
  const YamlOrigin& key_origin = node.find("key")->origin;
  SearchRequest request;
  request.key = search["key"].text();
  request.low = search["low"].number();
  request.step = search["step"].number();
  require_number_key(scenario, request.key, key_origin, *node.find("low"), "searched");
  const Schema schema = require_number_key(scenario, request.key, key_origin, *node.find("high"), "searched");
  request.unit = schema.unit;
  request.last_index = steps_between(search, request.low, request.step);
  if (schema.type == Schema::Type::integer && request.step != std::floor(request.step)) {
    throw FileError(search["step"].place(),
                    fmt::format("search.step must be a whole number, as {} is one", request.key));
  }
  if (search.has("directions")) read_directions(scenario, *node.find("directions"), request);
  return request;
}

}  // namespace aplomb

#include "aplomb/scenario/checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/metric_names.hpp"
#include "aplomb/scenario/many/vary.hpp"
#include "aplomb/scenario/overrides.hpp"

namespace aplomb {
namespace {

/// What `equals` must be for a metric of this kind; nothing when `bound` is that, or null.
std::string_view wanted_bound(MetricInfo::Kind kind, const MetricValue& bound) {
  const bool is_number = std::holds_alternative<double>(bound) || std::holds_alternative<std::int64_t>(bound);
  if (std::holds_alternative<std::monostate>(bound)) return {};
  switch (kind) {
    case MetricInfo::Kind::flag:
      return std::holds_alternative<bool>(bound) ? "" : "true or false";
    case MetricInfo::Kind::count:
    case MetricInfo::Kind::number:
      return is_number ? "" : "a number";
    case MetricInfo::Kind::text:
      return std::holds_alternative<std::string>(bound) ? "" : "a text";
    case MetricInfo::Kind::list:
      return std::holds_alternative<std::vector<double>>(bound) ? "" : "a list of numbers";
  }
  return {};
}

const MetricInfo& known_metric(const YamlView& view) {
  if (const MetricInfo* metric = find_metric(view.text())) return *metric;
  const std::vector<std::string> names = metric_names();
  const std::string nearest = nearest_name(view.text(), names);
  throw FileError(view.place(),
                  fmt::format("no metric named '{}'{}; docs/metrics.md lists all {}", shortened(view.text()),
                              nearest.empty() ? "" : fmt::format("; closest is '{}'", nearest), names.size()));
}

/// The value as `--set` takes it, with all its digits.
std::string exact_text(const MetricValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* list = std::get_if<std::vector<double>>(&value)) return fmt::format("[{}]", fmt::join(*list, ", "));
  return to_text(value);
}

}  // namespace

Schema check_schema() {
  return schema::map("", "one condition on the result",
                     {schema::text("metric", "a key of metrics.json (docs/metrics.md)").required(),
                      schema::value("equals", "the metric is exactly this"),
                      schema::number("below", "the metric is less than this"),
                      schema::number("above", "the metric is more than this"),
                      schema::named("fails_with",
                                    "the smallest damage known that violates this check, by key path; "
                                    "`scripts/checks-that-can-fail` runs the scenario with it (docs/testing.md)",
                                    schema::value("", "the key's damaged value"))
                          .with_path_keys()})
      .exactly_one_of({"equals", "below", "above"});
}

Check read_check(const YamlView& view) {
  const MetricInfo& metric = known_metric(view["metric"]);
  Check check;
  check.metric = view["metric"].text();
  for (const auto& [key, value] : view["fails_with"].named()) {
    check.fails_with.push_back(fmt::format("{}={}", key, exact_text(value.value())));
  }
  // A statistic over runs is a number, also of counts and of what is true or false.
  const MetricInfo::Kind kind = metric.name == check.metric ? metric.kind : MetricInfo::Kind::number;
  if (view.has("equals")) {
    check.bound = view["equals"].value();
    if (const std::string_view wanted = wanted_bound(kind, check.bound); !wanted.empty()) {
      throw FileError(view["equals"].place(), fmt::format("equals must be {} or null for the metric {}, not '{}'",
                                                          wanted, check.metric, shortened(to_text(check.bound))));
    }
    return check;
  }
  const bool is_below = view.has("below");
  const YamlView bound = view[is_below ? "below" : "above"];
  check.rule = is_below ? Check::Rule::below : Check::Rule::above;
  check.bound = bound.number();
  if (kind != MetricInfo::Kind::count && kind != MetricInfo::Kind::number) {
    throw FileError(bound.place(), fmt::format("the metric {} is not one number: use equals", check.metric));
  }
  return check;
}

void require_valid_damage(const YamlNode& file, const Schema& schema) {
  const YamlNode* checks = file.find("checks");
  if (checks == nullptr) return;
  for (const YamlNode& check : checks->items) {
    const YamlNode* damage = check.find("fails_with");
    if (damage == nullptr || damage->entries.empty()) continue;
    YamlNode damaged = file;
    for (const YamlEntry& entry : damage->entries) {
      if (belongs_to_all_runs(entry.key)) {
        throw FileError(
            entry.origin.place(),
            fmt::format("'{}' is no damage: it changes the judgement, not what is judged", shortened(entry.key)));
      }
      set_value(damaged, schema, entry.key, entry.origin, entry.value);
    }
    require_valid(damaged, schema);
  }
}

}  // namespace aplomb

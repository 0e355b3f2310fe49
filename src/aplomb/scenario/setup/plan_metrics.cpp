#include "aplomb/scenario/setup/plan_metrics.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/metric_json.hpp"

namespace aplomb {
namespace {

constexpr std::array kNames = {"infeasible_frames", "slowdown", "com_target_shift_max_m", "zmp_margin_planned_min_m"};
constexpr std::size_t kLargestFile = 10'000'000;  // [bytes]

Metrics read_metrics(const std::filesystem::path& file) {
  using Json = nlohmann::ordered_json;
  Json found = Json::object();
  if (std::filesystem::exists(file)) {
    const Json json = Json::parse(read_file(file, kLargestFile), nullptr, /*allow_exceptions=*/false);
    if (!json.is_object() || !json.contains("metrics") || !json["metrics"].is_object()) {
      throw FileError({.file = file.string()}, "is not a result of aplomb: it has no object 'metrics'");
    }
    found = json["metrics"];
  }
  Metrics metrics;
  for (const char* name : kNames) {
    const bool is_there = found.contains(name) && found[name].is_number();
    metrics.set(name, is_there ? parse_metric(found[name]) : MetricValue{});
  }
  return metrics;
}

}  // namespace

Metrics plan_metrics(const PlanRequest& request, const RisePlan& plan) {
  if (!plan.retargeted) return read_metrics(std::filesystem::path(request.trajectory) / "metrics.json");
  Metrics metrics;
  metrics.set("infeasible_frames", std::int64_t{plan.retargeted->infeasible_frames});
  metrics.set("slowdown", plan.retargeted->slowdown);
  metrics.set("com_target_shift_max_m", plan.retargeted->com_target_shift_max);
  metrics.set("zmp_margin_planned_min_m", plan.retargeted->zmp_margin_min);
  return metrics;
}

}  // namespace aplomb

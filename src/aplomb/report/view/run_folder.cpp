#include "aplomb/report/view/run_folder.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/metric_json.hpp"
#include "aplomb/core/table/table_file.hpp"
#include "aplomb/report/page/page_data.hpp"
#include "aplomb/report/unit.hpp"

namespace aplomb {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLargestReport = std::size_t{256} << 20;

/// The JSON data embedded in a report.html. Throws Error with the reason when it is missing or incomplete.
Json embedded_data(const std::filesystem::path& file) {
  const std::string html = read_file(file, kLargestReport);
  constexpr std::string_view kBegin = "<script type=\"application/json\" id=\"page-data\">";
  const std::size_t begin = html.find(kBegin);
  if (begin == html.npos) throw FileError({.file = file.string()}, "is not a report of aplomb");
  const std::size_t end = html.find("</script>", begin);
  if (end == html.npos) throw FileError({.file = file.string()}, "is truncated");
  Json json = Json::parse(html.begin() + static_cast<std::ptrdiff_t>(begin + kBegin.size()),
                          html.begin() + static_cast<std::ptrdiff_t>(end), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("line_plots") || !json.contains("scene")) {
    throw FileError({.file = file.string()}, "has no data, or data of an older aplomb; run the scenario again");
  }
  return json;
}

/// The metrics of a metrics.json, in the format of the page data. Throws FileError.
Json metrics_of(const std::filesystem::path& file) {
  const Json json = Json::parse(read_file(file, kLargestReport), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("metrics") || !json.contains("verb")) {
    throw FileError({.file = file.string()}, "is not a complete result of aplomb");
  }
  Json metrics = Json::array();
  for (const auto& [name, value] : json["metrics"].items()) {
    metrics.push_back({{"name", name}, {"value", value.dump()}, {"unit", unit_of(name)}, {"formula", ""}});
  }
  return metrics;
}

/// Page data for a result without a readable report: the reason, and its metrics. Throws FileError when there are none
/// either.
Json page_of_damaged(const RunFolder& folder, const std::string& reason) {
  ReportPage page{.title = folder.name, .about = "This folder has no complete report.", .notes = {reason}};
  Json json = Json::parse(page_data_json({}, {}, page, {}));
  json["verdict"] = "unknown";
  json["count"] = "the report could not be read";
  try {
    json["metrics"] = metrics_of(folder.path / "metrics.json");
  } catch (const Error& error) {
    throw FileError({.file = folder.path.string()},
                    fmt::format("has no result to show ({}; {}); `aplomb view` takes folders written with --out",
                                reason, error.what()));
  }
  return json;
}

}  // namespace

RunFolder read_run_folder(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) {
    throw FileError({.file = path.string()}, "is not a folder; `aplomb view` takes folders written with --out");
  }
  RunFolder folder{.path = path, .name = std::filesystem::weakly_canonical(path).filename().string(), .page_data = {}};
  Json json;
  try {
    json = embedded_data(path / "report.html");
  } catch (const Error& error) {
    json = page_of_damaged(folder, error.what());
  }
  folder.page_data = json_text(json);
  return folder;
}

Log read_log_of(const RunFolder& folder) {
  for (const char* name : {"log.npz", "log.csv"}) {
    std::error_code ignored;
    if (std::filesystem::exists(folder.path / name, ignored))
      return read_table(folder.path / name, {.is_own = true}).table;
  }
  return {};
}

}  // namespace aplomb

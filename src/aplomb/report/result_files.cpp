#include "aplomb/report/result_files.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/table/table_file.hpp"
#include "aplomb/report/mcap/mcap_log.hpp"
#include "aplomb/report/page/report_page.hpp"
#include "aplomb/report/result_json.hpp"

namespace aplomb {

std::set<LogFormat> parse_log_formats(std::string_view text) {
  static const std::array<std::string, 3> kNames = {"csv", "npz", "mcap"};
  std::set<LogFormat> formats;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (word == "csv") {
      formats.insert(LogFormat::csv);
    } else if (word == "npz") {
      formats.insert(LogFormat::npz);
    } else if (word == "mcap") {
      formats.insert(LogFormat::mcap);
    } else {
      throw UnknownName("log format", word, "`--log`", kNames);
    }
  }
  return formats;
}

void write_result_files(const Result& result, const Log& log, const ReportPage& page,
                        const std::set<LogFormat>& log_formats, const std::filesystem::path& folder,
                        const std::vector<ReportChapter>& chapters) {
  std::vector<std::string> log_files;
  const bool has_log = !log.columns().empty();
  if (has_log && log_formats.contains(LogFormat::csv)) {
    write_csv(log, folder / log_files.emplace_back("log.csv"));
  }
  if (has_log && log_formats.contains(LogFormat::npz)) {
    write_npz(log, folder / log_files.emplace_back("log.npz"));
  }
  if (log.has("time_s") && log_formats.contains(LogFormat::mcap)) {
    write_mcap(log, page.scene ? &*page.scene : nullptr, folder / log_files.emplace_back("log.mcap"));
  }
  write_file(folder / "metrics.json", to_json(result) + '\n');
  write_file(folder / "timing.json", timing_to_json(result) + '\n');
  write_file(folder / "report.html", report_html(result, log, page, log_files, chapters));
}

std::string report_text(const Result& result, const Log& log, const ReportPage& page) {
  return report_html(result, log, page, {});
}

}  // namespace aplomb

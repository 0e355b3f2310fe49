#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/report/plot.hpp"
#include "aplomb/report/report_chapter.hpp"

namespace aplomb {

enum class LogFormat { csv, npz, mcap };

/// The formats of `--log csv,npz,mcap`; throws UnknownName on another word. Empty text: none.
std::set<LogFormat> parse_log_formats(std::string_view text);

/// Writes metrics.json, timing.json, report.html and the log (log.csv, log.npz, log.mcap; none for a log without
/// columns) into a folder that exists, usually an OutputFolder's:
///
///   OutputFolder out(options.out);
///   ...
///   write_result_files(result, log, page, {LogFormat::csv, LogFormat::npz}, out.path());
///   out.commit();
///
/// The same arguments give the same bytes. Throws FileError when a file cannot be written, and as report_html does.
void write_result_files(const Result& result, const Log& log, const ReportPage& page,
                        const std::set<LogFormat>& log_formats, const std::filesystem::path& folder,
                        const std::vector<ReportChapter>& chapters = {});

/// report.html alone, as write_result_files writes it without logs beside it. Throws as report_html does.
std::string report_text(const Result& result, const Log& log, const ReportPage& page);

}  // namespace aplomb

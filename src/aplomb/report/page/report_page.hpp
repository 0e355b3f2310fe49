#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/report/plot.hpp"
#include "aplomb/report/report_chapter.hpp"

namespace aplomb {

/// report.html: one file that opens from disk and loads nothing else. It shows verdict, checks, faults, notes,
/// the page's plots of the log (at most 1500 points per curve, peaks kept), metrics, scenario and provenance, and
/// `chapters` before the metrics; no computing times, so that the same seed gives the same bytes. `log_files` are
/// the names of the logs beside it. Throws UnknownName on a plot of a column that the log lacks, InvalidValue on one
/// whose x does not ascend.
std::string report_html(const Result& result, const Log& log, const ReportPage& page,
                        const std::vector<std::string>& log_files, const std::vector<ReportChapter>& chapters = {});

/// The same page for `aplomb view`: it shows the first run's data and requests logs and other runs from its server.
std::string view_html(const std::vector<std::string>& run_names, std::string_view page_data);

/// The page of a run in progress: its replay grows by the rows that it requests from its server, and at the end it asks
/// for itself again, which is then the report.
std::string live_html(const std::string& title, std::string_view page_data);

/// Content-security policy of these pages, sent as an HTTP header: a report's policy, plus requests to its own server.
std::string view_content_security_policy();

}  // namespace aplomb

#pragma once

#include <string>
#include <vector>

#include "aplomb/core/result.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/report/plot.hpp"
#include "aplomb/report/report_chapter.hpp"

namespace aplomb {

/// The data of a report for its script, as JSON with the types of web/src/page_data.ts. Throws as report_html does.
std::string page_data_json(const Result& result, const Log& log, const ReportPage& page,
                           const std::vector<std::string>& log_files, const std::vector<ReportChapter>& chapters = {});

/// Rows of a motion that grows, packed as a scene's motion is: of the log and of the scene's tracks, both for the same
/// instants; `first`: how many rows came before.
std::string motion_part_json(const Log& log, const Log& tracks, std::size_t first);

}  // namespace aplomb

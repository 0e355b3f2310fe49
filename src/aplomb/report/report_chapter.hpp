#pragma once

#include <string>
#include <vector>

#include "aplomb/core/table/log.hpp"
#include "aplomb/report/plot.hpp"

namespace aplomb {

/// Replay, tables and plots of one log. Only these and the notes of `page` are shown.
struct ReportPart {
  Log log;
  ReportPage page;
};

/// One step in a report of several steps: a heading, a text, and the step's tables and plots.
struct ReportChapter {
  std::string title;
  std::string text;  ///< a paragraph
  std::vector<ReportPart> parts;
};

}  // namespace aplomb

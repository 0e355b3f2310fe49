#pragma once

#include <string>
#include <vector>

#include "aplomb/core/plot.hpp"
#include "aplomb/core/table/log.hpp"

namespace aplomb {

/// Tables and plots of one log. Of `page` only these and the notes are shown.
struct ReportPart {
  Log log;
  ReportPage page;
};

/// A report of several steps tells them one after the other: a heading, a text, the step's own tables and plots.
struct ReportChapter {
  std::string title;
  std::string text;  ///< a paragraph for people
  std::vector<ReportPart> parts;
};

}  // namespace aplomb

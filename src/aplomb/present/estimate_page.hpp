#pragma once

#include <string>

#include "aplomb/estimate/estimate_log.hpp"
#include "aplomb/report/plot.hpp"

namespace aplomb {

/// Report of the base estimate of a recorded log.
ReportPage estimate_page(const EstimatedLog& estimated, const std::string& robot);

}  // namespace aplomb

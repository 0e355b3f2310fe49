#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "aplomb/core/table/log.hpp"
#include "aplomb/report/plot.hpp"

// Parts of the data for a report's script (web/src/page_data.ts). Not installed, since it includes the JSON library.

namespace aplomb {

/// Values of a column at these rows; null where not finite.
nlohmann::ordered_json column_json(const Log& log, std::size_t column, const std::vector<std::size_t>& rows);

/// Scatter plots with one point per row, decimated to `most_points` with the extremes kept. Throws UnknownName on a
/// column that the log lacks.
nlohmann::ordered_json scatter_plots_json(const std::vector<ScatterPlot>& plots, const Log& log,
                                          std::size_t most_points);

nlohmann::ordered_json tables_json(const std::vector<PageTable>& tables);

}  // namespace aplomb

#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "aplomb/core/table/log.hpp"
#include "aplomb/report/plot.hpp"

// Parts of the data that a report's script shows (web/src/page_data.ts). Not installed: it shows the JSON library.

namespace aplomb {

/// A column's numbers, which are null where they are not finite.
nlohmann::ordered_json column_json(const Log& log, std::size_t column, const std::vector<std::size_t>& rows);

/// One point a row, thinned to `most_points` with the extremes kept. Throws UnknownName on a column that the log lacks.
nlohmann::ordered_json scatter_plots_json(const std::vector<ScatterPlot>& plots, const Log& log,
                                          std::size_t most_points);

nlohmann::ordered_json tables_json(const std::vector<PageTable>& tables);

}  // namespace aplomb

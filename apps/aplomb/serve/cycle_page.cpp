#include "serve/cycle_page.hpp"

#include <fmt/format.h>

namespace aplomb {

PageTable cycle_table(const std::vector<std::pair<std::string, const CycleTimes*>>& times) {
  constexpr std::size_t kEdges_us[] = {0, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, CycleTimes::kBins};
  PageTable table{.title = "Times of the loop",
                  .about = "Control ticks by the time that they took; the control period is 1000 us.",
                  .header = {"from [us]", "to [us]"}};
  for (const auto& [name, _] : times) table.header.push_back(name);
  for (std::size_t range = 0; range + 1 < std::size(kEdges_us); ++range) {
    const bool is_last = range + 2 == std::size(kEdges_us);
    std::vector<std::string> row = {fmt::format("{}", kEdges_us[range]),
                                    is_last ? "any" : fmt::format("{}", kEdges_us[range + 1])};
    for (const auto& [_, counted] : times) {
      std::int64_t count = 0;
      for (std::size_t bin = kEdges_us[range]; bin < kEdges_us[range + 1]; ++bin) count += counted->at(bin);
      row.push_back(fmt::format("{}", count));
    }
    table.rows.push_back(std::move(row));
  }
  std::vector<std::string> longest = {"longest [us]", ""};
  for (const auto& [_, counted] : times) longest.push_back(fmt::format("{:.0f}", counted->max_us()));
  table.rows.push_back(std::move(longest));
  return table;
}

}  // namespace aplomb

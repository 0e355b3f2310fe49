#include "aplomb/core/table/log.hpp"

#include <algorithm>
#include <cassert>
#include <set>

#include "aplomb/core/error.hpp"

namespace aplomb {

Log::Log(std::vector<std::string> columns) : columns_(std::move(columns)) {
  std::set<std::string_view> seen;
  for (const std::string& name : columns_) {
    if (!seen.insert(name).second) throw InvalidValue("a log has two columns named '" + name + "'");
  }
}

void Log::append(std::span<const double> row) {
  assert(row.size() == columns_.size());
  values_.insert(values_.end(), row.begin(), row.end());
}

bool Log::has(std::string_view column) const { return std::ranges::find(columns_, column) != columns_.end(); }

std::size_t Log::index(std::string_view column) const {
  const auto found = std::ranges::find(columns_, column);
  if (found == columns_.end()) throw UnknownName("column", column, "the log", columns_);
  return static_cast<std::size_t>(found - columns_.begin());
}

std::vector<double> Log::column(std::string_view column) const {
  const std::size_t at_column = index(column);
  std::vector<double> values(num_rows());
  for (std::size_t row = 0; row < values.size(); ++row) values[row] = at(row, at_column);
  return values;
}

}  // namespace aplomb

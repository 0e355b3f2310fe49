#include "aplomb/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace aplomb {
namespace {

/// Letters to insert, delete, replace or exchange with their neighbour (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1), above(b.size() + 1), two_above(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_above.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, substitution});
      const bool is_exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_exchanged) row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string Place::text() const {
  if (line <= 0) return file;
  if (column <= 0) return fmt::format("{}:{}", file, line);
  return fmt::format("{}:{}:{}", file, line, column);
}

FileError::FileError(const Place& place, std::string_view what) : Error(fmt::format("{}: {}", place.text(), what)) {}

UnknownName::UnknownName(std::string_view kind, std::string_view name, std::string_view where,
                         std::span<const std::string> known)
    : Error(fmt::format("no {} named '{}'{}{}; {}", kind, name, where.empty() ? "" : " in ", where,
                        suggestion(name, known))) {}

std::string nearest_name(std::string_view name, std::span<const std::string> known) {
  // A suggestion helps only when two letters of three agree, or when it contains the name.
  const std::size_t limit = std::max<std::size_t>(1, name.size() / 3) + 1;
  std::size_t best_distance = limit;
  std::string best;
  for (const std::string& candidate : known) {
    std::size_t distance = edit_distance(name.substr(0, 64), std::string_view(candidate).substr(0, 64));
    const bool contains = name.size() > 2 && candidate.find(name) != std::string::npos;
    if (contains) distance = std::min(distance, limit - 1);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(std::string_view name, std::span<const std::string> known, std::size_t limit) {
  std::string text;
  if (const std::string nearest = nearest_name(name, known); !nearest.empty()) {
    text = fmt::format("closest is '{}'; ", nearest);
  }
  text += "valid: ";
  const std::size_t shown = std::min(limit, known.size());
  for (std::size_t i = 0; i < shown; ++i) text += (i > 0 ? ", " : "") + known[i];
  if (shown < known.size()) text += fmt::format(" and {} more", known.size() - shown);
  if (known.empty()) text += "none";
  return text;
}

}  // namespace aplomb

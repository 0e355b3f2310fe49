#include "aplomb/report/unit.hpp"

#include <algorithm>
#include <array>

namespace aplomb {
namespace {

struct Suffix {
  std::string_view suffix;
  std::string_view unit;
};

// The first match is used: compound units come before the units that they end with.
constexpr std::array kUnits = {
    Suffix{"_kg_m2_per_s", "kg m²/s"},
    Suffix{"_rad_per_s3", "rad/s³"},
    Suffix{"_rad_per_s2", "rad/s²"},
    Suffix{"_rad_per_s", "rad/s"},
    Suffix{"_m_per_s2", "m/s²"},
    Suffix{"_m_per_s", "m/s"},
    Suffix{"_n_s_per_m", "N s/m"},
    Suffix{"_n_per_m", "N/m"},
    Suffix{"_per_s", "1/s"},
    Suffix{"_kg_m2", "kg m²"},
    Suffix{"_n_s", "N s"},
    Suffix{"_nm", "N m"},
    Suffix{"_n", "N"},
    Suffix{"_kg", "kg"},
    Suffix{"_mm", "mm"},
    Suffix{"_m", "m"},
    Suffix{"_rad", "rad"},
    Suffix{"_deg", "°"},
    Suffix{"_us", "µs"},
    Suffix{"_ms", "ms"},
    Suffix{"_s", "s"},
    Suffix{"_hz", "Hz"},
    Suffix{"_w", "W"},
    Suffix{"_j", "J"},
};

constexpr std::array<std::string_view, 10> kStatistics = {"_p10",  "_p50", "_p90", "_p95",  "_p99",
                                                          "_p999", "_min", "_max", "_mean", "_std"};

const Suffix* find_unit(std::string_view name) {
  const auto found = std::ranges::find_if(kUnits, [&](const Suffix& one) { return name.ends_with(one.suffix); });
  return found == kUnits.end() ? nullptr : &*found;
}

/// The name without the statistic after the unit: `control_cycle_us` for `control_cycle_us_p99`.
std::string_view without_statistic(std::string_view name) {
  for (const std::string_view statistic : kStatistics) {
    if (name.ends_with(statistic)) return name.substr(0, name.size() - statistic.size());
  }
  return name;
}

}  // namespace

std::string unit_of(std::string_view name) {
  const Suffix* found = find_unit(name);
  if (found == nullptr) found = find_unit(without_statistic(name));
  return found == nullptr ? std::string() : std::string(found->unit);
}

std::string axis_label(std::string_view name) {
  const Suffix* found = find_unit(name);
  if (found == nullptr) {
    std::string plain(name);
    std::ranges::replace(plain, '_', ' ');
    return plain;
  }
  std::string words(name.substr(0, name.size() - found->suffix.size()));
  std::ranges::replace(words, '_', ' ');
  return words + " [" + std::string(found->unit) + "]";
}

}  // namespace aplomb

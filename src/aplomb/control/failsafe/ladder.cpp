#include "aplomb/control/failsafe/ladder.hpp"

#include <algorithm>

namespace aplomb {

SafetyLevel next_level(SafetyLevel now, Conditions conditions) {
  SafetyLevel next = now;
  for (const LadderRow& row : kLadder) {
    if (!conditions.has(row.condition) || (row.only_from && *row.only_from != now)) continue;
    next = std::max(next, row.enters);
  }
  return next;
}

}  // namespace aplomb

#include "aplomb/retarget/frame_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace aplomb {

std::string ActiveLimit::text() const {
  const char* what = kind == Kind::speed ? " (speed)" : kind == Kind::torque ? " (torque)" : "";
  return joint + what;
}

std::string FrameVerdict::reason() const {
  if (is_feasible) return {};
  if (limits.empty()) return "no limit is active: the solver did not converge";
  constexpr std::size_t kMaxNames = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(limits.size(), kMaxNames); ++i) {
    text += fmt::format("{}{}", i > 0 ? ", " : "", limits[i].text());
  }
  return limits.size() > kMaxNames ? text + fmt::format(" and {} more", limits.size() - kMaxNames) : text;
}

bool FrameVerdict::is_at(ActiveLimit::Kind kind) const {
  return std::ranges::find(limits, kind, &ActiveLimit::kind) != limits.end();
}

}  // namespace aplomb

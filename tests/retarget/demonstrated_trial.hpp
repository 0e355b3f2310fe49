#pragma once

#include <limits>
#include <string>

#include "aplomb/demonstrator/demonstrator.hpp"
#include "aplomb/human/human_trial.hpp"

namespace aplomb::test {

/// Result of an error-free analysis of a demonstration: 41 markers, without those of the static trial only.
inline HumanTrial demonstrated_trial(const std::string& style) {
  DemonstratorOptions options;
  options.style = style;
  const Demonstration shown = demonstrate(options);
  HumanTrial trial{.name = style, .motion = shown.motion};
  trial.subject.skeleton = shown.skeleton;
  for (const AttachedMarker& marker : shown.markers) {
    if (trial.subject.markers.size() == 41) break;
    trial.subject.markers.push_back(
        {.label = marker.label, .segment = shown.skeleton.segment(marker.segment), .offset = marker.position});
  }
  for (double seat_off_s : shown.seat_off_s) {
    trial.rises.push_back({seat_off_s, std::numeric_limits<double>::infinity()});
    if (shown.hands_off_s.empty()) continue;
    trial.rises.back().hands = {.off_s = {shown.hands_off_s[0], shown.hands_off_s[0]},
                                .share = shown.hand_share.maxCoeff()};
  }
  return trial;
}

}  // namespace aplomb::test

#pragma once

#include <limits>
#include <string>

#include "aplomb/demonstrator/demonstrator.hpp"
#include "aplomb/human/human_trial.hpp"

namespace aplomb::test {

/// Result of an error-free analysis of a demonstration that begins on the seat: 41 markers, without those of the static
/// trial only.
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
  for (std::size_t i = 0; i < shown.seat_off_s.size(); ++i) {
    const bool sits_down = i < shown.seat_on_s.size();
    trial.rises.push_back(
        {shown.seat_off_s[i], sits_down ? shown.seat_on_s[i] : std::numeric_limits<double>::infinity()});
    if (shown.hands_off_s.empty()) continue;
    trial.rises.back().hands = {.off_s = {shown.hands_off_s[0], shown.hands_off_s[0]},
                                .share = shown.hand_share.maxCoeff()};
  }
  if (shown.seat_on_s.empty()) return trial;  // the contacts of a single rise follow from its times
  const double end_s = shown.motion.time_s(shown.motion.num_frames());
  for (const ContactSite site : {ContactSite::left_foot, ContactSite::right_foot})
    trial.contacts.contacts.push_back({site, 0.0, end_s});
  double seated_s = 0.0;  // since then
  for (std::size_t i = 0; i < shown.seat_off_s.size(); ++i) {
    trial.contacts.contacts.push_back({ContactSite::seat, seated_s, shown.seat_off_s[i]});
    if (i < shown.seat_on_s.size()) seated_s = shown.seat_on_s[i];
  }
  if (shown.seat_on_s.size() >= shown.seat_off_s.size())
    trial.contacts.contacts.push_back({ContactSite::seat, seated_s, end_s});
  return trial;
}

}  // namespace aplomb::test

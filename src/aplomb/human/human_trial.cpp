#include "aplomb/human/human_trial.hpp"

#include <fmt/format.h>

#include <cmath>

#include "aplomb/human/phases/find_contacts.hpp"
#include "aplomb/human/trial_checks.hpp"

namespace aplomb {

std::string contradiction(const HumanTrial& trial) {
  if (trial.marker_rms > kMarkerLimit) {
    return fmt::format(
        "the model's markers are {:.0f} mm from the recorded ones (root mean square, at most {:.0f}): it is the model "
        "of another subject, or left and right are exchanged in the labels or the axes",
        1e3 * trial.marker_rms, 1e3 * kMarkerLimit);
  }
  if (!trial.subject_agrees) {
    return "the distances between the markers are not those of the static trial or the model: it is of another person";
  }
  if (trial.is_cut) return "most markers jump together and stay away: the recording is cut";
  if (!trial.plates_agree) {
    return fmt::format("the force plates contradict the subject's model ({})", trial.verdict);
  }
  return {};
}

ContactSchedule contacts_of_motion(const HumanTrial& trial) {
  const SegmentMotion segments(trial.subject.skeleton, trial.motion);
  constexpr double kUsualCutoff = 4.0;  // [Hz] for trials that state none
  const double cutoff_hz = trial.cutoff_hz > 0.0 ? trial.cutoff_hz : kUsualCutoff;
  const CentroidalMotion body = centroidal_motion(segments, trial.subject.skeleton, cutoff_hz);
  std::vector<Rise> rises;
  for (const RiseTimes& times : trial.rises) {
    Rise& rise = rises.emplace_back();
    rise.seat_off_s = times.seat_off_s;
    if (std::isfinite(times.seat_on_s)) rise.seat_on_s = times.seat_on_s;
    rise.hands = times.hands;
  }
  return find_contacts(segments, body, foot_contacts_of_motion(segments), rises);
}

}  // namespace aplomb

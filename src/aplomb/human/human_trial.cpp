#include "aplomb/human/human_trial.hpp"

#include <fmt/format.h>

namespace aplomb {

std::string contradiction(const HumanTrial& trial) {
  constexpr double kOtherPerson = 0.035;  // [m] marker RMS error above which the model is of another subject
  if (trial.marker_rms > kOtherPerson) {
    return fmt::format(
        "the model's markers are {:.0f} mm from the recorded ones (root mean square, at most {:.0f}): it is the model "
        "of "
        "another subject",
        1e3 * trial.marker_rms, 1e3 * kOtherPerson);
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

}  // namespace aplomb

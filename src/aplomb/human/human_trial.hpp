#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/human/human_motion.hpp"
#include "aplomb/human/subject_model.hpp"

namespace aplomb {

/// Hands that push off something beside the body during a rise: arm rests.
struct HandContacts {
  std::array<std::optional<double>, 2> off_s;  ///< left, right: when the hand leaves it; absent: it rests on nothing
  std::optional<double> share;  ///< largest part of the whole force that no plate carried until then; absent: untold

  bool any() const { return off_s[0] || off_s[1]; }
};

/// A rise from a seat, and the way back when the recording has it. Times of the recording [s].
struct RiseTimes {
  double seat_off_s = 0.0;
  double seat_on_s = 0.0;  ///< infinite when the subject stays up
  HandContacts hands{};    ///< on arm rests
};

/// What is known of one trial once it has been analysed: what retargeting starts from.
struct HumanTrial {
  std::string name;
  SubjectModel subject;
  HumanMotion motion;  ///< of human_robot(subject.skeleton), low-passed at cutoff_hz
  double cutoff_hz = 0.0;
  double marker_rms = 0.0;  ///< how far the model's markers are from the measured ones [m]
  std::vector<RiseTimes> rises;
  bool plates_agree = true;  ///< false: the plates were there and contradict the model
  std::string verdict;       ///< a sentence: how far the plates agree, or that there are none
};

}  // namespace aplomb

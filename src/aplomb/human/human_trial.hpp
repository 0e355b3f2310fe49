#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/human/human_motion.hpp"
#include "aplomb/human/phases/contact_schedule.hpp"
#include "aplomb/human/subject_model.hpp"

namespace aplomb {

/// Hands that push off arm rests during a rise.
struct HandContacts {
  std::array<std::optional<double>, 2> off_s;  ///< left, right: time of release; absent: no contact
  std::optional<double> share;  ///< largest fraction of the contact force carried by no plate; absent: not measurable
  std::array<std::optional<double>, 2>
      on_s{};  ///< left, right: time at which the hand came to rest; absent: no contact

  bool any() const { return off_s[0] || off_s[1]; }
};

/// Times of a rise from a seat, and of sitting down again when the recording has it [s].
struct RiseTimes {
  double seat_off_s = 0.0;
  double seat_on_s = 0.0;  ///< infinite when the subject stays up
  HandContacts hands{};    ///< on arm rests
};

/// Result of analysing one trial: the input of retargeting.
struct HumanTrial {
  std::string name;
  SubjectModel subject;
  HumanMotion motion;  ///< coordinates of human_robot(subject.skeleton), low-passed at cutoff_hz
  double cutoff_hz = 0.0;
  double marker_rms = 0.0;  ///< root mean square distance of model and measured markers [m]
  std::vector<RiseTimes> rises;
  ContactSchedule contacts;    ///< of feet, seat and hands
  bool plates_agree = true;    ///< false: there are plates, and they contradict the model or the stated mass
  bool subject_agrees = true;  ///< false: static trial or model have other distances between the markers
  bool is_cut = false;         ///< most markers jump together at some frame, and stay away
  std::string verdict;         ///< a sentence on the plates' agreement, or that there are none
};

/// Why a robot should not follow this trial: its markers or its force plates contradict the model of the person, so
/// that the robot would follow a wrong centre of mass exactly. Empty: nothing contradicts it.
std::string contradiction(const HumanTrial& trial);

/// Contact schedule of a trial from its motion and its rises alone, for trials without `contacts`.
ContactSchedule contacts_of_motion(const HumanTrial& trial);

}  // namespace aplomb

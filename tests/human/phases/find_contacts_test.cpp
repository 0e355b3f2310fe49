#include "aplomb/human/phases/find_contacts.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>

#include "aplomb/demonstrator/record.hpp"
#include "aplomb/human/analyse.hpp"
#include "aplomb/human/trial_files.hpp"
#include "aplomb/recording/recording.hpp"
#include "aplomb/recording/trial_recording.hpp"
#include "recording/test_data.hpp"

namespace aplomb {
namespace {

Demonstration shown_in(const std::string& style, int repeats = 1) {
  return demonstrate({.style = style, .repeats = repeats});
}

/// With the plates of its recording.
ContactSchedule found_with_plates(const Demonstration& shown) {
  const Recording read = to_recording(record(shown, {.plate_noise_n = 1.0}).c3d, "contacts");
  return judge_by_plates(shown.skeleton, shown.motion, read.forces.plates, {}).contacts;
}

ContactSchedule found_by_motion(const Demonstration& shown) {
  return judge_by_plates(shown.skeleton, shown.motion, {}, {}).contacts;
}

/// One contact that lasts for the whole motion.
void expect_always(const ContactSchedule& schedule, ContactSite site, const HumanMotion& motion) {
  const std::vector<ContactTime> found = schedule.of(site);
  ASSERT_EQ(found.size(), 1U) << to_string(site);
  EXPECT_EQ(found[0].start_s, motion.time_s(0));
  EXPECT_EQ(found[0].end_s, motion.time_s(motion.num_frames()));
}

void expect_feet_down(const ContactSchedule& schedule, const HumanMotion& motion) {
  expect_always(schedule, ContactSite::left_foot, motion);
  expect_always(schedule, ContactSite::right_foot, motion);
}

/// Contacts with the seat of a demonstration.
std::vector<ContactTime> true_seat(const Demonstration& shown) {
  std::vector<ContactTime> seat;
  const double end_s = shown.motion.time_s(shown.motion.num_frames());
  if (shown.seat_share[0] > 0.0) seat.push_back({ContactSite::seat, 0.0, end_s});
  for (const double on_s : shown.seat_on_s) seat.push_back({ContactSite::seat, on_s, end_s});
  for (std::size_t i = 0; i < shown.seat_off_s.size(); ++i) seat[i].end_s = shown.seat_off_s[i];
  return seat;
}

TEST(FindContacts, FeetAreOnTheFloorInEveryStyleThatKeepsThemThere) {
  for (const char* style : {"natural", "elderly", "fast", "arm_rests", "squat", "lean", "sit_down"}) {
    SCOPED_TRACE(style);
    const Demonstration shown = shown_in(style);
    expect_feet_down(found_by_motion(shown), shown.motion);
    expect_feet_down(found_with_plates(shown), shown.motion);
  }
}

TEST(FindContacts, TheSeatBearsFromSeatOnToSeatOff) {
  const std::pair<const char*, int> cases[] = {{"natural", 1},      {"natural", 3},  {"elderly", 2},
                                               {"sit_down", 1},     {"sit_down", 2}, {"sit_stand_sit", 1},
                                               {"sit_stand_sit", 2}};
  for (const auto& [style, repeats] : cases) {
    SCOPED_TRACE(style);
    const Demonstration shown = shown_in(style, repeats);
    const std::vector<ContactTime> truth = true_seat(shown), found = found_with_plates(shown).of(ContactSite::seat);
    ASSERT_EQ(found.size(), truth.size());
    for (std::size_t i = 0; i < truth.size(); ++i) {
      EXPECT_NEAR(found[i].start_s, truth[i].start_s, 0.12) << i;  // plates lose the last 10 N, up to 0.1 s early
      EXPECT_NEAR(found[i].end_s, truth[i].end_s, 0.12) << i;
    }
  }
}

TEST(FindContacts, OneRiseIsFoundInTheMotionAloneHoweverSoonItBegins) {
  for (const char* style : {"natural", "elderly", "fast", "sit_stand_sit"}) {
    for (const std::uint64_t seed : {1, 7, 11}) {
      DemonstratorOptions options{.style = style};
      options.person = {.height_m = 1.55 + 0.03 * static_cast<double>(seed), .mass_kg = 62.0, .seed = seed};
      const Demonstration shown = demonstrate(options);
      const PlateJudgement judgement = judge_by_plates(shown.skeleton, shown.motion, {}, {});
      ASSERT_EQ(judgement.rises.rises.size(), 1U) << style << seed;
      ASSERT_TRUE(judgement.rises.rises[0].seat_off_s) << style << seed;
      // 50 ms after the CoM is fastest; a deep bend (elderly) is fastest a quarter of a second before the seat is left.
      EXPECT_NEAR(*judgement.rises.rises[0].seat_off_s, shown.seat_off_s.at(0), 0.3) << style << seed;
      EXPECT_GT(judgement.reactions.seat_share.head(30).minCoeff(), 0.3) << style << seed;
    }
  }
}

TEST(FindContacts, SquatsAndLeaningHaveNoSeatAndNoHands) {
  for (const char* style : {"squat", "lean"}) {
    const Demonstration shown = shown_in(style);
    for (const ContactSchedule& found : {found_by_motion(shown), found_with_plates(shown)}) {
      EXPECT_TRUE(found.of(ContactSite::seat).empty());
      EXPECT_TRUE(found.of(ContactSite::left_hand).empty() && found.of(ContactSite::right_hand).empty());
    }
  }
}

TEST(FindContacts, HandsBearOnArmRestsUntilTheirRelease) {
  const Demonstration shown = shown_in("arm_rests");
  const ContactSchedule schedule = found_with_plates(shown);
  for (const ContactSite site : {ContactSite::left_hand, ContactSite::right_hand}) {
    const std::vector<ContactTime> found = schedule.of(site);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].start_s, 0.0);
    EXPECT_NEAR(found[0].end_s, shown.hands_off_s.at(0), 0.12);  // a hand goes slowly at first
  }
}

TEST(FindContacts, APersonWhoOnlySitsIsOnTheSeatAllTheTime) {
  Demonstration shown = shown_in("natural");
  shown.motion.q = shown.motion.q.col(0).replicate(1, 200).eval();
  expect_always(found_by_motion(shown), ContactSite::seat, shown.motion);
}

TEST(FindContacts, AFootThatIsLiftedIsNotInContact) {
  // The whole body, moved up by 0.2 m from 1 s to 2 s, and down again: both feet leave the floor.
  Demonstration shown = shown_in("lean");
  for (Eigen::Index i = 0; i < shown.motion.num_frames(); ++i) {
    const double t = shown.motion.time_s(i);
    shown.motion.q(2, i) += t > 1.0 && t < 2.0 ? 0.2 * std::pow(std::sin(M_PI * (t - 1.0)), 2) : 0.0;
  }
  const ContactSchedule schedule = found_by_motion(shown);
  for (const ContactSite site : {ContactSite::left_foot, ContactSite::right_foot}) {
    const std::vector<ContactTime> found = schedule.of(site);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_NEAR(found[0].end_s, 1.0, 0.1);  // it is 7 mm above the floor after 0.06 s
    EXPECT_NEAR(found[1].start_s, 2.0, 0.1);
  }
}

TEST(FindContacts, FeetThatAreLiftedAndPutDownAreFound) {
  for (const char* style : {"one_foot", "step"}) {
    SCOPED_TRACE(style);
    const Demonstration shown = shown_in(style);
    const ContactSchedule schedule = found_by_motion(shown);
    for (const ContactSite site : {ContactSite::left_foot, ContactSite::right_foot}) {
      const auto side = static_cast<std::size_t>(side_of(site));
      std::vector<ContactTime> truth;
      const double end_s = shown.motion.time_s(shown.motion.num_frames());
      for (const SupportPhase& phase : shown.support) {
        const double time_s = static_cast<double>(phase.begin) / 400.0;
        const bool was_down = !truth.empty() && truth.back().end_s == end_s;
        if (phase.is_down[side] && !was_down) truth.push_back({site, time_s, end_s});
        if (!phase.is_down[side] && was_down) truth.back().end_s = time_s;
      }
      const std::vector<ContactTime> found = schedule.of(site);
      ASSERT_EQ(found.size(), truth.size());
      for (std::size_t i = 0; i < truth.size(); ++i) {
        // A foot goes slowly at first: it is 7 mm (0.8 % of the leg's length) above the floor after 0.31 s.
        EXPECT_NEAR(found[i].start_s, truth[i].start_s, 0.33);
        EXPECT_NEAR(found[i].end_s, truth[i].end_s, 0.33);
      }
    }
  }
}

TEST(FindContacts, AreWrittenWithTheTrialAndFoundAgainWithoutTheFile) {
  const Demonstration shown = shown_in("sit_stand_sit");
  HumanTrial trial{.name = "trial", .motion = shown.motion, .cutoff_hz = 4.0};
  trial.subject.skeleton = shown.skeleton;
  trial.subject.markers = {{.label = "SACR", .segment = 0, .offset = {-0.1, 0.0, 0.1}}};
  trial.rises = {{shown.seat_off_s.at(0), shown.seat_on_s.at(0)}};
  trial.contacts = contacts_of_motion(trial);
  ASSERT_EQ(trial.contacts.contacts.size(), 4U);
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("aplomb_contacts_" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  write_trial(trial, folder);
  const ContactSchedule with_file = read_trial(folder).contacts;
  std::filesystem::remove(folder / "contacts.yaml");
  const ContactSchedule without_file = read_trial(folder).contacts;
  std::filesystem::remove_all(folder);
  for (const ContactSchedule& read : {with_file, without_file}) {
    ASSERT_EQ(read.contacts.size(), trial.contacts.contacts.size());
    for (std::size_t i = 0; i < read.contacts.size(); ++i) {
      EXPECT_EQ(read.contacts[i].site, trial.contacts.contacts[i].site);
      EXPECT_NEAR(read.contacts[i].start_s, trial.contacts.contacts[i].start_s, 1e-6);
      EXPECT_NEAR(read.contacts[i].end_s, trial.contacts.contacts[i].end_s, 1e-6);
    }
  }
}

/// Both feet on the floor, and the seat taken from each seat-on to the next seat-off, at both ends of the recording
/// too.
void expect_five_rises(const HumanTrial& trial) {
  ASSERT_EQ(trial.rises.size(), 5U);
  expect_feet_down(trial.contacts, trial.motion);
  const std::vector<ContactTime> seat = trial.contacts.of(ContactSite::seat);
  ASSERT_EQ(seat.size(), 6U);
  EXPECT_EQ(seat.front().start_s, trial.motion.start_s);
  EXPECT_EQ(seat.back().end_s, trial.motion.time_s(trial.motion.num_frames()));
  for (std::size_t i = 0; i < trial.rises.size(); ++i) {
    EXPECT_EQ(seat[i].end_s, trial.rises[i].seat_off_s);
    EXPECT_EQ(seat[i + 1].start_s, trial.rises[i].seat_on_s);
  }
}

TEST(FindContacts, OfRecordedRisesWithPlatesAreThoseOfTheRises) {
  APLOMB_NEEDS_DATA("sit_to_stand/STS1.trc");
  const TrialRecording recording = read_trial_recording(data, data.parent_path() / "STS1_grf.mot");
  expect_five_rises(analyse(recording.motion, {.plates = &recording.plates()}));
}

TEST(FindContacts, OfRecordedRisesWithoutPlatesAreThoseOfTheRises) {
  APLOMB_NEEDS_DATA("people/P5/STSweakLegs1.trc");
  expect_five_rises(analyse(read_recording(data)));
}

/// Times at which a foot's load on the plates begins (or ends), where the recording shows both sides of it.
std::vector<double> plate_edges(const PlateJudgement& judgement, PlateLoad foot, bool begins) {
  std::vector<double> edges;
  const CentroidalMotion& body = judgement.body;
  const auto is_loaded = [&](Eigen::Index i) {
    return std::ranges::any_of(judgement.forces.plates, [&](const PlateTrack& plate) {
      return plate.load[static_cast<std::size_t>(i)] == foot && plate.quick_force[i] > 20.0;
    });
  };
  for (Eigen::Index i = 1; i < body.num_frames(); ++i) {
    if (!judgement.forces.is_seen[static_cast<std::size_t>(i)]) continue;
    if (is_loaded(i) != is_loaded(i - 1) && is_loaded(i) == begins) edges.push_back(body.time_s(i));
  }
  return edges;
}

TEST(FindContacts, OfAWalkingPersonAgreeWithThePlates) {
  APLOMB_NEEDS_DATA("people/P3/walking1.trc");
  const TrialRecording recording = read_trial_recording(data, data.parent_path() / "walking1_grf.mot");
  const Recording still = read_recording(data.parent_path() / "static1.trc");
  const TrialAnalysis analysis =
      analyse(recording.motion, {.static_trial = still.points(), .plates = &recording.plates()});
  const SegmentMotion segments(analysis.subject.skeleton, analysis.fit.motion);
  const FootContacts by_motion = foot_contacts_of_motion(segments);
  std::size_t compared = 0;
  for (const ContactSite site : {ContactSite::left_foot, ContactSite::right_foot}) {
    const PlateLoad load = site == ContactSite::left_foot ? PlateLoad::left_foot : PlateLoad::right_foot;
    for (const bool begins : {true, false}) {
      for (const double edge_s : plate_edges(analysis.judgement, load, begins)) {
        double motion_error = 1e9, schedule_error = 1e9;
        for (const FrameRange& range : by_motion[static_cast<std::size_t>(side_of(site))]) {
          const double time_s = segments.time_s(begins ? range.first : range.last + 1);
          motion_error = std::min(motion_error, std::abs(time_s - edge_s));
        }
        for (const ContactTime& contact : analysis.judgement.contacts.of(site)) {
          schedule_error = std::min(schedule_error, std::abs((begins ? contact.start_s : contact.end_s) - edge_s));
        }
        // Heels touch 40 to 50 ms before the motion shows a standing foot; toes leave 20 to 30 ms beside
        // it.
        EXPECT_LT(motion_error, 0.08) << to_string(site) << ' ' << begins << ' ' << edge_s;
        EXPECT_LT(schedule_error, 1e-9) << to_string(site) << ' ' << begins << ' ' << edge_s;
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, 4U);
}

}  // namespace
}  // namespace aplomb

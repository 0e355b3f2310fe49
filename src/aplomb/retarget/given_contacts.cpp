#include "aplomb/retarget/given_contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "aplomb/core/error.hpp"
#include "aplomb/human/human_robot.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"

namespace aplomb {
namespace {

constexpr double kUpright = 0.9;     // of the CoM's range of heights: a person this high does not sit
constexpr double kLeastRange = 0.1;  // [m] of the CoM's height in a recording with a rise or a sit-down

/// Either foot bears at all times: a motion without one cannot be planned.
void require_a_foot(const ContactSchedule& schedule, double start_s, double end_s) {
  std::vector<ContactTime> stances = schedule.of(ContactSite::left_foot);
  const std::vector<ContactTime> right = schedule.of(ContactSite::right_foot);
  stances.insert(stances.end(), right.begin(), right.end());
  std::ranges::sort(stances, {}, &ContactTime::start_s);
  double until = start_s;  // in contact up to there
  for (const ContactTime& stance : stances) {
    if (stance.start_s > until + 1e-3) break;
    until = std::max(until, stance.end_s);
  }
  if (until + 1e-3 >= end_s) return;
  throw InvalidValue(fmt::format(
      "contacts: neither foot is in contact from {:.3g} s on, before the end at {:.3g} s; a motion without a "
      "foot on the floor cannot be planned: let one stand at all times",
      until, end_s));
}

void require_seated_where_seat_bears(const HumanTrial& trial, const ContactSchedule& schedule) {
  const RobotModel robot = human_robot(trial.subject.skeleton);
  TreeKinematics tree(robot);
  const HumanMotion& motion = trial.motion;
  Eigen::VectorXd height(motion.num_frames());
  for (Eigen::Index i = 0; i < height.size(); ++i) {
    tree.update(motion.q.col(i));
    height[i] = tree.com().z();
  }
  const double low = height.minCoeff(), range = height.maxCoeff() - low;
  if (range < kLeastRange) return;
  for (Eigen::Index i = 0; i < height.size(); ++i) {
    const double time = motion.time_s(i);
    if (!schedule.is_active(ContactSite::seat, time) || height[i] < low + kUpright * range) continue;
    throw InvalidValue(
        fmt::format("contacts: the seat bears at {:.3g} s, but the person is upright then; let the contact "
                    "'seat' end where the hips leave the seat",
                    time));
  }
}

}  // namespace

HumanTrial with_contacts(HumanTrial trial, ContactSchedule schedule) {
  const HumanMotion& motion = trial.motion;
  const double start_s = motion.start_s, end_s = motion.time_s(motion.num_frames());
  for (const ContactTime& contact : schedule.contacts) {
    if (contact.end_s > start_s && contact.start_s < end_s) continue;
    throw InvalidValue(
        fmt::format("contacts: '{}' from {:.3g} to {:.3g} s is outside the recording, {:.3g} to {:.3g} s",
                    to_string(contact.site), contact.start_s, contact.end_s, start_s, end_s));
  }
  for (const ContactSite foot : {ContactSite::left_foot, ContactSite::right_foot}) {
    if (schedule.of(foot).empty()) schedule.contacts.push_back({foot, start_s, end_s});
  }
  require_a_foot(schedule, start_s, motion.time_s(motion.num_frames() - 1));
  require_seated_where_seat_bears(trial, schedule);
  const std::vector<RiseTimes> found = std::exchange(trial.rises, {});
  const std::vector<ContactTime> seats = schedule.of(ContactSite::seat);
  for (std::size_t i = 0; i < seats.size(); ++i) {
    if (seats[i].end_s >= end_s) continue;
    RiseTimes rise{.seat_off_s = seats[i].end_s, .seat_on_s = std::numeric_limits<double>::infinity()};
    if (i + 1 < seats.size()) rise.seat_on_s = seats[i + 1].start_s;
    for (std::size_t side = 0; side < 2; ++side) {
      for (const ContactTime& hand : schedule.of(side == 0 ? ContactSite::left_hand : ContactSite::right_hand)) {
        if (hand.start_s >= rise.seat_off_s || hand.end_s <= rise.seat_off_s) continue;
        rise.hands.on_s[side] = hand.start_s;
        rise.hands.off_s[side] = hand.end_s;
      }
    }
    for (const RiseTimes& other : found) {  // the measured share of the hands is that of the same rise
      if (rise.hands.any() && std::abs(other.seat_off_s - rise.seat_off_s) < 0.5) rise.hands.share = other.hands.share;
    }
    trial.rises.push_back(rise);
  }
  trial.contacts = std::move(schedule);
  return trial;
}

}  // namespace aplomb

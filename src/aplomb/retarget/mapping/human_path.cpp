#include "aplomb/retarget/mapping/human_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/core/math/rotation.hpp"
#include "aplomb/human/human_robot.hpp"
#include "aplomb/retarget/frames/planned_forces.hpp"
#include "aplomb/robot/kinematics/tree_kinematics.hpp"

namespace aplomb {
namespace {

constexpr double kStill = 0.05;     // fraction of the greatest CoM speed below which the body counts as still
constexpr double kMinSeated = 0.2;  // [s] shortest time on the seat before seat-off that the overlay needs
constexpr double kMaxRest = 0.5;    // [s] longest part of sitting still that is kept
constexpr double kHandOver = 0.08;  // [s] shortest time on both feet in which the load goes from one to the other

Eigen::Index frame_at(const HumanMotion& motion, double time_s) {
  const double frame = std::ceil((time_s - motion.start_s) * motion.rate_hz - 1e-6);
  return std::clamp<Eigen::Index>(static_cast<Eigen::Index>(frame), 0, motion.num_frames() - 1);
}

struct Range {
  Eigen::Index begin = 0, end = 0;  ///< frames of the recording that may be used
  Eigen::Index seat_off = 0;        ///< of a sit-down, its first frame on the seat
  HandContacts hands{};
  ClipKind kind = ClipKind::rise;
};

Range find_range(const HumanTrial& trial, std::size_t rise) {
  const HumanMotion& motion = trial.motion;
  if (trial.rises.empty()) {
    throw InvalidValue(
        fmt::format("'{}' has no frame on a seat: nobody rises in it, so there is no posture to lay "
                    "over the seated robot (`aplomb human` lists the rises that it finds)",
                    trial.name));
  }
  if (rise >= trial.rises.size()) {
    throw InvalidValue(
        fmt::format("'{}' has {} rises; there is no number {}", trial.name, trial.rises.size(), rise + 1));
  }
  Range range{.end = motion.num_frames()};
  range.seat_off = frame_at(motion, trial.rises[rise].seat_off_s);
  range.hands = trial.rises[rise].hands;
  if (rise > 0) range.begin = frame_at(motion, trial.rises[rise - 1].seat_on_s);
  if (std::isfinite(trial.rises[rise].seat_on_s)) range.end = frame_at(motion, trial.rises[rise].seat_on_s);
  const double seated_s = static_cast<double>(range.seat_off - range.begin) / motion.rate_hz;
  if (seated_s < kMinSeated) {
    throw InvalidValue(
        fmt::format("'{}' shows only {:.2f} s on the seat before it is left at {:.2f} s; {:.1f} s are "
                    "needed to lay the seated body over the robot",
                    trial.name, seated_s, trial.rises[rise].seat_off_s, kMinSeated));
  }
  return range;
}

/// Contacts with the seat that begin within the recording: the person sits down.
std::vector<ContactTime> sit_downs(const ContactSchedule& contacts, const HumanMotion& motion) {
  std::vector<ContactTime> found = contacts.of(ContactSite::seat);
  std::erase_if(found, [&](const ContactTime& seat) { return seat.start_s <= motion.start_s; });
  return found;
}

Range find_sit_down(const HumanTrial& trial, const ContactSchedule& contacts, std::size_t index) {
  const HumanMotion& motion = trial.motion;
  const std::vector<ContactTime> found = sit_downs(contacts, motion);
  if (index >= found.size()) {
    throw InvalidValue(
        fmt::format("'{}' has {} sit-downs; there is no number {} (`aplomb human` writes the contacts "
                    "that it finds to contacts.yaml)",
                    trial.name, found.size(), index + 1));
  }
  Range range{.end = motion.num_frames(), .kind = ClipKind::sit_down};
  for (const ContactTime& seat : contacts.of(ContactSite::seat)) {
    if (seat.end_s <= found[index].start_s) range.begin = frame_at(motion, seat.end_s);
  }
  range.seat_off = frame_at(motion, found[index].start_s);
  if (found[index].end_s < motion.time_s(motion.num_frames() - 1)) range.end = frame_at(motion, found[index].end_s);
  const double seated_s = static_cast<double>(range.end - range.seat_off) / motion.rate_hz;
  if (seated_s < kMinSeated) {
    throw InvalidValue(
        fmt::format("'{}' shows only {:.2f} s on the seat after it is taken at {:.2f} s; {:.1f} s are "
                    "needed to lay the seated body over the robot",
                    trial.name, seated_s, found[index].start_s, kMinSeated));
  }
  if (range.seat_off - range.begin < 3) {
    throw InvalidValue(fmt::format("'{}' shows no way from standing to the seat that is taken at {:.2f} s", trial.name,
                                   found[index].start_s));
  }
  return range;
}

/// Speeds of the centre of mass [m/s].
Eigen::VectorXd speeds(const Eigen::Matrix3Xd& com, double rate_hz) {
  return derivative(com, rate_hz).colwise().norm();
}

/// First frame at rest after the rise; the highest one when the body is never still.
Eigen::Index find_stand(const Eigen::VectorXd& speed, const Eigen::Matrix3Xd& com, Eigen::Index seat_off) {
  Eigen::Index fastest = 0;
  const Eigen::Index count = speed.size() - seat_off;
  Eigen::Index highest = 0;
  com.row(2).tail(count).maxCoeff(&highest);
  const double most = speed.segment(seat_off, std::max<Eigen::Index>(1, highest)).maxCoeff(&fastest);
  for (Eigen::Index i = seat_off + fastest; i < speed.size(); ++i) {
    if (speed[i] < kStill * most) return i;
  }
  return seat_off + highest;
}

/// Frames of a rise that are kept, and its key frames.
struct Cut {
  Eigen::Index first = 0, last = 0, onset = 0, stand = 0;
};

/// Keeps the rest before the rise, and the frames after it until the CoM is 2 % of the rise below its highest.
Cut cut_rise(const Eigen::Matrix3Xd& com, double rate_hz, Eigen::Index seat_off) {
  const Eigen::VectorXd speed = speeds(com, rate_hz);
  // A person who rises again at once is never still: then the slowest moment counts as rest.
  const auto seated = speed.segment(2, seat_off - 2);  // the very first speeds are one-sided
  const double still = std::max(kStill * seated.maxCoeff(), 1.05 * seated.minCoeff());
  Cut cut;
  for (Eigen::Index i = 0; i < seat_off; ++i) {
    if (speed[i] <= still) cut.onset = i;
  }
  const auto rest = static_cast<Eigen::Index>(kMaxRest * rate_hz);
  cut.first = cut.onset;
  while (cut.first > 0 && cut.onset - cut.first < rest && speed[cut.first - 1] <= 2.0 * still) --cut.first;
  cut.stand = std::max(seat_off + 1, find_stand(speed, com, seat_off));
  const double top = com.row(2).tail(com.cols() - seat_off).maxCoeff();
  const double low = top - 0.02 * (top - com(2, seat_off));
  cut.last = cut.stand;
  while (cut.last + 1 < com.cols() && com(2, cut.last + 1) > low) ++cut.last;
  cut.stand = std::min(cut.stand, cut.last);
  return cut;
}

/// Frames at rest around the slowest one of [first, last], of those at least at height `low`.
KeyFrame rest_in(const Eigen::VectorXd& speed, const Eigen::Matrix3Xd& com, Eigen::Index first, Eigen::Index last,
                 double low) {
  Eigen::Index slowest = -1;
  for (Eigen::Index i = first; i <= last; ++i) {
    if (com(2, i) >= low && (slowest < 0 || speed[i] < speed[slowest])) slowest = i;
  }
  const double still = std::max(kStill * speed.maxCoeff(), 1.05 * speed[slowest]);
  KeyFrame rest{.first = slowest, .last = slowest};
  while (rest.first > first && speed[rest.first - 1] <= still && com(2, rest.first - 1) >= low) --rest.first;
  while (rest.last < last && speed[rest.last + 1] <= still && com(2, rest.last + 1) >= low) ++rest.last;
  return rest;
}

/// Computes markers and CoM over a range of frames and cuts out the rise.
class PathBuilder {
 public:
  PathBuilder(const HumanTrial& trial, const ContactSchedule& contacts, const Range& range)
      : trial_(trial),
        contacts_(contacts),
        range_(range),
        robot_(human_robot(trial.subject.skeleton)),
        tree_(robot_),
        bodies_(segment_bodies(trial.subject.skeleton, robot_)) {}

  HumanPath make() {
    path_.rate_hz = trial_.motion.rate_hz;
    for (const BodyMarker& marker : trial_.subject.markers) {
      path_.labels.push_back(marker.label);
      path_.segments.push_back(marker.segment);
    }
    path_.kind = range_.kind;
    follow();
    switch (range_.kind) {
      case ClipKind::rise:
        cut();
        break;
      case ClipKind::sit_down:
        cut_sit_down();
        break;
      case ClipKind::whole:
        keep_whole();
        break;
    }
    measure_body();
    return std::move(path_);
  }

 private:
  void follow() {
    const Eigen::Index count = range_.end - range_.begin;
    path_.com.resize(3, count);
    path_.markers.resize(3 * static_cast<Eigen::Index>(path_.labels.size()), count);
    path_.feet.resize(12, count);
    std::array<int, 2> feet{};
    std::array<Eigen::Vector3d, 2> centres;
    std::array<Eigen::Matrix3d, 2> before;
    for (std::size_t side = 0; side < 2; ++side) {
      const std::string foot = side == 0 ? "left_foot" : "right_foot";
      feet[side] = bodies_[static_cast<std::size_t>(trial_.subject.skeleton.segment(foot))];
      centres[side].setZero();
      const auto corners = robot_.description().soles[side]->corners();
      for (const Eigen::Vector3d& corner : corners) centres[side] += corner / static_cast<double>(corners.size());
    }
    for (Eigen::Index i = 0; i < count; ++i) {
      tree_.update(trial_.motion.q.col(range_.begin + i));
      path_.com.col(i) = tree_.com();
      for (std::size_t side = 0; side < 2; ++side) {
        const auto row = static_cast<Eigen::Index>(6 * side);
        if (i == 0) before[side] = tree_.rotation(feet[side]);
        path_.feet.block<3, 1>(row, i) = tree_.point(feet[side], centres[side]);
        path_.feet.block<3, 1>(row + 3, i) =
            rotation_vector(Eigen::Matrix3d(tree_.rotation(feet[side]) * before[side].transpose()));
      }
      for (std::size_t k = 0; k < path_.labels.size(); ++k) {
        const BodyMarker& marker = trial_.subject.markers[k];
        path_.markers.block<3, 1>(3 * static_cast<Eigen::Index>(k), i) =
            tree_.point(bodies_[static_cast<std::size_t>(marker.segment)], marker.offset);
      }
    }
  }

  void cut() {
    const Eigen::Index seat_off = range_.seat_off - range_.begin;
    const Cut cut = cut_rise(path_.com, path_.rate_hz, seat_off);
    keep(cut.first, cut.last);
    path_.rise = {.overlay = (cut.onset - cut.first) / 2,
                  .onset = cut.onset - cut.first,
                  .seat_off = seat_off - cut.first,
                  .stand = cut.stand - cut.first};
    path_.keys = {{KeyFrame::Kind::seated, 0, path_.rise.onset},
                  {KeyFrame::Kind::seat_off, path_.rise.seat_off, path_.rise.seat_off},
                  {KeyFrame::Kind::standing, path_.rise.stand, path_.num_frames() - 1}};
    take_hands();
  }

  /// A sit-down is cut as the rise that it is in reverse time.
  void cut_sit_down() {
    const Eigen::Index end = path_.com.cols() - 1, seat_on = range_.seat_off - range_.begin;
    const Cut cut = cut_rise(path_.com.rowwise().reverse(), path_.rate_hz, end + 1 - seat_on);
    keep(end - cut.last, end - cut.first);
    const auto forward = [&](Eigen::Index reversed) { return cut.last - reversed; };
    path_.rise = {.overlay = forward((cut.onset + cut.first + 1) / 2),
                  .onset = forward(cut.onset),
                  .seat_off = seat_on - first_,
                  .stand = forward(cut.stand)};
    path_.keys = {{KeyFrame::Kind::standing, 0, path_.rise.stand},
                  {KeyFrame::Kind::seat_on, path_.rise.seat_off, path_.rise.seat_off},
                  {KeyFrame::Kind::seated, path_.rise.onset, path_.num_frames() - 1}};
  }

  /// Keeps all frames; finds the rest in each time on the seat and in each time upright.
  void keep_whole() {
    keep(0, path_.com.cols() - 1);
    const Eigen::VectorXd speed = speeds(path_.com, path_.rate_hz);
    const Eigen::Index last = path_.num_frames() - 1;
    Eigen::Index next = 0;  // first frame that no key covers yet
    const auto add_rest = [&](KeyFrame::Kind kind, Eigen::Index end) {
      if (end < next) return;
      // Upright: within 2 % of the range of heights, as at the end of a rise.
      const auto heights = path_.com.row(2).segment(next, end - next + 1);
      const double low = kind == KeyFrame::Kind::standing
                             ? heights.maxCoeff() - 0.02 * (heights.maxCoeff() - path_.com.row(2).minCoeff())
                             : -HUGE_VAL;
      path_.keys.push_back(rest_in(speed, path_.com, next, end, low));
      path_.keys.back().kind = kind;
    };
    for (const ContactInterval& seat : path_.contacts) {
      if (seat.site != ContactSite::seat) continue;
      if (seat.begin > 0) {
        add_rest(KeyFrame::Kind::standing, seat.begin - 1);
        path_.keys.push_back({KeyFrame::Kind::seat_on, seat.begin, seat.begin});
      }
      next = seat.begin;
      add_rest(KeyFrame::Kind::seated, seat.end - 1);
      next = seat.end;
      if (seat.end <= last) path_.keys.push_back({KeyFrame::Kind::seat_off, seat.end, seat.end});
    }
    if (path_.keys.empty()) {
      keep_ends(speed);
    } else {
      if (next <= last) add_rest(KeyFrame::Kind::standing, last);
      take_first_rise();
    }
    for (const RiseTimes& rise : trial_.rises) {
      if (rise.hands.share) path_.hand_share = std::max(path_.hand_share.value_or(0.0), *rise.hands.share);
    }
  }

  /// Without a seat: rest at the beginning and at the end.
  void keep_ends(const Eigen::VectorXd& speed) {
    const double still = kStill * speed.maxCoeff();
    const Eigen::Index last = speed.size() - 1;
    KeyFrame begin{KeyFrame::Kind::standing, 0, 0}, end{KeyFrame::Kind::standing, last, last};
    while (begin.last < last && speed[begin.last + 1] <= still) ++begin.last;
    while (end.first > begin.last + 1 && speed[end.first - 1] <= still) --end.first;
    path_.keys = {begin, end};
  }

  void take_first_rise() {
    const auto key = [&](KeyFrame::Kind kind) { return std::ranges::find(path_.keys, kind, &KeyFrame::kind); };
    const auto seated = key(KeyFrame::Kind::seated);
    path_.rise.overlay = (seated->first + seated->last) / 2;
    path_.rise.onset = seated->last;
    const auto off = std::ranges::find(seated, path_.keys.end(), KeyFrame::Kind::seat_off, &KeyFrame::kind);
    if (off == path_.keys.end()) return;
    path_.rise.seat_off = off->first;
    const auto stand = std::ranges::find(off, path_.keys.end(), KeyFrame::Kind::standing, &KeyFrame::kind);
    if (stand != path_.keys.end()) path_.rise.stand = stand->first;
  }

  void keep(Eigen::Index first, Eigen::Index last) {
    first_ = first;
    path_.start_s = trial_.motion.time_s(range_.begin + first_);
    path_.com = path_.com.middleCols(first_, last - first_ + 1).eval();
    path_.markers = path_.markers.middleCols(first_, last - first_ + 1).eval();
    path_.feet = path_.feet.middleCols(first_, last - first_ + 1).eval();
    take_contacts();
  }

  void take_contacts() {
    const auto frame = [&](double time_s) {
      const double since = std::ceil((time_s - path_.start_s) * path_.rate_hz - 1e-6);
      return static_cast<Eigen::Index>(std::clamp(since, 0.0, static_cast<double>(path_.num_frames())));
    };
    for (const ContactTime& contact : contacts_.contacts) {
      const ContactInterval interval{contact.site, frame(contact.start_s), frame(contact.end_s)};
      if (interval.begin < interval.end) path_.contacts.push_back(interval);
    }
    stand_all_the_time();
  }

  /// Without a foot on the floor, a motion is not planned: a foot that leaves it stands until after the other one has
  /// met it. What is left of a jump is then the nearest motion on the floor.
  void stand_all_the_time() {
    const auto last = path_.num_frames();
    std::array<std::vector<char>, 2> on;
    for (std::size_t side = 0; side < 2; ++side) on[side].assign(static_cast<std::size_t>(last), 0);
    bool has_feet = false;
    for (const ContactInterval& contact : path_.contacts) {
      if (contact.site != ContactSite::left_foot && contact.site != ContactSite::right_foot) continue;
      has_feet = true;
      std::vector<char>& foot = on[static_cast<std::size_t>(side_of(contact.site))];
      std::fill(foot.begin() + contact.begin, foot.begin() + contact.end, 1);
    }
    Eigen::Index longest = 0, without = 0;
    for (Eigen::Index i = 0; i < last && has_feet; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const bool bears = on[0][at] != 0 || on[1][at] != 0 || path_.is_in_contact(ContactSite::seat, i);
      without = bears ? 0 : without + 1;
      longest = std::max(longest, without);
    }
    path_.flight_s = static_cast<double>(longest) / path_.rate_hz;
    // Where the clip begins without one, the foot that meets the floor first stands.
    if (on[0][0] == 0 && on[1][0] == 0) {
      const auto first_on = [&](std::size_t side) { return std::ranges::find(on[side], 1) - on[side].begin(); };
      const std::size_t first = first_on(1) < first_on(0) ? 1 : 0;
      std::fill_n(on[first].begin(), first_on(first), char{1});
    }
    const auto both = static_cast<Eigen::Index>(std::ceil(kHandOver * path_.rate_hz));
    for (std::size_t side = 0; side < 2; ++side) {
      const std::vector<char>& other = on[1 - side];
      for (Eigen::Index end = 1; end <= last; ++end) {
        if (on[side][static_cast<std::size_t>(end - 1)] == 0) continue;
        if (end < last && on[side][static_cast<std::size_t>(end)] != 0) continue;
        // This foot leaves the floor at `end`; it may when the other one has stood for long enough.
        Eigen::Index stands = 0, until = end;
        for (Eigen::Index i = end - 1; i >= 0 && other[static_cast<std::size_t>(i)] != 0 && stands < both; --i)
          ++stands;
        for (; until < last; ++until) {
          const bool stands_now = other[static_cast<std::size_t>(until)] != 0;
          if (stands_now && stands >= both) break;
          stands = stands_now ? stands + 1 : 0;
          on[side][static_cast<std::size_t>(until)] = 1;
        }
        end = until;
      }
    }
    std::erase_if(path_.contacts, [](const ContactInterval& contact) {
      return contact.site == ContactSite::left_foot || contact.site == ContactSite::right_foot;
    });
    for (std::size_t side = 0; side < 2; ++side) {
      const ContactSite site = side == 0 ? ContactSite::left_foot : ContactSite::right_foot;
      if (!has_feet) std::ranges::fill(on[side], 1);
      Eigen::Index begin = 0;
      for (Eigen::Index i = 0; i <= last; ++i) {
        const bool is_on = i < last && on[side][static_cast<std::size_t>(i)] != 0;
        if (is_on) continue;
        if (begin < i) path_.contacts.push_back({site, begin, i});
        begin = i + 1;
      }
    }
    std::ranges::stable_sort(path_.contacts, {},
                             [](const ContactInterval& one) { return std::pair(one.site, one.begin); });
  }

  void take_hands() {
    path_.hand_share = range_.hands.share;
    for (std::size_t side = 0; side < 2; ++side) {
      if (!range_.hands.off_s[side]) continue;
      const Eigen::Index off = frame_at(trial_.motion, *range_.hands.off_s[side]) - range_.begin - first_;
      // A push that ends at seat-off, or lasts until the body is up, cannot be planned.
      if (off > path_.rise.seat_off && off < path_.rise.stand) path_.rise.hand_off[side] = off;
    }
  }

  void measure_body() {
    tree_.update(trial_.motion.q.col(range_.begin + first_ + path_.rise.overlay));
    const Skeleton& skeleton = trial_.subject.skeleton;
    path_.heel_x = HUGE_VAL;
    path_.toe_x = -HUGE_VAL;
    for (std::size_t side = 0; side < 2; ++side) {
      const std::string prefix = side == 0 ? "left_" : "right_";
      const auto body = [&](const char* part) {
        return bodies_[static_cast<std::size_t>(skeleton.segment(prefix + part))];
      };
      const Eigen::Vector3d hip = tree_.origin(body("thigh")), knee = tree_.origin(body("shank"));
      const Eigen::Vector3d ankle = tree_.origin(body("foot"));
      path_.ankles += 0.5 * ankle;
      path_.wrists[side] = tree_.origin(body("hand"));
      path_.leg_length += 0.5 * ((hip - knee).norm() + (knee - ankle).norm());
      for (const Eigen::Vector3d& corner : robot_.description().soles[side]->corners()) {
        const double x = tree_.point(body("foot"), corner).x();
        path_.heel_x = std::min(path_.heel_x, x);
        path_.toe_x = std::max(path_.toe_x, x);
      }
    }
  }

  const HumanTrial& trial_;
  const ContactSchedule& contacts_;
  Range range_;
  RobotModel robot_;
  TreeKinematics tree_;
  std::vector<int> bodies_;
  HumanPath path_;
  Eigen::Index first_ = 0;
};

}  // namespace

bool HumanPath::is_in_contact(ContactSite site, Eigen::Index frame) const {
  return std::ranges::any_of(contacts, [&](const ContactInterval& contact) {
    return contact.site == site && contact.begin <= frame && frame < contact.end;
  });
}

double seat_distance_s(const HumanPath& human, Eigen::Index frame) {
  double nearest = HUGE_VAL;
  for (const ContactInterval& seat : human.contacts) {
    if (seat.site != ContactSite::seat) continue;
    // The first frame off the seat is at distance 0: it is where the seat has just been released.
    const Eigen::Index away = frame < seat.begin ? seat.begin - 1 - frame : frame >= seat.end ? frame - seat.end : 0;
    nearest = std::min(nearest, static_cast<double>(away) / human.rate_hz);
  }
  return nearest;
}

HumanPath human_path(const HumanTrial& trial, std::size_t rise) {
  return human_path(trial, ClipRequest{ClipKind::rise, rise});
}

HumanPath human_path(const HumanTrial& trial, const ClipRequest& request) {
  std::optional<Range> range;
  if (request.kind == ClipKind::rise)
    range = find_range(trial, request.index);  // first: a trial may have no rise at all
  const ContactSchedule contacts = trial.contacts.empty() ? contacts_of_motion(trial) : trial.contacts;
  if (request.kind == ClipKind::sit_down) range = find_sit_down(trial, contacts, request.index);
  if (request.kind == ClipKind::whole) range = {.end = trial.motion.num_frames(), .kind = ClipKind::whole};
  return PathBuilder(trial, contacts, *range).make();
}

}  // namespace aplomb

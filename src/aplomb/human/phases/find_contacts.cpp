#include "aplomb/human/phases/find_contacts.hpp"

#include <algorithm>

#include "aplomb/human/phases/hip_phases.hpp"

namespace aplomb {
namespace {

class ScheduleMaker {
 public:
  explicit ScheduleMaker(const SegmentMotion& segments)
      : begin_s_(segments.start_s()), end_s_(segments.time_s(segments.num_frames())) {}

  /// In the order of the sites, and of the times of each; contacts that overlap become one.
  void add(ContactSite site, double start_s, double end_s) {
    start_s = std::max(start_s, begin_s_);
    end_s = std::min(end_s, end_s_);
    if (!(start_s < end_s)) return;
    std::vector<ContactTime>& all = schedule_.contacts;
    if (!all.empty() && all.back().site == site && all.back().end_s >= start_s) {
      all.back().end_s = std::max(all.back().end_s, end_s);
    } else {
      all.push_back({site, start_s, end_s});
    }
  }

  void add_seat(const std::vector<Rise>& rises) {
    double seated_s = begin_s_;  // start of the contact that the next rise ends
    bool is_seated = !rises.empty() && rises.front().seat_off_s;
    for (const Rise& rise : rises) {
      if (is_seated && rise.seat_off_s) add(ContactSite::seat, seated_s, *rise.seat_off_s);
      is_seated = rise.seat_on_s.has_value();
      if (is_seated) seated_s = *rise.seat_on_s;
    }
    if (is_seated) add(ContactSite::seat, seated_s, end_s_);
  }

  void add_hands(const std::vector<Rise>& rises) {
    for (const ContactSite site : {ContactSite::left_hand, ContactSite::right_hand}) {
      const auto side = static_cast<std::size_t>(side_of(site));
      double seated_s = begin_s_;
      for (const Rise& rise : rises) {
        if (rise.hands.off_s[side]) add(site, rise.hands.on_s[side].value_or(seated_s), *rise.hands.off_s[side]);
        seated_s = rise.seat_on_s.value_or(end_s_);
      }
    }
  }

  void add_whole(ContactSite site) { add(site, begin_s_, end_s_); }
  ContactSchedule take() { return std::move(schedule_); }

 private:
  double begin_s_, end_s_;
  ContactSchedule schedule_;
};

}  // namespace

ContactSchedule find_contacts(const SegmentMotion& segments, const CentroidalMotion& body, const FootContacts& feet,
                              const std::vector<Rise>& rises) {
  ScheduleMaker maker(segments);
  for (const ContactSite site : {ContactSite::left_foot, ContactSite::right_foot}) {
    for (const FrameRange& range : feet[static_cast<std::size_t>(side_of(site))]) {
      maker.add(site, segments.time_s(range.first), segments.time_s(range.last + 1));
    }
  }
  maker.add_hands(rises);
  const FrameRange whole{0, segments.num_frames() - 1};
  if (!rises.empty()) {
    maker.add_seat(rises);
  } else if (is_low(segments, whole) && needs_a_seat(segments, body, whole)) {
    maker.add_whole(ContactSite::seat);
  }
  return maker.take();
}

}  // namespace aplomb

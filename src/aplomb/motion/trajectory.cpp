#include "aplomb/motion/trajectory.hpp"

#include <algorithm>
#include <cassert>

namespace aplomb {

std::string_view to_string(ContactSite site) { return kContactSiteNames[static_cast<std::size_t>(site)]; }

bool is_hand(ContactSite site) { return site == ContactSite::left_hand || site == ContactSite::right_hand; }

Side side_of(ContactSite site) {
  assert(site != ContactSite::seat);
  return site == ContactSite::left_foot || site == ContactSite::left_hand ? kLeft : kRight;
}

bool ContactPlan::has(ContactSite site) const {
  return std::ranges::find(contacts, site, &Contact::site) != contacts.end();
}

bool ContactPlan::is_active(ContactSite site, double time_s) const {
  return std::ranges::any_of(contacts, [&](const Contact& contact) {
    return contact.site == site && time_s >= contact.start_s && time_s < contact.end_s;
  });
}

}  // namespace aplomb

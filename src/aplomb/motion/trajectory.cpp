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

namespace {

const Trajectory::ContactWrenches* wrenches_of(const Trajectory& trajectory, ContactSite site) {
  const auto found = std::ranges::find(trajectory.wrenches, site, &Trajectory::ContactWrenches::site);
  return found == trajectory.wrenches.end() ? nullptr : &*found;
}

/// Vertical force of one contact over that of all contacts, 0 to 1.
Eigen::RowVectorXd vertical_share(const Trajectory& trajectory, ContactSite site) {
  Eigen::RowVectorXd share = Eigen::RowVectorXd::Zero(trajectory.num_samples()), all = share;
  const Trajectory::ContactWrenches* const own = wrenches_of(trajectory, site);
  if (own == nullptr) return share;
  for (const Trajectory::ContactWrenches& contact : trajectory.wrenches) all += contact.wrench.row(2);
  for (Eigen::Index i = 0; i < share.size(); ++i) {
    if (all[i] > 0.0) share[i] = std::clamp(own->wrench(2, i) / all[i], 0.0, 1.0);
  }
  return share;
}

}  // namespace

Eigen::VectorXd seat_share_of(const Trajectory& trajectory) {
  if (trajectory.wrenches.empty()) return trajectory.seat_share;
  return vertical_share(trajectory, ContactSite::seat).transpose();
}

Eigen::Matrix2Xd hand_share_of(const Trajectory& trajectory) {
  if (trajectory.wrenches.empty()) return trajectory.hand_share;
  if (!wrenches_of(trajectory, ContactSite::left_hand) && !wrenches_of(trajectory, ContactSite::right_hand)) return {};
  Eigen::Matrix2Xd share(2, trajectory.num_samples());
  share.row(kLeft) = vertical_share(trajectory, ContactSite::left_hand);
  share.row(kRight) = vertical_share(trajectory, ContactSite::right_hand);
  return share;
}

bool ContactPlan::has(ContactSite site) const {
  return std::ranges::find(contacts, site, &Contact::site) != contacts.end();
}

bool ContactPlan::is_active(ContactSite site, double time_s) const {
  return std::ranges::any_of(contacts,
                             [&](const Contact& contact) { return contact.site == site && contact.holds(time_s); });
}

const ContactPlan::Contact* ContactPlan::nearest(ContactSite site, double time_s) const {
  const Contact* best = nullptr;
  double least = 0.0;
  for (const Contact& contact : contacts) {
    if (contact.site != site) continue;
    const double distance =
        contact.holds(time_s) ? -1.0 : std::max({0.0, contact.start_s - time_s, time_s - contact.end_s});
    if (best != nullptr && distance >= least) continue;
    best = &contact;
    least = distance;
  }
  return best;
}

std::vector<ContactSite> ContactPlan::sites() const {
  std::vector<ContactSite> sites;
  for (const Contact& contact : contacts) {
    if (std::ranges::find(sites, contact.site) == sites.end()) sites.push_back(contact.site);
  }
  return sites;
}

}  // namespace aplomb

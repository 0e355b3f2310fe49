#include "aplomb/retarget/mapping/plan_contacts.hpp"

#include <cstddef>

namespace aplomb {

ContactPlan plan_contacts(const RobotModel& robot, const Limbs& limbs, const HumanPath& human,
                          const SeatedRobot& seated) {
  ContactPlan plan;
  const auto time = [&](Eigen::Index sample) { return static_cast<double>(sample) / human.rate_hz; };
  const RobotDescription& description = robot.description();
  for (std::size_t side = 0; side < 2; ++side) {
    const ContactSite site = side == 0 ? ContactSite::left_foot : ContactSite::right_foot;
    bool is_listed = false;
    const auto add = [&](Eigen::Index begin, Eigen::Index end) {
      is_listed = true;
      plan.contacts.push_back({.site = site,
                               .link = description.roles.foot[side],
                               .point = description.soles[side]->centre(),
                               .start_s = time(begin),
                               .end_s = time(end)});
    };
    for (const ContactInterval& contact : human.contacts) {
      if (contact.site == site) add(contact.begin, contact.end);
    }
    if (!is_listed) add(0, human.num_frames());
  }
  for (const ContactInterval& contact : human.contacts) {
    if (contact.site != ContactSite::seat) continue;
    plan.chair_height_m = seated.chair_height;
    plan.contacts.push_back({.site = ContactSite::seat,
                             .link = robot.tree().bodies[static_cast<std::size_t>(limbs.pelvis)].link,
                             .point = limbs.hips,
                             .start_s = time(contact.begin),
                             .end_s = time(contact.end)});
  }
  for (const RestingHand& hand : seated.hands) {
    plan.contacts.push_back({.site = hand.side == 0 ? ContactSite::left_hand : ContactSite::right_hand,
                             .link = robot.tree().bodies[static_cast<std::size_t>(hand.body)].link,
                             .point = hand.offset,
                             .start_s = 0.0,
                             .end_s = time(human.rise.hand_off[hand.side])});
  }
  return plan;
}

}  // namespace aplomb

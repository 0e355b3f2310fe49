#include "aplomb/motion/files/contacts_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/settings/yaml.hpp"

namespace aplomb {
namespace {

/// Value of a required key; throws FileError when it is missing.
const YamlNode& need(const YamlNode& map, const char* key) {
  const YamlNode* found = map.kind == YamlNode::Kind::map ? map.find(key) : nullptr;
  if (found == nullptr) throw FileError(map.origin.place(), fmt::format("the key '{}' is missing", key));
  return *found;
}

double number(const YamlNode& node) {
  const std::optional<double> value = node.number();
  if (!value) throw FileError(node.origin.place(), "a finite number is required");
  return *value;
}

ContactSite read_site(const YamlNode& node) {
  const auto found = std::ranges::find(kContactSiteNames, node.text);
  if (found == kContactSiteNames.end()) {
    const std::vector<std::string> known(kContactSiteNames.begin(), kContactSiteNames.end());
    throw FileError(node.origin.place(),
                    fmt::format("no contact is called '{}'; {}", shortened(node.text), suggestion(node.text, known)));
  }
  return static_cast<ContactSite>(found - kContactSiteNames.begin());
}

ContactPlan::Contact read_contact(const YamlNode& item) {
  ContactPlan::Contact contact{.site = read_site(need(item, "name")), .link = need(item, "link").text};
  const YamlNode& point = need(item, "point_m");
  if (point.items.size() != 3) throw FileError(point.origin.place(), "a point has three coordinates");
  for (int axis = 0; axis < 3; ++axis) contact.point[axis] = number(point.items[static_cast<std::size_t>(axis)]);
  contact.start_s = number(need(item, "start_s"));
  contact.end_s = number(need(item, "end_s"));
  if (contact.end_s < contact.start_s) {
    throw FileError(item.origin.place(), fmt::format("contact {} ends at {:.9g} s, before it starts at {:.9g} s",
                                                     to_string(contact.site), contact.end_s, contact.start_s));
  }
  return contact;
}

/// Adds a contact. Throws FileError when it overlaps with another interval of the same site.
void add_contact(const YamlNode& item, ContactPlan& plan) {
  const ContactPlan::Contact contact = read_contact(item);
  for (const ContactPlan::Contact& other : plan.contacts) {
    if (other.site != contact.site || !(contact.holds(other.start_s) || other.holds(contact.start_s))) continue;
    throw FileError(item.origin.place(),
                    fmt::format("contact {} from {:.9g} to {:.9g} s overlaps with its interval from {:.9g} to {:.9g} s",
                                to_string(contact.site), contact.start_s, contact.end_s, other.start_s, other.end_s));
  }
  plan.contacts.push_back(contact);
}

}  // namespace

void write_contacts(const MotionPlan& plan, const std::filesystem::path& file) {
  std::string text = fmt::format("robot: {}\nrobot_sha256: '{}'\nchair_height_m: {:.9g}\ncontacts:\n",
                                 plan.trajectory.robot, plan.trajectory.robot_sha256, plan.contacts.chair_height_m);
  for (const ContactPlan::Contact& contact : plan.contacts.contacts) {
    text +=
        fmt::format("  - {{name: {}, link: {}, point_m: [{:.9g}, {:.9g}, {:.9g}], start_s: {:.9g}, end_s: {:.9g}}}\n",
                    to_string(contact.site), contact.link, contact.point.x(), contact.point.y(), contact.point.z(),
                    contact.start_s, contact.end_s);
  }
  write_file(file, text);
}

void read_contacts(const std::filesystem::path& file, MotionPlan& plan) {
  const YamlNode root = read_yaml(file);
  plan.trajectory.robot = need(root, "robot").text;
  plan.trajectory.robot_sha256 = need(root, "robot_sha256").text;
  plan.contacts.chair_height_m = number(need(root, "chair_height_m"));
  for (const YamlNode& item : need(root, "contacts").items) add_contact(item, plan.contacts);
}

}  // namespace aplomb

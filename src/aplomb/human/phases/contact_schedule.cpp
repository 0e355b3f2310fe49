#include "aplomb/human/phases/contact_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/settings/yaml_view.hpp"

namespace aplomb {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;

const Schema& contacts_schema() {
  static const Schema whole = schema::map(
      "", "contacts of a person",
      {schema::list("contacts", "intervals",
                    schema::map("", "one contact",
                                {schema::choice("name", {kContactSiteNames.begin(), kContactSiteNames.end()},
                                                "part of the body that is in contact")
                                     .required(),
                                 schema::number("start_s", "first instant in contact").in("s").required(),
                                 schema::number("end_s", "first instant without it").in("s").required()}))
           .required()});
  return whole;
}

ContactTime read_contact(const YamlView& item) {
  const auto name = std::ranges::find(kContactSiteNames, item["name"].text());
  const ContactTime contact{static_cast<ContactSite>(name - kContactSiteNames.begin()), item["start_s"].number(),
                            item["end_s"].number()};
  if (contact.end_s > contact.start_s) return contact;
  throw FileError(item.place(), fmt::format("the contact '{}' ends at {} s, not after its start at {} s",
                                            to_string(contact.site), contact.end_s, contact.start_s));
}

void sort(std::vector<ContactTime>& contacts) {
  std::ranges::sort(contacts, {}, [](const ContactTime& contact) {
    return std::tuple(contact.site, contact.start_s, contact.end_s);
  });
}

}  // namespace

std::vector<ContactTime> ContactSchedule::of(ContactSite site) const {
  std::vector<ContactTime> found;
  std::ranges::copy_if(contacts, std::back_inserter(found),
                       [site](const ContactTime& contact) { return contact.site == site; });
  return found;
}

bool ContactSchedule::is_active(ContactSite site, double time_s) const {
  return std::ranges::any_of(contacts, [&](const ContactTime& contact) {
    return contact.site == site && contact.start_s <= time_s && time_s < contact.end_s;
  });
}

void write_contact_schedule(const ContactSchedule& schedule, const std::filesystem::path& file) {
  std::string text = "contacts:";
  for (const ContactTime& contact : schedule.contacts) {
    text += fmt::format("\n  - {{name: {}, start_s: {}, end_s: {}}}", to_string(contact.site), contact.start_s,
                        contact.end_s);
  }
  write_file(file, text + (schedule.empty() ? " []\n" : "\n"));
}

ContactSchedule read_contact_schedule(const std::filesystem::path& file) {
  const YamlNode yaml = parse_yaml(read_file(file, kMostBytes), file.string());
  require_valid(yaml, contacts_schema());
  ContactSchedule schedule;
  for (const YamlView& item : YamlView(yaml, contacts_schema())["contacts"].items()) {
    schedule.contacts.push_back(read_contact(item));
  }
  sort(schedule.contacts);
  for (std::size_t i = 1; i < schedule.contacts.size(); ++i) {
    const ContactTime &before = schedule.contacts[i - 1], &after = schedule.contacts[i];
    if (before.site != after.site || before.end_s <= after.start_s) continue;
    throw FileError({file.string()},
                    fmt::format("the contact '{}' from {} to {} s overlaps the one from {} to {} s; give one interval, "
                                "or intervals that follow each other",
                                to_string(after.site), after.start_s, after.end_s, before.start_s, before.end_s));
  }
  return schedule;
}

}  // namespace aplomb

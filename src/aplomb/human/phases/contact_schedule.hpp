#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "aplomb/motion/trajectory.hpp"

namespace aplomb {

/// Time during which a part of a person bears on the floor, a seat or an arm rest, in the recording's time.
struct ContactTime {
  ContactSite site = ContactSite::left_foot;
  double start_s = 0.0;  ///< first instant in contact
  double end_s = 0.0;    ///< first instant without it; at the end of a recording, one frame after the last one
};

/// Contacts of a person over a recording: for each site any number of intervals that do not overlap. Ordered by site,
/// then by time.
struct ContactSchedule {
  std::vector<ContactTime> contacts;

  bool empty() const { return contacts.empty(); }
  std::vector<ContactTime> of(ContactSite site) const;
  bool is_active(ContactSite site, double time_s) const;
};

/// Writes the schedule as YAML, one line a contact: {name: seat, start_s: 0, end_s: 1.21}. Throws FileError.
void write_contact_schedule(const ContactSchedule& schedule, const std::filesystem::path& file);
/// Reads it, as untrusted input. Throws FileError, with line and column, on an unknown site, a contact that ends before
/// it starts, or two contacts of one site that overlap.
ContactSchedule read_contact_schedule(const std::filesystem::path& file);

}  // namespace aplomb

#include "aplomb/human/phases/contact_schedule.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"

namespace aplomb {
namespace {

class ContactScheduleFile : public testing::Test {
 protected:
  ~ContactScheduleFile() override { std::filesystem::remove(file); }
  ContactSchedule read(const std::string& text) const {
    write_file(file, text);
    return read_contact_schedule(file);
  }
  std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("aplomb_contacts_" + std::to_string(::getpid()) + ".yaml");
};

TEST_F(ContactScheduleFile, IsReadBackAsItWasWritten) {
  const ContactSchedule written{{{ContactSite::left_foot, 0.0, 1.0 / 3.0},
                                 {ContactSite::left_foot, 0.7, 2.0},
                                 {ContactSite::right_hand, 0.0, 0.5},
                                 {ContactSite::seat, 0.0, 1.1}}};
  write_contact_schedule(written, file);
  const ContactSchedule read_back = read_contact_schedule(file);
  ASSERT_EQ(read_back.contacts.size(), written.contacts.size());
  for (std::size_t i = 0; i < written.contacts.size(); ++i) {
    EXPECT_EQ(read_back.contacts[i].site, written.contacts[i].site);
    EXPECT_EQ(read_back.contacts[i].start_s, written.contacts[i].start_s);
    EXPECT_EQ(read_back.contacts[i].end_s, written.contacts[i].end_s);
  }
  EXPECT_EQ(read_back.of(ContactSite::left_foot).size(), 2U);
  EXPECT_TRUE(read_back.is_active(ContactSite::seat, 0.0));
  EXPECT_FALSE(read_back.is_active(ContactSite::seat, 1.1));
  EXPECT_FALSE(read_back.is_active(ContactSite::left_foot, 0.5));
  write_contact_schedule({}, file);
  EXPECT_TRUE(read_contact_schedule(file).empty());
}

TEST_F(ContactScheduleFile, IsSortedBySiteAndTime) {
  const ContactSchedule schedule = read(
      "contacts:\n  - {name: seat, start_s: 0, end_s: 1}\n  - {name: left_foot, start_s: 2, end_s: 3}\n"
      "  - {name: left_foot, start_s: 0, end_s: 2}\n");
  ASSERT_EQ(schedule.contacts.size(), 3U);
  EXPECT_EQ(schedule.contacts[0].end_s, 2.0);
  EXPECT_EQ(schedule.contacts[2].site, ContactSite::seat);
}

TEST_F(ContactScheduleFile, RefusesWhatContradictsItself) {
  EXPECT_THROW(read("contacts:\n  - {name: tail, start_s: 0, end_s: 1}\n"), FileError);
  EXPECT_THROW(read("contacts:\n  - {name: seat, start_s: 1, end_s: 1}\n"), FileError);
  EXPECT_THROW(read("contacts:\n  - {name: seat, start_s: 0}\n"), FileError);
  EXPECT_THROW(read("contacts:\n  - {name: seat, start_s: 0, end_s: .nan}\n"), FileError);
  EXPECT_THROW(read("contacts:\n  - {name: seat, start_s: 0, end_s: 2}\n  - {name: seat, start_s: 1, end_s: 3}\n"),
               FileError);
}

}  // namespace
}  // namespace aplomb

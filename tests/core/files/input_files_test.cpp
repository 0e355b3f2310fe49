#include "aplomb/core/files/input_files.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "support/temporary_folder.hpp"

namespace aplomb {
namespace {

class InputFileRecords : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path() / name) << text;
    return (folder_.path() / name).string();
  }
  test::TemporaryFolder folder_;
};

TEST_F(InputFileRecords, HaveTheDigestOfEveryFileThatIsRead) {
  const std::string before = write("before", "x"), a = write("a", "one"), b = write("b", "two");
  read_file(before, 100);
  const InputFiles inputs;
  read_file(a, 100);
  read_file(b, 100);
  read_own_file(before);
  EXPECT_THROW(read_file(folder_.path() / "missing", 100), FileError);
  EXPECT_EQ(
      inputs.digests(),
      (InputFiles::Digests{{a, sha256("one")}, {b, sha256("two")}, {(folder_.path() / "missing").string(), "absent"}}));
}

TEST_F(InputFileRecords, WithinAnItemAreThoseOfThatItem) {
  const std::string common = write("common", "c"), a = write("a", "one"), b = write("b", "two");
  const InputFiles inputs;
  read_file(common, 100);
  InputFiles::Digests of_other;
  {
    const InputFiles::Item item;
    read_file(a, 100);
    std::thread([&] {
      const InputFiles::Item other;
      read_file(b, 100);
      of_other = inputs.digests();
    }).join();
    EXPECT_EQ(inputs.digests(), (InputFiles::Digests{{common, sha256("c")}, {a, sha256("one")}}));
  }
  EXPECT_EQ(of_other, (InputFiles::Digests{{common, sha256("c")}, {b, sha256("two")}}));
  EXPECT_EQ(inputs.digests().size(), 1u);
}

TEST_F(InputFileRecords, TellAChangedFileFromAnUnchangedOne) {
  const std::string file = write("a", "one");
  const std::string digest = input_digest(file);
  EXPECT_TRUE(is_unchanged(file, digest));
  write("a", "two");  // of the same length, within the same second
  EXPECT_FALSE(is_unchanged(file, digest));
  write("a", "one");
  EXPECT_TRUE(is_unchanged(file, digest));
  std::filesystem::remove(file);
  EXPECT_FALSE(is_unchanged(file, digest));
  EXPECT_TRUE(is_unchanged(file, "absent"));
}

TEST_F(InputFileRecords, NeverCallAPipeUnchangedAndNeverReadIt) {
  const std::string pipe = (folder_.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(input_digest(pipe), kUnrepeatableInput);
  EXPECT_FALSE(is_unchanged(pipe, input_digest(pipe)));
}

}  // namespace
}  // namespace aplomb

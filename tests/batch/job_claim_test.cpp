#include "aplomb/batch/job_claim.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <ctime>
#include <fstream>
#include <thread>
#include <vector>

#include "aplomb/core/error.hpp"
#include "support/temporary_folder.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

class Claims : public ::testing::Test {
 protected:
  test::TemporaryFolder folder_;
  const fs::path claim_ = folder_.path() / "key";
};

TEST_F(Claims, OneAtATimeAndNothingIsLeft) {
  {
    const JobClaim mine(claim_);
    EXPECT_TRUE(mine.is_ours());
    EXPECT_FALSE(JobClaim(claim_).is_ours());
  }
  EXPECT_TRUE(fs::is_empty(folder_.path()));
  EXPECT_TRUE(JobClaim(claim_).is_ours());
}

TEST_F(Claims, OfManyThatAskAtOnceOneGetsIt) {
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> owners = 0, asked = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        const JobClaim claim(claim_);
        owners += claim.is_ours() ? 1 : 0;
        for (++asked; asked < 8;) std::this_thread::yield();  // nobody lets go before all have asked
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(owners, 1);
  }
}

TEST_F(Claims, TheClaimOfAKilledProcessIsTakenOver) {
  const pid_t child = ::fork();
  if (child == 0) {
    new JobClaim(claim_);  // NOLINT: killed before it could be deleted
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  ASSERT_TRUE(fs::exists(claim_ / "owner"));
  EXPECT_TRUE(JobClaim(claim_).is_ours());
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(Claims, TheClaimOfAnotherMachineIsVoidWhenItIsNotRenewed) {
  fs::create_directory(claim_);
  std::ofstream(claim_ / "owner") << "another-machine/pid:[1] 123 456";
  EXPECT_FALSE(JobClaim(claim_).is_ours());
  const timespec old[2] = {{std::time(nullptr) - static_cast<std::time_t>(kClaimLifeS) - 5, 0},
                           {std::time(nullptr) - static_cast<std::time_t>(kClaimLifeS) - 5, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, claim_.c_str(), old, 0), 0);
  EXPECT_TRUE(JobClaim(claim_).is_ours());
}

TEST_F(Claims, AFolderThatCannotBeWrittenIsAnError) {
  EXPECT_THROW(JobClaim(folder_.path() / "gone" / "key"), FileError);
}

}  // namespace
}  // namespace aplomb

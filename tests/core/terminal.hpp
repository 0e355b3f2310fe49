#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace aplomb::test {

/// A terminal of 100 columns; what is written to it is kept.
class Terminal {
 public:
  explicit Terminal(int columns = 100) {
    ::setenv("TERM", "xterm", 1);
    winsize size{};
    size.ws_col = static_cast<unsigned short>(columns);
    EXPECT_EQ(::openpty(&master_, &slave_, nullptr, nullptr, &size), 0);
    ::fcntl(master_, F_SETFL, O_NONBLOCK);
  }
  ~Terminal() {
    ::close(master_);
    ::close(slave_);
  }
  int descriptor() const { return slave_; }
  std::string text() {
    char piece[4096];
    for (ssize_t size = 0; (size = ::read(master_, piece, sizeof piece)) > 0;) text_.append(piece, size);
    return text_;
  }

 private:
  int master_ = -1;
  int slave_ = -1;
  std::string text_;
};

/// Containers and chroots without /dev/pts have no pseudo-terminals to try it on.
class ProgressOnATerminal : public testing::Test {
 protected:
  void SetUp() override {
    int master = -1, slave = -1;
    if (::openpty(&master, &slave, nullptr, nullptr, nullptr) != 0) {
      GTEST_SKIP() << "skipped: this machine has no pseudo-terminals (mount /dev/pts to try them)";
    }
    ::close(master);
    ::close(slave);
  }
};

}  // namespace aplomb::test

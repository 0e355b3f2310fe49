#include "aplomb/core/step_progress.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <regex>
#include <string>
#include <thread>

#include "core/terminal.hpp"

namespace aplomb {
namespace {

using namespace std::chrono_literals;
using test::Terminal;

class StepProgressOnATerminal : public test::ProgressOnATerminal {};

TEST_F(StepProgressOnATerminal, NamesEachStepWithABarOfItsOwn) {
  Terminal terminal;
  {
    StepProgress progress("sts", terminal.descriptor());
    for (int i = 0; i <= 20; ++i, std::this_thread::sleep_for(10ms)) progress.update("the person's motion", 0.05 * i);
    for (int i = 0; i <= 20; ++i, std::this_thread::sleep_for(10ms)) progress.update("simulation", 0.02 * i);
  }
  const std::string text = terminal.text();
  EXPECT_TRUE(std::regex_search(text, std::regex("sts: the person's motion  \\[#+\\.*\\] +[0-9]+ %"))) << text;
  EXPECT_TRUE(std::regex_search(text, std::regex("sts: simulation  \\[#*\\.+\\] +[0-9]+ %"))) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_TRUE(text.ends_with("\r\x1b[K")) << text;
}

TEST_F(StepProgressOnATerminal, AStepThatReportsNothingIsRedrawnAllTheSame) {
  Terminal terminal;
  StepProgress progress("sts", terminal.descriptor());
  progress.update("plan of the robot's motion", NAN);
  std::this_thread::sleep_for(1300ms);
  const std::string text = terminal.text();
  EXPECT_TRUE(std::regex_search(text, std::regex("plan of the robot's motion  0:01 elapsed"))) << text;
  EXPECT_EQ(text.find("left"), std::string::npos);
}

TEST_F(StepProgressOnATerminal, AStepThatIsTakenUpAgainGoesOnWithItsOwnTime) {
  Terminal terminal;
  StepProgress progress("sts", terminal.descriptor());
  progress.update("runs", 0.5);
  std::this_thread::sleep_for(1100ms);
  progress.update("plan of the robot's motion", NAN);
  std::this_thread::sleep_for(150ms);
  terminal.text();
  progress.update("runs", 0.5);
  const std::string text = terminal.text();
  const std::string last = text.substr(text.rfind('\r'));
  EXPECT_NE(last.find("0:01 elapsed, 0:01 left"), std::string::npos) << "half of the runs took a second: " << last;
}

TEST_F(StepProgressOnATerminal, SaysNothingInAPipe) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
  {
    StepProgress piped("sts", ends[1]);
    for (int i = 0; i <= 15; ++i, std::this_thread::sleep_for(10ms)) piped.update("simulation", 0.05 * i);
  }
  char byte = 0;
  EXPECT_EQ(::read(ends[0], &byte, 1), -1);
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace aplomb
